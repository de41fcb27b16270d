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

interface Place {
  readonly address: string;
  readonly network: string;
}

/** The network of an IPv6 address, in which a machine has as many as it likes (RFC 4291 §2.5.1); any other, itself. */
function networkOf(place: string): string {
  const [address = ''] = place.replace(/^::ffff:(?=[\d.]+$)/, '').split('%');
  const [before = '', after = null] = address.split('::');
  const groups = before.split(':');
  const known = groups.length + (after?.split(':').length ?? 0);
  return address.includes(':') ? [...groups, ...Array<string>(8).fill('0', 0, 8 - known)].slice(0, 4).join(':') : place;
}

/** The addresses of this machine, of which it has millions, are one; nobody else reaches a loopback one. */
function placeOf({ remoteAddress = '', localAddress = '' }: Closing): Place {
  const isHere = [remoteAddress, localAddress].some((address) => isLoopback(address.replace(/^::ffff:/, '')));
  const address = isHere ? 'here' : remoteAddress;
  return { address, network: networkOf(address) };
}

/**
 * Holds so many connections of a server. One more takes the place of one whose address, and then whose network, has at
 * least two more than its own: of those for which no answer is being made, else of all, the oldest of the one that has the
 * most. Where none has so many, it takes that of one for which no answer is being made, or is hung up on. None of an
 * address or a network with fewer than its own makes way. So whoever holds connections, does not read, asks without end or
 * opens them anew, by however many addresses of a network, keeps out nobody of another one.
 */
export function makeRoom(
  server: { on(event: 'connection', call: (socket: Closing) => void): unknown },
  most: number,
  isBusy: (connection: Connection) => boolean,
): void {
  const held = new Map<Closing, Place>();
  /** Those held, of whichever has the most first, and how many more than the newcomer's each of them has. */
  const countBy = (newcomer: Place, by: keyof Place) => {
    const sizes = new Map<string, number>();
    for (const place of held.values()) {
      sizes.set(place[by], (sizes.get(place[by]) ?? 0) + 1);
    }
    const sizeOf = (place: Place | undefined): number => sizes.get(place?.[by] ?? '') ?? 0;
    const largestFirst = [...held].toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one));
    return {
      moreOf: (socket: Closing): number => sizeOf(held.get(socket)) - sizeOf(newcomer),
      largestFirst: largestFirst.map(([socket]) => socket),
    };
  };
  const findSpare = (newcomer: Place): Closing | undefined => {
    const isSpare = (socket: Closing): boolean => !isBusy(socket);
    const ways = [countBy(newcomer, 'address'), countBy(newcomer, 'network')];
    const isOfNoFewer = (socket: Closing): boolean => ways.every(({ moreOf }) => moreOf(socket) >= 0);
    const ofMore = ways.flatMap(({ moreOf, largestFirst }) =>
      largestFirst.filter((socket) => moreOf(socket) >= 2 && isOfNoFewer(socket)),
    );
    return ofMore.find(isSpare) ?? ofMore[0] ?? ways[0]?.largestFirst.find((one) => isOfNoFewer(one) && isSpare(one));
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
