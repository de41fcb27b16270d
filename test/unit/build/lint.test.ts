import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';

const root = resolve(import.meta.dirname, '../../..');
const linter = join(root, 'node_modules/oxlint/bin/oxlint');
/** Some registries lack its program for Windows; `npm run check` fails there as well. */
const hasLinter = spawnSync(process.execPath, [linter, '--version']).status === 0;

/** Lints a small house under the real configuration; answers "path rule", sorted, each once. */
async function lint(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = temporaryDirectory();
  for (const name of ['.oxlintrc.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(directory, name));
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const run = promisify(execFile)(process.execPath, [linter, '--format=json', 'app'], { cwd: directory });
  const output = await run.then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : ''),
  );
  const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string }[] };
  return [...new Set(diagnostics.map(({ filename, code }) => `${filename} ${code}`))].toSorted();
}

it.skipIf(process.platform === 'win32' && !hasLinter)(
  'finds what the rules of the house forbid, and allows it where a port is implemented',
  async () => {
    // Texts for the linter alone, each wrong on purpose: the rule in front must find it.
    const faults: Readonly<Record<string, string>> = {
      'eslint(no-console)': "console.log('a');",
      'eslint(max-lines-per-function)': `export function f(): void {\n${'f();\n'.repeat(120)}}`,
      'eslint(no-nested-ternary)': 'export const sign = (a: number): number => (a > 0 ? 1 : a < 0 ? -1 : 0);',
      'eslint(no-restricted-globals)': "void fetch('http://127.0.0.1/');",
      'eslint(no-restricted-properties)': 'export const now = Date.now() + Math.random();',
      'eslint(no-restricted-imports)': "import { randomUUID } from 'node:crypto'; export const id = randomUUID();",
      // The faults that a careless commit would leave behind; the linter must find them in this text.
      'eslint(no-warning-comments)': '// TODO: later',
      'import(no-default-export)': 'export default 1;',
      'typescript(no-explicit-any)': 'export const a: any = 1;',
      'typescript(no-floating-promises)': 'export function f(p: Promise<void>): void { p; }',
      'typescript(no-misused-promises)':
        'export function g(f: (b: () => void) => void): void { f(async () => { await Promise.resolve(); }); }',
      'typescript(no-non-null-assertion)': 'export function h(a: string | null): string { return a!; }',
      'typescript(no-unsafe-member-access)': "export const j = JSON.parse('1').b === 1;",
      'typescript(switch-exhaustiveness-check)':
        "export function s(a: 'x' | 'y'): void { switch (a) { case 'x': break; } }",
      'unicorn(prefer-node-protocol)': "import { join } from 'path'; export const p = join('a', 'b');",
    };
    const texts = Object.entries(faults).map(([, text], index): [string, string] => [
      `app/queue/fault-${index}.ts`,
      `${text}\nexport {};\n`,
    ]);
    const found = await lint({
      ...Object.fromEntries(texts),
      'app/hosts/clock.ts': 'export const now = (): number => Date.now() + Math.random(); setTimeout(now, 1);\n',
      'app/queue/timer.ts':
        'export function f(): void { setTimeout(f, 1); setInterval(f, 1); }\nexport const e = process.env;\n',
      // Skipped and focused on purpose: what a careless commit would leave behind must be found.
      'app/queue/only.test.ts': "import { it } from 'vitest';\nit.skip('a', () => {});\nit.only('b', () => {});\n",
      'app/queue/name.test.ts': `import { it } from 'vitest';\nit('${'a'.repeat(100)}', () => {});\n`,
      'app/queue/long-name.test.ts': `import { it } from 'vitest';\nit.for([1])('${'a'.repeat(101)}', () => {});\n`,
    });
    for (const [index, rule] of Object.keys(faults).entries()) {
      expect(found).toContain(`app/queue/fault-${index}.ts ${rule}`);
    }
    expect(found).toContain('app/queue/timer.ts eslint(no-restricted-globals)');
    expect(found).toContain('app/queue/only.test.ts vitest(no-disabled-tests)');
    expect(found).toContain('app/queue/only.test.ts vitest(no-focused-tests)');
    expect(found).not.toContain('app/queue/name.test.ts vitest(valid-title)');
    expect(found).toContain('app/queue/long-name.test.ts vitest(valid-title)');
    expect(found.filter((line) => line.startsWith('app/hosts/'))).toEqual([]);
  },
  60_000,
);
