import type { StoreApi } from 'zustand/vanilla';
import type { StationAnswer } from '../../app/contract/station.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import { createCallLine } from '../stores/call-line.ts';
import { makeLastingStore } from '../stores/make-store.ts';

/** The content that a customer sees in place of the invitation; `pieces`: the scan was not whole. */
export type StationShown = StationAnswer | { readonly kind: 'pieces' };

/**
 *     empty ──typed, scanned, touched──→ in use ──nobody uses it for so long, or "Done"──→ empty
 *
 * 1. Only the newest scan's answer is shown.
 * 2. Each use begins the time anew; when it is over, nothing of what was typed, answered or chosen is left.
 */
export interface StationStore {
  readonly typed: string;
  readonly shown: StationShown | null;
  /** Rises with each answer, so that the same one again is announced again. */
  readonly answered: number;
  /** The question for the manager's PIN is open. */
  readonly isLeaving: boolean;
  readonly type: (typed: string) => void;
  readonly find: (text: string) => Promise<void>;
  readonly showPieces: () => void;
  readonly leave: (isLeaving: boolean) => void;
  /** Somebody uses it. */
  readonly touch: () => void;
  readonly clear: () => void;
}

export interface StationStoreParts {
  readonly bridge: Pick<Bridge, 'call'>;
  readonly later: Later;
  readonly clearAfterSeconds: () => number;
  /** Takes back all else that the customer chose. */
  readonly onClear: () => void;
}

const longestTyped = 100;
const nothing = { typed: '', shown: null, isLeaving: false } as const;

/** Opens it empty. */
export function createStationStore({
  bridge,
  later,
  clearAfterSeconds,
  onClear,
}: StationStoreParts): StoreApi<StationStore> {
  let newest = 0;
  const line = createCallLine(1);
  let stopWaiting: (() => void) | null = null;
  return makeLastingStore<StationStore>({}, (set, get) => {
    const show = (shown: StationShown): void => set({ shown, answered: get().answered + 1 });
    return {
      ...nothing,
      answered: 0,
      type(typed) {
        set({ typed: typed.slice(0, longestTyped) });
        get().touch();
      },
      async find(text) {
        newest += 1;
        const own = newest;
        set({ typed: '' });
        get().touch();
        const found = await line.call(
          () => bridge.call('station:find', { text }),
          () => own === newest,
        );
        if (found !== null && own === newest) {
          show(found.ok ? found.value : { kind: 'askUs' }); // 1
        }
      },
      showPieces() {
        newest += 1;
        show({ kind: 'pieces' });
        get().touch();
      },
      leave(isLeaving) {
        set({ isLeaving });
        get().touch();
      },
      touch() {
        stopWaiting?.();
        stopWaiting = later(clearAfterSeconds() * 1000, () => get().clear());
      },
      clear() {
        stopWaiting?.();
        stopWaiting = null;
        newest += 1;
        set(nothing); // 2
        onClear();
      },
    };
  });
}
