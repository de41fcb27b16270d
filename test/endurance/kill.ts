import { availableParallelism } from 'node:os';
import { buildStale } from '../../build/launch.ts';
import { buildHost } from './build-host.ts';
import { killsPerTill, runKills, summarizeKills } from './kill-run.ts';
import { killReportSchema } from './kill-till.ts';
import { runInSittings } from './long-run.ts';

/** A till waits more than it computes: for its rate limit, its network, and the person. */
const tillsPerProcessor = 2;
const maxTillsAtATime = 16;

process.exitCode = await runInSittings({
  program: 'kill',
  unit: 'kills',
  byDefault: 100,
  maxPerPart: killsPerTill,
  report: killReportSchema,
  run: async (tills, { folder, onPart }) => {
    await buildStale(['renderer']);
    await runKills({
      script: await buildHost(folder),
      tills,
      tillsAtATime: Math.min(maxTillsAtATime, availableParallelism() * tillsPerProcessor),
      onTill: onPart,
    });
  },
  summarize: summarizeKills,
});
