//     nothing ──a product is shown──→ kept answer read ──it is fresh enough──→ rest
//                                            └─ none, or an old one ─→ waiting ──still there, and room──→ asked once ─→ rest
//
//   1. Only what belongs to the product that is shown now is ever announced.
//   2. At most one request a product and day, and none for whoever scans on within two seconds.
//   3. A request that fails says nothing: the product's details, where a person asks, do.
import type { StoreApi } from 'zustand/vanilla';
import type { ProductCard } from '../../app/contract/products.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { ReadBatches } from '../../app/contract/details.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { isAhead, type Later } from '../dom/clock.ts';
import type { MakeStore } from '../stores/make-store.ts';

export type ShownCard = Pick<ProductCard, 'stockId' | 'productId'>;

export interface ExpiryStore {
  readonly card: ShownCard | null;
  /** The platform's last answer about all options together; null when this terminal has none. */
  readonly batches: ReadBatches | null;
  /** Another product is shown, or none. The same one again changes nothing. */
  readonly show: (card: ShownCard | null) => Promise<void>;
  /** A person has asked for the batches of a product. */
  readonly take: (card: ShownCard, batches: ReadBatches) => void;
}

/** Whoever stays this long with a product wants to know it. */
const restMs = 2_000;
/** Batches change when goods come in; a day's answer is good enough to see what expires. */
const freshForMs = 20 * 3_600_000;

/**
 * Whether the platform may be asked for what nobody has asked for: never in safe mode, and only while most of the
 * rate limit is free.
 */
export function mayAskUnasked(state: TerminalState | null): boolean {
  return (
    state !== null &&
    !state.isSafeMode &&
    state.connection.state === 'online' &&
    state.session.state === 'signedIn' &&
    state.rateLimit.pausedUntil === null &&
    state.rateLimit.used * 2 <= state.rateLimit.limit
  );
}

/**
 * Begins empty; `hasRoom` says whether the platform may be asked for what nobody has asked for, `present` what time it
 * is.
 */
export function createExpiryStore(
  make: MakeStore,
  bridge: Bridge,
  hasRoom: () => boolean,
  later: Later,
  present: () => number,
): StoreApi<ExpiryStore> {
  return make<ExpiryStore>({ end: ({ show }) => void show(null), passesOn: true }, (set, get) => {
    let stopWaiting = (): void => {};
    const isShown = ({ stockId, productId }: ShownCard): boolean =>
      get().card?.stockId === stockId && get().card?.productId === productId;

    const ask = async (card: ShownCard): Promise<void> => {
      if (!isShown(card) || !hasRoom()) {
        return;
      }
      const read = await bridge.call('product:readBatches', { ...card, optionIds: [] });
      if (read.ok) {
        get().take(card, read.value);
      }
    };

    return {
      card: null,
      batches: null,

      async show(shown) {
        if (shown === null ? get().card === null : isShown(shown)) {
          return;
        }
        stopWaiting();
        const card = shown === null ? null : { stockId: shown.stockId, productId: shown.productId };
        set({ card, batches: null });
        if (card === null) {
          return;
        }
        const kept = await bridge.call('product:readKept', card);
        if (get().card !== card) {
          return;
        }
        const batches = get().batches ?? (kept.ok ? kept.value.batches : null);
        set({ batches });
        if (batches === null || isAhead(batches.asOf, present()) || present() - batches.asOf > freshForMs) {
          stopWaiting = later(restMs, () => void ask(card));
        }
      },

      take(card, batches) {
        const shownAsOf = get().batches?.asOf ?? 0;
        if (isShown(card) && (batches.asOf >= shownAsOf || isAhead(shownAsOf, present()))) {
          stopWaiting();
          set({ batches });
        }
      },
    };
  });
}
