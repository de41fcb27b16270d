import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { HostBridge } from './contract/bridge.ts';
import { eventChannel, invokeChannel } from './hosts/electron/channels.ts';

const bridge: HostBridge = {
  invoke: (channel, input) => ipcRenderer.invoke(invokeChannel, channel, input) as Promise<unknown>,
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
