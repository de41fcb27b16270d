import { BrowserWindow, app, nativeTheme, screen } from 'electron';
import type { Shell } from '../../ports.ts';
import { writeValue, type JsonStore } from '../node/settings-file.ts';
import { keepPage } from './page-keeper.ts';
import { pagePreferences } from './page-preferences.ts';
import { sizeOnScreen } from './window-size.ts';

export interface WindowOptions {
  readonly preloadPath: string;
  /** For Linux, where the window carries its own icon. */
  readonly iconPath: string;
  readonly store: JsonStore;
  readonly log: Shell['log'];
  /** BCP 47 tag of the language that the terminal speaks now. */
  readonly language: () => string;
  /** Whether a page that cannot be shown may offer to end the app: not where a customer would be asked. */
  readonly mayQuit: () => boolean;
  /** Called when the page crashed too often to be brought back again, and so did the safe screen. */
  readonly onLost: () => void;
}

const sizeKey = 'window';

/** Opens the window on the terminal's page. */
export function openWindow({
  preloadPath,
  iconPath,
  store,
  log,
  language,
  mayQuit,
  onLost,
}: WindowOptions): BrowserWindow {
  const size = sizeOnScreen(store.get(sizeKey), screen.getPrimaryDisplay().workAreaSize);
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
  // Windows is shut down, or its user signs out. Nothing that is durable waits for this, and it holds nobody up.
  window.on('session-end', () => {
    app.quit();
  });

  keepPage({
    contents: window.webContents,
    log,
    language,
    quit: () => {
      if (mayQuit()) {
        app.quit();
      }
    },
    onLost,
  });
  return window;
}
