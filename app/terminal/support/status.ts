import type { TerminalState } from '../../contract/terminal-state.ts';
import { toDecideOf, waitingOf } from '../../contract/waiting.ts';
import { ageSecondsOf } from '../../domain/date-time.ts';
import type { Id } from '../../domain/int64.ts';
import type { Clock } from '../../ports.ts';
import type { DiskState } from '../../storage/disk-watch.ts';
import { hubModeOf } from '../../hub/hub-state.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The facts that whoever looks after many terminals wants of each: figures and ids, no secrets and no names. */
export interface TerminalStatus {
  readonly version: string;
  readonly host: TerminalState['host'];
  readonly mode: TerminalState['mode'];
  readonly phase: TerminalState['phase'];
  readonly isSafeMode: boolean;
  readonly connection: TerminalState['connection']['state'];
  /** How the disk takes what this terminal keeps. */
  readonly storage: DiskState;
  /** How long ago the platform last answered in this run; null before that. */
  readonly lastAnswerAgeSeconds: number | null;
  /** Answers of 429 in the last ten minutes. */
  readonly refusals: number;
  readonly stocks: readonly {
    readonly stockId: Id;
    readonly products: number;
    /** The number of its elements that the platform listed and this terminal could not read. */
    readonly unreadable: number;
    /** Since when the copy may have missed something; null while it has never been complete, or nobody knows. */
    readonly ageSeconds: number | null;
  }[];
  /** Updates, whoever made them. */
  readonly queue: { readonly waiting: number; readonly toDecide: number };
  readonly hub: 'none' | 'joining' | 'shared' | 'cutOff' | 'alone';
}

const seconds = (ms: number): number => Math.max(0, Math.round(ms / 1000));

/** Gathers it from what is known anyway. Throws StorageError. */
export function statusOf(state: TerminalState, workspace: Workspace | null, clock: Clock): TerminalStatus {
  const { version, host, mode, phase, isSafeMode, connection, catalogue, queue } = state;
  const answeredMs = workspace?.connection.answeredMs() ?? null;
  const history = workspace?.rateLimit.read().history ?? [];
  return {
    version,
    host,
    mode,
    phase,
    isSafeMode,
    connection: connection.state,
    storage: workspace?.disk.state() ?? 'fine',
    lastAnswerAgeSeconds: answeredMs === null ? null : seconds(clock.uptimeMs() - answeredMs),
    refusals: history.reduce((sum, { refusals }) => sum + refusals, 0),
    stocks: catalogue.stocks.map(({ stockId, copied, unreadable, completeAsOf }) => ({
      stockId,
      products: copied,
      unreadable,
      ageSeconds: ageSecondsOf(completeAsOf, clock.now()),
    })),
    queue: { waiting: waitingOf(queue), toDecide: toDecideOf(queue) },
    hub: (workspace === null ? null : hubModeOf(workspace, clock)) ?? 'none',
  };
}
