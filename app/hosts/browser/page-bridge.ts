// Owns the page's end of the browser host: `window.tillside` over POST invoke/<channel> and GET events, both beside the page. The host serves
// the source of the one function, which runs in the page before the app and so uses nothing from outside itself. Never
// knows a channel by name.
import type { Bridge } from '../../contract/wall.ts';

function installBridge(): void {
  /** How long a stream that the host ended for good rests before it is opened anew. */
  const reopenAfterMs = 2000;

  const listeners = new Set<(name: string, payload: unknown) => void>();
  let stream: EventSource | null = null;

  const openStream = (): void => {
    const opened = new EventSource('events');
    stream = opened;
    opened.addEventListener('message', (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as { name: string; payload: unknown };
      for (const listener of listeners) {
        listener(event.name, event.payload);
      }
    });
    opened.addEventListener('error', () => {
      // A broken connection is tried again by the browser itself; a refusal is final until it is opened anew.
      if (opened.readyState === EventSource.CLOSED) {
        setTimeout(openStream, reopenAfterMs);
      }
    });
  };

  const bridge: Bridge = {
    invoke: async (channel, input) => {
      const response = await fetch(`invoke/${encodeURIComponent(channel)}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
      });
      if (!response.ok) {
        throw Object.assign(new Error(`the host refused the call: ${response.status}`), response.status === 401 ? { name: 'NotAdmitted' } : {});
      }
      return (await response.json()) as unknown;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      if (stream === null) {
        openStream();
      }
      return () => {
        listeners.delete(listener);
      };
    },
  };

  Object.defineProperty(window, 'tillside', { value: Object.freeze(bridge), enumerable: true });
}

/** The script that the page loads before its own. */
export const pageBridgeScript = `(${installBridge.toString()})();\n`;
