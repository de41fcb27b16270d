import type { StoreApi } from 'zustand/vanilla';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { LockChoice } from '../../app/contract/lock.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { TerminalStore } from './terminal.ts';
import type { MakeStore } from './make-store.ts';

type Input = InvokeInput<'settings:update'>;
export type Choices = { readonly [Name in keyof Input]-?: Exclude<Input[Name], undefined> } & {
  readonly lock: LockChoice;
};

/**
 * 1. A value is in `chosen` from the click on, so that the next click begins from it.
 * 2. It stays there until the terminal's state says it, which comes after the answer, or until its call fails.
 * 3. One call at a time, in the order of the clicks: two that are under way at once could arrive in the other order.
 * 4. What still waits when another person or shop comes is not sent: it would be theirs.
 */
export interface SettingsStore {
  readonly chosen: { readonly [Name in keyof Choices]?: { readonly value: Choices[Name] } | undefined };
  /** Whether the last choice is kept. */
  readonly isSaved: boolean;
  /** Saves the value; `read` says what the terminal's state has in its place. */
  readonly save: <Name extends keyof Choices>(
    name: Name,
    value: Choices[Name],
    read: (state: TerminalState) => unknown,
  ) => Promise<Result<unknown, Failure>>;
  /** Makes a call that keeps a choice of another kind, in its turn. */
  readonly keep: (call: () => Promise<Result<unknown, Failure>>) => Promise<Result<unknown, Failure>>;
  /** Nothing is said to be saved any more. */
  readonly forgetSaved: () => void;
  /** Answers a function that says whether whoever is here now still is. */
  readonly visit: () => () => boolean;
}

/** Opens it with nothing under way. */
export function createSettingsStore(
  make: MakeStore,
  bridge: Bridge,
  terminal: StoreApi<TerminalStore>,
): StoreApi<SettingsStore> {
  let last: Promise<unknown> = Promise.resolve();
  return make<SettingsStore>({}, (set, get, visit) => ({
    chosen: {},
    isSaved: false,
    visit,
    forgetSaved: () => set({ isSaved: false }),
    async keep(call) {
      const isHere = visit();
      set({ isSaved: false });
      const answer = last.then(() => (isHere() ? call() : fail<Failure>({ kind: 'locked' }))); // 3, 4
      last = answer;
      const kept = await answer;
      if (kept.ok && isHere() && last === answer) {
        set({ isSaved: true });
      }
      return kept;
    },
    async save(name, value, read) {
      const own = { value };
      const show = (shown: typeof own | undefined): void =>
        set(({ chosen }) => ({ chosen: { ...chosen, [name]: shown } }));
      // Another may have been chosen meanwhile.
      const drop = (): void => {
        if (get().chosen[name] === own) {
          show(undefined);
        }
      };
      const readKept = (): string => {
        const { state } = terminal.getState();
        return JSON.stringify(state === null ? null : read(state));
      };
      show(own);
      const saved = await get().keep(() =>
        name === 'lock'
          ? bridge.call('lock:choose', value as LockChoice)
          : bridge.call('settings:update', { [name]: value }),
      );
      const kept = readKept();
      if (!saved.ok || kept === JSON.stringify(value)) {
        drop();
      } else {
        const stop = terminal.subscribe(() => {
          if (readKept() !== kept) {
            stop();
            drop();
          }
        });
      }
      return saved;
    },
  }));
}
