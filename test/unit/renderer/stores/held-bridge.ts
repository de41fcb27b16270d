import type { ProductCard } from '../../../../app/contract/products.ts';
import { parseId, type Id } from '../../../../app/domain/int64.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';

export interface OpenCall {
  readonly channel: string;
  readonly input: Record<string, unknown>;
  readonly answer: (result: unknown) => Promise<void>;
}

/** A bridge that keeps every call open until the test answers it. */
export function createHeldBridge(): {
  readonly bridge: Bridge;
  readonly calls: OpenCall[];
  next(channel: string): OpenCall;
} {
  const calls: OpenCall[] = [];
  const taken = new Set<OpenCall>();
  const call = (channel: string, input: Record<string, unknown>): Promise<unknown> =>
    new Promise((resolve) => {
      calls.push({
        channel,
        input,
        // Lets everything that waits for the answer run before the test goes on.
        answer: async (result) => {
          resolve(result);
          for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
        },
      });
    });
  return {
    // The test's answers are of the channel's own type; the held calls are of all.
    bridge: { call, subscribe: () => () => undefined } as unknown as Bridge,
    calls,
    next(channel) {
      const found = calls.find((one) => one.channel === channel && !taken.has(one));
      if (found === undefined) throw new Error(`no open call of ${channel}`);
      taken.add(found);
      return found;
    },
  };
}

export const ok = (value: unknown): unknown => ({ ok: true, value });
export const failed = (kind: string): unknown => ({ ok: false, failure: { kind } });

/** An id for a test. */
export function id(text: string): Id {
  const parsed = parseId(text);
  if (parsed === null) throw new Error(`not an id: ${text}`);
  return parsed;
}

/** A card with a figure from the listing. */
export function card(productId: string, more: Partial<ProductCard> = {}): ProductCard {
  return {
    stockId: id('1'),
    stockName: 'Shop',
    productId: id(productId),
    code: `C${productId}`,
    name: `Product ${productId}`,
    unit: 'UNID',
    barcodes: [],
    balance: { amount: 5, asOf: 1000, source: 'listing' },
    options: [],
    extra: [],
    coupon: { isEnabled: false, status: 'confirmed', failure: null },
    minimum: null,
    ...more,
  };
}

/** An answer that found these cards. */
export const found = (text: string, ...cards: ProductCard[]): unknown => ok({ kind: 'found', text, cards });
