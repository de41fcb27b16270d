// What `--check` finds out. It asks for all that a bridge asks for later: else a till would meet the fault first.
import type { Config } from './config.ts';
import { openSharedLedger } from './ledger/shared-ledger.ts';
import { openSource } from './sources/open-source.ts';
import { reasonOf } from './reason.ts';
import { barcodesTooLong, maxBarcodesLength, refuseUnreadable } from './snapshot/pass.ts';
import { roundAmount } from './sources/row-reader.ts';
import type { ShopSource, SourceKey, SourceProduct } from './sources/shop-source.ts';

/** So many products of each stock are asked about alone. */
const maxAsked = 5;
const maxNamed = 20;

/** What a source holds, a line each, and everything that is wrong with it. */
export interface Findings {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

interface Stock {
  amounts: number;
  /** How much is listed of some of the products that lie there. */
  readonly some: Map<string, number>;
}

/** What belongs to products: how much there is, of that how much is of no product, and the first such id. */
class Belongings {
  count = 0;
  stray = 0;
  firstStray = '';

  add(sourceId: string, products: ReadonlyMap<string, SourceKey>): void {
    this.count += 1;
    if (!products.has(sourceId)) {
      this.firstStray = this.stray === 0 ? sourceId : this.firstStray;
      this.stray += 1;
    }
  }

  /** What is wrong where nothing belongs to any product. */
  faults(what: string, products: ReadonlyMap<string, SourceKey>): readonly string[] {
    const [product = ''] = products.keys();
    const [stray, known] = [this.firstStray, product].map((id) => JSON.stringify(id));
    return this.count === 0 || this.stray < this.count
      ? []
      : [`no ${what} is of a product: it is said of ${stray}, and products have an id as ${known}`];
  }
}

/** A reading of the whole source, without keeping it. */
class Reading {
  /** By which the source is asked about each. */
  readonly products = new Map<string, SourceKey>();
  readonly barcodes = new Belongings();
  readonly amounts = new Belongings();
  readonly stocks = new Map<string, Stock>();
  /** Of each product, each once, as JSON between commas. */
  readonly #barcodes = new Map<string, string>();
  /** One whose coupon the source says, if there is any. */
  sample: SourceProduct | null = null;
  /** What is wrong with products that are left out. */
  readonly unreadable: string[] = [];

  /** Throws what the source throws, and RangeError for what no bridge could serve. */
  async read(source: ShopSource): Promise<void> {
    for await (const { products = [], barcodes = [], amounts = [], unreadable = [] } of source.read()) {
      this.unreadable.push(...unreadable);
      for (const product of products) {
        const { sourceId, key = sourceId, barcodes: own, coupon } = product;
        if (this.products.has(sourceId)) {
          throw new RangeError(`the source answers the product ${sourceId} twice`);
        }
        this.products.set(sourceId, key);
        this.sample = this.sample === null || (this.sample.coupon === null && coupon !== null) ? product : this.sample;
        this.barcodes.count += own.length;
      }
      for (const { sourceId, barcode } of barcodes) {
        this.barcodes.add(sourceId, this.products);
        this.#addBarcode(sourceId, barcode);
      }
      for (const { sourceId, stock, amount } of amounts) {
        this.amounts.add(sourceId, this.products);
        this.#addAmount(sourceId, stock, amount);
      }
    }
    const [first = null] = this.unreadable;
    refuseUnreadable({ unreadable: this.unreadable.length, firstUnreadable: first }, this.products.size);
    if (this.products.size === 0) {
      throw new RangeError('the source answers no product at all');
    }
  }

  #addBarcode(sourceId: string, barcode: string): void {
    const known = this.#barcodes.get(sourceId) ?? ',';
    const added = `${JSON.stringify(barcode)},`;
    if (!this.products.has(sourceId) || known.includes(`,${added}`)) {
      return;
    }
    if (known.length - 1 + added.length > maxBarcodesLength) {
      throw barcodesTooLong(sourceId);
    }
    this.#barcodes.set(sourceId, known + added);
  }

  #addAmount(sourceId: string, stock: string, amount: number): void {
    const known = this.stocks.get(stock) ?? { amounts: 0, some: new Map<string, number>() };
    known.amounts += 1;
    const before = known.some.get(sourceId) ?? 0;
    if (
      known.some.has(sourceId) ||
      (roundAmount(amount) !== 0 && known.some.size < maxAsked && this.products.has(sourceId))
    ) {
      known.some.set(sourceId, before + amount);
    }
    this.stocks.set(stock, known);
  }

  /** Products to ask about in the stock, by the source's id. */
  someOf(stock: string): readonly string[] {
    const some = [...(this.stocks.get(stock)?.some.keys() ?? [])];
    return some.length > 0 ? some : [...this.products.keys()].slice(0, 1);
  }

  keyOf(sourceId: string): SourceKey {
    return this.products.get(sourceId) ?? sourceId;
  }

  faults(): readonly string[] {
    return [...this.barcodes.faults('barcode', this.products), ...this.amounts.faults('amount', this.products)];
  }

  lines(stocks: Config['stocks']): readonly string[] {
    const others = [...this.stocks.keys()].filter((one) => !stocks.some(({ source }) => source === one));
    const named = others.slice(0, maxNamed).map((one) => JSON.stringify(one));
    const { barcodes, amounts, unreadable } = this;
    return [
      `${this.products.size} products, ${barcodes.count} barcodes`,
      ...(unreadable.length > 0 ? [`cannot be read, and not served: ${unreadable.length} products`] : []),
      ...unreadable.slice(0, maxNamed),
      ...stocks.map(
        ({ id, name, source }) => `stock ${id} (${name}): ${this.stocks.get(source)?.amounts ?? 0} amounts`,
      ),
      ...(barcodes.stray + amounts.stray > 0
        ? [`of no product, and not served: ${barcodes.stray} barcodes, ${amounts.stray} amounts`]
        : []),
      ...(others.length > 0 ? [`not served: ${named.join(', ')}`] : []),
    ];
  }
}

/** What goes wrong with the question first, about some products of each stock. */
async function ask(
  question: ((key: SourceKey, stock: string) => Promise<unknown>) | null,
  reading: Reading,
  stocks: Config['stocks'],
): Promise<readonly string[]> {
  try {
    for (const { source } of stocks) {
      for (const product of reading.someOf(source)) {
        await question?.(reading.keyOf(product), source);
      }
    }
    return [];
  } catch (error) {
    return [reasonOf(error)];
  }
}

/** The products, a sentence each, of which the source answers alone another amount than it lists. */
async function compareAmounts(
  readAmount: NonNullable<ShopSource['readAmount']>,
  reading: Reading,
  stocks: Config['stocks'],
): Promise<ReadonlyMap<string, string>> {
  const others = new Map<string, string>();
  for (const { source } of stocks) {
    for (const [product, sum] of reading.stocks.get(source)?.some ?? []) {
      const listed = roundAmount(sum);
      const alone = await readAmount(reading.keyOf(product), source);
      if (roundAmount(alone) !== listed) {
        const named = `${JSON.stringify(product)} in ${JSON.stringify(source)}`;
        others.set(
          named,
          `of ${named} the amount is ${listed} in the listing, and ${alone} where it is asked for alone`,
        );
      }
    }
  }
  return others;
}

/** What of the amounts is still another in a second reading: in between something may have been sold. */
async function findOtherAmounts(
  source: ShopSource,
  first: Reading,
  stocks: Config['stocks'],
): Promise<readonly string[]> {
  const { readAmount } = source;
  const before = readAmount === null ? null : await compareAmounts(readAmount, first, stocks);
  if (readAmount === null || before === null || before.size === 0) {
    return [];
  }
  const second = new Reading();
  await second.read(source);
  const after = await compareAmounts(readAmount, second, stocks);
  return [...after].filter(([named]) => before.has(named)).map(([, sentence]) => sentence);
}

async function askLedger(address: string): Promise<string> {
  const ledger = openSharedLedger(address);
  try {
    return `the ledger answers; coupons that wait for the source: ${await ledger.countPending()}`;
  } finally {
    await ledger.close();
  }
}

/** Asks ledger and source for everything once, and tries to set a coupon without leaving it set. */
export async function checkSource(config: Config): Promise<Findings> {
  const { stocks } = config;
  const reading = new Reading();
  const faults: string[] = [];
  const ofLedger: string[] = [];
  let source: ShopSource | null = null;
  try {
    if (config.ledger !== undefined) {
      ofLedger.push(await askLedger(config.ledger));
    }
  } catch (error) {
    faults.push(reasonOf(error));
  }
  try {
    source = await openSource(config.source, config);
    await reading.read(source);
    faults.push(...reading.faults());
  } catch (error) {
    faults.push(reasonOf(error));
  }
  const lines = [...ofLedger, ...(faults.length === 0 ? reading.lines(stocks) : [])];
  if (source !== null) {
    const { readAmount, readMovements, listBatches, checkCoupon } = source;
    for (const question of [readAmount, readMovements, listBatches]) {
      faults.push(...(await ask(question, reading, stocks)));
    }
    if (reading.sample !== null) {
      await checkCoupon?.(reading.sample).catch((error: unknown) => faults.push(reasonOf(error)));
    }
    if (faults.length === 0) {
      faults.push(...(await findOtherAmounts(source, reading, stocks).catch((error: unknown) => [reasonOf(error)])));
    }
    await source.close();
  }
  return { lines, faults };
}
