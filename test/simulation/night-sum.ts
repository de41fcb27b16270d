import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { stop } from '../../build/project.ts';

const hoursAYear = 24 * 365.25;
const sumSchema = z.object({
  runs: z.number().int().nonnegative(),
  seeds: z.number().int().nonnegative(),
  simulatedHours: z.number().nonnegative(),
});

function read(path: string): z.infer<typeof sumSchema> {
  if (!existsSync(path)) {
    return { runs: 0, seeds: 0, simulatedHours: 0 };
  }
  try {
    return sumSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return stop(`${path} is damaged, and nothing was run. Remove it to begin anew.`);
  }
}

/** The file that adds up what all nights have simulated. Ends this process when it is damaged. */
export function openNightSum(path: string): {
  /** Adds a run; answers the sum in one line. */
  add(run: { readonly seeds: number; readonly simulatedMs: number }): string;
} {
  const before = read(path);
  return {
    add: ({ seeds, simulatedMs }) => {
      const sum = {
        runs: before.runs + 1,
        seeds: before.seeds + seeds,
        simulatedHours: before.simulatedHours + simulatedMs / 3_600_000,
      };
      writeFileSync(`${path}.new`, `${JSON.stringify(sum)}\n`);
      renameSync(`${path}.new`, path);
      return `All nights: ${(sum.simulatedHours / hoursAYear).toFixed(2)} simulated years, ${sum.seeds} seeds in ${sum.runs} runs`;
    },
  };
}
