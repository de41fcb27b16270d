import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, win32 } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDirectory } from '../../build/project.ts';
import type { PackagedSession } from '../support/packaged.ts';
import { makeTemporaryDirectory } from '../support/temporary.ts';
import { scan } from '../support/wedge.ts';
import { allowDriving, isWindows, launchOnWindows, runOnWindows, windowsPackage } from '../support/windows.ts';

/** From the installer to a first answer, for a person who reads. */
const maxSeconds = 120;
/** Two installers on a busy machine. */
const packingMs = 900_000;
const folder = makeTemporaryDirectory();
let session: PackagedSession | null = null;

/** Runs one of the project's tools. */
function run(...parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, parameters, { cwd: projectDirectory, stdio: 'inherit' });
  expect(status).toBe(0);
}

interface Installer {
  readonly name: string;
  /** Why none can be made here; null when it can. */
  readonly missing: string | null;
  /** Where the program lies afterwards. */
  folder(): string;
  /** Where the registry tells of it. */
  readonly hive: string;
  /** Makes one that says that it is this version; answers its path. */
  make(version: string): string;
  /** Whether it ends a Tillside that runs. NSIS asks the system for it, and Wine does not answer. */
  readonly endsRunning: boolean;
  install(path: string): void;
  remove(path: string): void;
}

const msi: Installer = {
  name: 'MSI',
  missing: spawnSync('wixl', ['--version']).status === 0 ? null : 'no wixl',
  folder: () => 'C:\\Program Files\\Tillside',
  hive: 'HKLM',
  make: (version) => {
    const output = join(folder.path, `tillside-${version}.msi`);
    run('build/msi.ts', windowsPackage ?? '', '--arch', 'x64', '--version', version, '--output', output);
    return output;
  },
  endsRunning: true,
  install: (path) => runOnWindows('msiexec', '/i', path, '/qn', '/norestart'),
  remove: (path) => runOnWindows('msiexec', '/x', path, '/qn'),
};

const nsis: Installer = {
  name: 'NSIS',
  // electron-builder fetches it; outside Windows it takes Wine as well.
  missing: isWindows || process.env['ELECTRON_BUILDER_NSIS_DIR'] !== undefined ? null : 'no ELECTRON_BUILDER_NSIS_DIR',
  folder: () => win32.join(runOnWindows('cmd', '/c', 'echo %LOCALAPPDATA%').trim(), 'Programs', 'Tillside'),
  hive: 'HKCU',
  make: (version) => {
    const output = `-c.directories.output=${folder.path}`;
    const flags = ['--win', 'nsis', '--x64', '--publish', 'never', '-c.compression=store', output];
    run(
      'node_modules/electron-builder/cli.js',
      '--prepackaged',
      windowsPackage ?? '',
      `-c.extraMetadata.version=${version}`,
      ...flags,
    );
    return join(folder.path, `Tillside-${version}-win-x64.exe`);
  },
  endsRunning: isWindows,
  install: (path) => runOnWindows(path, '/S', '/currentuser'),
  remove: () => runOnWindows(win32.join(nsis.folder(), 'Uninstall Tillside.exe'), '/S'),
};

/** Passes the first screen like a person who has never seen Tillside. Answers the barcode. */
async function answerFirstScan(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Practice store', exact: true }).click();
  const code = await page
    .getByRole('list', { name: 'Barcodes to try' })
    .locator('.sample-plate .mono')
    .first()
    .innerText();
  await scan(page, code);
  await page.locator('.card').getByText(code).first().waitFor();
  return code;
}

afterAll(async () => {
  await session?.kill();
  folder.remove();
});

describe.each([msi, nsis])('$name', (installer) => {
  const { hive } = installer;
  const isMissing = windowsPackage === null || installer.missing !== null;
  let [first, second] = ['', ''];
  const dataDirectory = join(folder.path, `data-${installer.name}`);
  const query = (key: string): string => runOnWindows('reg', 'query', `${hive}\\Software\\${key}`, '/s', '/reg:64');
  const versions = (): readonly string[] =>
    [...query('Microsoft\\Windows\\CurrentVersion\\Uninstall').matchAll(/DisplayVersion\s+REG_SZ\s+(0\.1\.\d)/g)].map(
      ([, version = '']) => version,
    );
  const isThere = (): boolean =>
    runOnWindows('cmd', '/c', 'dir', '/b', win32.dirname(installer.folder())).includes('Tillside');

  /** Its window, with the practice store or without it. */
  async function start(...flags: readonly string[]): Promise<PackagedSession> {
    const program = win32.join(installer.folder(), 'Tillside.exe');
    session = await launchOnWindows(['--data-dir', dataDirectory, '--lang', 'en', ...flags], program);
    return session;
  }

  beforeAll(() => {
    if (!isMissing) {
      allowDriving();
      [first, second] = [installer.make('0.1.1'), installer.make('0.1.2')];
    }
  }, packingMs);

  test('installs in silence, takes the place of an older version while that runs, and goes without the data', async ({
    skip,
  }) => {
    skip(isMissing, installer.missing ?? 'no package for Windows');
    const begunMs = performance.now();
    installer.install(first);
    const running = await start();
    const code = await answerFirstScan(running.page);
    const seconds = (performance.now() - begunMs) / 1000;
    console.log(`${installer.name}: ${seconds.toFixed(0)} s from the installer to the first answered scan`);
    expect(seconds).toBeLessThan(maxSeconds);
    expect(versions()).toEqual(['0.1.1']);
    expect(query('Classes\\tillside')).toContain('URL:Tillside');

    if (!installer.endsRunning) {
      await running.kill();
    }
    installer.install(second);
    await running.child.ended;
    // NSIS' installer may go on as a copy of itself, and so does its uninstaller.
    await expect.poll(() => versions(), { timeout: maxSeconds * 1000 }).toEqual(['0.1.2']);
    const again = await start('--training');
    await again.page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();
    await again.page.getByText(code).first().waitFor();
    await again.close();
    session = null;

    expect(isThere()).toBe(true);
    installer.remove(second);
    await expect.poll(() => versions(), { timeout: maxSeconds * 1000 }).toEqual([]);
    await expect.poll(() => isThere(), { timeout: maxSeconds * 1000 }).toBe(false);
    expect(query('Classes\\tillside')).not.toContain('URL:Tillside');
    expect(readdirSync(dataDirectory)).toContain('practice');
    expect(existsSync(join(dataDirectory, 'settings.json'))).toBe(true);
  });
});
