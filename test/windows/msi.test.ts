import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDirectory } from '../../build/project.ts';
import type { PackagedSession } from '../support/packaged.ts';
import { makeTemporaryDirectory } from '../support/temporary.ts';
import { scan } from '../support/wedge.ts';
import { allowDriving, launchInWine, runInWine, winePackage } from '../support/wine.ts';

const hasWixl = spawnSync('wixl', ['--version']).status === 0;
const installed = 'C:\\Program Files\\Tillside\\Tillside.exe';
const uninstallKey = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
/** From the installer to a first answer, for a person who reads. */
const maxSeconds = 120;
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

/** What a person does who has never seen Tillside. */
async function answerFirstScan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Practice store', exact: true }).click();
  const code = await page
    .getByRole('list', { name: 'Barcodes to try' })
    .locator('.sample-plate .mono')
    .first()
    .innerText();
  await scan(page, code);
  await page.locator('.card').getByText(code).first().waitFor();
}

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
    const begunMs = performance.now();
    runInWine('msiexec', '/i', first, '/qn');
    await answerFirstScan((await start()).page);
    const seconds = (performance.now() - begunMs) / 1000;
    console.log(`${seconds.toFixed(0)} s from the installer to the first answered scan`);
    expect(seconds).toBeLessThan(maxSeconds);
    expect(installedVersions()).toEqual(['0.1.0']);

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
