import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { isAccessDrawn } from './access-table.ts';
import { findViolations } from './boundaries.ts';
import { watchSources } from './changed-sources.ts';
import { maxFirstScreenBytes, weighFirstScreen } from './first-screen.ts';
import { isDrawn, readSources } from './rooms.ts';

const root = resolve(import.meta.dirname, '..');
const maxOutputBytes = 16 * 1024 * 1024;
/** For the compiler and the linter, programs in Go that soon end: collecting garbage is a fifth of their work. */
const seldomCollecting = { GOGC: '400' };

interface Outcome {
  readonly failed: boolean;
  /** The check's messages; empty when there are none. */
  readonly output: string;
}

/** Runs a command line of a development dependency under this very Node. */
async function runTool(script: string, ...parameters: string[]): Promise<Outcome> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules', script), ...parameters],
      { cwd: root, maxBuffer: maxOutputBytes, env: { ...process.env, ...seldomCollecting } },
      (error, stdout, stderr) => {
        done({ failed: error !== null, output: `${stdout}${stderr}`.trim() });
      },
    );
  });
}

const sources = readSources([
  '{app,renderer,build,test}/**/*.{ts,tsx,mts,cts,js,mjs,cjs}',
  'docs/.vitepress/{,theme/}*.ts',
  '*.config.{ts,js,mjs}',
]);

function checkBoundaries(): Outcome {
  const complaints = findViolations(sources).map(({ path, rule, message }) => `${path} ${message} (${rule})`);
  if (complaints.length === 0 && !isDrawn(sources)) {
    complaints.push('app/README.md draws other imports than there are: run npm run rooms');
  }
  if (!isAccessDrawn()) {
    complaints.push('SECURITY.md shows other calls than app/contract/access.ts: run npm run rooms');
  }
  return { failed: complaints.length > 0, output: complaints.join('\n') };
}

/** Lints what has changed since the last clean run, and what imports it. */
async function checkLint(): Promise<Outcome> {
  // Nobody imports an ambient declaration, and everybody may use it.
  const settings = ['.oxlintrc.json', 'tsconfig.json', 'package-lock.json', 'renderer/environment.d.ts'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  const { affected, keep } = watchSources(join(root, '.cache/lint.json'), sources, settings);
  if (affected.length === 0) {
    return { failed: false, output: '' };
  }
  const outcome = await runTool('oxlint/bin/oxlint', '--report-unused-disable-directives-severity=error', ...affected);
  // A clean run says so in two lines that nobody needs; warnings are shown and do not fail.
  const isClean = !outcome.failed && outcome.output.includes('Found 0 warnings');
  if (isClean) {
    keep();
  }
  return isClean ? { failed: false, output: '' } : outcome;
}

async function checkFirstScreen(): Promise<Outcome> {
  const { scriptBytes, styleBytes, fontBytes, bytes } = await weighFirstScreen();
  const failed = bytes >= maxFirstScreenBytes;
  const [scripts, styles, font, all, most] = [scriptBytes, styleBytes, fontBytes, bytes, maxFirstScreenBytes].map(
    (count) => (count / 1000).toFixed(0),
  );
  return {
    failed,
    output: `${all} kB after gzip, ${scripts} of scripts, ${styles} of styles and ${font} of letters; less than ${most} kB are allowed`,
  };
}

const checks: Readonly<Record<string, () => Promise<Outcome>>> = {
  // Unchanged files are not checked again.
  types: () =>
    runTool(
      'typescript/bin/tsc',
      '--noEmit',
      // Each works out anew what the others have worked out as well, and the linter has the other processors.
      '--checkers',
      String(Math.min(4, Math.ceil(availableParallelism() / 2))),
      '--pretty',
      'false',
      '--incremental',
      '--tsBuildInfoFile',
      '.cache/types.tsbuildinfo',
    ),
  lint: checkLint,
  format: () => runTool('oxfmt/bin/oxfmt', '--list-different'),
  boundaries: () => Promise.resolve(checkBoundaries()),
  unused: () => runTool('knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'),
  'first screen': checkFirstScreen,
};

let failures = 0;
await Promise.all(
  Object.entries(checks).map(async ([name, check]) => {
    const startedAt = performance.now();
    const { failed, output } = await check();
    failures += failed ? 1 : 0;
    console.log(`${name}: ${failed ? 'FAILED' : 'ok'} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    if (output !== '') {
      console.log(output.replaceAll(/^/gm, '  '));
    }
  }),
);
console.log(`${Object.keys(checks).length - failures} checks passed, ${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
