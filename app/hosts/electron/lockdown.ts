import type { App, DownloadItem, Session, WebContents } from 'electron';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { liesIn } from '../node/data-directory.ts';
import { pageOrigin } from './own-pages.ts';

/** What our own page hands over, and how its name ends: no system starts one of these. */
const endings: Readonly<Record<string, string>> = {
  'text/csv': '.csv',
  'text/plain': '.txt',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
};

/** How a file's name must end; null unless it is our own page's: a blob of its own origin, named as what it says it is. */
function endingOf(item: DownloadItem): string | null {
  const [type = ''] = item.getMimeType().split(';');
  const ending = endings[type];
  const isOwn = item.getURL().startsWith(`blob:${pageOrigin}/`) && ending !== undefined;
  return isOwn && item.getFilename().endsWith(ending) ? ending : null;
}

/** Whether the system's browser may be sent there: to the practice platform's control panel alone. */
export function isOwnPanel(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && url.hostname === '127.0.0.1' && url.username === '' && url.password === '';
}

/**
 * A proxy that no program can be: TCP has no broadcast. WebRTC asks neither the policy of a page nor `onBeforeRequest`,
 * but goes through the session's proxy, where TCP is all that `disable_non_proxied_udp` leaves it.
 */
const wayNowhere = { mode: 'fixed_servers', proxyRules: '255.255.255.255:1', proxyBypassRules: '<-loopback>' } as const;

/** The coarsest clock of a file system, that of FAT. */
const fileClockMs = 2000;

/**
 * Removes what Chromium leaves of a file that it could not write whole: under its name or, where an older one has that,
 * under the name with a number. Files that it has not touched stay.
 */
function removeCut(path: string, begunMs: number, wholeBytes: number): void {
  const { dir, name, ext } = parse(path);
  const mayBeIt = (other: string): boolean =>
    other === `${name}${ext}` ||
    (other.startsWith(name) &&
      other.endsWith(ext) &&
      /^ \(\d{1,3}\)$/.test(other.slice(name.length, other.length - ext.length)));
  try {
    for (const file of readdirSync(dir).filter(mayBeIt)) {
      const { mtimeMs, size } = statSync(join(dir, file));
      if (mtimeMs > begunMs - fileClockMs && size !== wholeBytes) {
        rmSync(join(dir, file));
      }
    }
  } catch {
    // The stick is gone.
  }
}

/** Calls back with the file's name when it could not be saved, unless a person did not want it. */
function watchSaving(item: DownloadItem, onUnsaved: (name: string) => void): void {
  item.once('done', (_event, state) => {
    if (state === 'interrupted') {
      const path = item.getSavePath();
      if (path !== '') {
        removeCut(path, item.getStartTime() * 1000, item.getTotalBytes());
      }
      onUnsaved(path === '' ? item.getFilename() : basename(path));
    }
  });
}

/**
 * Holds a file back until a person has chosen where it is to lie, in a dialog that takes any name in any folder. At a
 * till that is kept from the rest of the system there is no other way to write a file: it must not be one to the files
 * of the manager's lock and of who did what, nor to what the system starts.
 */
function holdUntilPlaced(item: DownloadItem, mayLieAt: (path: string) => boolean, onRefused: () => void): void {
  item.pause();
  const look = (): void => {
    const path = item.getSavePath();
    if (path === '') {
      return;
    }
    item.off('updated', look);
    if (mayLieAt(path)) {
      item.resume();
    } else {
      item.cancel();
      onRefused();
    }
  };
  item.on('updated', look);
}

interface SessionOptions {
  /** Where its pages lie. */
  readonly origin?: string;
  /** The folder of what Tillside keeps, in which its pages save nothing. */
  readonly dataDirectory?: string;
  /** Called with the name of a file and the ending that it must have, where it is not saved in the place that was chosen. */
  readonly onMisplaced?: (name: string, ending: string) => void;
  /** Called with the name of a file that could not be saved whole. */
  readonly onUnsaved?: (name: string) => void;
}

/**
 * Takes every permission and every way out of the session's pages; those of an app that is not packaged may have
 * DevTools. Resolves when no page of it can reach anything by itself.
 */
export function lockSession(
  session: Session,
  isPackaged: boolean,
  {
    origin = pageOrigin,
    dataDirectory,
    onMisplaced = () => undefined,
    onUnsaved = () => undefined,
  }: SessionOptions = {},
): Promise<void> {
  session.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  let isSaving = false;
  session.on('will-download', (event, item) => {
    // Each asks a person where to save it, whether a person has pressed anything or not: one at a time.
    const ending = endingOf(item);
    if (isSaving || ending === null) {
      event.preventDefault();
      return;
    }
    isSaving = true;
    item.setSaveDialogOptions({
      // Else it is the address of the page's blob.
      title: item.getFilename(),
      // Windows and macOS put the ending behind a name without one.
      filters: [{ name: ending, extensions: [ending.slice(1)] }],
    });
    const mayLieAt = (path: string): boolean =>
      path.toLowerCase().endsWith(ending) && (dataDirectory === undefined || !liesIn(dataDirectory, path));
    holdUntilPlaced(item, mayLieAt, () => onMisplaced(basename(item.getSavePath()), ending));
    item.once('done', () => {
      isSaving = false;
    });
    watchSaving(item, onUnsaved);
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !details.url.startsWith(`${origin}/`) && (isPackaged || !details.url.startsWith('devtools://')) });
  });
  return session.setProxy(wayNowhere);
}

function lockContents(contents: WebContents): void {
  const prevent = (event: Pick<Event, 'preventDefault'>): void => {
    event.preventDefault();
  };
  contents.on('will-navigate', prevent);
  contents.on('will-frame-navigate', prevent);
  contents.on('will-redirect', prevent);
  // Without it a page could keep the app from ending, whatever the system or a person says.
  contents.on('will-prevent-unload', prevent);
  contents.on('will-attach-webview', prevent);
  // The companion bar lies above every program: as large as the screen it would cover them all.
  contents.on('content-bounds-updated', prevent);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Locks every page that this process will ever hold, and keeps every session from what it would ask of itself. */
export function lockAll(app: App): void {
  app.on('session-created', (session) => {
    // Each would fetch a dictionary of the system's language from Google, also where no page checks any spelling.
    session.setSpellCheckerLanguages([]);
  });
  app.on('web-contents-created', (_event, contents) => {
    lockContents(contents);
  });
}
