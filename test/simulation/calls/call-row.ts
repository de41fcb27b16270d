// One call of the contract in the simulation: how it is drawn, and how it may be answered. A call without a row in
// rows-*.ts has one that follows from the contract (call-table.ts).
import type { Channel, InvokeInput, InvokeOutput } from '../../../app/contract/contract.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Failure, FailureKind } from '../../../app/domain/failure.ts';
import type { Result } from '../../../app/domain/result.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Shop } from '../cashier-world.ts';
import type { Evidence } from '../evidence.ts';
import type { UserAccount } from '../referee-tokens.ts';
import type { CallMemory } from './call-memory.ts';

/** At which screen a call is made. `locked`: a cashier's sign-in goes on behind the lock. */
export const callPhases = ['firstRun', 'signIn', 'locked', 'ready', 'practice', 'station'] as const;
export type CallPhase = (typeof callPhases)[number];

/** The world that a call is drawn from. */
export interface CallWorld {
  readonly random: SeededRandom;
  readonly nowMs: () => number;
  /** The clock on the machine's wall, in milliseconds since 1970. */
  readonly wallMs: () => number;
  /** Which run of the terminal answers. */
  readonly life: () => number;
  readonly evidence: Evidence;
  readonly memory: CallMemory;
  /** As it is in the moment of the call. */
  readonly state: TerminalState;
  readonly shops: readonly [Shop, ...Shop[]];
  readonly users: readonly UserAccount[];
  readonly clientSecret: string;
}

export type Answer<Name extends Channel> = Result<InvokeOutput<Name>, Failure> | null;

export interface CallRow<Name extends Channel> {
  /** How often it is made compared with the others. */
  readonly weight: number;
  /** The input of the call; null where there is nothing that could be asked for now. */
  readonly draw: (world: CallWorld) => InvokeInput<Name> | null;
  /** Names the kinds of success that it tells apart; without it there is one, "done". */
  readonly successes?: {
    readonly names: readonly string[];
    readonly of: (output: InvokeOutput<Name>, input: InvokeInput<Name>) => string;
  };
  /** How it may fail by its own doing; the rules before all calls are in judge-answers.ts. */
  readonly failures?: readonly FailureKind[];
  /** It asks the platform, and may fail as that or the way to it does. */
  readonly asksPlatform?: true;
  /** It fails with `notReady` without an open store; where this is not said, that follows from who may call it. */
  readonly needsShop?: boolean;
  /** It may lead to another phase: rare while somebody stays in one. */
  readonly moves?: true;
  /** Successes and failures that it may have and no world here brings about; why. */
  readonly unseen?: Readonly<Record<string, string>>;
  /**
   * Notes the facts for the judges. The function that it answers is called with the answer, null when the process died
   * first, and with the state in the very moment of the call.
   */
  readonly note?: (
    world: CallWorld,
    input: InvokeInput<Name>,
  ) => ((answer: Answer<Name>, stateThen: TerminalState) => void) | undefined;
}

/** Rows of calls whose name begins so. */
export type CallRows<Noun extends string> = {
  readonly [Name in Extract<Channel, `${Noun}:${string}`>]?: CallRow<Name>;
};

/** At which screen the state stands. */
export function phaseOf({ station, mode, phase, cashiers }: TerminalState): CallPhase {
  if (station.isOn) {
    return 'station';
  }
  if (phase === 'firstRun') {
    return 'firstRun';
  }
  if (mode === 'practice') {
    return 'practice';
  }
  return phase === 'signIn' && cashiers.lockedEmail !== null ? 'locked' : phase;
}

export const nothing = (): Record<string, never> => ({});
