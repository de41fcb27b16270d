// What is so at the platform and in the terminal, and since when, for the judges.
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { Balances } from '../../app/training/data/balances.ts';
import { Changes } from '../../app/training/data/changes.ts';
import { openTrainingRepository } from '../../app/training/data/repository.ts';
import { Products } from '../../app/training/data/products.ts';
import { places, stocks, users } from '../../app/training/data/world.ts';
import { practiceProducts } from '../../app/training/server.ts';
import { walkedProducts, type Shop } from './steps.ts';
import type { Till } from './till.ts';

export interface Product {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly codes: readonly string[];
  readonly barcode: string;
}

/** Something that was so from this moment on. */
export interface Since<Value> {
  readonly atMs: number;
  readonly value: Value;
}

/** A plan that somebody has made. */
export interface Planned {
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly email: string;
  readonly shop: Shop;
  /** By the machine's clock. */
  readonly dueMs: number;
}

export type CouponRow = Extract<QueuedUpdate, { kind: 'coupon' }>;

/** The practice store's own products, as many as it has. */
const listedInPractice = new Products(practiceProducts, 1);

/** Each product of a shop, in the order in which they were made up. */
function listProducts(products: Products): readonly Product[] {
  return Array.from({ length: products.count }, (_, index) => {
    const barcodes = products.barcodesAt(index);
    const code = products.codeAt(index);
    return {
      id: String(products.idAt(index)),
      index,
      name: products.nameAt(index),
      codes: [code, ...barcodes],
      barcode: barcodes[0] ?? code,
    };
  });
}

const companyOf = (shop: Shop): string => (shop === 'second' ? places.secondCompanyId : places.companyId);

/** Which shop is open; null where none is. */
export function shopOf({ mode, profile }: TerminalState): Shop | null {
  if (mode === null || mode === 'practice') {
    return mode;
  }
  return profile?.companyId === places.secondCompanyId ? 'second' : 'first';
}

export type Truth = Awaited<ReturnType<typeof openTruth>>;

/** Begins to note what is so. */
export async function openTruth(till: Till) {
  const { platform } = till;
  const { products } = platform;
  const startedMs = Date.now();
  const balances = new Balances(products, new Changes(await openTrainingRepository(null, startedMs)));
  const real = listProducts(products);
  const practised = listProducts(listedInPractice);
  const productsNow = (): readonly Product[] => (shop === 'practice' ? practised : real);
  const amountChanges: { readonly stockId: string; readonly index: number; readonly since: Since<number> }[] = [];
  const initialCoupons = new Map(
    [places.companyId, places.secondCompanyId].map((id) => [String(id), new Map(platform.couponSettings(id))]),
  );
  const plans: Planned[] = [];
  const rows = new Map<number, CouponRow>();
  const initialEffects = platform.effects().length;
  const couponsReadMs = new Map<Shop, number>();
  const lastAnswered = (pathEnd: string): number | null =>
    platform
      .arrivals()
      .findLast(
        ({ path, status, fault }) => path.endsWith(pathEnd) && status === 200 && (fault === null || fault === 'answer'),
      )?.at ?? null;
  let [changedMs, clockSetMs, openedMs] = [0, 0, 0];
  const stockNamed = (name: string) => stocks.find((stock) => stock.name === name || name.endsWith(stock.id));
  let shop: Shop = 'first';
  const product = (place: number): Product => {
    // The second shop has every tenth product.
    const index = shop === 'second' ? (10 * place) % real.length : place % walkedProducts;
    const one = productsNow()[index];
    if (one === undefined) {
      throw new RangeError(`no product ${place}`);
    }
    return one;
  };
  /** All that the quantity was, and since when. */
  const amounts = (stockName: string, { index }: Product): readonly Since<number>[] => {
    const stock = stockNamed(stockName);
    return stock === undefined
      ? []
      : [
          { atMs: 0, value: balances.amountOf(stock, index) },
          ...amountChanges.filter((one) => one.stockId === stock.id && one.index === index).map(({ since }) => since),
        ];
  };

  return {
    product,
    productNamed: (name: string, codes: readonly string[]): Product | null =>
      productsNow().find(
        (one) =>
          (one.name === name && codes.every((code) => one.codes.includes(code))) ||
          // One that is not copied yet goes by its number.
          (codes.length === 0 && name === `Product ${one.id}`),
      ) ?? null,
    /** All that the quantity was, in any stock, until then. */
    everHeld: (one: Product, toMs: number): readonly number[] =>
      stocks
        .flatMap(({ name }) => amounts(name, one))
        .filter(({ atMs }) => atMs <= toMs)
        .map(({ value }) => value),
    amounts,
    /** The same of the coupon at the platform; a coupon that nobody has set is off. */
    coupons: ({ id }: Pick<Product, 'id'>, company = companyOf(shop)): readonly Since<boolean>[] => [
      { atMs: 0, value: initialCoupons.get(company)?.get(id) ?? false },
      ...platform
        .effects()
        .slice(initialEffects)
        .filter(({ productId, companyId }) => productId === id && companyId === company)
        .map(({ at, isEnabled }) => ({ atMs: at, value: isEnabled })),
    ],
    /** What a terminal has changed at the platform, and under whose sign-in. */
    changes: () =>
      platform
        .effects()
        .slice(initialEffects)
        .filter(({ idempotencyKey }) => idempotencyKey !== null)
        .map((effect) => ({ ...effect, email: users.find(({ id }) => id === effect.userId)?.email ?? null })),
    /** All that anybody has ever asked for at this terminal, outside of practice. */
    asked: (): readonly CouponRow[] => [...rows.values()],
    plans,
    shop: () => shop,
    company: () => companyOf(shop),
    /** From when to when it was, by the platform's clock, what a clock said that may have been set since. */
    spans: ([fromMs, toMs]: readonly [number, number]): readonly (readonly [number, number])[] =>
      till.aheads().map((aheadMs) => {
        const setMs = (till.aheads().at(-1) ?? 0) - aheadMs;
        return [fromMs + Math.min(0, setMs), toMs + Math.max(0, setMs)];
      }),
    /** Whether the clock has been set back by more than the page lets pass; a plan's step sets it forward by seconds. */
    wasSetBack: () => Math.max(...till.aheads()) - (till.aheads().at(-1) ?? 0) > 5_000,
    /** The earliest moment of the platform's clock that this one of the terminal's may be. */
    earliest: (atMs: number): number => atMs - Math.max(...till.aheads()),
    others: (change: 'coupon' | 'balance', place: number, amount: number): void => {
      const { id, index } = real[place % walkedProducts] ?? product(place);
      if (change === 'coupon') {
        platform.changeCouponSetting(id, amount % 2 === 0);
        return;
      }
      const stockId = platform.stockIds[0] ?? '';
      platform.changeBalance(stockId, id, amount);
      amountChanges.push({ stockId, index, since: { atMs: Date.now(), value: amount } });
    },
    /** The network or the platform behaves otherwise from now on. */
    noteWay: (): void => {
      changedMs = Date.now();
    },
    wayChangedMs: () => changedMs,
    /** The terminal's clock was set. */
    noteClock: (): void => {
      clockSetMs = Date.now();
    },
    clockSetMs: () => clockSetMs,
    aheadMs: () => till.aheads().at(-1) ?? 0,
    /** Since when this shop has been open. */
    openedMs: () => openedMs,
    /** When the terminal's requests came since the platform last answered one well. */
    unanswered: (): readonly number[] => {
      const arrivals = platform.arrivals();
      const last = arrivals.findLastIndex(
        ({ status, fault }) => status !== null && status < 500 && (fault === null || fault === 'answer'),
      );
      return arrivals.slice(last + 1).map(({ at }) => at);
    },
    wasAnswered: (pathEnd: string, fromMs: number, toMs: number): boolean =>
      platform
        .arrivals()
        .some(({ path, status, at }) => path.endsWith(pathEnd) && status === 200 && at >= fromMs && at <= toMs),
    lastAnswered,
    /** When the platform last told this shop its coupons, at the earliest. */
    couponsReadMs: (): number => couponsReadMs.get(shop) ?? 0,
    /** Asks the main process; the queue is null while nobody may read it. */
    readTerminal: async (): Promise<{ state: TerminalState; queue: readonly QueuedUpdate[] | null }> => {
      const state = await till.invoke('terminal:read', {});
      const queue = await till.invoke('queue:list', { statuses: [], offset: 0, limit: 200 });
      if (!state.ok) {
        throw new Error('the terminal cannot be read');
      }
      const open = shopOf(state.value) ?? shop;
      if (open === shop) {
        couponsReadMs.set(shop, lastAnswered('/consumption-coupons') ?? 0);
      } else {
        openedMs = Date.now();
      }
      shop = open;
      for (const row of shop !== 'practice' && queue.ok ? queue.value.rows : []) {
        if (row.kind === 'coupon') {
          rows.set(row.id, row);
        }
      }
      return { state: state.value, queue: queue.ok ? queue.value.rows : null };
    },
    listed: (stockName: string): number => {
      const stock = stockNamed(stockName);
      return real.filter(({ index }) => stock !== undefined && index % stock.holdsEvery === 0).length;
    },
  };
}
