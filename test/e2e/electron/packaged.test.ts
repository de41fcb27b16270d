import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { electronCommand, whyNoElectron } from '../../support/electron.ts';
import { shareOf } from '../../support/night.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const missing = whyNoElectron();
const builtMain = pathToFileURL(resolve(import.meta.dirname, '../../../dist/main.js')).href;
const environment = { ELECTRON_FORCE_IS_PACKAGED: 'true' };

/** The app with a look from inside: opens what a person or a script would, and writes down what came of it. */
const lookInside = `
import { app, BrowserWindow, Menu } from 'electron';
import ${JSON.stringify(builtMain)};

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
void app.whenReady().then(async () => {
  while (BrowserWindow.fromId(1) === null) {
    await later(50);
  }
  const contents = BrowserWindow.fromId(1).webContents;
  await new Promise((resolve) => contents.once('did-finish-load', resolve));
  contents.openDevTools({ mode: 'detach' });
  contents.toggleDevTools();
  contents.inspectElement(10, 10);
  for (const [keyCode, modifiers] of [['F12', []], ['I', ['control', 'shift']], ['J', ['control', 'shift']], ['C', ['control', 'shift']], ['U', ['control']]]) {
    contents.sendInputEvent({ type: 'keyDown', keyCode, modifiers });
    contents.sendInputEvent({ type: 'keyUp', keyCode, modifiers });
  }
  await later(1000);
  const labels = (menu) => (menu === null ? [] : menu.items.flatMap((item) => [item.role ?? item.label, ...labels(item.submenu ?? null)]));
  console.log('LOOK ' + JSON.stringify({
    isPackaged: app.isPackaged,
    isOpened: contents.isDevToolsOpened(),
    menu: labels(Menu.getApplicationMenu()),
    windows: BrowserWindow.getAllWindows().length,
    url: contents.getURL(),
    foreign: await contents.executeJavaScript("fetch('devtools://devtools/bundled/inspector.html').then(() => 'reached', () => 'refused')"),
  }));
  app.exit(0);
});
`;

async function look(environmentOfApp: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const folder = temporaryDirectory();
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"name":"look","type":"module","main":"main.mjs"}');
  writeFileSync(join(app, 'main.mjs'), lookInside);
  const { path, parameters } = electronCommand(['--data-dir', join(folder, 'data'), '--lang', 'en'], app);
  const child = startChild(path, parameters, { environment: environmentOfApp });
  const [, json = ''] = await child.waitForLine(/^LOOK (.*)$/, 30_000);
  await child.stop('SIGKILL');
  return JSON.parse(json) as Record<string, unknown>;
}

test.skipIf(missing !== null)(
  'an installed app opens no DevTools, whoever asks; one that is being developed does',
  async () => {
    const seen = await look(environment);
    expect(seen).toMatchObject({ isPackaged: true, isOpened: false, url: 'app://tillside/', foreign: 'refused' });
    expect(JSON.stringify(seen['menu']).toLowerCase()).not.toMatch(/devtools|reload|viewmenu|developer/);
    // The control: the same look sees them where they may be.
    expect(await look({})).toMatchObject({ isPackaged: false, isOpened: true });
  },
);

const refusals = [
  [['--remote-debugging-port=0'], 'en', 'Tillside does not start with --remote-debugging-port.'],
  [['--remote-debugging-pipe'], 'pt-BR', 'O Tillside não inicia com --remote-debugging-pipe.'],
  [['--inspect=0'], 'es', 'Tillside no se inicia con --inspect.'],
  [['--js-flags=--expose-gc'], 'en', 'Tillside does not start with --js-flags.'],
  [['--renderer-cmd-prefix=/bin/sh'], 'en', 'Tillside does not start with --renderer-cmd-prefix.'],
  // Chromium passes over blanks, and is content with one dash.
  [[' --remote-debugging-port=0'], 'en', 'Tillside does not start with --remote-debugging-port.'],
  [['-remote-debugging-port=0'], 'en', 'Tillside does not start with -remote-debugging-port.'],
  [['--user-data-dir=/tmp/x'], 'en', 'Tillside does not start with --user-data-dir.'],
  [['--disable-features=x'], 'es', 'Tillside no se inicia con --disable-features.'],
  [['--a-switch-of-next-year'], 'pt-BR', 'O Tillside não inicia com --a-switch-of-next-year.'],
  [['--provison=x'], 'en', 'Is --provision meant?'],
] as const;

/** Starts it as an installed one, and answers what it says until it has ended. */
async function refusedStart(args: readonly string[], language: string, words: string): Promise<void> {
  const { path, parameters } = electronCommand(['--data-dir', temporaryDirectory(), '--lang', language]);
  const child = startChild(path, [...parameters, ...args], { environment });
  const [said] = await child.waitForErrorLine(/.*(?:does not start|não inicia|no se inicia) .*/, 20_000);
  expect(said).toContain(words);
  if (process.platform === 'linux') {
    expect(await child.ended).toEqual({ code: 2, signal: null });
  } else {
    // Elsewhere it is said in a box of the system as well, which waits for a person.
    await child.stop('SIGKILL');
  }
  expect(child.errorLines.join('\n')).not.toContain('DevTools listening');
}

test.skipIf(missing !== null).each(refusals)(
  'an installed app is not started with %j, and says so',
  async (switches, language, words) => {
    await refusedStart(switches, language, words);
  },
);

test.skipIf(missing !== null)(
  'a code that a program passes on is no switch, and a second start is refused too',
  async () => {
    const dataDirectory = temporaryDirectory();
    const { path, parameters } = electronCommand(['--data-dir', dataDirectory, '--lang', 'en']);
    const first = startChild(path, [...parameters, '--training'], { environment });
    await expect.poll(() => existsSync(join(dataDirectory, 'programs.json')), { timeout: 20_000 }).toBe(true);

    // As a till's program does with what was scanned: as a value of its own it would be Chromium's.
    const asked = startChild(path, [...parameters, '--lookup', '--remote-debugging-port=0'], { environment });
    expect((await asked.ended).code).toBe(2);
    expect(asked.errorLines.join('\n')).toContain('Tillside does not start with --remote-debugging-port.');
    const safely = startChild(path, [...parameters, '--lookup=--remote-debugging-port=0'], { environment });
    expect((await safely.ended).code).toBe(1);
    expect(safely.errorLines.join('\n')).not.toContain('DevTools listening');

    const link = startChild(path, [...parameters, '--no-zygote', '--', 'tillside://lookup?code=1'], { environment });
    await link.waitForErrorLine(/Tillside does not start with --no-zygote\./, 20_000);
    await link.stop('SIGKILL');
    expect(first.process.exitCode, 'the one that runs goes on').toBeNull();
    await first.stop();
  },
);

/** The app whose page the system gives no sandbox, and which has not been told: the switch is taken out of its sight. */
const withoutSandbox = (when: 'in time' | 'late'): string => `
import { app, BrowserWindow } from 'electron';
const { promise: shown, resolve: show } = Promise.withResolvers();
const on = app.on.bind(app);
app.on = (name, listener) =>
  on(name, name !== 'web-contents-created' ? listener : (event, contents) => {
    const hear = contents.on.bind(contents);
    contents.on = (what, then) =>
      hear(what, what === 'did-navigate' && ${when === 'late'} ? (...all) => shown.then(() => then(...all)) : then);
    listener(event, contents);
    contents.on = hear;
  });
const hidden = ['--no-sandbox', '--disable-seccomp-filter-sandbox'];
process.argv = process.argv.filter((argument) => !hidden.includes(argument));
app.on('browser-window-created', (_event, window) => {
  window.on('show', () => console.log('SHOWN') ?? show());
});
app.on('before-quit', () => console.log('WINDOWS ' + BrowserWindow.getAllWindows().length));
await import(${JSON.stringify(builtMain)});
`;

// Late: a machine on which the page is looked at when the terminal has been opened without it.
test.skipIf(missing !== null || process.platform !== 'linux').for(shareOf(['in time', 'late'] as const, 1))(
  'an installed app whose page, %s, has no sandbox says so in words, log and status, shows none',
  async (when) => {
    const folder = temporaryDirectory();
    const app = join(folder, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"name":"bare","type":"module","main":"main.mjs"}');
    writeFileSync(join(app, 'main.mjs'), withoutSandbox(when));
    const data = join(folder, 'data');
    const { path, parameters } = electronCommand(
      ['--data-dir', data, '--lang', 'pt-BR', '--status-file', join(folder, 'till')],
      app,
    );
    const child = startChild(path, ['--disable-seccomp-filter-sandbox', ...parameters], { environment });
    await child.waitForErrorLine(/A página do Tillside não tem sandbox nesta máquina/, 20_000);
    const log = join(data, 'logs', 'tillside.log');
    const patience = { timeout: 20_000 };
    await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8'), patience).toContain('no page is shown');
    await expect
      .poll(() => existsSync(join(folder, 'till.json')) && readFileSync(join(folder, 'till.json'), 'utf8'), patience)
      .toContain('"pageSandbox": "off"');
    // The words stand until somebody has read them.
    await sleep(500);
    expect(child.process.exitCode).toBeNull();
    const ended = await child.stop('SIGTERM');
    const lines = new Set(child.lines.filter((line) => /^(?:SHOWN|WINDOWS)/.test(line)));
    // A page that is late by this test alone has been shown before.
    expect([ended, ...lines]).toEqual([{ code: 1, signal: null }, ...(when === 'late' ? ['SHOWN'] : []), 'WINDOWS 0']);
  },
);
