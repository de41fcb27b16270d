// What is so at the platform and in the terminal, and since when, for the judges.
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { Balances } from '../../app/training/data/balances.ts';
import { Changes } from '../../app/training/data/changes.ts';
import { openTrainingRepository } from '../../app/training/data/repository.ts';
import { stocks } from '../../app/training/data/world.ts';
import { walkedProducts } from './steps.ts';
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

export type Truth = Awaited<ReturnType<typeof openTruth>>;

/** Begins to note what is so. */
export async function openTruth(till: Till) {
  const { platform } = till;
  const { products } = platform;
  const startedMs = Date.now();
  const balances = new Balances(products, new Changes(await openTrainingRepository(null, startedMs)));
  const productAt = (index: number): Product => {
    const barcodes = products.barcodesAt(index);
    const code = products.codeAt(index);
    return {
      id: String(products.idAt(index)),
      index,
      name: products.nameAt(index),
      codes: [code, ...barcodes],
      barcode: barcodes[0] ?? code,
    };
  };
  const all = Array.from({ length: products.count }, (_, index) => productAt(index));
  const amountChanges: { readonly stockId: string; readonly index: number; readonly since: Since<number> }[] = [];
  const initialCoupons = new Map(platform.couponSettings());
  const initialEffects = platform.effects().length;
  let changedMs = 0;
  const stockNamed = (name: string) => stocks.find((stock) => stock.name === name || name.endsWith(stock.id));
  const product = (place: number): Product => {
    const one = all[place % walkedProducts];
    if (one === undefined) {
      throw new RangeError(`no product ${place}`);
    }
    return one;
  };

  return {
    product,
    productNamed: (name: string, codes: readonly string[]): Product | null =>
      all.find((one) => one.name === name && codes.every((code) => one.codes.includes(code))) ?? null,
    /** All that the quantity was, and since when. */
    amounts: (stockName: string, { index }: Product): readonly Since<number>[] => {
      const stock = stockNamed(stockName);
      return stock === undefined
        ? []
        : [
            { atMs: 0, value: balances.amountOf(stock, index) },
            ...amountChanges.filter((one) => one.stockId === stock.id && one.index === index).map(({ since }) => since),
          ];
    },
    /** The same of the coupon at the platform; a coupon that nobody has set is off. */
    coupons: ({ id }: Pick<Product, 'id'>): readonly Since<boolean>[] => [
      { atMs: 0, value: initialCoupons.get(id) ?? false },
      ...platform
        .effects()
        .slice(initialEffects)
        .filter(({ productId }) => productId === id)
        .map(({ at, isEnabled }) => ({ atMs: at, value: isEnabled })),
    ],
    others: (change: 'coupon' | 'balance', place: number, amount: number): void => {
      const { id, index } = product(place);
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
    lastAnswered: (pathEnd: string): number | null =>
      platform.arrivals().findLast(({ path, status }) => path.endsWith(pathEnd) && status === 200)?.at ?? null,
    /** Asks the main process; the queue is null while nobody may read it. */
    readTerminal: async (): Promise<{ state: TerminalState; queue: readonly QueuedUpdate[] | null }> => {
      const state = await till.invoke('terminal:read', {});
      const queue = await till.invoke('queue:list', { statuses: [], offset: 0, limit: 200 });
      if (!state.ok) {
        throw new Error('the terminal cannot be read');
      }
      return { state: state.value, queue: queue.ok ? queue.value.rows : null };
    },
    listed: (stockName: string): number => {
      const stock = stockNamed(stockName);
      return all.filter(({ index }) => stock !== undefined && index % stock.holdsEvery === 0).length;
    },
  };
}
