import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Mutation } from './mutation.ts';
import type { PlantedFile } from './mutant-worker.ts';
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

/** A tree that has the file with the bug, the test that must catch it, and what that reads. */
function makeTree(tree: string, test: string, file: string, text: string): void {
  // With the whole folder of the test's project, for tests share what helps them, and the renderer, of which some tell.
  const parts = [
    'app',
    'build',
    'renderer',
    'test/bench/statistics.ts',
    'test/simulation',
    'test/support',
    test.split('/').slice(0, 2).join('/'),
    'package.json',
    'vitest.config.ts',
  ];
  for (const name of parts) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
  writeFileSync(join(tree, file), text);
}

/**
 * Runs one seed in the worker; null when it does not come to its end. Rejects with whatever ended the
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
 * Runs seeds with the bug, the mutation's own and then those from 1 on, until one catches it under one of its rules, at
 * most so many. Where a test must catch it, that one is run in a tree of its own that has the bug.
 */
export async function tryMutation(mutation: Mutation, atMost: number, shiftHours: number): Promise<Trial> {
  const planted = plant(mutation);
  const nothing = { mutation, caughtBy: null, violated: [], seeds: 0, simulatedMs: 0 };
  if (typeof planted === 'string') {
    return { ...nothing, trouble: planted };
  }
  const { file, text } = planted;
  const directory = mkdtempSync(join(temporaryRoot, 'tillside-mutation-'));
  let worker: Worker | null = null;
  let simulatedMs = 0;
  try {
    if (mutation.test !== undefined) {
      makeTree(directory, mutation.test, file, text);
      const violated = failingTests(directory, mutation.test, mutation.rules);
      return { ...nothing, caughtBy: violated.length === 0 ? null : mutation.test, violated, trouble: null };
    }
    worker = new Worker(new URL('mutant-worker.ts', import.meta.url), {
      execArgv: [],
      workerData: { url: pathToFileURL(join(root, file)).href, text } satisfies PlantedFile,
    });
    const seeds = [...(mutation.seeds ?? []), ...Array.from({ length: atMost }, (_, place) => place + 1)].slice(
      0,
      atMost,
    );
    for (const [place, seed] of seeds.entries()) {
      const report = await runOne(worker, {
        seed,
        shiftHours,
        isPressed: mutation.isPressed ?? false,
        directory,
        ...(mutation.world === undefined ? {} : { world: mutation.world }),
      });
      simulatedMs += report?.simulatedMs ?? 0;
      const violated = report === null ? ['endless'] : [...new Set(report.violations.map(({ rule }) => rule))].sort();
      if (report === null || violated.some((rule) => mutation.rules.some((own) => own === rule))) {
        return { mutation, caughtBy: seed, violated, seeds: place + 1, simulatedMs, trouble: null };
      }
    }
    return { ...nothing, seeds: atMost, simulatedMs, trouble: null };
  } catch (error) {
    const trouble = `does not run: ${error instanceof Error ? error.message : String(error)}`;
    return { ...nothing, simulatedMs, trouble };
  } finally {
    await worker?.terminate();
    rmSync(directory, { recursive: true, force: true });
  }
}
