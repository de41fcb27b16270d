import { noCoverage } from '../calls/coverage.ts';
import type { SeedOptions, SeedReport } from '../run-seed.ts';
import { temporaryRoot } from '../temporary-root.ts';
import { judgeCounter } from './counter-judge.ts';
import { runCounter } from './run-counter.ts';

/** Runs and judges a counter; it has no shift, so its length is its own. */
export async function reportCounter({ seed, directory = temporaryRoot }: SeedOptions): Promise<SeedReport> {
  const evidence = await runCounter(seed, directory);
  const { sent, questions, endMs } = evidence;
  return {
    seed,
    violations: judgeCounter(evidence),
    traceHash: '',
    trace: [],
    simulatedMs: endMs,
    requests: sent.length,
    switches: questions.length,
    restorations: 0,
    crashes: 0,
    coverage: noCoverage,
    drainMs: 0,
  };
}
