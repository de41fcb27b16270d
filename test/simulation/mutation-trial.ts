import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Mutation } from './mutation.ts';
import { plant } from './planting.ts';
import type { SeedOptions, SeedReport } from './run-seed.ts';
import { temporaryRoot } from './temporary-root.ts';

export interface Trial {
  readonly mutation: Mutation;
  /** The seed, or the test file, that caught it; null when none did. */
  readonly caughtBy: number | string | null;
  /**
   * The rules that were violated in that seed, in their order; `endless` when it never came to its end. Of a test file,
   * the tests that failed.
   */
  readonly violated: readonly string[];
  readonly seeds: number;
  readonly simulatedMs: number;
  /** Why it could not be tried at all: it no longer applies, or the mutated code does not run. */
  readonly trouble: string | null;
}

const root = resolve(import.meta.dirname, '../..');
/** A bug may go round in circles; no sound seed takes so long, whatever else the machine does. */
const maxSeedMs = 240_000;

function makeTree({ test }: Mutation, file: string, text: string): string {
  const tree = mkdtempSync(join(temporaryRoot, 'tillside-mutation-'));
  // With the whole folder of the test's project, for tests share what helps them, and the renderer, of which some tell.
  const folder = test === undefined ? [] : ['renderer', test.split('/').slice(0, 2).join('/')];
  const parts = [
    'app',
    'build',
    'test/bench/statistics.ts',
    'test/simulation',
    'test/support',
    'package.json',
    'vitest.config.ts',
  ];
  for (const name of [...parts, ...folder]) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
  mkdirSync(join(tree, 'seeds'));
  writeFileSync(join(tree, file), text);
  return tree;
}

/**
 * Runs one seed in the tree's own worker; null when it does not come to its end. Rejects with whatever ended the
 * worker.
 */
function runOne(worker: Worker, options: SeedOptions & Pick<Mutation, 'world'>): Promise<SeedReport | null> {
  return new Promise((done, reject) => {
    const limit = setTimeout(() => {
      done(null);
    }, maxSeedMs);
    worker.removeAllListeners();
    worker.once('message', (report: SeedReport) => {
      clearTimeout(limit);
      done(report);
    });
    worker.once('error', (error: unknown) => {
      clearTimeout(limit);
      reject(error instanceof Error ? error : new Error(String(error)));
    });
    worker.postMessage(options);
  });
}

const testReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })),
});

/** The file's tests that name one of the rules and fail in the tree. Throws where none runs. */
function failingTests(tree: string, file: string, rules: Mutation['rules']): string[] {
  const vitest = join(tree, 'node_modules/vitest/vitest.mjs');
  const names = `\\b(${rules.join('|')})\\b`;
  const output = join(tree, 'report.json');
  const options = ['-t', names, '--reporter', 'json', '--outputFile', output];
  // The tree has nothing to build the app from, and no test of a mutation starts it.
  const env = { ...process.env, TILLSIDE_UNBUILT: '1' };
  spawnSync(process.execPath, [vitest, 'run', file, ...options], { cwd: tree, env });
  const report = testReport.parse(JSON.parse(readFileSync(output, 'utf8')));
  const failed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  if (report.numPassedTests + failed.length === 0) {
    throw new Error(`no test of ${file} ran`);
  }
  return failed;
}

/**
 * Puts the bug into a tree of its own and runs seeds, the mutation's own and then those from 1 on, until one catches it
 * under one of its rules, at most so many. Where a test must catch it, that one is run.
 */
export async function tryMutation(mutation: Mutation, atMost: number, shiftHours: number): Promise<Trial> {
  const planted = plant(mutation);
  if (typeof planted === 'string') {
    return { mutation, caughtBy: null, violated: [], seeds: 0, simulatedMs: 0, trouble: planted };
  }
  const tree = makeTree(mutation, planted.file, planted.text);
  const worker = new Worker(pathToFileURL(join(tree, 'test/simulation/seed-worker.ts')), { execArgv: [] });
  const seeds = [...(mutation.seeds ?? []), ...Array.from({ length: atMost }, (_, place) => place + 1)].slice(
    0,
    atMost,
  );
  let simulatedMs = 0;
  try {
    if (mutation.test !== undefined) {
      const violated = failingTests(tree, mutation.test, mutation.rules);
      const caughtBy = violated.length === 0 ? null : mutation.test;
      return { mutation, caughtBy, violated, seeds: 0, simulatedMs, trouble: null };
    }
    for (const [place, seed] of seeds.entries()) {
      const report = await runOne(worker, {
        seed,
        shiftHours,
        isPressed: mutation.isPressed ?? false,
        directory: join(tree, 'seeds'),
        ...(mutation.world === undefined ? {} : { world: mutation.world }),
      });
      simulatedMs += report?.simulatedMs ?? 0;
      const violated = report === null ? ['endless'] : [...new Set(report.violations.map(({ rule }) => rule))].sort();
      if (report === null || violated.some((rule) => mutation.rules.some((own) => own === rule))) {
        return { mutation, caughtBy: seed, violated, seeds: place + 1, simulatedMs, trouble: null };
      }
    }
    return { mutation, caughtBy: null, violated: [], seeds: atMost, simulatedMs, trouble: null };
  } catch (error) {
    return {
      mutation,
      caughtBy: null,
      violated: [],
      seeds: 0,
      simulatedMs,
      trouble: `does not run: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    await worker.terminate();
    rmSync(tree, { recursive: true, force: true });
  }
}
