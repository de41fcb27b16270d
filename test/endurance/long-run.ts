import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { projectDirectory } from '../../build/project.ts';
import { ownTemporaryFiles } from '../support/temporary-root.ts';
import { openSittings, SittingsError, type MadePart, type Part } from './sittings.ts';

interface LongRun<Report> {
  /** As `npm run` calls it. */
  readonly program: string;
  /** The counted things, in the plural. */
  readonly unit: string;
  readonly byDefault: number;
  readonly maxPerPart: number;
  readonly report: z.ZodType<Report>;
  /** Makes these parts and hands each over as soon as it is made. The folder is empty and goes with this process. */
  readonly run: (
    parts: readonly Part[],
    host: { readonly folder: string; onPart(part: MadePart<Report>): void },
  ) => Promise<void>;
  /** The totals of all parts; `sittings` says in how many they were made. */
  readonly summarize: (parts: readonly MadePart<Report>[], seconds: number, sittings: string) => string;
  /** Other checks, once all is made. */
  readonly conclude?: (total: number, seed: number) => Promise<boolean>;
}

const stateFolder = join(projectDirectory, '.cache', 'endurance');

function readOptions(
  unit: string,
  byDefault: number,
): { readonly total: number; readonly seed: number; readonly state: string | undefined } | null {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ options: { [unit]: text, seed: text, state: text } });
    const [total, seed] = [Number(values[unit] ?? byDefault), Number(values['seed'] ?? 1)];
    return Number.isSafeInteger(total) && total > 0 && Number.isSafeInteger(seed) && seed >= 0
      ? { total, seed, state: values['state'] }
      : null;
  } catch {
    return null;
  }
}

/** Ends this process when it is told to, with what it started (child.ts) and its temporary files. */
function endOnSignal(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      console.error('Interrupted. The same command goes on.');
      process.exit(code);
    });
  }
}

/** Makes what the command line asks for, in as many sittings as it takes; answers the exit code. */
export async function runInSittings<Report>({
  program,
  unit,
  byDefault,
  maxPerPart,
  report,
  run,
  summarize,
  conclude = () => Promise.resolve(true),
}: LongRun<Report>): Promise<number> {
  const options = readOptions(unit, byDefault);
  if (options === null) {
    console.error(`${program} [--${unit} N] [--seed S] [--state FILE]`);
    return 2;
  }
  const { total, seed, state: path = join(stateFolder, `${program}-${seed}.state`) } = options;
  ownTemporaryFiles();
  endOnSignal();
  mkdirSync(stateFolder, { recursive: true });
  const folder = mkdtempSync(join(stateFolder, 'run-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    const sittings = openSittings({ path, program, seed, report });
    const made = (): number => sittings.parts.reduce((sum, { count }) => sum + count, 0);
    if (made() > 0) {
      console.log(`${made()} ${unit} were made before (${path}).`);
    }
    const parts = sittings.plan(total, maxPerPart);
    if (parts.length > 0) {
      await run(parts, {
        folder,
        onPart: (part) => {
          sittings.add(part);
          part.failures.forEach((line) => {
            console.error(line);
          });
          console.log(`${made()} of ${total} ${unit}`);
        },
      });
    }
    const isConcluded = await conclude(total, seed);
    console.log(summarize(sittings.parts, sittings.seconds, sittings.summarize()));
    const isGood = sittings.parts.every(({ failures }) => failures.length === 0);
    if (isGood) {
      sittings.end();
    } else {
      console.error(`${path} keeps what failed, and the seeds. Remove it to begin anew.`);
    }
    return isGood && isConcluded ? 0 : 1;
  } catch (error) {
    if (error instanceof SittingsError) {
      console.error(error.message);
      // Anything that still runs ends with this process.
      process.exit(2);
    }
    throw error;
  }
}
