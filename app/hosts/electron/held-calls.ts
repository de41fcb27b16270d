import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import { invokeChannel } from './channels.ts';

/** `text`: the input as JSON. */
type Answer = (event: IpcMainInvokeEvent, channel: unknown, text: unknown, shownFor: unknown) => Promise<unknown>;

/** The calls of the pages, of which the first come before there is a terminal. */
export type HeldCalls = ReturnType<typeof holdCalls>;

/** Holds the pages' calls until something answers them. */
export function holdCalls() {
  const answering = Promise.withResolvers<Answer>();
  const calledMs = new WeakMap<WebContents, number>();
  let noteCall: (page: WebContents) => void = () => undefined;
  ipcMain.handle(invokeChannel, async (event, channel: unknown, text: unknown, shownFor: unknown) => {
    calledMs.set(event.sender, performance.now());
    const answer = await answering.promise;
    noteCall(event.sender);
    return answer(event, channel, text, shownFor);
  });
  return {
    /** Answers those that wait, and all that come. To be called once. */
    answerWith: answering.resolve,
    /** When this page called last, by `performance.now`; null before its first call. */
    lastCallMs: (page: WebContents): number | null => calledMs.get(page) ?? null,
    /** Calls back with the page of each call that is answered. To be called once, before the first is. */
    onCall: (note: (page: WebContents) => void): void => {
      noteCall = note;
    },
    /** Calls that come after this are refused. */
    end: () => {
      ipcMain.removeHandler(invokeChannel);
    },
  };
}
