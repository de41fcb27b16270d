// A long run that only counts, for the tests of sittings. Its fourth part never ends while TILLSIDE_TEST_HANGS is set.
import { z } from 'zod';
import { runInSittings } from './long-run.ts';

process.exitCode = await runInSittings({
  program: 'counted',
  unit: 'things',
  byDefault: 45,
  maxPerPart: 10,
  report: z.object({ things: z.number() }),
  run: async (parts, { onPart }) => {
    for (const { seed, count } of parts) {
      if (seed === 4 && process.env['TILLSIDE_TEST_HANGS'] !== undefined) {
        await new Promise(() => setInterval(() => undefined, 1000));
      }
      const failures = String(seed) === process.env['TILLSIDE_TEST_FAILS'] ? [`--seed ${seed}: it failed`] : [];
      onPart({ seed, count, report: { things: count }, failures });
      await Promise.resolve();
    }
  },
  summarize: (parts, _seconds, sittings) =>
    `${parts.reduce((sum, { report }) => sum + (report?.things ?? 0), 0)} things${sittings}, seeds ${parts.map(({ seed }) => seed).join(' ')}`,
});
