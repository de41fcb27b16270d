import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeMsiProject } from '../../../build/msi.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { hasWixl } from '../../support/wixl.ts';

const paths = ['Tillside.exe', 'locales/pt-BR.pak', 'resources/app.asar', 'resources/inner & more/keytar.node'];
const project = writeMsiProject(paths, { version: '1.2.3-beta.4', arch: 'x64' });
const valuesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

test('every file is in the installer once, in its folder, with a number that stays across versions', () => {
  expect(valuesOf(project, / Source="app\/([^"]*)"/g).toSorted()).toEqual(
    paths.map((path) => path.replace('&', '&amp;')).toSorted(),
  );
  expect(valuesOf(project, /<Directory Id="d\d" Name="([^"]*)"/g)).toEqual([
    'locales',
    'resources',
    'inner &amp; more',
  ]);
  const guids = valuesOf(project, /<Component [^>]*Guid="([\dA-F-]{36})"/g);
  expect(new Set(guids).size).toBe(paths.length + 1);
  const later = writeMsiProject([...paths, 'a-new-one.dll'], { version: '2.0.0', arch: 'x64' });
  expect(valuesOf(later, /<Component [^>]*Guid="([\dA-F-]{36})"/g)).toEqual(expect.arrayContaining(guids));
});

test('a newer version replaces the older one, for the whole machine, and never the other way round', () => {
  expect(project).toContain('UpgradeCode="B3C6B6C4-1F0E-4C52-9B63-6E0B4B1C2A51" Version="1.2.3"');
  expect(project).toContain('InstallScope="perMachine"');
  expect(project).toMatch(/<MajorUpgrade DowngradeErrorMessage="[^"]+"\/>/);
  expect(valuesOf(project, /<(?:ComponentRef) Id="([^"]*)"/g)).toEqual(
    valuesOf(project, /<Component Id="([^"]*)"/g).toSorted(),
  );
});

test('a link is handed over behind "--", so that nothing in it is a flag', () => {
  expect(project).toContain(
    String.raw`Key="Software\Classes\tillside\shell\open\command" Type="string" Value="&quot;[INSTALLDIR]Tillside.exe&quot; -- &quot;%1&quot;"`,
  );
});

test.each([
  [
    'x64',
    '<Condition Message="For another processor',
    'PROCESSOR &lt;&gt; &quot;ARM64&quot; OR WINDOWSBUILD &gt;= 22000',
  ],
  ['arm64', '<Condition Message="For another processor', 'PROCESSOR = &quot;ARM64&quot;'],
  ['x64', '<Condition Message="Tillside needs Windows 10', 'VersionNT64 AND WINDOWSMAJOR'],
] as const)('the one for %s refuses in words, but never its own removal', (arch, words, condition) => {
  const line = writeMsiProject(paths, { version: '1.0.0', arch })
    .split('\n')
    .find((one) => one.startsWith(words));
  expect(line).toContain('>Installed OR ');
  expect(line).toContain(condition);
  // The length for which Windows Installer has room.
  expect((/Message="([^"]*)"/.exec(line ?? '')?.[1] ?? '').length).toBeLessThanOrEqual(255);
});

// Where it is not installed there are no such tests, and `npm test` says so.
describe.each(hasWixl() ? ['wixl'] : [])('made by %s', () => {
  const script = join(import.meta.dirname, '../../../build/msi.ts');

  test('holds the files, its conditions before anything is written, and takes the start at sign-in away', () => {
    const folder = temporaryDirectory();
    for (const path of paths) {
      mkdirSync(dirname(join(folder, 'app', path)), { recursive: true });
      writeFileSync(join(folder, 'app', path), path);
    }
    const output = join(folder, 'out.msi');
    const made = spawnSync(process.execPath, [script, join(folder, 'app'), '--arch', 'x64', '--output', output], {
      encoding: 'utf8',
    });
    expect([made.status, made.stderr]).toEqual([0, '']);
    const table = (name: string): string =>
      spawnSync('msiinfo', ['export', output, name], { encoding: 'utf8' }).stdout.replaceAll('\r', '');
    expect(table('LaunchCondition').match(/^Installed OR /gm)).toHaveLength(2);
    expect(table('Property')).toMatch(/^SecureCustomProperties\t.*;WINDOWSMAJOR;WINDOWSBUILD;PROCESSOR$/m);
    expect(table('CustomAction')).toMatch(/^forgetStart\t98\t.*\\Run \/v electron\.app\.Tillside \/f\t?$/m);
    const sequence = new Map(
      table('InstallExecuteSequence')
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([action = '', condition = '', number = '']) => [action, { condition, number: Number(number) }]),
    );
    const at = (action: string): number => sequence.get(action)?.number ?? Number.NaN;
    expect(at('AppSearch')).toBeLessThan(at('LaunchConditions'));
    expect(at('LaunchConditions')).toBeLessThan(at('InstallInitialize'));
    expect(table('CustomAction')).toMatch(/^endRunning\t98\t.*taskkill\.exe" \/f \/im Tillside\.exe\t?$/m);
    expect(sequence.get('endRunning')?.condition).toBe('Installed OR WIX_UPGRADE_DETECTED');
    expect(at('endRunning')).toBeGreaterThan(at('CostFinalize'));
    expect(at('endRunning')).toBeLessThan(at('InstallValidate'));
    expect(at('endRunning')).toBeLessThan(at('RemoveExistingProducts'));
    expect(sequence.get('forgetStart')?.condition).toBe('REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE');
    const out = join(folder, 'out');
    mkdirSync(out);
    spawnSync('msiextract', ['-C', out, output]);
    expect(paths.map((path) => readFileSync(join(out, 'Tillside', path), 'utf8'))).toEqual(paths);
  });

  test('a folder without the program makes none', () => {
    const folder = temporaryDirectory();
    const output = join(folder, 'out.msi');
    const made = spawnSync(process.execPath, [script, folder, '--arch', 'x64', '--output', output], {
      encoding: 'utf8',
    });
    expect([made.status, made.stderr]).toEqual([2, `${folder} holds no Tillside.exe\n`]);
    expect(existsSync(output)).toBe(false);
  });
});
