// The companion bar's window: small, without a frame, above every other, loaded before it is called, so that calling it
// only shows it. It stands on the screen where the pointer is and gives the keyboard back to the program before. Never
// knows what its page shows.
//
//     hidden ─called, or asked for─▶ shown ─called while it has the keyboard, Esc, or crashed─▶ hidden
//
//   B1  It is shown only by a person: by the shortcut, the tray or the command line, never by an event of the terminal.
//   B2  Hidden, it never has the keyboard; it is the page's affair to begin with an empty field then.
//   B3  A page that crashed is loaded anew at the next call, not before: it can never crash again and again by itself.
import { BrowserWindow, app, nativeTheme, screen, type WebContents } from 'electron';
import { z } from 'zod';
import type { EventPayload } from '../../contract/contract.ts';
import type { Shell } from '../../ports.ts';
import { writeValue, type JsonStore } from '../node/settings-file.ts';
import { eventChannel } from './channels.ts';
import { boxAt, placeOf, defaultPlace, type Box } from './companion-place.ts';
import { pageOrigin } from './own-pages.ts';
import { pagePreferences } from './page-preferences.ts';

export interface CompanionOptions {
  readonly preloadPath: string;
  readonly iconPath: string;
  readonly store: JsonStore;
  readonly log: Shell['log'];
  /** Whether another window of Tillside is to be seen just now. */
  readonly isWindowShown: () => boolean;
}

export interface CompanionWindow {
  /** The page; null when it has gone for good. */
  readonly contents: () => WebContents | null;
  /** Shows it, or hides it when it is shown and has the keyboard. */
  readonly call: () => void;
  readonly hide: () => void;
  readonly isShown: () => boolean;
  /** Makes it so many pixels tall, as far as its screen allows. */
  readonly fit: (height: number) => void;
  /** For the end of the app: until then, closing only hides it. */
  readonly destroy: () => void;
}

const width = 600;
/** The bar without an answer, in pixels of a screen without magnification. */
const lowHeight = 84;
const maxOfScreen = 0.8;
const address = `${pageOrigin}/companion.html`;

/** A key that is held down calls again and again; what would hide the bar so soon is that. */
const heldKeyMs = 700;

const placeSchema = z.object({ across: z.number().min(0).max(1), down: z.number().min(0).max(1) });
const placeKey = 'companionPlace';

const systemOptions: Readonly<Record<string, { readonly type: string }>> = {
  // A panel takes the keyboard without bringing the whole app to the front, and stands above full screens.
  darwin: { type: 'panel' },
};

function makeWindow(preloadPath: string, iconPath: string): BrowserWindow {
  const window = new BrowserWindow({
    ...systemOptions[process.platform],
    width,
    height: lowHeight,
    show: false,
    frame: false,
    resizable: false,
    maximizable: false,
    fullscreenable: false,
    skipTaskbar: true,
    alwaysOnTop: true,
    title: 'Tillside',
    icon: iconPath,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#141d1a' : '#ffffff',
    // Hidden, the page must stay drawn, or the call would show an old picture of it.
    webPreferences: { ...pagePreferences(preloadPath), backgroundThrottling: false },
  });
  // Above programs that fill the screen.
  window.setAlwaysOnTop(true, 'screen-saver');
  if (process.platform === 'darwin') {
    window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
  }
  return window;
}

/** Where the bar stands and how tall it is; its place is kept in the store. */
function createBounds(window: BrowserWindow, store: JsonStore, log: Shell['log']) {
  let place = placeSchema.catch(defaultPlace).parse(store.get(placeKey));
  let height = lowHeight;
  let putAt: Box | null = null;

  function put(area: Box): void {
    const box = boxAt(
      area,
      { width, height: Math.min(height, Math.round(area.height * maxOfScreen)) },
      place,
      lowHeight,
    );
    putAt = box;
    window.setBounds(box);
  }

  /** A person who moved the bar finds it there again. */
  function rememberPlace(): void {
    const bounds = window.getBounds();
    if (putAt === null || (Math.abs(bounds.x - putAt.x) <= 2 && Math.abs(bounds.y - putAt.y) <= 2)) {
      return;
    }
    place = placeOf(screen.getDisplayMatching(bounds).workArea, bounds, lowHeight);
    const kept = writeValue(store, placeKey, place);
    if (!kept.ok) {
      log('warning', 'the place of the companion bar was not kept', { kind: kept.failure.kind });
    }
  }

  function fit(wanted: number): void {
    if (wanted !== height) {
      height = wanted;
      if (window.isVisible()) {
        rememberPlace();
      }
      put(screen.getDisplayMatching(window.getBounds()).workArea);
    }
  }

  return { put, rememberPlace, fit };
}

/** Opens the bar, hidden, and loads its page. */
export function openCompanion({ preloadPath, iconPath, store, log, isWindowShown }: CompanionOptions): CompanionWindow {
  let shownAtMs = 0;
  let hasCrashed = false;

  const window = makeWindow(preloadPath, iconPath);
  const bounds = createBounds(window, store, log);
  const contents = window.webContents;

  const tell = (payload: EventPayload<'companion:changed'>): void => {
    if (!hasCrashed) {
      contents.send(eventChannel, 'companion:changed', payload);
    }
  };

  function show(): void {
    bounds.put(screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea);
    if (window.isMinimized()) {
      window.restore();
    }
    window.setOpacity(1);
    window.show();
    window.moveTop();
    window.focus();
    contents.focus();
    tell({ isShown: true });
  }

  const isShown = (): boolean => !window.isDestroyed() && window.isVisible();

  function hide(): void {
    if (!isShown()) {
      return;
    }
    bounds.rememberPlace();
    if (process.platform === 'win32') {
      // Windows gives the keyboard to the program before when a window is minimised, but to this app's own other window
      // when one is hidden.
      window.setOpacity(0);
      window.minimize();
    }
    window.hide();
    if (process.platform === 'darwin' && !isWindowShown()) {
      // Without a window of its own left, the app has no business in front.
      app.hide();
    }
    tell({ isShown: false });
  }

  function load(): void {
    hasCrashed = false;
    // It rejects when the page crashes meanwhile, which is told otherwise.
    contents.loadURL(address).catch(() => undefined);
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log('error', "the companion bar's page crashed", { reason, exitCode });
    hasCrashed = true; // B3
    hide();
  });
  contents.on('unresponsive', () => {
    contents.forcefullyCrashRenderer();
  });
  window.on('close', (event) => {
    event.preventDefault();
    hide();
  });
  load();

  return {
    contents: () => (window.isDestroyed() ? null : contents),
    call: () => {
      if (window.isDestroyed()) {
        return;
      }
      const nowMs = performance.now();
      if (window.isVisible() && window.isFocused()) {
        if (nowMs - shownAtMs > heldKeyMs) {
          hide();
        }
        shownAtMs = nowMs;
        return;
      }
      shownAtMs = nowMs;
      if (hasCrashed) {
        load();
      }
      show();
    },
    isShown,
    hide,
    fit: (wanted) => {
      if (!window.isDestroyed()) {
        bounds.fit(wanted);
      }
    },
    destroy: () => {
      window.destroy();
    },
  };
}
