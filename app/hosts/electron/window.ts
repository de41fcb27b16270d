// Owns the one window: how it is opened, that its page is sandboxed and isolated, what size it had last time, and that a
// page that fell over comes back. Never knows what the page shows.
import { BrowserWindow, app, nativeTheme } from 'electron';
import { z } from 'zod';
import type { Shell } from '../../ports.ts';
import { writeValue, type JsonStore } from '../settings-file.ts';
import { pageOrigin } from './scheme.ts';

export interface WindowOptions {
  readonly preloadPath: string;
  readonly store: JsonStore;
  readonly log: Shell['log'];
  /** Called when the page fell over too often to be brought back again. */
  readonly onLost: () => void;
}

const sizeSchema = z.object({
  width: z.number().int().min(400).max(10_000),
  height: z.number().int().min(300).max(10_000),
  isMaximized: z.boolean(),
});
const sizeKey = 'window';
const usualSize = { width: 1100, height: 760, isMaximized: false };

const maxReloads = 3;
const reloadWindowMs = 60_000;
const reloadAfterMs = 100;

/** Opens the window on the terminal's page. */
export function openWindow({ preloadPath, store, log, onLost }: WindowOptions): BrowserWindow {
  const size = sizeSchema.catch(usualSize).parse(store.get(sizeKey));
  const window = new BrowserWindow({
    width: size.width,
    height: size.height,
    minWidth: 400,
    minHeight: 300,
    show: false,
    title: 'Tillside',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
      navigateOnDragDrop: false,
      devTools: !app.isPackaged,
    },
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

  const contents = window.webContents;
  let fallsMs: number[] = [];
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const nowMs = performance.now();
    fallsMs = [...fallsMs.filter((atMs) => nowMs - atMs < reloadWindowMs), nowMs];
    log('error', 'the page fell over', { reason, exitCode, lately: fallsMs.length });
    if (fallsMs.length > maxReloads) {
      onLost();
    } else {
      // Electron itself falls over when a page is loaded from within this event.
      setTimeout(() => {
        if (!contents.isDestroyed()) {
          void contents.loadURL(`${pageOrigin}/`);
        }
      }, reloadAfterMs);
    }
  });
  // A page that hangs is ended, and then comes back like one that fell over.
  window.on('unresponsive', () => {
    contents.forcefullyCrashRenderer();
  });
  void contents.loadURL(`${pageOrigin}/`);
  return window;
}
