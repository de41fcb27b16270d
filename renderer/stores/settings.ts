import type { StoreApi } from 'zustand/vanilla';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { LockChoice } from '../../app/contract/lock.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { TerminalStore } from './terminal.ts';
import { makeLastingStore } from './make-store.ts';

type Input = InvokeInput<'settings:update'>;
export type Choices = { readonly [Name in keyof Input]-?: Exclude<Input[Name], undefined> } & {
  readonly lock: LockChoice;
};

/**
 * 1. A value is in `chosen` from the click on, so that the next click begins from it.
 * 2. It stays there until the terminal's state says it, which comes after the answer, or until its call fails.
 * 3. One call at a time, in the order of the clicks: two that are under way at once could arrive in the other order.
 */
export interface OpenSettings {
  readonly chosen: { readonly [Name in keyof Choices]?: { readonly value: Choices[Name] } | undefined };
  /** Saves the value; `read` says what the terminal's state has in its place. */
  readonly save: <Name extends keyof Choices>(
    name: Name,
    value: Choices[Name],
    read: (state: TerminalState) => unknown,
  ) => Promise<Result<unknown, Failure>>;
}

/** Opens it with nothing under way. */
export function createSettingsStore(bridge: Bridge, terminal: StoreApi<TerminalStore>): StoreApi<OpenSettings> {
  let last: Promise<unknown> = Promise.resolve();
  return makeLastingStore<OpenSettings>({}, (set, get) => ({
    chosen: {},
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
      const answer = last.then(() =>
        name === 'lock'
          ? bridge.call('lock:choose', value as LockChoice)
          : bridge.call('settings:update', { [name]: value }),
      ); // 3
      last = answer;
      const saved = await answer;
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
