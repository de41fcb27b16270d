import type { StoreApi } from 'zustand/vanilla';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { makeLastingStore } from './make-store.ts';

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
  /** How often changes have been missed: what was read before is read again. */
  readonly missed: number;
  /** Takes a snapshot, unless it is stale. */
  readonly take: (snapshot: TerminalState) => void;
  readonly lose: (isShutOut: boolean) => void;
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** `after`, with those parts of `before` that are the same: who shows only such a part is not drawn anew. */
function keepSame<Value>(before: unknown, after: Value): Value {
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)) {
    return after;
  }
  const parts = Object.entries(after).map(([name, part]) => [name, keepSame(before[name], part)] as const);
  if (parts.length === Object.keys(before).length && parts.every(([name, part]) => part === before[name])) {
    return before as Value;
  }
  return (Array.isArray(after) ? parts.map(([, part]) => part) : Object.fromEntries(parts)) as Value;
}

/** Opens an empty store. */
export function createTerminalStore(): StoreApi<TerminalStore> {
  return makeLastingStore<TerminalStore>({}, (set, get) => ({
    state: null,
    isGone: false,
    isShutOut: false,
    missed: 0,
    take(snapshot) {
      const { state, isGone } = get();
      if (isGone || state === null || snapshot.revision > state.revision) {
        set({ state: keepSame(state, snapshot), isGone: false, isShutOut: false });
      }
    },
    lose(isShutOut) {
      set({ isGone: true, isShutOut });
    },
  }));
}
