// A long run in several sittings: each part that was made is on disk before the next begins, with what it found. A run
// that is interrupted, however hard, goes on where it stopped.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** The hash of the commit that is checked out, or null where there is no git. */
function commitHash(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** So many kills or cuts that follow from one seed. */
export interface Part {
  readonly seed: number;
  readonly count: number;
}

export interface MadePart<Report> extends Part {
  /** Null when the part could not be made to its end. */
  readonly report: Report | null;
  /** A line for everything that was not as it should be. */
  readonly failures: readonly string[];
}

interface Sitting {
  /** ISO 8601. */
  readonly begunAt: string;
  readonly commit: string | null;
  seconds: number;
}

/** A file that cannot be gone on with; its message is for the person who started the run. */
export class SittingsError extends Error {}

export interface Sittings<Report> {
  readonly parts: readonly MadePart<Report>[];
  /** Of all sittings so far. */
  readonly seconds: number;
  /** The parts that are missing to so many kills or cuts. */
  plan(total: number, maxPerPart: number): Part[];
  /** Keeps a part on disk. Throws `SittingsError` when another run has written the file meanwhile. */
  add(part: MadePart<Report>): void;
  /** Removes the file of a run that is whole. */
  end(): void;
  /** ` in 3 sittings (a1b2c3d4e5f6, …)`, or nothing for a run in one. */
  summarize(): string;
}

const count = z.number().int().positive();
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function stateSchema<Report>(
  report: z.ZodType<Report>,
): z.ZodType<{ program: string; seed: number; sittings: Sitting[]; parts: MadePart<Report>[] }> {
  return z.object({
    program: z.string(),
    seed: z.number().int(),
    sittings: z.array(z.object({ begunAt: z.string(), commit: z.string().nullable(), seconds: z.number() })),
    parts: z.array(
      z.object({ seed: z.number().int(), count, report: report.nullable(), failures: z.array(z.string()) }),
    ),
  });
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

/** Two lines: the digest of the second, and the state. */
function parse<State>(text: string, schema: z.ZodType<State>): State | null {
  const [expected = '', state = ''] = text.split('\n');
  try {
    return digest(state) === expected ? (schema.safeParse(JSON.parse(state)).data ?? null) : null;
  } catch {
    return null;
  }
}

/**
 * Begins a sitting of the program's run that starts at this seed, and reads what earlier ones made. Throws
 * `SittingsError` when the file is damaged or belongs to another run.
 */
export function openSittings<Report>({
  path,
  program,
  seed,
  report,
}: {
  readonly path: string;
  readonly program: string;
  readonly seed: number;
  readonly report: z.ZodType<Report>;
}): Sittings<Report> {
  let written = readText(path);
  const kept = written === null ? { program, seed, sittings: [], parts: [] } : parse(written, stateSchema(report));
  if (kept === null) {
    throw new SittingsError(`${path} is damaged, and nothing was run. Remove it to begin anew.`);
  }
  if (kept.program !== program || kept.seed !== seed) {
    throw new SittingsError(
      `${path} belongs to "${kept.program} --seed ${kept.seed}", and nothing was run. Name another file with --state.`,
    );
  }
  const begunMs = performance.now();
  const current: Sitting = { begunAt: new Date().toISOString(), commit: commitHash(), seconds: 0 };
  const sittings = [...kept.sittings, current];
  const parts = [...kept.parts];
  const save = (): void => {
    if (readText(path) !== written) {
      throw new SittingsError(`Another run has written ${path} meanwhile: this one stops.`);
    }
    current.seconds = (performance.now() - begunMs) / 1000;
    const state = JSON.stringify({ program, seed, sittings, parts });
    const text = `${digest(state)}\n${state}\n`;
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(`${path}.new`, 'w');
    writeFileSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${path}.new`, path);
    written = text;
  };
  return {
    parts,
    get seconds() {
      return sittings.reduce((sum, { seconds }) => sum + seconds, 0);
    },
    plan: (total, maxPerPart) => {
      const planned: Part[] = [];
      const made = new Set(parts.map((part) => part.seed));
      let left = total - parts.reduce((sum, part) => sum + part.count, 0);
      for (let next = seed; left > 0; next += 1) {
        if (!made.has(next)) {
          planned.push({ seed: next, count: Math.min(maxPerPart, left) });
          left -= maxPerPart;
        }
      }
      return planned;
    },
    add: (part) => {
      parts.push(part);
      save();
    },
    end: () => {
      rmSync(path, { force: true });
    },
    summarize: () => {
      const withParts = sittings.filter(({ seconds }) => seconds > 0);
      const commits = new Set(withParts.map(({ commit }) => commit?.slice(0, 12) ?? 'no commit'));
      return withParts.length > 1 ? ` in ${withParts.length} sittings (${[...commits].join(', ')})` : '';
    },
  };
}
