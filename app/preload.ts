import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { HostBridge } from './contract/bridge.ts';
import { maxCallLength, maxWaitingLength } from './contract/limits/calls.ts';
import type { Failure } from './domain/failure.ts';
import { fail } from './domain/result.ts';
import { eventChannel, invokeChannel } from './hosts/electron/channels.ts';

/** What a call costs the main process beside its text. */
const callCost = 1000;
let waitingLength = 0;

/** Null for what no call of the contract is. */
function writeCall(channel: unknown, input: unknown): string | null {
  try {
    const text = typeof channel === 'string' && channel.length < callCost ? JSON.stringify(input ?? null) : undefined;
    return text !== undefined && text.length <= maxCallLength ? text : null;
  } catch {
    return null;
  }
}

const writeShownFor = (shownFor: unknown): string | undefined =>
  typeof shownFor === 'string' ? shownFor.slice(0, callCost) : undefined;

const bridge: HostBridge = {
  // The main process has no way to refuse a message before it holds all of it: here a script in the page finds its
  // bounds.
  invoke: async (channel, input, shownFor) => {
    const text = writeCall(channel, input);
    const length = (text?.length ?? 0) + callCost;
    if (text === null || waitingLength + length > maxWaitingLength) {
      return fail({ kind: 'inputInvalid', message: 'too much' } satisfies Failure);
    }
    waitingLength += length;
    try {
      return (await ipcRenderer.invoke(invokeChannel, channel, text, writeShownFor(shownFor))) as unknown;
    } finally {
      waitingLength -= length;
    }
  },
  subscribe: (listener) => {
    // Electron's event object stays on this side: it would hand the page the sender.
    const receive = (_event: IpcRendererEvent, name: string, payload: unknown): void => {
      listener(name, payload);
    };
    ipcRenderer.on(eventChannel, receive);
    return () => {
      ipcRenderer.off(eventChannel, receive);
    };
  },
};

contextBridge.exposeInMainWorld('tillside', bridge);

// Chromium lets a script close a window in whose history nothing else is, whatever main.ts says.
history.pushState(null, '');
