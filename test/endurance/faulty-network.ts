// The network between a host and its platform in the kill loop: a real HTTP relay that loses connections before and
// after the platform has heard, breaks answers off in their middle, holds requests and answers back, delivers a request
// long after its sender saw the connection break, or twice.
import {
  createServer,
  request as sendRequest,
  STATUS_CODES,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../support/seeded-random.ts';
import { listenLocally } from '../support/listen.ts';

/**
 * The fate of a request. `refused`: the connection breaks, the platform never hears. `lost`: the platform hears, its
 * answer is lost. `broken`: the answer breaks off in its middle. `slow`, `slowAnswer`: held back on the way there or
 * back. `late`: the connection breaks at once, the platform hears later. `twice`: the platform hears it twice, the
 * second answer is passed on.
 */
type Fate = 'whole' | 'refused' | 'lost' | 'broken' | 'slow' | 'slowAnswer' | 'late' | 'twice';

const troubledFates: Readonly<Record<Fate, number>> = {
  whole: 70,
  refused: 5,
  lost: 7,
  broken: 4,
  slow: 4,
  slowAnswer: 4,
  late: 3,
  twice: 3,
};
const maxDelayMs = 120;

interface NetworkOptions {
  /** How late a request arrives whose connection broke before, in milliseconds. */
  readonly maxLatenessMs?: number;
  /** What happens to a request in trouble, each as often as its weight says. */
  readonly fates?: Readonly<Partial<Record<Fate, number>>>;
}

/** A request that left the host. */
export interface Sending {
  /** By performance.now(). */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly body: string;
}

/** The places on a request's way at which the host may be killed. */
export type Place = 'arrived' | 'carried' | 'answered';

export interface FaultyNetwork {
  /** The address that stands for the platform's. */
  readonly url: string;
  readonly sendings: readonly Sending[];
  /** From now on requests meet fates of this generator; null heals the network. */
  trouble(random: SeededRandom | null): void;
  /** Called at each place on each request's way; null for nobody. */
  listen(listener: ((place: Place, sending: Sending) => void) | null): void;
  /** Waits until no request is under way any more, the late ones included. The host is dead, or it waits for ever. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Opens the network in front of the platform at this address. */
export async function openFaultyNetwork(
  platformUrl: string,
  { maxLatenessMs = 800, fates = troubledFates }: NetworkOptions = {},
): Promise<FaultyNetwork> {
  const sendings: Sending[] = [];
  // Requests and connections: what a host that is dead has sent may still lie in one.
  const underWay = new Set<Promise<unknown>>();
  let chance: SeededRandom | null = null;
  let listener: ((place: Place, sending: Sending) => void) | null = null;

  async function carry({ method, path, body }: Sending, headers: IncomingHttpHeaders): Promise<Answer> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sendRequest(
        new URL(path, platformUrl),
        { method, headers: { ...headers, host: new URL(platformUrl).host, connection: 'close' }, agent: false },
        resolve,
      )
        .on('error', reject)
        .end(body);
    });
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
  }

  /** Half of what would have been sent, head included, and then a reset. */
  function breakOff(outgoing: ServerResponse, { status, body }: Answer): void {
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Length: ${body.length}\r\n\r\n${body.toString('latin1')}`;
    const { socket } = outgoing;
    socket?.write(text.slice(0, text.length / 2), 'latin1', () => socket.resetAndDestroy());
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = (await buffer(incoming)).toString('utf8');
    const { method = 'GET', url: path = '/', headers } = incoming;
    const sending: Sending = {
      atMs: performance.now(),
      method,
      path,
      idempotencyKey: headers['idempotency-key']?.toString() ?? null,
      body,
    };
    sendings.push(sending);
    listener?.('arrived', sending);
    const fate = chance?.pickWeighted(fates) ?? 'whole';
    const delayMs = chance?.integer(1, maxDelayMs) ?? 0;
    if (fate === 'refused') {
      outgoing.destroy();
      return;
    }
    if (fate === 'late') {
      outgoing.destroy();
      await sleep(chance?.integer(1, maxLatenessMs) ?? 0);
      await carry(sending, headers);
      return;
    }
    if (fate === 'slow') {
      await sleep(delayMs);
    }
    if (fate === 'twice') {
      await carry(sending, headers);
    }
    const answer = await carry(sending, headers);
    listener?.('carried', sending);
    if (fate === 'slowAnswer') {
      await sleep(delayMs);
    }
    if (fate === 'lost') {
      outgoing.destroy();
    } else if (fate === 'broken') {
      breakOff(outgoing, answer);
    } else {
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    }
    listener?.('answered', sending);
  }

  const server = createServer((incoming, outgoing) => {
    // A host that dies leaves its connections behind.
    outgoing.on('error', () => undefined);
    const exchange = serve(incoming, outgoing)
      .catch(() => {
        outgoing.destroy();
      })
      .finally(() => underWay.delete(exchange));
    underWay.add(exchange);
  });
  server.on('connection', (socket) => {
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        underWay.delete(closed);
        resolve();
      });
    });
    underWay.add(closed);
  });
  const port = await listenLocally(server);

  return {
    url: `http://127.0.0.1:${port}`,
    sendings,
    trouble: (random) => {
      chance = random;
    },
    listen: (next) => {
      listener = next;
    },
    settle: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
