import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TerminalState } from '../../app/contract/terminal-state.ts';

/**
 *     waiting ──first snapshot──→ answering ⇄ gone
 *
 * 1. While answering, a snapshot with a lower or equal revision than the one shown is dropped.
 * 2. After `gone`, the next snapshot is taken whatever its revision: the main process may have started anew.
 */
export interface TerminalStore {
  readonly state: TerminalState | null;
  /** True when the main process no longer answers. */
  readonly isGone: boolean;
  /** True when a main process answers that was started anew and does not know this page. */
  readonly isShutOut: boolean;
  /** Takes a snapshot, unless it is stale. */
  readonly take: (snapshot: TerminalState) => void;
  readonly lose: (isShutOut: boolean) => void;
}

/** Opens an empty store. */
export function createTerminalStore(): StoreApi<TerminalStore> {
  return createStore<TerminalStore>((set, get) => ({
    state: null,
    isGone: false,
    isShutOut: false,
    take(snapshot) {
      const { state, isGone } = get();
      if (isGone || state === null || snapshot.revision > state.revision) {
        set({ state: snapshot, isGone: false, isShutOut: false });
      }
    },
    lose(isShutOut) {
      set({ isGone: true, isShutOut });
    },
  }));
}
