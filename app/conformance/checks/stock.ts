import { broken, equals, hasShape, isRefused, refusalOf, untold, type Check, type Complaint } from '../check.ts';
import { balanceSchema, batchesSchema, couponsSchema, fieldsOf, textOf, type Element } from '../listed.ts';
import { at, companyHeader, unlikelyId, type Exchange, type Probe } from '../probe.ts';
import { readFirst } from './listing.ts';

export const couponsPath = '/api/v3/products/consumption-coupons';
const tries = 4;

const pathOf = ({ target }: Probe, { id }: Element, what: string): string =>
  `/api/v3/stocks/${target.stock}/products/${id}/${what}`;
const numberAt = (exchange: Exchange, name: string): number => Number(at(exchange.json, name));
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Products of the first page, those first that are likely to have what a check needs. */
async function choose(probe: Probe, isLikely: (element: Element) => boolean): Promise<readonly Element[]> {
  const elements = ((await readFirst(probe))?.elements ?? []).filter(({ hasId }) => hasId);
  return elements.toSorted((left, right) => Number(isLikely(right)) - Number(isLikely(left))).slice(0, tries);
}

function ofProduct(id: string, judge: (probe: Probe, product: Element) => Promise<Complaint | null>): Check {
  return {
    id,
    isMoving: true,
    judge: async (probe) => {
      const [product] = await choose(probe, ({ amount }) => amount !== null && amount > 0);
      return product === undefined ? untold('fewProducts') : judge(probe, product);
    },
  };
}

const optionId = (option: unknown): string | undefined =>
  [at(option, 'option_id'), at(option, 'option', 'id'), at(option, 'id')].map(textOf).find((id) => id !== null);

/** A product with options, its balance, and the id of its first option. */
async function findOptions(probe: Probe): Promise<{ product: Element; balance: Exchange; option: string } | null> {
  for (const product of await choose(probe, ({ hasOptions }) => hasOptions)) {
    const balance = await probe.once({ path: pathOf(probe, product, 'balance') });
    const options = at(balance.json, 'balance_options');
    const option = Array.isArray(options) ? optionId(options[0]) : undefined;
    if (option !== undefined) {
      probe.note('2:option-fields', fieldsOf(at(options, 0)));
      return { product, balance, option };
    }
  }
  return null;
}

export const stockChecks: readonly Check[] = [
  ofProduct('4.4:shape', async (probe, product) => {
    const exchange = await probe.once({ path: pathOf(probe, product, 'balance') });
    probe.note('2:unit-fields', fieldsOf(at(exchange.json, 'product', 'unit_of_measure')));
    return (
      hasShape(exchange, balanceSchema) ??
      equals(exchange, 'product.id', String(at(exchange.json, 'product', 'id')), product.id) ??
      equals(exchange, 'stock.id', String(at(exchange.json, 'stock', 'id')), probe.target.stock)
    );
  }),
  {
    id: '4.4:movements',
    isMoving: true,
    judge: async (probe) => {
      for (const product of await choose(probe, ({ amount }) => amount !== null && amount > 0)) {
        const path = pathOf(probe, product, 'balance');
        const [whole, all, ins, outs] = [
          await probe.once({ path }),
          await probe.once({ path, query: { movement_type: 'all' } }),
          await probe.once({ path, query: { movement_type: 'in' } }),
          await probe.once({ path, query: { movement_type: 'out' } }),
        ];
        const wrong = [whole, all, ins, outs].map((one) => hasShape(one, balanceSchema)).find((one) => one !== null);
        if (wrong !== undefined) return wrong;
        const [balance, entered, left] = [whole, ins, outs].map((one) => numberAt(one, 'balance'));
        if (balance === undefined || entered === undefined || left === undefined) return untold('listing');
        if (left !== 0) {
          probe.note('4.4:exits', left < 0 ? 'negative' : 'positive');
        }
        const got = `in ${entered}, out ${left}`;
        const fits = round(entered - Math.abs(left)) === round(balance);
        if (!fits) return broken(outs, 'value', { what: 'balance', got, expected: `${balance}` });
        if (left !== 0) return equals(all, 'balance', numberAt(all, 'balance'), balance);
      }
      return untold('noMovements');
    },
  },
  ofProduct('4.4:refuses-movement_type', async (probe, product) =>
    isRefused(
      await probe.ask({ path: pathOf(probe, product, 'balance'), query: { movement_type: 'aside' } }),
      [422, 400],
    ),
  ),
  {
    id: '4.4:option-ids',
    isMoving: true,
    judge: async (probe) => {
      const found = await findOptions(probe);
      if (found === null) return untold('noOptions');
      const { product, balance, option } = found;
      const exchange = await probe.ask({ path: pathOf(probe, product, 'balance'), query: { option_ids: option } });
      const wrong = hasShape(exchange, balanceSchema);
      if (wrong !== null) return wrong;
      const options = at(exchange.json, 'balance_options') as readonly unknown[];
      const isWhole = numberAt(exchange, 'balance') === numberAt(balance, 'balance');
      probe.note('4.4:balance-of-options', isWhole ? 'whole' : 'chosen');
      return equals(exchange, 'balance_options', options.map(optionId), [option]);
    },
  },
  ofProduct('4.5:shape', async (probe, product) => {
    const exchange = await probe.once({ path: pathOf(probe, product, 'batches') });
    probe.note('2:batch-fields', fieldsOf(at(exchange.json, 'stock_movements', 0)) || 'none');
    return (
      hasShape(exchange, batchesSchema) ??
      equals(exchange, 'product.id', String(at(exchange.json, 'product', 'id')), product.id)
    );
  }),
  {
    id: '4.5:option-ids',
    isMoving: true,
    judge: async (probe) => {
      const found = await findOptions(probe);
      if (found === null) return untold('noOptions');
      const path = pathOf(probe, found.product, 'batches');
      const [whole, exchange] = [
        await probe.once({ path }),
        await probe.ask({ path, query: { option_ids: found.option } }),
      ];
      const wrong = hasShape(whole, batchesSchema) ?? hasShape(exchange, batchesSchema);
      if (wrong !== null) return wrong;
      const [all = [], chosen = []] = [whole, exchange].map((one) => at(one.json, 'stock_movements') as unknown[]);
      const options = at(found.balance.json, 'balance_options') as unknown[];
      // With several options that came in, one alone cannot have all the batches.
      if (options.length < 2 || all.length < 2) return untold('noOptions');
      return chosen.length < all.length
        ? null
        : broken(exchange, 'value', {
            what: 'stock_movements.length',
            got: String(chosen.length),
            expected: `< ${all.length}`,
          });
    },
  },
];

export interface Coupon {
  readonly product_id: number | bigint;
  readonly is_enabled: boolean;
}

/** The settings of an answer; null when it has none. */
export function readCoupons({ answer, json }: Exchange): readonly Coupon[] | null {
  return answer.status === 200 ? (couponsSchema.safeParse(json).data?.items ?? null) : null;
}

/** How coupon settings are listed for who names a company: a status where that is refused. */
export const withCompany = '4.6:with-company';

/** Coupon settings as they are listed with the company, or without it where that is refused. */
export function listCoupons(probe: Probe, query: Readonly<Record<string, string>> = {}): Promise<Exchange> {
  const isUnwelcome = /^\d/.test(probe.readings.get(withCompany) ?? '');
  const headers = isUnwelcome ? { [companyHeader]: null } : {};
  return probe.once({ path: couponsPath, query, headers });
}

export const couponChecks: readonly Check[] = [
  {
    id: '4.6:shape',
    judge: async (probe) => {
      const [named, without, other] = [
        await probe.once({ path: couponsPath }),
        await probe.once({ path: couponsPath, headers: { [companyHeader]: null } }),
        await probe.once({ path: couponsPath, headers: { [companyHeader]: unlikelyId } }),
      ];
      const isEmpty = readCoupons(other)?.length === 0 && readCoupons(named)?.length !== 0;
      const heed = other.answer.status >= 400 || isEmpty ? 'own' : 'ignored';
      probe.note(withCompany, named.answer.status < 300 ? heed : refusalOf(named));
      probe.note('4.6:without-company', without.answer.status < 300 ? 'listed' : refusalOf(without));
      const exchange = await listCoupons(probe);
      const wrong = hasShape(exchange, couponsSchema);
      const items = readCoupons(exchange) ?? [];
      const base = await readFirst(probe);
      if (base !== null && items.length > 0) {
        const names = new Set(items.map((item) => String(item.product_id)));
        probe.note('4.6:unset', base.elements.every(({ id }) => names.has(id)) ? 'off' : 'absent');
        probe.note('2:coupon-fields', fieldsOf(at(exchange.json, 'items', 0)));
      }
      return wrong;
    },
  },
  {
    id: '4.6:product-id',
    isMoving: true,
    judge: async (probe) => {
      const [first] = readCoupons(await listCoupons(probe)) ?? [];
      if (first === undefined) return untold('noCoupons');
      const exchange = await listCoupons(probe, { product_id: String(first.product_id) });
      const wrong = hasShape(exchange, couponsSchema);
      const found = readCoupons(exchange)?.map((item) => String(item.product_id));
      return wrong ?? equals(exchange, 'items', found, [String(first.product_id)]);
    },
  },
  {
    id: '4.6:is-enabled',
    isMoving: true,
    judge: async (probe) => {
      const all = readCoupons(await listCoupons(probe)) ?? [];
      if (all.length === 0) return untold('noCoupons');
      const [on, off] = [
        await listCoupons(probe, { is_enabled: 'true' }),
        await listCoupons(probe, { is_enabled: 'false' }),
      ];
      const offCount = readCoupons(off)?.length;
      probe.note('4.6:false', offCount === all.length ? 'all' : 'off');
      const expected = all.filter((item) => item.is_enabled).map((item) => String(item.product_id));
      const found = readCoupons(on)?.map((item) => String(item.product_id));
      return hasShape(on, couponsSchema) ?? equals(on, 'items', found?.toSorted(), expected.toSorted());
    },
  },
  ...(['product_id', 'is_enabled'] as const).map((name): Check => ({
    id: `4.6:refuses-${name}`,
    judge: async (probe) => isRefused(await listCoupons(probe, { [name]: 'x' }), [422, 400]),
  })),
];
