import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { electronCommand, whyNoElectron } from '../../support/electron.ts';
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
  [['--disable-web-security'], 'en', 'Tillside does not start with --disable-web-security.'],
] as const;

test.skipIf(missing !== null).each(refusals)(
  'an installed app is not started with %j, and says so',
  async (switches, language, words) => {
    const { path, parameters } = electronCommand(['--data-dir', temporaryDirectory(), '--lang', language]);
    const child = startChild(path, [...switches, ...parameters], { environment });
    await expect.poll(() => child.process.exitCode, { timeout: 20_000 }).toBe(2);
    expect(child.errorLines.join('\n')).toContain(words);
    expect(child.errorLines.join('\n')).not.toContain('DevTools listening');
  },
);
