import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDirectory } from '../../build/project.ts';
import type { PackagedSession } from '../support/packaged.ts';
import { makeTemporaryDirectory } from '../support/temporary.ts';
import { allowDriving, launchInWine, runInWine, winePackage } from '../support/wine.ts';

const hasWixl = spawnSync('wixl', ['--version']).status === 0;
const installed = 'C:\\Program Files\\Tillside\\Tillside.exe';
const uninstallKey = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const folder = makeTemporaryDirectory();
const dataDirectory = join(folder.path, 'data');
const [first, second] = ['0.1.0', '0.1.1'].map((version) => join(folder.path, `tillside-${version}.msi`)) as [
  string,
  string,
];
let session: PackagedSession | null = null;

const isThere = (): boolean => runInWine('cmd', '/c', 'dir', '/b', 'C:\\Program Files').includes('Tillside');
const installedVersions = (): readonly string[] =>
  [...runInWine('reg', 'query', uninstallKey, '/s', '/reg:64').matchAll(/DisplayVersion\s+REG_SZ\s+(0\.1\.\d)/g)].map(
    ([, version = '']) => version,
  );

/** Its window, with the practice store or without it. */
async function start(...flags: readonly string[]): Promise<PackagedSession> {
  session = await launchInWine(['--data-dir', dataDirectory, '--lang', 'en', ...flags], installed);
  return session;
}

beforeAll(() => {
  if (winePackage === null || !hasWixl) {
    return;
  }
  allowDriving();
  for (const [msi, version] of [
    [first, '0.1.0'],
    [second, '0.1.1'],
  ] as const) {
    const made = spawnSync(
      process.execPath,
      ['build/msi.ts', winePackage, '--arch', 'x64', '--version', version, '--output', msi],
      { cwd: projectDirectory, stdio: 'inherit' },
    );
    expect(made.status).toBe(0);
  }
});

afterAll(async () => {
  await session?.kill();
  folder.remove();
});

test.skipIf(winePackage === null || !hasWixl)(
  'an MSI installs in silence, takes the place of an older version, and goes without the data',
  async () => {
    runInWine('msiexec', '/i', first, '/qn');
    expect(installedVersions()).toEqual(['0.1.0']);
    const { page } = await start('--training');
    await page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();

    await session?.close();
    runInWine('msiexec', '/i', second, '/qn', '/norestart');
    expect(installedVersions()).toEqual(['0.1.1']);
    const again = await start('--training');
    await again.page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();
    await again.close();
    session = null;

    expect(isThere()).toBe(true);
    runInWine('msiexec', '/x', second, '/qn');
    expect(isThere()).toBe(false);
    expect(installedVersions()).toEqual([]);
    expect(runInWine('reg', 'query', 'HKLM\\Software\\Classes\\tillside', '/reg:64')).not.toContain('URL:Tillside');
    expect(readdirSync(dataDirectory)).toContain('practice');
    expect(existsSync(join(dataDirectory, 'settings.json'))).toBe(true);
  },
);
