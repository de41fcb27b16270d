import type { StoreApi } from 'zustand/vanilla';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { MakeStore } from '../stores/make-store.ts';

export type Restoration = Extract<QueuedUpdate, { kind: 'restoreUser' }>;

/** Only the last asking counts, and of its readings only the last. */
export interface RestorationStore {
  readonly userId: Id | null;
  /** Null until it has been read. */
  readonly update: Restoration | null;
  /** True when the same waited already when it was asked for last. */
  readonly isAlready: boolean;
  readonly isWorking: boolean;
  /** Why it could not even be kept on this terminal. */
  readonly failure: Failure | null;
  readonly ask: (userId: Id) => Promise<void>;
  /** The queue has changed. */
  readonly readAgain: () => Promise<void>;
  /** Another id is being typed. */
  readonly forget: () => void;
}

/** Opens it empty. */
export function createRestorationStore(make: MakeStore, bridge: Bridge): StoreApi<RestorationStore> {
  let reading = 0;
  return make<RestorationStore>({ end: ({ forget }) => forget() }, (set, get) => ({
    userId: null,
    update: null,
    isAlready: false,
    isWorking: false,
    failure: null,
    async ask(userId) {
      reading += 1;
      const mine = reading;
      set({ userId: null, update: null, isAlready: false, isWorking: true, failure: null });
      const before = await bridge.call('user:readRestoration', { userId });
      if (mine !== reading) {
        return;
      }
      const isAlready = before.ok && (before.value?.status === 'pending' || before.value?.status === 'inFlight');
      const kept = await bridge.call('user:restore', { userId });
      if (mine !== reading) {
        return;
      }
      set(kept.ok ? { userId, isAlready, isWorking: false } : { isWorking: false, failure: kept.failure });
      await get().readAgain();
    },
    async readAgain() {
      const { userId } = get();
      if (userId === null) {
        return;
      }
      reading += 1;
      const mine = reading;
      const read = await bridge.call('user:readRestoration', { userId });
      if (mine === reading && read.ok && read.value?.kind === 'restoreUser') {
        set({ update: read.value });
      }
    },
    forget() {
      reading += 1;
      set({ userId: null, update: null, isAlready: false, isWorking: false, failure: null });
    },
  }));
}
