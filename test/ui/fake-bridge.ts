import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Diagnostics } from '../../app/contract/support.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { QueueScene } from './scene-updates.ts';

/** The state that a test wants to find when the page opens. */
export interface Scene extends QueueScene {
  readonly state: TerminalState;
  readonly nowMs: number;
  /** The counts, the newest first. */
  readonly stocktakes?: readonly Stocktake[];
  /** Of each of them, what was counted last first. */
  readonly lines?: readonly StocktakeLine[];
  /** Answers by channel that replace the made-up ones, as Results. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** How long each call takes, in milliseconds, by channel; without end, until `letAnswer`. */
  readonly delaysMs?: Readonly<Record<string, number>>;
  /** Rows of the stock table; 40 unless told. */
  readonly stockRows?: number;
  /** Minimums by stock and product, such as "12 2001"; none unless told. */
  readonly minima?: Readonly<Record<string, number>>;
  /** Batches of every product; five unless told. */
  readonly batches?: number;
  /** The state of the shop's file at its address; none unless given. */
  readonly shopFile?: Diagnostics['shopFile'];
  /** The manager's PIN, which the state's lock then holds to. */
  readonly pin?: string;
  /** Entries of the list of who did what, at most 500; none unless told. */
  readonly auditEntries?: number;
}

/** What the host says to the page: the answer to a call, that there is none, or an event. */
export type HostMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly isGone: true }
  | { readonly name: string; readonly payload: unknown };

/** The interface that a test finds in the page as `window.fake`. */
export interface Fake {
  readonly calls: { readonly channel: string; readonly input: Record<string, unknown> }[];
  emit(name: string, payload: unknown): void;
  /** Whether each call has had its answer. */
  isAnswered(): boolean;
}

/**
 * Puts `window.tillside` and `window.fake` into the page of the scene with this key: calls go to `window.askHost`, which
 * is there already, and messages come to `window.hearHost`. It runs there as a text.
 */
export function installFakeBridge(key: string): void {
  const { askHost } = window as unknown as { readonly askHost: (call: string) => void };
  const listeners = new Set<Fake['emit']>();
  const calls: Fake['calls'] = [];
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (reason: Error) => void }>();
  const emit: Fake['emit'] = (name, payload) => listeners.forEach((listener) => listener(name, payload));
  Object.assign(window, {
    fake: { calls, emit, isAnswered: () => waiting.size === 0 } satisfies Fake,
    hearHost: (message: HostMessage) => {
      if ('name' in message) {
        emit(message.name, message.payload);
        return;
      }
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if ('answer' in message) call?.resolve(message.answer);
      else call?.reject(new Error('gone'));
    },
    tillside: {
      invoke: (channel: string, input: Record<string, unknown>, shownFor?: string) =>
        new Promise((resolve, reject) => {
          const id = calls.push({ channel, input: { ...input } });
          waiting.set(id, { resolve, reject });
          askHost(JSON.stringify({ key, id, channel, input, shownFor }));
        }),
      subscribe: (listener: Fake['emit']) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
}
