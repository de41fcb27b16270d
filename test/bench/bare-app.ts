import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const windowTitle = 'Tillside';

/** Lays down an app whose window shows one line, and nothing else; answers its folder. */
export function layBareApp(directory: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{"name":"bare","main":"main.cjs"}');
  writeFileSync(join(directory, 'page.html'), `<!doctype html><title>${windowTitle}</title><p>One line.`);
  writeFileSync(
    join(directory, 'main.cjs'),
    "const { app, BrowserWindow } = require('electron');\napp.setPath('userData', __dirname + '/data');\napp.whenReady().then(() => new BrowserWindow({ width: 1100, height: 760 }).loadFile('page.html'));\n",
  );
  return directory;
}
