import { ipcMain, type WebContents } from 'electron';
import type { EventListener, Handlers } from '../../contract/bridge.ts';
import { readingOf } from '../../domain/scanner-device.ts';
import type { Shell } from '../../ports.ts';
import { checkEvent, dispatch } from '../dispatch.ts';
import { eventChannel, invokeChannel } from './channels.ts';
import { isOurPage } from './own-pages.ts';

export interface IpcOptions {
  readonly handlers: Handlers;
  readonly subscribe: (listener: EventListener) => () => void;
  readonly log: Shell['log'];
  /** The pages that may speak: those that are there just now. */
  readonly pages: () => readonly WebContents[];
  /** The page that a scanner's reading is for. */
  readonly scannedPage: () => WebContents | null;
}

/** Has a page take this text as if a scanner had read it. */
export function sendReading(page: WebContents, text: string, log: Shell['log']): void {
  const checked = checkEvent('scanner:read', readingOf(text), log);
  if (checked !== undefined) {
    page.send(eventChannel, 'scanner:read', checked);
  }
}

/** Connects the terminal with its pages; answers a function that disconnects them. */
export function connectIpc({ handlers, subscribe, log, pages, scannedPage }: IpcOptions): () => void {
  ipcMain.handle(invokeChannel, (event, channel: unknown, input: unknown) => {
    if (!isOurPage(event.senderFrame, pages())) {
      log('warning', 'call of a strange sender refused');
      throw new Error('refused');
    }
    return dispatch(handlers, channel, input, log);
  });
  const unsubscribe = subscribe((name, payload) => {
    const present = name === 'scanner:read' ? [scannedPage()].filter((page) => page !== null) : pages();
    const checked = present.length === 0 ? undefined : checkEvent(name, payload, log);
    if (checked !== undefined) {
      for (const page of present) {
        page.send(eventChannel, name, checked);
      }
    }
  });
  return () => {
    unsubscribe();
    ipcMain.removeHandler(invokeChannel);
  };
}
