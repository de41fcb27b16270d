import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { electronEnvironment } from '../../../build/electron-runtime.ts';
import { bareEnvironment, startChild } from '../../support/child.ts';
import { electronCommand, whyNoElectron } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const main = `
const { app, BrowserWindow } = require('electron');
void app.whenReady().then(async () => {
  const webPreferences = { preload: require('node:path').join(__dirname, 'preload.js') };
  const window = new BrowserWindow({ show: false, webPreferences });
  await window.loadURL('data:text/html,');
  const loaded = await window.webContents.executeJavaScript('typeof loaded');
  console.log('loaded: ' + loaded + ', in ' + app.getPreferredSystemLanguages()[0]);
  app.exit(0);
});`;

test.skipIf(whyNoElectron() !== null).each([
  ['no locale', {}, /^c$/i],
  ['a locale that is not installed', { LANG: 'pt_XX.UTF-8' }, /^pt-XX$/],
  ['a locale without accents and a language', { LC_ALL: 'C', LANGUAGE: 'pt_BR' }, /^pt-BR$/],
])('%s keeps no preload script in a folder with accents from being loaded', async (_, locale, language) => {
  const folder = join(temporaryDirectory(), 'Loja nº 1 – São João');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ main: 'main.js' }));
  writeFileSync(join(folder, 'main.js'), main);
  writeFileSync(join(folder, 'preload.js'), "require('electron').contextBridge.exposeInMainWorld('loaded', 1);");
  const { LC_ALL: _all, LANGUAGE: _language, ...bare } = bareEnvironment();
  const { path, parameters } = electronCommand([`--user-data-dir=${join(folder, 'data')}`, '--disable-gpu'], folder);
  const child = startChild(path, parameters, { environment: electronEnvironment({ ...bare, ...locale }) });
  const [, loaded, inLanguage] = await child.waitForLine(/^loaded: (.*), in (.*)$/);
  expect(loaded).toBe('number');
  expect(inLanguage).toMatch(language);
});
