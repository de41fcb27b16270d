import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lays down an app whose window shows one line, or the page at this address, and nothing else; answers its folder. */
export function layBareApp(directory: string, address?: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{"name":"bare","main":"main.cjs"}');
  // Its title is what `seePage` waits for.
  writeFileSync(join(directory, 'page.html'), '<!doctype html><title>Tillside</title><p>One line.');
  const load = address === undefined ? "loadFile('page.html')" : `loadURL(${JSON.stringify(address)})`;
  // The page over a Map has as much room as Tillside's, which has no menu.
  const menu = address === undefined ? '' : 'Menu.setApplicationMenu(null);';
  writeFileSync(
    join(directory, 'main.cjs'),
    `const { app, BrowserWindow, Menu } = require('electron');\napp.setPath('userData', __dirname + '/data');\napp.whenReady().then(() => { ${menu} new BrowserWindow({ width: 1100, height: 760 }).${load}; });\n`,
  );
  return directory;
}
