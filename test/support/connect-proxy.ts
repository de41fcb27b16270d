import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

interface ConnectProxy {
  /** As "127.0.0.1:port". */
  readonly place: string;
  /** The heads of what it was asked, one for each connection that asked. */
  readonly heads: readonly string[];
  /** Everything that came from the terminal, the heads and what went through the tunnels alike. */
  seen(): string;
  close(): Promise<void>;
}

export interface ConnectProxyOptions {
  /** Where tunnels lead. */
  readonly port: number;
  /** The proxy's text instead of opening the way, perhaps empty; null, or none, opens it. */
  readonly says?: string | null;
  /** Whether it hangs up after that. */
  readonly hangsUp?: boolean;
}

export async function startConnectProxy({
  port,
  says = null,
  hangsUp = false,
}: ConnectProxyOptions): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  const bytes: Buffer[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let head = '';
    const onHead = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) {
        return;
      }
      socket.off('data', onHead);
      heads.push(head);
      if (says !== null) {
        socket.write(says);
        if (hangsUp) {
          socket.end();
        }
        return;
      }
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
      socket.on('close', () => onward.destroy());
    };
    socket.on('data', (chunk: Buffer) => bytes.push(chunk));
    socket.on('data', onHead);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    seen: () => Buffer.concat(bytes).toString('latin1'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}
