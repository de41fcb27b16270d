// The companion bar's window: small, without a frame, above every other. It stands on the screen where the pointer is
// and gives the keyboard back to the program before. Never knows what its page shows.
//
//     none ─called─▶ loading ─its page is drawn─▶ shown ─Esc, or called while it has the keyboard─▶ hidden
//     hidden ─called─▶ shown          hidden for ten minutes, or crashed ─▶ none
//
//   B1  It is opened and shown only by a person: by the shortcut, the tray or the command line, never by an event of the
//       terminal. A till that never calls it pays nothing for it.
//   B2  Hidden, it never has the keyboard; it is the page's affair to begin with an empty field then.
//   B3  A page that crashed is loaded anew at the next call, not before: it can never crash again and again by itself.
import { BrowserWindow, app, nativeTheme, screen, type WebContents } from 'electron';
import { z } from 'zod';
import type { EventPayload } from '../../contract/contract.ts';
import type { Shell } from '../../ports.ts';
import { writeValue, type JsonFile } from '../node/settings-file.ts';
import { eventChannel } from './channels.ts';
import { boxAt, placeOf, defaultPlace, type Box } from './companion-place.ts';
import { pageOrigin } from './own-pages.ts';
import { pagePreferences } from './page-preferences.ts';

export interface CompanionOptions {
  readonly preloadPath: string;
  readonly iconPath: string;
  readonly jsonFile: JsonFile;
  readonly log: Shell['log'];
  /** Whether another window of Tillside is to be seen just now. */
  readonly isWindowShown: () => boolean;
}

export type CompanionWindow = ReturnType<typeof createCompanion>;

const width = 600;
/** The bar without an answer, in pixels of a screen without magnification. */
const lowHeight = 84;
const maxOfScreen = 0.8;
const address = `${pageOrigin}/companion.html`;

/** A key that is held down calls again and again; what would hide the bar so soon is that. */
const heldKeyMs = 700;

/** A hidden page still costs memory and wake-ups; a cashier at work calls the bar sooner than this. */
const letGoAfterMs = 10 * 60_000;

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
function createBounds(window: BrowserWindow, jsonFile: JsonFile, log: Shell['log']) {
  let place = placeSchema.catch(defaultPlace).parse(jsonFile.get(placeKey));
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
    const kept = writeValue(jsonFile, placeKey, place);
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

/** The bar; its window is opened by the first call. */
export function createCompanion({ preloadPath, iconPath, jsonFile, log, isWindowShown }: CompanionOptions) {
  let open: { readonly window: BrowserWindow; readonly bounds: ReturnType<typeof createBounds> } | null = null;
  let isEnded = false;
  let calledAtMs = 0;
  let rest: NodeJS.Timeout | undefined;

  const isShown = (): boolean => open?.window.isVisible() === true;

  const notify = (payload: EventPayload<'companion:changed'>): void => {
    open?.window.webContents.send(eventChannel, 'companion:changed', payload);
  };

  function letGo(): void {
    clearTimeout(rest);
    open?.window.destroy();
    open = null;
  }

  function show(): void {
    if (open === null) {
      return;
    }
    clearTimeout(rest);
    const { window, bounds } = open;
    bounds.put(screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea);
    if (window.isMinimized()) {
      window.restore();
    }
    window.setOpacity(1);
    window.show();
    window.moveTop();
    window.focus();
    window.webContents.focus();
    notify({ isShown: true });
  }

  function hide(): void {
    if (open === null || !isShown()) {
      return;
    }
    const { window, bounds } = open;
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
    notify({ isShown: false });
    rest = setTimeout(letGo, letGoAfterMs);
  }

  function openWindow(): void {
    const window = makeWindow(preloadPath, iconPath);
    open = { window, bounds: createBounds(window, jsonFile, log) };
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      log('error', "the companion bar's page crashed", { reason, exitCode });
      hide();
      letGo(); // B3
    });
    window.webContents.on('unresponsive', () => {
      window.webContents.forcefullyCrashRenderer();
    });
    window.on('close', (event) => {
      event.preventDefault();
      hide();
    });
    window.once('ready-to-show', show);
    // It rejects when the page crashes meanwhile, which is told otherwise.
    window.loadURL(address).catch(() => undefined);
  }

  return {
    /** The page; null while there is none. */
    contents: (): WebContents | null => open?.window.webContents ?? null,
    /** Shows it, opened anew where it must be, or hides it when it is shown and has the keyboard. */
    call: () => {
      const nowMs = performance.now();
      const isHeldKey = nowMs - calledAtMs <= heldKeyMs;
      calledAtMs = nowMs;
      if (isEnded) {
        return;
      }
      if (open === null) {
        openWindow();
      } else if (!isShown() || !open.window.isFocused()) {
        show();
      } else if (!isHeldKey) {
        hide();
      }
    },
    isShown,
    hide,
    /** Makes it so many pixels tall, as far as its screen allows. */
    fit: (wanted: number) => open?.bounds.fit(wanted),
    /** For the end of the app: until then, closing only hides it. It can't be called any more. */
    destroy: () => {
      isEnded = true;
      letGo();
    },
  };
}
