import type { App, DownloadItem, Session, WebContents } from 'electron';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { pageOrigin } from './own-pages.ts';

/** What our own page hands over, and how its name ends: no system starts one of these. */
const endings: Readonly<Record<string, string>> = {
  'text/csv': '.csv',
  'text/plain': '.txt',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
};

/** Whether a download is a file of our own page: a blob of its own origin, named as what it says it is. */
function isOwnFile(item: DownloadItem): boolean {
  const [type = ''] = item.getMimeType().split(';');
  const ending = endings[type];
  return item.getURL().startsWith(`blob:${pageOrigin}/`) && ending !== undefined && item.getFilename().endsWith(ending);
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

interface SessionOptions {
  /** Where its pages lie. */
  readonly origin?: string;
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
  { origin = pageOrigin, onUnsaved = () => undefined }: SessionOptions = {},
): Promise<void> {
  session.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  let isSaving = false;
  session.on('will-download', (event, item) => {
    // Each asks a person where to save it, whether a person has pressed anything or not: one at a time.
    if (isSaving || !isOwnFile(item)) {
      event.preventDefault();
      return;
    }
    isSaving = true;
    // Else it is the address of the page's blob.
    item.setSaveDialogOptions({ title: item.getFilename() });
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
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Locks every page that this process will ever hold. */
export function lockAllContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    lockContents(contents);
  });
}
