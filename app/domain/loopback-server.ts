import { isLoopback } from './loopback.ts';

/**
 * True for a `Host` (RFC 9110 §7.2) by which a program of this machine names a server on this port of it. Any other name
 * leads here because somebody else's server says so (DNS rebinding).
 */
export function isOwnName(host: string | undefined, port: number): boolean {
  return [`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`].includes(host ?? '');
}

interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  destroy(): unknown;
}

/** The same for a connection and for the TLS in it; a local socket has no port, and no TLS. */
const keyOf = (connection: Connection): string | Connection =>
  connection.remotePort === undefined ? connection : `${connection.remoteAddress ?? ''} ${connection.remotePort}`;

interface Asking {
  readonly socket: Connection;
  /** Whether all of it has come. */
  readonly complete: boolean;
}

interface Answering {
  /** Whether all of it has been made; its client may have yet to take it. */
  readonly writableEnded: boolean;
  once(event: 'finish' | 'close', call: () => void): unknown;
}

/**
 * Hands on each request of a server whose clients are this machine's programs, and hangs up on a connection that sends
 * another one before its last answer is taken (RFC 9112 §9.3.2 lets it): a client that reads nothing would have as many
 * requests, and their answers, in memory as it likes to send.
 */
export function oneAtATime<Request extends Asking, Response extends Answering>(
  listener: (request: Request, response: Response) => void,
): {
  readonly listener: (request: Request, response: Response) => void;
  /** True while an answer of this connection has not been taken. */
  readonly isAsking: (socket: object) => boolean;
  /** True from when a request of this connection, or of the TLS in it, is whole until its answer has been made. */
  readonly isBusy: (connection: Connection) => boolean;
} {
  const asking = new WeakSet();
  const exchanges = new Map<string | Connection, { readonly request: Request; readonly response: Response }>();
  return {
    isAsking: (socket) => asking.has(socket),
    isBusy: (connection) => {
      const exchange = exchanges.get(keyOf(connection));
      return exchange?.request.complete === true && !exchange.response.writableEnded;
    },
    listener: (request, response) => {
      const { socket } = request;
      if (asking.has(socket)) {
        socket.destroy();
        return;
      }
      const key = keyOf(socket);
      asking.add(socket);
      exchanges.set(key, { request, response });
      const end = (): void => {
        if (exchanges.get(key)?.request === request) {
          exchanges.delete(key);
        }
      };
      response.once('finish', () => {
        asking.delete(socket);
        end();
      });
      response.once('close', end);
      listener(request, response);
    },
  };
}

interface Closing extends Connection {
  readonly localAddress?: string | undefined;
  once(event: 'close', call: () => void): unknown;
}

/** The addresses of this machine, of which it has millions, are one; nobody else reaches a loopback one. */
const placeOf = ({ remoteAddress = '', localAddress = '' }: Closing): string =>
  [remoteAddress, localAddress].some((address) => isLoopback(address.replace(/^::ffff:/, ''))) ? 'here' : remoteAddress;

/**
 * Holds so many connections of a server. One more takes the place of one whose address has at least two more than its
 * own: of those for which no answer is being made, else of all, the oldest of the address that has the most. Where none
 * has so many, it takes that of one for which no answer is being made, of an address with no fewer than its own, or is
 * hung up on. So whoever holds connections, does not read, asks without end or opens them anew keeps nobody out.
 */
export function makeRoom(
  server: { on(event: 'connection', call: (socket: Closing) => void): unknown },
  most: number,
  isBusy: (connection: Connection) => boolean,
): void {
  const held = new Map<Closing, string>();
  const findSpare = (newcomer: string): Closing | undefined => {
    const byPlace = Map.groupBy(held.keys(), (socket) => held.get(socket));
    const sizeOf = (place: string | undefined): number => byPlace.get(place)?.length ?? 0;
    const own = sizeOf(newcomer);
    const largestFirst = [...held].toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one));
    const ofAtLeast = (size: number): readonly Closing[] =>
      largestFirst.flatMap(([socket, place]) => (sizeOf(place) >= size ? socket : []));
    const isSpare = (socket: Closing): boolean => !isBusy(socket);
    const ofMore = ofAtLeast(own + 2);
    return ofMore.find(isSpare) ?? ofMore[0] ?? ofAtLeast(own).find(isSpare);
  };
  server.on('connection', (socket) => {
    const place = placeOf(socket);
    if (held.size >= most) {
      const leaving = findSpare(place) ?? socket;
      held.delete(leaving);
      leaving.destroy();
      if (leaving === socket) {
        return;
      }
    }
    held.set(socket, place);
    socket.once('close', () => held.delete(socket));
  });
}
