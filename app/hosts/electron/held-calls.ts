import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { invokeChannel } from './channels.ts';

/** `text`: the input as JSON. */
type Answer = (event: IpcMainInvokeEvent, channel: unknown, text: unknown, shownFor: unknown) => Promise<unknown>;

/** The calls of the pages, of which the first come before there is a terminal. */
export interface HeldCalls {
  /** Answers those that wait, and all that come. To be called once. */
  answerWith(answer: Answer): void;
  /** Calls that come after this are refused. */
  end(): void;
}

/** Holds the pages' calls until something answers them. */
export function holdCalls(): HeldCalls {
  const answering = Promise.withResolvers<Answer>();
  ipcMain.handle(invokeChannel, async (event, channel: unknown, text: unknown, shownFor: unknown) =>
    (await answering.promise)(event, channel, text, shownFor),
  );
  return {
    answerWith: answering.resolve,
    end: () => {
      ipcMain.removeHandler(invokeChannel);
    },
  };
}
