import { BrowserWindow, app, nativeTheme } from 'electron';
import { z } from 'zod';
import type { Shell } from '../../ports.ts';
import { writeValue, type JsonStore } from '../node/settings-file.ts';
import { keepPage } from './page-keeper.ts';
import { pagePreferences } from './page-preferences.ts';

export interface WindowOptions {
  readonly preloadPath: string;
  /** For Linux, where the window carries its own icon. */
  readonly iconPath: string;
  readonly store: JsonStore;
  readonly log: Shell['log'];
  /** BCP 47 tag of the language that the terminal speaks now. */
  readonly language: () => string;
  /** Called when the page crashed too often to be brought back again, and so did the safe screen. */
  readonly onLost: () => void;
}

const sizeSchema = z.object({
  width: z.number().int().min(400).max(10_000),
  height: z.number().int().min(300).max(10_000),
  isMaximized: z.boolean(),
});
const sizeKey = 'window';
const defaultSize = { width: 1100, height: 760, isMaximized: false };

/** Opens the window on the terminal's page. */
export function openWindow({ preloadPath, iconPath, store, log, language, onLost }: WindowOptions): BrowserWindow {
  const size = sizeSchema.catch(defaultSize).parse(store.get(sizeKey));
  const window = new BrowserWindow({
    width: size.width,
    height: size.height,
    minWidth: 400,
    minHeight: 300,
    show: false,
    title: 'Tillside',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
    icon: iconPath,
    webPreferences: pagePreferences(preloadPath),
  });
  if (size.isMaximized) {
    window.maximize();
  }
  window.once('ready-to-show', () => {
    window.show();
  });
  window.on('close', () => {
    const { width, height } = window.getNormalBounds();
    writeValue(store, sizeKey, { width, height, isMaximized: window.isMaximized() });
  });

  keepPage({
    contents: window.webContents,
    log,
    language,
    quit: () => {
      app.quit();
    },
    onLost,
  });
  return window;
}
