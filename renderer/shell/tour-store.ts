//     not seen ─→ scan ─→ figure ─→ coupon ─→ network ─→ help ─→ seen
//                   └───────┴── skipped at any step ──┴───────────↗   ↺ called again
import type { StoreApi } from 'zustand/vanilla';
import type { Bridge } from '../bridge/bridge.ts';
import { makeLastingStore } from '../stores/make-store.ts';

export const tourSteps = ['scan', 'figure', 'coupon', 'network', 'help'] as const;
export type TourStep = (typeof tourSteps)[number];

export interface Tour {
  /** Null: as the terminal's settings say; `ended` until those have heard of it. */
  readonly step: TourStep | 'ended' | null;
  readonly begin: () => void;
  /** The step after this one; after the last the tour is over. */
  readonly goOn: (from: TourStep) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Nothing has been called yet. */
export function createTourStore(bridge: Bridge): StoreApi<Tour> {
  return makeLastingStore<Tour>({}, (set, get) => ({
    step: null,
    begin: () => set({ step: tourSteps[0] }),
    async goOn(from) {
      const next = tourSteps[tourSteps.indexOf(from) + 1];
      if (next === undefined) {
        await get().end();
      } else {
        set({ step: next });
      }
    },
    async end() {
      set({ step: 'ended' });
      await bridge.call('settings:update', { isTourSeen: true });
    },
  }));
}
