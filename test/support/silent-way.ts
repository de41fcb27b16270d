import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenLocally } from './listen.ts';

/**
 * A way to a server of this machine that can fall silent: neither end is then told anything, as when a cable is pulled. It
 * is closed with the test.
 */
export async function openWay(port: number) {
  const sockets: Socket[] = [];
  let [heard, isSilent] = [0, false];
  let isLost = (_chunk: Buffer): boolean => false;
  const join = (from: Socket, to: Socket, hear: (chunk: Buffer) => void): void => {
    sockets.push(from);
    from.on('error', () => undefined);
    from.on('data', (chunk: Buffer) => {
      hear(chunk);
      if (!isSilent) to.write(chunk);
    });
    from.on('close', () => {
      if (!isSilent) to.destroy();
    });
  };
  const server = createServer((client) => {
    const onward = connect(port, '127.0.0.1');
    join(client, onward, (chunk) => {
      heard += 1;
      isSilent ||= isLost(chunk);
    });
    join(onward, client, () => undefined);
  });
  const close = (): void => sockets.splice(0).forEach((socket) => void socket.destroy());
  onTestFinished(() => {
    close();
    server.close();
  });
  return {
    port: await listenLocally(server),
    /** How often a client has said something. */
    heard: () => heard,
    isSilent: () => isSilent,
    /** Carries nothing more from what a client says of which this is true. */
    fallSilent: (at: typeof isLost): void => {
      isLost = at;
    },
    /** Carries again what is said from now on. */
    speak: (): void => {
      [isSilent, isLost] = [false, () => false];
    },
    close,
  };
}
