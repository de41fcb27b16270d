import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runKills, tellKills } from './kill-run.ts';
import { buildStale } from '../../build/launch.ts';

const usage = 'kill [--kills N] [--seed S]';

function readOptions(): { readonly kills: number; readonly seed: number } | null {
  try {
    const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
    const [kills, seed] = [Number(values.kills ?? 100), Number(values.seed ?? 1)];
    return Number.isSafeInteger(kills) && kills > 0 && Number.isSafeInteger(seed) && seed >= 0 ? { kills, seed } : null;
  } catch {
    return null;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.error(usage);
    return 2;
  }
  await buildStale(['renderer']);
  const result = await runKills({
    ...options,
    tillsAtATime: Math.min(8, availableParallelism()),
    onFailure: console.error,
  });
  console.log(tellKills(result));
  return result.failures.length === 0 ? 0 : 1;
}

process.exitCode = await main();
