// Owns the messages between the main process and the page: who sent a call is checked before anything of it is read, and
// events go to the one window alone. Never interprets either.
import { ipcMain, type WebContents, type WebFrameMain } from 'electron';
import type { EventListener, Handlers } from '../../contract/wall.ts';
import type { Shell } from '../../ports.ts';
import { checkEvent, dispatch } from '../wall.ts';
import { eventChannel, invokeChannel } from './channels.ts';
import { pageOrigin } from './scheme.ts';

export interface IpcOptions {
  readonly handlers: Handlers;
  readonly subscribe: (listener: EventListener) => () => void;
  readonly log: Shell['log'];
  /** The one page that may speak, or null while there is none. */
  readonly contents: () => WebContents | null;
}

/** Connects the terminal with its window; answers a function that disconnects them. */
export function connectIpc({ handlers, subscribe, log, contents }: IpcOptions): () => void {
  const isOurPage = (frame: WebFrameMain | null): boolean => {
    const page = contents();
    return frame !== null && page !== null && frame === page.mainFrame && frame.origin === pageOrigin;
  };
  ipcMain.handle(invokeChannel, (event, channel: unknown, input: unknown) => {
    if (!isOurPage(event.senderFrame)) {
      log('warning', 'call of a strange sender refused');
      throw new Error('refused');
    }
    return dispatch(handlers, channel, input, log);
  });
  const unsubscribe = subscribe((name, payload) => {
    const page = contents();
    const checked = page === null ? undefined : checkEvent(name, payload, log);
    if (page !== null && checked !== undefined) {
      page.send(eventChannel, name, checked);
    }
  });
  return () => {
    unsubscribe();
    ipcMain.removeHandler(invokeChannel);
  };
}
