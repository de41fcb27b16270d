import type { Notice } from '../../contract/terminal-state.ts';
import type { PlanMade } from '../../coupons/planner.ts';
import type { Ports } from '../../ports.ts';
import type { DiskState } from '../../storage/disk-watch.ts';
import { pause } from '../../storage/pause.ts';
import type { WorkspaceTarget } from './target.ts';

export interface WorkspaceListeners {
  /** Anything that a screen may show has changed, but for the products' cards. */
  readonly onChange: () => void;
  /** A figure or a coupon on some card may have changed too. */
  readonly onCardsChange: () => void;
  /** The disk has begun to refuse what is written, or takes it again. */
  readonly onDisk: (state: DiskState) => void;
  readonly onPlanMade: (made: PlanMade) => void;
  /** Tells a person once. */
  readonly notify: (kind: Notice['kind'], detail: string) => void;
}

/** With what whatever has to be closed again is opened. */
export interface Closing {
  /** Abandons every call that is under way. */
  readonly closing: AbortSignal;
  /** Stops at once, and before anything is closed, what begins something by itself. */
  readonly onAbort: (stop: () => void) => void;
  /** Closes a part when all that were opened after it are closed. */
  readonly onClose: (close: () => void | Promise<void>) => void;
}

/** Handed to every part of a store that is opened. */
export interface StoreContext extends Closing {
  readonly ports: Ports;
  readonly target: WorkspaceTarget;
  readonly listeners: WorkspaceListeners;
  /** Lets everything else have its turn. Answers whether to go on: false once this store is being closed. */
  readonly pause: () => Promise<boolean>;
  /** This machine's offset from UTC at a moment, in minutes. */
  readonly offsetMinutes: (at: number) => number;
  /** What the log says of a part. */
  readonly logOf: (part: string) => (message: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** What is opened under this signal, and closed in turn: the last first. */
export function createClosing(closing: AbortSignal): Closing & { readonly close: () => Promise<void> } {
  const opened: (() => void | Promise<void>)[] = [];
  return {
    closing,
    onAbort: (stop) => {
      closing.addEventListener('abort', stop, { once: true });
      opened.push(() => closing.removeEventListener('abort', stop));
    },
    onClose: (close) => {
      opened.push(close);
    },
    close: async () => {
      for (const close of opened.splice(0).toReversed()) {
        await close();
      }
    },
  };
}

/** The context of a store whose parts are closed in turn by `closing`. */
export function createContext(
  ports: Ports,
  target: WorkspaceTarget,
  listeners: WorkspaceListeners,
  closing: Closing,
): StoreContext {
  const { clock, shell } = ports;
  return {
    ...closing,
    ports,
    target,
    listeners,
    pause: () => pause(clock, closing.closing),
    offsetMinutes: (at) => shell.offsetMinutes(at),
    logOf: (part) => (message, details) => {
      shell.log('info', `${part}: ${message}`, details);
    },
  };
}
