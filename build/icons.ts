import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { packIcns, packIco } from './icon-containers.ts';
import {
  linuxSizes,
  linuxTraySizes,
  macEntries,
  macTraySizes,
  smallUpTo,
  trayStates,
  windowsSizes,
  windowsTraySizes,
  type TrayState,
} from './icon-files.ts';
import { projectDirectory } from './project.ts';

const folder = join(projectDirectory, 'assets', 'icons');
const drawing = (name: string): string => readFileSync(join(folder, name), 'utf8').replaceAll(/<!--[^]*?-->/g, '');
const [large, small, tray] = ['icon.svg', 'icon-small.svg', 'tray.svg'].map(drawing) as [string, string, string];

/** On macOS the tile is smaller than its canvas: 824 of 1024, as the system's own icons are. */
const macTile = 824 / 1024;

/** Draws a source at this size in pixels, on nothing; `part` of 1 fills the canvas. */
async function draw(page: Page, source: string, size: number, part = 1): Promise<Buffer> {
  const inner = size * part;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0;height:${size}px;display:grid;place-content:center}svg{display:block;width:${inner}px;height:${inner}px}</style>${source}`,
  );
  return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } });
}

const iconOf = (size: number): string => (size <= smallUpTo ? small : large);
const trayOf = (state: TrayState, isTemplate: boolean): string =>
  tray.replace('data-state="online"', `data-state="${state}"${isTemplate ? ' class="template"' : ''}`);

function keep(name: string, content: Buffer): void {
  writeFileSync(join(folder, name), content);
  console.log(`${name}: ${content.length} bytes`);
}

const executablePath = [process.env['TILLSIDE_CHROMIUM'] ?? '', '/usr/bin/chromium', chromium.executablePath()].find(
  (path) => path !== '' && existsSync(path),
);
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const page = await browser.newPage();
  for (const directory of ['linux', 'tray']) {
    mkdirSync(join(folder, directory), { recursive: true });
  }
  for (const size of linuxSizes) {
    keep(`linux/${size}x${size}.png`, await draw(page, iconOf(size), size));
  }
  keep('icon.png', await draw(page, large, 1024));
  const pictures = [];
  for (const size of windowsSizes) {
    pictures.push({ size, png: await draw(page, iconOf(size), size) });
  }
  keep('icon.ico', packIco(pictures));
  const entries = [];
  for (const [type, size] of Object.entries(macEntries)) {
    entries.push({ type, png: await draw(page, large, size, macTile) });
  }
  keep('icon.icns', packIcns(entries));
  for (const state of trayStates) {
    const inSizes = [];
    for (const size of windowsTraySizes) {
      inSizes.push({ size, png: await draw(page, trayOf(state, false), size) });
    }
    keep(`tray/${state}.ico`, packIco(inSizes));
    for (const [ending, size] of Object.entries(linuxTraySizes)) {
      keep(`tray/${state}${ending}`, await draw(page, trayOf(state, false), size));
    }
    for (const [ending, size] of Object.entries(macTraySizes)) {
      keep(`tray/${state}${ending}`, await draw(page, trayOf(state, true), size));
    }
  }
} finally {
  await browser.close();
}
