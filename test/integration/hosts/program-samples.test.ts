// The proof that the samples of the technician's page do what it says, with what a Tillside that runs answers.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../../app/domain/language.ts';
import { runLookup } from '../../../app/hosts/programs/command.ts';
import { answerPrograms, openCopiedPractice } from '../../support/asked-tills.ts';
import { readDocument } from '../../support/docs.ts';
import { startChild, type Child } from '../../support/child.ts';
import { openLoopback, patience } from '../../support/loopback.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** The samples of a kind: the first asks with `--lookup`, the second at the loopback address. */
function samplesOf(language: string, kind: string): string[] {
  const { text } = readDocument(`docs/${language}/technician.md`);
  return [...text.matchAll(new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``, 'g'))].map(([, sample = '']) => sample);
}
const sampleOf = (language: string, kind: string, index = 0): string => samplesOf(language, kind)[index] ?? '';

const samples = [
  { kind: 'powershell', file: 'sample.ps1', run: ['pwsh', '-NoProfile', '-File'] },
  { kind: 'python', file: 'sample.py', run: ['python3'] },
  { kind: 'javascript', file: 'sample.mjs', run: [process.execPath] },
] as const;

test.each(samples)('the samples in $kind are the same in every language, of ten lines at most', ({ kind }) => {
  const own = samplesOf('en', kind);
  expect(languages.map((language) => samplesOf(language, kind))).toEqual(languages.map(() => own));
  const lines = own.map((sample) => sample.trim().split('\n').length);
  expect(lines).toHaveLength(2);
  expect(lines.filter((count) => count <= 5 || count > 10)).toEqual([]);
});

// The stand-in for the installed program is a script of a POSIX shell; PowerShell is on few machines that have one.
const runnable = samples.filter(
  ({ run: [program] }) => process.platform !== 'win32' && spawnSync(program, ['--version']).status === 0,
);

test.each(runnable)(
  'the sample in $kind says what was found, and what was not',
  async ({ kind, file, run: [program, ...parameters] }) => {
    const { terminal, product, directory: dataDirectory } = await openCopiedPractice();
    const programs = await answerPrograms(terminal.handlers, dataDirectory);
    const folder = temporaryDirectory();
    const installed = join(folder, 'tillside');

    /** The lines that the sample prints of the output of `--lookup`. */
    async function said(code: string): Promise<string> {
      const { output, exitCode: ended } = await runLookup({ code, isJson: true, dataDirectory, language: 'en' });
      writeFileSync(join(folder, 'answer'), output);
      const script = `test "$*" = "--json --lookup=${code}" && cat '${folder}/answer' && exit ${ended}\nexit 3\n`;
      writeFileSync(installed, `#!/bin/sh\n${script}`, { mode: 0o700 });
      const path = join(folder, file);
      const sample = sampleOf('en', kind).replaceAll('7891000100103', code);
      writeFileSync(path, sample.replace(/^(.*tillside = )(['"]).*\2/m, `$1'${installed}'`));
      const child = startChild(program, [...parameters, path]);
      const { code: exitCode } = await child.ended;
      expect(child.errorLines).toEqual([]);
      expect(exitCode).toBe(0);
      return child.lines.join('\n');
    }
    expect(await said(product.code)).toContain(`${product.name}: `);
    expect(await said('NO-SUCH-1')).toBe('not found: unknown');
    await programs.close();
    expect(await said('NO-SUCH-1')).toMatch(/^cannot be asked: Tillside /);
  },
);

const askers = samples.filter(({ run: [program] }) => spawnSync(program, ['--version']).status === 0);

test.each(askers)(
  'the sample in $kind asks at the loopback address',
  async ({ kind, file, run: [program, ...parameters] }) => {
    const { terminal, product } = await openCopiedPractice();
    const { code: known, name } = product;
    const loopback = await openLoopback(terminal);
    const port = await loopback.until('open');
    const folder = temporaryDirectory();

    function start(code: string, token = loopback.token): Child {
      const path = join(folder, `${code}-${token.slice(0, 4)}-${file}`);
      const sample = sampleOf('en', kind, 1);
      writeFileSync(path, sample.replace('TOKEN', token).replace('17863', String(port)).replace('7891000100103', code));
      return startChild(program, [...parameters, path]);
    }
    if (kind === 'javascript') {
      const child = start('NO-SUCH-1');
      const said = () => child.lines.join('\n');
      await expect.poll(said, patience).toContain("answer: 'unknown'");
      await loopback.handlers['lookup:find']({ text: known, source: 'scan' });
      await expect.poll(said, patience).toContain(`${known} ${name}: `);
      loopback.choose({ isOn: false });
      await expect.poll(said, patience).toContain('no longer told: 1001');
      expect(await child.ended).toMatchObject({ code: 0 });
      expect(child.errorLines).toEqual([]);
      return;
    }
    const outputs = await Promise.all(
      [start(known), start('NO-SUCH-1'), start(known, 'x'.repeat(43))].map(async (child) => {
        await child.ended;
        return child.lines.join('\n');
      }),
    );
    expect(outputs[0]).toContain(`${name}: `);
    expect(outputs[1]).toBe('not found: unknown');
    expect(outputs[2]).toMatch(/^cannot be asked: .*401/);
  },
);
