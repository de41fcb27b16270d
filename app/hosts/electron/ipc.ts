import type { WebContents } from 'electron';
import type { EventListener, Handlers } from '../../contract/bridge.ts';
import { maxCallLength } from '../../contract/limits/calls.ts';
import { parseJson } from '../../domain/json.ts';
import type { Shell } from '../../ports.ts';
import { checkEvent, dispatch } from '../dispatch.ts';
import { eventChannel } from './channels.ts';
import type { HeldCalls } from './held-calls.ts';
import { isOurPage } from './own-pages.ts';

export interface IpcOptions {
  readonly calls: HeldCalls;
  readonly handlers: Handlers;
  readonly subscribe: (listener: EventListener) => () => void;
  readonly log: Shell['log'];
  /** The pages that may speak: those that are there just now. */
  readonly pages: () => readonly WebContents[];
  /** The page that a scanner's reading is for. */
  readonly scannedPage: () => WebContents | null;
}

/** Connects the terminal with its pages; answers a function that disconnects them. */
export function connectIpc({ calls, handlers, subscribe, log, pages, scannedPage }: IpcOptions): () => void {
  calls.answerWith((event, channel, text, shownFor) => {
    if (!isOurPage(event.senderFrame, pages())) {
      log('warning', 'call of a strange sender refused');
      throw new Error('refused');
    }
    const input = typeof text === 'string' && text.length <= maxCallLength ? parseJson(text) : undefined;
    return dispatch(handlers, channel, input, log, typeof shownFor === 'string' ? shownFor : undefined);
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
    calls.end();
  };
}
