import type { HostBridge } from '../../contract/bridge.ts';

function installBridge(keyText: string): void {
  /** How long a stream that the host ended for good rests before it is opened anew. */
  const reopenAfterMs = 2000;
  /** How long a page without a stream rests before it asks again for an answer that is not there yet. */
  const askAgainAfterMs = 250;
  const cipher = 'AES-GCM';
  const nonceBytes = 12;

  const listeners = new Set<(name: string, payload: unknown) => void>();
  let stream: EventSource | null = null;
  /** Calls on their way, by their nonces; what becomes of one whose answer comes by the stream. */
  const awaited = new Map<string, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>();

  const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  const textOf = (bytes: Uint8Array): string =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const key = crypto.subtle.importKey('raw', bytesOf(keyText), cipher, false, ['encrypt', 'decrypt']);
  const algorithm = (nonce: Uint8Array<ArrayBuffer>, purpose: string): AesGcmParams => ({
    name: cipher,
    iv: nonce,
    additionalData: new TextEncoder().encode(purpose),
  });

  /** Rejects for what was not sealed under this key for this purpose. */
  const open = async (sealed: Uint8Array<ArrayBuffer>, purpose: string): Promise<unknown> => {
    const text = await crypto.subtle.decrypt(
      algorithm(sealed.slice(0, nonceBytes), purpose),
      await key,
      sealed.slice(nonceBytes),
    );
    return JSON.parse(new TextDecoder().decode(text)) as unknown;
  };

  // Over several connections calls may come to the host in another order than they were made in.
  const page = textOf(crypto.getRandomValues(new Uint8Array(nonceBytes)));
  let calls = 0;
  // One after the other, so that calls leave and events arrive in their order.
  let sealing: Promise<unknown> = key;
  let opening: Promise<unknown> = key;

  const openStream = (): void => {
    const opened = new EventSource('sealed/events');
    stream = opened;
    opened.addEventListener('message', (message: MessageEvent<string>) => {
      opening = opening
        .then(() => open(bytesOf(message.data), 'event'))
        .then((event) => {
          const { name, payload } = event as { name: string; payload: unknown };
          for (const listener of listeners) {
            listener(name, payload);
          }
        })
        // Whoever else listens on this port now has nothing to say here.
        .catch(() => undefined);
    });
    opened.addEventListener('answer', ({ data }: MessageEvent<string>) => {
      const [nonce = '', sealed = ''] = data.split('.');
      awaited.get(nonce)?.resolve(bytesOf(sealed));
    });
    opened.addEventListener('error', () => {
      // What the host would have answered meanwhile is lost.
      awaited.forEach(({ reject }) => reject(new Error('the stream of answers broke')));
      // A broken connection is tried again by the browser itself; a refusal is final until it is opened anew.
      if (opened.readyState === EventSource.CLOSED) {
        setTimeout(openStream, reopenAfterMs);
      }
    });
  };

  const notAdmitted = (): Error =>
    Object.assign(new Error('another program, or another run of the host, answers'), { name: 'NotAdmitted' });

  const bridge: HostBridge = {
    invoke: async (channel, input, shownFor) => {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
      const isListening = stream?.readyState === EventSource.OPEN;
      const text = new TextEncoder().encode(
        JSON.stringify({ page, number: calls, channel, input, isListening, shownFor }),
      );
      calls += 1;
      const sealed = sealing.then(async () => crypto.subtle.encrypt(algorithm(nonce, 'call'), await key, text));
      sealing = sealed;
      const name = textOf(nonce);
      const later = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
      // Most are never waited for.
      later.promise.catch(() => undefined);
      awaited.set(name, later);
      try {
        const body = new Blob([nonce, await sealed]);
        const ask = async (): Promise<Response> => {
          const response = await fetch('sealed/call', {
            method: 'POST',
            headers: { 'Content-Type': 'application/octet-stream' },
            body,
          });
          if (response.status !== 202 || isListening) {
            return response;
          }
          await new Promise((resolve) => setTimeout(resolve, askAgainAfterMs));
          return ask();
        };
        const response = await ask();
        if (!response.ok) {
          throw response.status === 401 ? notAdmitted() : new Error(`the host refused the call: ${response.status}`);
        }
        const answer = response.status === 202 ? await later.promise : new Uint8Array(await response.arrayBuffer());
        return await open(answer, `answer ${name}`).catch(() => {
          throw notAdmitted();
        });
      } finally {
        awaited.delete(name);
      }
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

/** The script that the page loads before its own, with the key of this run. */
export function pageBridgeScript(key: string): string {
  return `(${installBridge.toString()})(${JSON.stringify(key)});\n`;
}
