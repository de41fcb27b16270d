import { createSeededRandom } from '../../support/seeded-random.ts';
import { createWorld, type World } from '../virtual-clock.ts';
import { accountLimit, createSharedAccount, type AccountRules } from './shared-account.ts';
import type { SharingTerminal, TerminalWorld } from './sharing-terminal.ts';

export interface FairnessPlan {
  readonly seed: number;
  readonly terminals: number;
  readonly account: AccountRules;
  /** From when on what happens counts, and until when, in minutes. */
  readonly settleMinutes: number;
  readonly minutes: number;
  readonly scanGapMs: number | null;
  /** Called with the world before anything happens in it. */
  readonly onWorld?: (world: World) => void;
  /**
   * A terminal joins at the first minute and leaves at the second; all the others are there from the beginning to the
   * end.
   */
  readonly visits?: readonly { readonly fromMinute: number; readonly toMinute: number }[];
}

export interface Fairness {
  /** Requests that passed, as a share of the limit. */
  readonly throughput: number;
  /** Jain's index over what passed for each terminal that was there all the time: 1 when all had the same. */
  readonly jain: number;
  /** In all, each minute. */
  readonly refusalsPerMinute: number;
  /** From a scan to its live figure, in milliseconds; those that had none at the end count as endless. */
  readonly scanMs: readonly number[];
  /** From a scan until its question leaves, in milliseconds, for those that were answered. */
  readonly scanLeftMs: readonly number[];
  /** Passed requests a minute, for each minute from the beginning on, for each terminal. */
  readonly byMinute: readonly (readonly number[])[];
}

/** Jain's index of fairness. */
export function jainOf(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares);
}

/** Runs a plan; `start` starts one terminal. */
export async function runFairness(
  plan: FairnessPlan,
  start: (setting: TerminalWorld) => SharingTerminal,
): Promise<Fairness> {
  const world = createWorld();
  plan.onWorld?.(world);
  const random = createSeededRandom(`fairness ${String(plan.seed)}`);
  const account = createSharedAccount(world, plan.account, random.integer(0, 59_999));
  const terminals: SharingTerminal[] = [];
  const begin = (number: number): void => {
    terminals[number] = start({
      world,
      account,
      random: random.fork(`terminal ${String(number)}`),
      number,
      scanGapMs: plan.scanGapMs,
      terminals: plan.terminals,
    });
  };
  for (let number = 0; number < plan.terminals; number += 1) {
    // Shops open their tills within a minute.
    world.after(random.integer(0, 60_000), () => {
      begin(number);
    });
  }
  for (const [place, { fromMinute, toMinute }] of (plan.visits ?? []).entries()) {
    world.after(fromMinute * 60_000, () => {
      begin(plan.terminals + place);
    });
    world.after(toMinute * 60_000, () => {
      terminals[plan.terminals + place]?.stop();
    });
  }
  await world.runUntil(plan.minutes * 60_000);
  const [fromMs, toMs] = [plan.settleMinutes * 60_000, plan.minutes * 60_000];
  const counted = account.arrivals.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const passed = counted.filter(({ isRefused }) => !isRefused);
  const passedOf = Array.from(
    { length: plan.terminals },
    (_, number) => passed.filter(({ terminal }) => terminal === number).length,
  );
  const countedMinutes = plan.minutes - plan.settleMinutes;
  const byMinute = Array.from({ length: plan.minutes }, () => terminals.map(() => 0));
  for (const { atMs, terminal, isRefused } of account.arrivals) {
    const counts = byMinute[Math.floor(atMs / 60_000)];
    if (counts !== undefined && !isRefused) {
      counts[terminal] = (counts[terminal] ?? 0) + 1;
    }
  }
  for (const terminal of terminals) {
    terminal.stop();
  }
  return {
    throughput: passed.length / countedMinutes / accountLimit,
    jain: jainOf(passedOf),
    refusalsPerMinute: (counted.length - passed.length) / countedMinutes,
    // Those of the last minutes have had no time to be answered.
    scanMs: terminals.flatMap(({ scans }) =>
      scans
        .filter(({ atMs }) => atMs >= fromMs && atMs < toMs - 300_000)
        .map(({ answeredAfterMs }) => answeredAfterMs ?? Number.POSITIVE_INFINITY),
    ),
    scanLeftMs: terminals.flatMap(({ scans }) =>
      scans.filter(({ atMs }) => atMs >= fromMs).flatMap(({ leftAfterMs }) => leftAfterMs ?? []),
    ),
    byMinute,
  };
}
