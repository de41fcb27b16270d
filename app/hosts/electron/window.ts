import { BrowserWindow, app, nativeTheme, screen, type WebContents } from 'electron';
import type { Shell } from '../../ports.ts';
import { peekSettings, writeValue, type JsonFile } from '../node/settings-file.ts';
import { keepPage } from './page-keeper.ts';
import { pagePreferences } from './page-preferences.ts';
import { sizeOnScreen } from './window-size.ts';

/** Of what happens to the page before there is a log. */
const closeWithinMs = 2_000;
const maxUnlogged = 20;

export interface WindowOptions {
  readonly preloadPath: string;
  /** For Linux, where the window carries its own icon. */
  readonly iconPath: string;
  /** Whose settings have the size that the window had. */
  readonly dataDirectory: string;
  /** BCP 47 tag of the language that the terminal speaks now. */
  readonly language: () => string;
  /** When the page last made a call, by `performance.now`; null before its first. */
  readonly lastCallMs: (page: WebContents) => number | null;
  /** Called when the page crashed too often to be brought back again, and so did the safe screen. */
  readonly onLost: () => void;
}

export interface TerminalBehind {
  readonly jsonFile: JsonFile;
  readonly log: Shell['log'];
  /** Somebody wants the app to end, at a page that cannot be shown or by macOS' menu; false where that is not theirs to say. */
  readonly quit: () => Promise<boolean>;
  /** Whether nothing but the right to may end the app or leave the screen, as at a kiosk and a check station. */
  readonly isHeld: () => boolean;
}

export type OpenedWindow = ReturnType<typeof openWindow>;

const sizeKey = 'window';

/** Opens the window on the terminal's page, which waits for the terminal; it is not shown before that is there. */
export function openWindow({ preloadPath, iconPath, dataDirectory, language, lastCallMs, onLost }: WindowOptions) {
  const size = sizeOnScreen(peekSettings(dataDirectory)[sizeKey], screen.getPrimaryDisplay().workAreaSize);
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
  const drawn = new Promise<void>((resolve) => window.once('ready-to-show', resolve));
  let terminal: TerminalBehind | null = null;
  const unlogged: Parameters<Shell['log']>[] = [];
  // Windows is shut down, or its user signs out. Nothing that is durable waits for this, and it holds nobody up.
  window.on('session-end', () => {
    app.quit();
  });

  // The window of a page that is just being loaded, as after a crash, may never close by itself.
  app.once('before-quit', () => {
    setTimeout(() => {
      if (!window.isDestroyed()) {
        window.destroy();
      }
    }, closeWithinMs);
  });

  const quit = async (): Promise<boolean> => {
    if (terminal !== null) {
      return terminal.quit();
    }
    app.quit();
    return true;
  };
  const { webContents } = window;
  keepPage({
    contents: webContents,
    lastCallMs: () => lastCallMs(webContents),
    log: (...line) => {
      if (terminal !== null) {
        terminal.log(...line);
      } else if (unlogged.length < maxUnlogged) {
        unlogged.push(line);
      }
    },
    language,
    quit,
    isHeld: () => terminal?.isHeld() === true,
    onLost,
  });
  return {
    window,
    /** Somebody wants the app to end, who may or may not. */
    quit,
    /** There is a terminal behind it: it is shown as soon as it has something to show. To be called once. */
    begin: (behind: TerminalBehind) => {
      terminal = behind;
      unlogged.splice(0).forEach((line) => behind.log(...line));
      if (size.isMaximized && !window.isKiosk()) {
        window.maximize();
      }
      window.on('close', () => {
        const { width, height } = window.getNormalBounds();
        writeValue(behind.jsonFile, sizeKey, { width, height, isMaximized: window.isMaximized() });
      });
      void drawn.then(() => {
        if (!window.isDestroyed()) {
          window.show();
        }
      });
    },
  };
}
