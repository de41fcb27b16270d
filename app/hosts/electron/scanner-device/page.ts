import { BrowserWindow, session as sessions, type IpcMainEvent, type Session } from 'electron';
import { z } from 'zod';
import { maxPresentScanners, scannerReadingSchema } from '../../../contract/scanner-device.ts';
import { scannerDeviceKinds, type ScannerDevice, type ScannerDeviceChoice } from '../../../domain/scanner-device.ts';
import type { Shell } from '../../../ports.ts';
import { guardingHeaders } from '../../page.ts';
import { answerPages } from '../answer-pages.ts';
import { lockSession } from '../lockdown.ts';
import { pagePreferences } from '../page-preferences.ts';
import type { DevicePage, PageListener } from './keeper.ts';
import { answerChannel, askChannel, openOutcomes, type DeviceAsk, type OpenOutcome } from './messages.ts';
import { allowScannerDevice, devicePageOrigin, type DeviceRequest } from './permissions.ts';

export interface DevicePagesOptions {
  readonly preloadPath: string;
  readonly isPackaged: boolean;
  readonly log: Shell['log'];
}

const answerSchema = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('outcome'),
    id: z.number().int(),
    outcome: z.enum(openOutcomes),
    reason: z.string().max(400),
  }),
  z.strictObject({ is: z.literal('closed') }),
  scannerReadingSchema.extend({ is: z.literal('reading') }),
]);

const emptyPage = '<!doctype html><meta charset="utf-8"><title>Tillside</title>';
const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types";

/** Of the session, which outlives each page. */
interface Current {
  page: Electron.WebContents | null;
  request: DeviceRequest | null;
  chosen: ScannerDeviceChoice | null;
}

function openSession(
  isPackaged: boolean,
  current: Current,
): { readonly session: Session; readonly locked: Promise<void> } {
  // Without "persist:" it lies in memory alone.
  const session = sessions.fromPartition('scanner-device');
  const locked = lockSession(session, isPackaged, { origin: devicePageOrigin });
  allowScannerDevice({
    session,
    isPage: (frame) =>
      frame !== null && current.page !== null && !current.page.isDestroyed() && frame === current.page.mainFrame,
    request: () => current.request,
    chosen: () => current.chosen,
  });
  answerPages(session, (request) => {
    const isOurs = request.method === 'GET' && request.url === `${devicePageOrigin}/`;
    const headers = {
      ...guardingHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    };
    return { status: isOurs ? 200 : 404, headers, body: isOurs ? emptyPage : '' };
  });
  return { session, locked };
}

async function loadLocked(window: BrowserWindow, locked: Promise<void>): Promise<void> {
  await locked;
  if (!window.isDestroyed()) {
    await window.webContents.loadURL(`${devicePageOrigin}/`).catch(() => undefined);
  }
}

/** Makes a function that opens the page; the session is made with the first. */
export function createDevicePages({
  preloadPath,
  isPackaged,
  log,
}: DevicePagesOptions): (listener: PageListener) => DevicePage {
  const current: Current = { page: null, request: null, chosen: null };
  let opened: ReturnType<typeof openSession> | null = null;
  let lastId = 0;

  return ({ onReading, onClosed }) => {
    const { session, locked } = (opened ??= openSession(isPackaged, current));
    const window = new BrowserWindow({
      show: false,
      skipTaskbar: true,
      focusable: false,
      title: 'Tillside',
      // Hidden, its timers must keep their time.
      webPreferences: { ...pagePreferences(preloadPath), session, backgroundThrottling: false },
    });
    const { webContents: contents } = window;
    current.page = contents;
    const waiting = new Map<number, (outcome: OpenOutcome) => void>();

    function end(): void {
      for (const settle of waiting.values()) {
        settle('absent');
      }
      waiting.clear();
      onClosed();
    }

    contents.ipc.on(answerChannel, (event: IpcMainEvent, given: unknown) => {
      const answer = answerSchema.safeParse(given);
      if (event.senderFrame !== contents.mainFrame || !answer.success) {
        log('warning', 'message of the scanner page refused');
        return;
      }
      if (answer.data.is === 'reading') {
        onReading({ text: answer.data.text, symbology: answer.data.symbology });
      } else if (answer.data.is === 'closed') {
        onClosed();
      } else {
        if (answer.data.reason !== '') {
          log('warning', 'the scanner cannot be opened', { reason: answer.data.reason });
        }
        waiting.get(answer.data.id)?.(answer.data.outcome);
        waiting.delete(answer.data.id);
      }
    });
    contents.on('render-process-gone', (_event, { reason }) => {
      log('warning', "the scanner's page crashed", { reason });
      loaded = load();
      end();
    });

    const load = (): Promise<void> => loadLocked(window, locked);
    let loaded = load();
    // One request of the page's at a time: the session's answers belong to the one that is under way.
    let asking: Promise<unknown> = Promise.resolve();

    function ask(
      request: DeviceRequest,
      to: DeviceAsk extends infer Ask ? (Ask extends DeviceAsk ? Omit<Ask, 'id' | 'kind'> : never) : never,
    ): Promise<OpenOutcome> {
      const mine = asking.then(async () => {
        await loaded;
        if (window.isDestroyed()) {
          return 'absent';
        }
        lastId += 1;
        const id = lastId;
        current.request = request;
        try {
          // Asking for a device takes a person's gesture; the person has chosen it in the settings.
          await contents.executeJavaScript('0', true);
          return await new Promise<OpenOutcome>((resolve) => {
            waiting.set(id, resolve);
            contents.send(askChannel, { ...to, id, kind: request.kind });
          });
        } finally {
          // A page that was closed meanwhile must not end the next one's.
          if (current.request === request) {
            current.request = null;
          }
        }
      });
      asking = mine.catch(() => undefined);
      return mine.catch((): OpenOutcome => 'absent');
    }

    return {
      open: (choice) => {
        current.chosen = choice;
        return ask({ kind: choice.kind, choice, present: () => undefined }, { to: 'open', baudRate: choice.baudRate });
      },
      list: async () => {
        const found: ScannerDevice[] = [];
        for (const kind of scannerDeviceKinds) {
          await ask({ kind, choice: null, present: (devices) => found.push(...devices) }, { to: 'look' });
        }
        return found.slice(0, maxPresentScanners);
      },
      close: () => {
        current.chosen = null;
        current.request = null;
        current.page = null;
        if (!window.isDestroyed()) {
          window.destroy();
        }
        for (const settle of waiting.values()) {
          settle('absent');
        }
        waiting.clear();
      },
    };
  };
}
