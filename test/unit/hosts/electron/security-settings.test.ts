// Items 8, 9, 10, 15 and 16 of https://www.electronjs.org/docs/latest/tutorial/security; the others are attacked in
// Electron.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { refusedSwitch } from '../../../../app/hosts/electron/packaged.ts';

const root = resolve(import.meta.dirname, '../../../..');
const sources = globSync('app/**/*.ts', { cwd: root }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(root, path), 'utf8'),
}));

const start = (
  switches: readonly string[],
  more: { readonly isRoot?: boolean; readonly resourcesPath?: string } = {},
): string | null =>
  refusedSwitch({ hasSwitch: (name) => switches.includes(name), isRoot: false, resourcesPath: '/nowhere', ...more });

test('an installed app refuses what would open it, and starts with what would not', () => {
  for (const name of [
    'remote-debugging-port',
    'remote-debugging-pipe',
    'inspect',
    'inspect-brk',
    'js-flags',
    'load-extension',
    'disable-web-security',
    'renderer-cmd-prefix',
    'gpu-launcher',
    'no-sandbox',
    'disable-gpu-sandbox',
    'disable-seccomp-filter-sandbox',
    'allow-sandbox-debugging',
    'enable-experimental-web-platform-features',
    'ssl-key-log-file',
    'log-net-log',
  ]) {
    expect(start([name])).toBe(name);
  }
  expect(start([])).toBeNull();
  expect(start(['lang', 'data-dir', 'disable-gpu', 'force-device-scale-factor', 'ozone-platform'])).toBeNull();
});

test('root, who cannot have the sandbox, may do without, and is let in by no debugger all the same', () => {
  expect(start(['no-sandbox'], { isRoot: true })).toBeNull();
  expect(start(['no-sandbox', 'remote-debugging-port'], { isRoot: true })).toBe('remote-debugging-port');
});

test("only a mark among the package's own resources lets a debugger in, and it keeps the sandbox", () => {
  const resourcesPath = temporaryDirectory();
  writeFileSync(join(resourcesPath, 'debugging-allowed'), '');
  expect(start(['remote-debugging-port'], { resourcesPath })).toBeNull();
  expect(start(['no-sandbox'], { resourcesPath })).toBe('no-sandbox');
});

test("15 one file alone sends the system's browser anywhere, through one check", () => {
  const openers = sources.filter(({ text }) => /shell\s*\.\s*(?:openExternal|openPath|showItemInFolder)/.test(text));
  expect(openers.map(({ path }) => path)).toEqual(['app/main-terminal.ts']);
  const [main] = openers;
  expect(main?.text.match(/openExternal/g)).toHaveLength(1);
  expect(main?.text).toMatch(/if \(!isOwnPanel\(url\)\) \{\s+return;/);
});

test('8, 9, 10 no page is made with a bridge down', () => {
  const down =
    /allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|nodeIntegration(?:InWorker|InSubFrames)?: true|contextIsolation: false|sandbox: false|webSecurity: false|webviewTag: true|allowpopups|bypassCSP|setIgnoreCertificate|certificate-error|disableWebSecurity|registerFileProtocol|interceptFileProtocol/;
  expect(sources.filter(({ text }) => down.test(text)).map(({ path }) => path)).toEqual([]);
});

test('safe mode draws without the graphics card', () => {
  // A machine without one, as those that test mostly are, draws without it anyway: there a running app shows no
  // difference.
  const main = sources.find(({ path }) => path === 'app/main.ts')?.text ?? '';
  expect(main).toMatch(
    /if \(flags\.safeMode\) \{\s+app\.disableHardwareAcceleration\(\);\s+\}[^]*app\.whenReady\(\)\.then\(\(\) => run\(/,
  );
});

test('every window that is made takes the one set of preferences', () => {
  const makers = sources.filter(({ text }) => /new (?:BrowserWindow|WebContentsView|BrowserView)\(/.test(text));
  expect(makers.length).toBeGreaterThan(0);
  for (const { path, text } of makers) {
    expect([path, text.match(/new (?:BrowserWindow|WebContentsView|BrowserView)\(/g)?.length]).toEqual([
      path,
      text.match(/webPreferences: (?:pagePreferences\(|\{ \.\.\.pagePreferences\()/g)?.length,
    ]);
  }
});

test('16 the runtime that ships is named exactly, and no other than a current major', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
  // Electron supports its newest three majors; raised with every update of the package.
  expect(Number(devDependencies['electron']?.split('.')[0])).toBeGreaterThanOrEqual(45);
});
