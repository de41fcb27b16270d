import type { StoreApi } from 'zustand/vanilla';
import { makeLastingStore } from '../stores/make-store.ts';

/** How far a printing had come when its dialog went. */
export interface Left {
  readonly done: number;
  readonly of: number;
  /** The labels after `done` up to this one may have come out. */
  readonly unsure: number;
}

export interface LeftPrinting {
  readonly left: Left | null;
  readonly note: (left: Left | null) => void;
}

/** Outlives whoever printed: the till may have locked itself, and the paper lies there for whoever comes. */
export function createLeftPrinting(): StoreApi<LeftPrinting> {
  return makeLastingStore<LeftPrinting>({}, (set) => ({ left: null, note: (left) => set({ left }) }));
}
