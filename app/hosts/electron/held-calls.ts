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
  let noteAnswer: (page: WebContents, channel: unknown) => void = () => undefined;
  ipcMain.handle(invokeChannel, async (event, channel: unknown, text: unknown, shownFor: unknown) => {
    calledMs.set(event.sender, performance.now());
    const answer = await answering.promise;
    const answered = await answer(event, channel, text, shownFor);
    // Once it is on its way to the page.
    setImmediate(() => noteAnswer(event.sender, channel));
    return answered;
  });
  return {
    /** Answers those that wait, and all that come. To be called once. */
    answerWith: answering.resolve,
    /** When this page called last, by `performance.now`; null before its first call. */
    lastCallMs: (page: WebContents): number | null => calledMs.get(page) ?? null,
    /** Calls back after each answer, with the page and the channel. To be called once, before the first. */
    onAnswer: (note: (page: WebContents, channel: unknown) => void): void => {
      noteAnswer = note;
    },
    /** Calls that come after this are refused. */
    end: () => {
      ipcMain.removeHandler(invokeChannel);
    },
  };
}
