import { app, dialog, globalShortcut, type BrowserWindow, type WebContents } from 'electron';
import { join } from 'node:path';
import type { Language } from '../../contract/basics.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import type { Desktop, Shell } from '../../ports.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { writeValue, type JsonFile } from '../node/settings-file.ts';
import { createCompanion, type CompanionWindow } from './companion.ts';
import { createEnding, type Ending } from './ending.ts';
import { openTray, type TrayPlace } from './tray.ts';
import { goesOnWords, trayViewOf, type TrayCommand } from './tray-view.ts';

export interface DesktopParts {
  readonly window: BrowserWindow;
  readonly terminal: Terminal;
  readonly jsonFile: JsonFile;
  readonly log: Shell['log'];
  readonly preloadPath: string;
  /** False for a window that fills the screen: what it offers would be a way out of it, past the manager's PIN. */
  readonly hasTray: boolean;
}

export interface DesktopOptions {
  readonly iconsDirectory: string;
  /** Then there is nothing around the window: no keys, no bar, no tray. */
  readonly isSafeMode: boolean;
}

const noticeKey = 'hasToldOfTray';

/** Closing the window only hides it while `language` names one; the first time, that is said in this language. */
function hideOnClose({ window, jsonFile }: DesktopParts, language: () => Language | null): void {
  let isShowing = false;
  window.on('close', (event) => {
    const shownLanguage = language();
    if (shownLanguage === null) {
      return;
    }
    event.preventDefault();
    if (jsonFile.get(noticeKey) === true) {
      window.hide();
      return;
    }
    if (isShowing) {
      return;
    }
    isShowing = true;
    const { message, detail, button } = goesOnWords(shownLanguage);
    void dialog
      .showMessageBox(window, { type: 'info', title: 'Tillside', message, detail, buttons: [button] })
      .then(() => {
        isShowing = false;
        writeValue(jsonFile, noticeKey, true);
        if (!window.isDestroyed()) {
          window.hide();
        }
      });
  });
}

/** While the check station `isOn`, the window fills the screen and cannot be closed; `isEnding` once the app ends. */
function holdForStation({ window, hasTray }: DesktopParts, isEnding: () => boolean): (isOn: boolean) => void {
  let isHeld = false;
  window.on('close', (event) => {
    if (isHeld && !isEnding()) {
      event.preventDefault();
    }
  });
  return (isOn) => {
    if (isOn !== isHeld && !window.isDestroyed()) {
      isHeld = isOn;
      window.setKiosk(isOn || !hasTray);
    }
  };
}

function end(ending: Ending | null): void {
  if (ending === null) {
    app.quit();
  } else {
    ending.request();
  }
}

/** The window's while that has the keyboard, which a minimised one says as well on Linux, else a shown companion bar's. */
function scannedPageOf(parts: DesktopParts | null, companion: CompanionWindow | null): WebContents | null {
  const window = parts?.window.isDestroyed() === false ? parts.window : null;
  const bar = companion?.isShown() === true ? companion.contents() : null;
  const isInFront = window?.isFocused() === true && !window.isMinimized();
  return isInFront ? window.webContents : (bar ?? window?.webContents ?? null);
}

/** Makes what lies around the window. */
export function createDesktop({ iconsDirectory, isSafeMode }: DesktopOptions) {
  let parts: DesktopParts | null = null;
  let companion: CompanionWindow | null = null;
  let tray: TrayPlace | null = null;
  let state: TerminalState | null = null;
  let isQuitting = false;
  let holdWindow: ((isOn: boolean) => void) | null = null;
  let ending: Ending | null = null;

  const isStation = (): boolean => state?.station.isOn === true;

  function showWindow(): void {
    const window = parts?.window;
    if (window === undefined || window.isDestroyed()) {
      return;
    }
    ending?.stay();
    companion?.hide();
    if (window.isMinimized()) {
      window.restore();
    }
    window.show();
    window.focus();
  }

  function callCompanion(): void {
    if (isSafeMode || isStation()) {
      showWindow();
    } else {
      companion?.call();
    }
  }

  function take(next: TerminalState): void {
    state = next;
    if (isStation()) {
      companion?.hide();
    }
    holdWindow?.(isStation());
    tray?.show(trayViewOf(next, process.platform === 'darwin'));
    ending?.note(next);
  }

  const commands: Readonly<Record<TrayCommand, () => void>> = {
    open: showWindow,
    companion: callCompanion,
    quit: () => end(ending),
  };

  app.on('before-quit', () => {
    isQuitting = true;
    companion?.destroy();
  });
  app.on('will-quit', () => {
    globalShortcut.unregisterAll();
    tray?.destroy();
  });
  app.on('activate', showWindow);

  const port: Desktop = {
    holdShortcut: (shortcut) => {
      globalShortcut.unregisterAll();
      try {
        return shortcut === null || globalShortcut.register(shortcut, callCompanion);
      } catch {
        // Keys that this system has no name for.
        return false;
      }
    },
    hideCompanion: () => companion?.hide(),
    fitCompanion: (height) => companion?.fit(height),
    // Pressed in the bar: at any other time it would take the keyboard from the program that has it.
    showWindow: () => (companion?.isShown() === true ? showWindow() : undefined),
  };

  return {
    /** Null in safe mode. */
    port: isSafeMode ? null : port,
    showWindow,
    /** Joins it with the window that has just been opened; resolves when it is known whether the check station is on. */
    join: (joined: DesktopParts): Promise<void> => {
      parts = joined;
      const { window, terminal, preloadPath, jsonFile, log, hasTray } = joined;
      if (!isSafeMode) {
        companion = createCompanion({
          preloadPath,
          iconPath: join(iconsDirectory, 'icon.png'),
          jsonFile,
          log,
          isWindowShown: () => !window.isDestroyed() && window.isVisible(),
        });
      }
      tray =
        hasTray && !isSafeMode ? openTray({ iconsDirectory, log, onCommand: (command) => commands[command]() }) : null;
      holdWindow = holdForStation(joined, () => isQuitting);
      terminal.subscribe((name, payload) => {
        if (name === 'terminal:changed' && 'phase' in payload) {
          take(payload);
        }
      });
      const known = terminal.handlers['terminal:read']({}).then((read) => {
        if (read.ok && state === null) {
          take(read.value);
        }
      });
      hideOnClose(joined, () =>
        !isQuitting && tray !== null && state?.companion?.keepInTray === true ? state.language : null,
      );
      const isBarShown = (): boolean => companion?.isShown() === true;
      ending = createEnding({ ...joined, canGoOn: () => tray !== null, isBarShown });
      return known;
    },
    /** The pages of its own that may speak with the terminal. */
    pages: (): readonly WebContents[] => [companion?.contents() ?? null].filter((page) => page !== null),
    /** The page that a scanner's reading is for. */
    scannedPage: () => scannedPageOf(parts, companion),
    /** Shows the companion bar, or hides it; in safe mode and at the check station it shows the window. */
    callCompanion,
    /** A person wants the app to end: asks first where something waits to be sent. */
    end: () => end(ending),
    /** Whether the check station for customers is on: no other program, and no link, chooses what is shown then. */
    isStation,
  };
}
