import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { tryMutation, type Trial } from './mutation-trial.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

const usage = 'mutations [--seeds N] [--only text] [--sample K] [--shifts H]';

function readOptions(): {
  readonly chosen: readonly Mutation[];
  readonly seeds: number;
  readonly shiftHours: number;
} | null {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string' },
        only: { type: 'string' },
        sample: { type: 'string' },
        shifts: { type: 'string' },
      },
    });
    const [seeds, shiftHours] = [Number(values.seeds ?? 500), Number(values.shifts ?? 0.25)];
    const named = mutations.filter(({ name }) => name.includes(values.only ?? ''));
    const sample = Number(values.sample ?? named.length);
    const chosen = named.filter(
      (_, place) => Math.floor((place * sample) / named.length) !== Math.floor(((place - 1) * sample) / named.length),
    );
    const isSound =
      Number.isSafeInteger(seeds) &&
      seeds > 0 &&
      Number.isSafeInteger(sample) &&
      sample > 0 &&
      shiftHours > 0 &&
      shiftHours <= 100;
    return isSound && chosen.length > 0 ? { chosen, seeds, shiftHours } : null;
  } catch {
    return null;
  }
}

function describe({ mutation, caughtBy, violated, seeds, trouble }: Trial): string {
  const verdict =
    trouble ??
    (caughtBy === null
      ? `NOT CAUGHT ${mutation.test === undefined ? `in ${String(seeds)} seeds` : `by ${mutation.test}`}, expected ${mutation.rules.join(' or ')}`
      : `${typeof caughtBy === 'number' ? 'seed ' : ''}${String(caughtBy).padStart(3)}: ${violated.join(', ')}`);
  return `${mutation.name.padEnd(60)} ${verdict}`;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.error(usage);
    return 2;
  }
  const { chosen, seeds, shiftHours } = options;
  const startedAt = performance.now();
  const left = [...chosen];
  const trials: Trial[] = [];
  const work = async (): Promise<void> => {
    for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
      const trial = await tryMutation(mutation, seeds, shiftHours);
      trials.push(trial);
      console.log(describe(trial));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const caught = trials.filter(({ caughtBy }) => caughtBy !== null).length;
  const run = trials.reduce((sum, trial) => sum + trial.seeds, 0);
  const simulatedHours = trials.reduce((sum, trial) => sum + trial.simulatedMs, 0) / 3_600_000;
  const escaped = chosen.length - caught;
  console.log(
    `${String(caught)} of ${String(chosen.length)} planted bugs caught, ${String(run)} seeds, ${simulatedHours.toFixed(1)} simulated hours, ${((performance.now() - startedAt) / 1000).toFixed(0)} s${escaped === 0 ? '' : `: ${String(escaped)} ESCAPED`}`,
  );
  return escaped === 0 ? 0 : 1;
}

process.exitCode = await main();
