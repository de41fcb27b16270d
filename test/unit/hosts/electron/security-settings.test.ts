// Items 8, 9, 10, 15 and 16 of https://www.electronjs.org/docs/latest/tutorial/security; the others are attacked in
// Electron.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../support/temporary.ts';
import {
  describeRefusedArgument,
  refusedArgument,
  type PackagedStart,
} from '../../../../app/hosts/electron/packaged.ts';
import { flagNames } from '../../../../app/hosts/flags.ts';

const root = resolve(import.meta.dirname, '../../../..');
const sources = globSync('app/**/*.ts', { cwd: root }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(root, path), 'utf8'),
}));

/** What an installed app says it does not start with, of these arguments. */
const start = (args: readonly string[], more: Partial<Omit<PackagedStart, 'args'>> = {}): string | null =>
  refusedArgument({ args, system: 'linux', isRoot: false, resourcesPath: '/nowhere', ...more })?.argument ?? null;

test('an installed app starts with its own flags, a few switches that open nothing, links and files', () => {
  const value = (name: string): readonly string[] => [`--${name}`, `--${name}=x`];
  expect([...flagNames].flatMap(value).filter((flag) => start([flag]) !== null)).toEqual([]);
  for (const args of [
    [],
    ['--data-dir', '/data/Tillside', '--lang', 'es', '--kiosk', '--status-file=/srv/till'],
    ['--lookup=--no-sandbox'],
    ['--json', '--lookup', '7891000100103'],
    ['--disable-gpu', '--force-device-scale-factor=1.25', '--ozone-platform=x11', '--ozone-platform-hint=auto'],
    ['--gtk-version=3', '--password-store=basic', '--touch-events=enabled', '--touch-devices=9,12'],
    ['--updated'],
    ['tillside://lookup?code=7891000100103'],
    ['--kiosk', '--', 'tillside://lookup?code=7891000100103', '/home/ana/shop.json'],
    ['--'],
    ['/home/ana/shop.json', 'file:///home/ana/shop.json'],
  ]) {
    expect([args, start(args)]).toEqual([args, null]);
  }
  expect(start(['-psn_0_12345'], { system: 'darwin' })).toBeNull();
  expect(start(['-psn_0_12345'])).toBe('-psn_0_12345');
});

test.each([
  '--remote-debugging-port',
  '--remote-debugging-pipe',
  '--inspect',
  '--inspect-brk',
  '--js-flags',
  '--load-extension',
  '--user-data-dir',
  '--disable-web-security',
  '--enable-features',
  '--disable-features',
  '--renderer-cmd-prefix',
  '--zygote-cmd-prefix',
  '--gpu-launcher',
  '--in-process-gpu',
  '--no-zygote',
  '--no-sandbox',
  '--disable-gpu-sandbox',
  '--disable-seccomp-filter-sandbox',
  '--proxy-server',
  '--ignore-certificate-errors',
  '--log-file',
  '--single-argument',
  '--type',
  '--a-switch-of-next-year',
])('an installed app refuses %s, however it is written', (name) => {
  for (const form of [name, `${name}=1`, `${name}=`, `\t ${name}=1`, `\u00a0${name}`, `\u200b${name}`]) {
    expect([form, start(['--kiosk', form, '--', 'x'])]).toEqual([form, name]);
  }
  expect(start([name.slice(1)])).toBe(name.slice(1));
  expect(start(['--data-dir', name]), 'in the place of a value').toBe(name);
  const onWindows = `/${name.slice(2)}=1`;
  expect(start([onWindows], { system: 'win32' })).toBe(onWindows.slice(0, -2));
});

test('an installed app takes a name only as it is spelt, and a value only where it is known', () => {
  for (const [argument, said] of [
    ['--Lang', '--Lang'],
    ['-lang', '-lang'],
    ['/lang', null],
    ['--force-device-scale-factor', '--force-device-scale-factor'],
    ['--force-device-scale-factor=99', '--force-device-scale-factor=99'],
    ['--ozone-platform=headless', '--ozone-platform=headless'],
    ['--ozone-platform-hint=headless', '--ozone-platform-hint=headless'],
    ['--password-store=/tmp/x.so', '--password-store=/tmp/x.so'],
    ['--disable-gpu=1', '--disable-gpu=1'],
    ['--constructor', '--constructor'],
    [' --', '--'],
    ['-', '-'],
  ] as const) {
    expect([argument, start([argument])]).toEqual([argument, said]);
  }
  expect(start(['/lang'], { system: 'win32' })).toBe('/lang');
  expect(start([' --', '--remote-debugging-port=0'])).toBe('--');
});

test('a refused argument is said in three languages, with what was meant, and without a secret', () => {
  const refused = refusedArgument({
    args: ['--setup-hub=postgres://owner:canary@db/x'],
    system: 'linux',
    isRoot: false,
    resourcesPath: '/nowhere',
  });
  expect(refused).toEqual({ argument: '--setup-hub', meant: '--set-up-hub', isBehind: false });
  const said = ['en', 'pt-BR', 'es'].map((tag) =>
    describeRefusedArgument(refused ?? { argument: '', meant: null, isBehind: false }, tag),
  );
  expect(new Set(said).size).toBe(3);
  for (const words of said) {
    expect(words).toContain('--setup-hub');
    expect(words).toMatch(/--set-up-hub( meant)?\?/);
  }
  expect(describeRefusedArgument({ argument: '--$&', meant: null, isBehind: false }, 'en')).toContain(' --$&.');
  expect(start([`--x\u001b[31m\u202e${'y'.repeat(500)}`])).toMatch(/^--x\[31my{50,100}$/);
  expect(describeRefusedArgument({ argument: '--no-sandbox', meant: null, isBehind: false }, 'pt-BR')).toContain(
    'sem o sandbox',
  );
});

test('behind "--", where flags do nothing, links and files alone are taken', () => {
  for (const argument of ['--kiosk', '--no-sandbox', '-x']) {
    const refused = refusedArgument({
      args: ['--', 'tillside://lookup?code=1', argument],
      system: 'linux',
      isRoot: true,
      resourcesPath: '/nowhere',
    });
    expect(refused).toMatchObject({ argument, isBehind: true });
    const said = ['en', 'pt-BR', 'es'].map((tag) =>
      describeRefusedArgument({ argument, meant: null, isBehind: true }, tag),
    );
    expect(new Set(said).size).toBe(3);
    expect(said.every((words) => words.includes(argument))).toBe(true);
  }
});

test('root on Linux, who cannot have the sandbox, may do without; no debugger is let in all the same', () => {
  expect(start(['--no-sandbox'], { isRoot: true })).toBeNull();
  expect(start(['--no-sandbox=1'], { isRoot: true })).toBe('--no-sandbox');
  expect(start(['--no-sandbox'], { isRoot: true, system: 'darwin' })).toBe('--no-sandbox');
  expect(start(['--no-sandbox', '--remote-debugging-port=0'], { isRoot: true })).toBe('--remote-debugging-port');
});

test("only a mark among the package's own resources lets a debugger in, and nothing else", () => {
  const resourcesPath = temporaryDirectory();
  writeFileSync(join(resourcesPath, 'debugging-allowed'), '');
  expect(start(['--remote-debugging-port=0'], { resourcesPath })).toBeNull();
  for (const other of ['--no-sandbox', '--remote-debugging-pipe', '--js-flags', '--remote-debugging-address']) {
    expect(start([other], { resourcesPath })).toBe(other);
  }
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
