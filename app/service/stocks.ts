// The three operations on a stock: listing, balance and batches (API v3 §4.3 to §4.5).
import { answerJson, answerPage, refuseNotFound, type PlatformAnswer } from './answers.ts';
import { amountFilters, type Source, type Stock } from './ports.ts';
import type { Query } from './query.ts';
import type { Readings } from './readings.ts';
import { writeBatch, writeElement, writeOptionAmount, writeProduct } from './shapes.ts';

const largestOffset = BigInt(Number.MAX_SAFE_INTEGER);

interface Asked {
  readonly source: Source;
  readonly stock: Stock;
  readonly query: Query;
  readonly readings: Readings;
}

/** API v3 §4.3. */
export async function listProducts({ source, stock, query, readings }: Asked): Promise<PlatformAnswer> {
  const orderBy = query.oneOf('order_by_field', ['code', 'name']) ?? readings.defaultOrder;
  const isAscending = query.oneOf('order_by_type', ['asc', 'desc']) === 'asc';
  const { page, perPage } = query.paging();
  const filter = {
    term: query.text('term'),
    productIds: query.ids('product_ids'),
    amount: query.oneOf('amount_in_stock', amountFilters),
    updatedFrom: query.dateTime('updated_from'),
  };
  const refusal = query.refusal(readings);
  if (refusal !== null) {
    return refusal;
  }
  const wanted = (page - 1n) * BigInt(perPage);
  const offset = Number(wanted < largestOffset ? wanted : largestOffset);
  const { total, products } = await source.list(stock, { ...filter, orderBy, isAscending, offset, limit: perPage });
  const lastPage = Math.max(readings.emptyLastPage, Math.ceil(total / perPage));
  if (page > Math.max(1, lastPage) && readings.pageBeyondLast === 'notFound') {
    return refuseNotFound();
  }
  return answerPage(
    { stock_products: products.map((product) => writeElement(readings, product)) },
    { current: page, last: lastPage, per: perPage, total },
  );
}

/** API v3 §4.4. */
export async function readBalance(
  { source, stock, query, readings }: Asked,
  productId: bigint,
): Promise<PlatformAnswer> {
  const movement = query.oneOf('movement_type', source.movements) ?? 'all';
  const optionIds = query.ids('option_ids');
  const refusal = query.refusal(readings);
  if (refusal !== null) {
    return refusal;
  }
  const read = await source.readBalance(stock, productId, movement);
  if (read === null) {
    return refuseNotFound();
  }
  const options = read.options.filter(({ option }) => optionIds === null || optionIds.has(option.id));
  const balance =
    optionIds === null || readings.balanceWithOptions === 'whole'
      ? read.amount
      : Math.round(options.reduce((sum, { amount }) => sum + amount, 0) * 1000) / 1000;
  // A source counts exits as negative; zero has no sign.
  const counted = (amount: number): number =>
    movement === 'out' && readings.exits === 'positive' ? Math.abs(amount) : amount;
  return answerJson(200, {
    stock: { id: BigInt(stock.id), name: stock.name },
    product: writeProduct(readings.elementShape, read.product),
    balance: counted(balance),
    balance_options: options.map(({ option, amount }) =>
      writeOptionAmount(readings.elementShape, { option, amount: counted(amount) }),
    ),
  });
}

/** API v3 §4.5. */
export async function listBatches(
  { source, stock, query, readings }: Asked,
  productId: bigint,
): Promise<PlatformAnswer> {
  const optionIds = query.ids('option_ids');
  const refusal = query.refusal(readings);
  if (refusal !== null) {
    return refusal;
  }
  const read = await source.listBatches(stock, productId, optionIds);
  if (read === null) {
    return refuseNotFound();
  }
  const options = read.product.options.filter((option) => optionIds === null || optionIds.has(option.id));
  return answerJson(200, {
    product: writeProduct(readings.elementShape, read.product),
    option_names: options.map((option) => option.name).join(' '),
    stock_movements: read.batches.map((batch) => writeBatch(readings.elementShape, batch, readings.timeZone)),
  });
}
