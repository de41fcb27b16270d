import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { HttpRequest, HttpResponse } from '../../app/ports.ts';
import type { WireAnswer, WireRequest } from './referee.ts';
import type { RefereeTokens } from './referee-tokens.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

/** How likely each fate of an exchange is; what remains is a plain answer. */
export interface NetworkConditions {
  /** Nothing gets through at all. */
  readonly isOutage: boolean;
  readonly latencyMs: readonly [low: number, high: number];
  readonly fates: Readonly<Partial<Record<Fate, number>>>;
}

export type Fate =
  | 'refused' // no connection comes about, and nothing leaves
  | 'lostBefore' // never arrives; the connection breaks
  | 'lostAfter' // arrives; the answer is lost and the connection breaks
  | 'hangBefore' // never arrives; nothing is heard until the time-out
  | 'hangAfter' // arrives at any time before the time-out; nothing is heard
  | 'late' // held by a front, which forwards it together with others, mostly when the terminal has given it up
  | 'twice' // arrives twice
  | 'portal' // a captive portal answers with its page; to a token request, perhaps a firewall with a refusal of its own
  | 'proxyBefore' // a proxy answers 5xx, the request never arrives; to a token request, perhaps a gateway with a refusal of its own
  | 'proxyAfter' // a proxy answers 5xx, though the request arrived
  | 'truncated' // the body is cut off
  | 'stripped' // the echoed key is lost on the way back
  | 'crossed'; // the echo is another request's

/** A front that holds requests forwards all of them together so often; the last of them follow within this time. */
const releaseEveryMs = 100_000;
const maxReleaseMs = 2_000;

export const goodConditions: NetworkConditions = { isOutage: false, latencyMs: [20, 120], fates: {} };

type Outcome = Result<HttpResponse, Failure>;

/** One thing that the terminal sent, and what it got. */
export interface Exchange {
  readonly number: number;
  /** Which run of the terminal sent it. */
  readonly life: number;
  readonly sentAtMs: number;
  readonly method: string;
  readonly path: string;
  /** Whether it asks a listing for one text. */
  readonly isOfTerm: boolean;
  /** Of a request that changes something; null for a token request, whose key is apart. */
  readonly key: string | null;
  readonly tokenKey: string | null;
  readonly body: string;
  readonly isRefresh: boolean;
  readonly authorization: string | null;
  /** Whose token it carried, when it left. */
  readonly email: string | null;
  /** The client that this token was given to. */
  readonly client: string | null;
  readonly companyId: string | null;
  /** The platform's answer to it, a token or else the first, whatever became of that; null before it arrives. */
  answeredWith: number | null;
  endedAtMs: number | null;
  /** The outcome that the terminal saw; null while it waits, or when it died waiting. */
  outcome: Outcome | null;
}

/** The run of the terminal that sends. */
export interface Sender {
  readonly life: number;
  isAlive(): boolean;
  /** Calls back after this time, and not before the machine is awake. */
  after(delayMs: number, callback: () => void): void;
  /** True when the machine has slept at any time since. */
  sleptSince(timeMs: number): boolean;
}

/** A request whose connection did not come about: nothing was sent, and its run was told so at that time. */
interface Refusal {
  readonly life: number;
  readonly key: string | null;
  readonly sentAtMs: number;
  readonly atMs: number;
}

/** What the network carries requests to. */
export interface Platform {
  /** Whose token a request carries. */
  readonly tokens: Pick<RefereeTokens, 'ownerOf' | 'clientOf'>;
  answer(request: WireRequest, isOfNetwork: boolean): WireAnswer | Promise<WireAnswer>;
}

export interface Network {
  readonly exchanges: readonly Exchange[];
  readonly refusals: readonly Refusal[];
  conditions: NetworkConditions;
  /** Called with each exchange, and with a promise of its end for the terminal. */
  watch: (exchange: Exchange, ended: Promise<unknown>) => void;
  send(sender: Sender, request: HttpRequest): Promise<Outcome>;
}

/**
 * Refusals of machines in between, and words of the platform about something else: none of them names a grant, a client
 * or a user.
 */
const foreignRefusals: readonly WireAnswer[] = [
  { status: 403, headers: { 'content-type': 'text/plain' }, body: 'error code: 1010' },
  { status: 401, headers: { 'content-type': 'text/plain' }, body: 'blocked' },
  { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"Forbidden"}' },
  { status: 400, headers: {}, body: '' },
  {
    status: 403,
    headers: { 'content-type': 'application/json', 'retry-after': '3' },
    body: '{"code":"too_many_requests"}',
  },
  {
    status: 422,
    headers: { 'content-type': 'application/json' },
    body: '{"code":"policy_violation","message":"blocked by policy"}',
  },
];

/** A gateway's 401 to any request, without the platform's code (API v3 §7) or echo (§8 rule 5). */
const gatewayRefusals: readonly WireAnswer[] = [
  { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthorized"}' },
  { status: 401, headers: { 'www-authenticate': 'Basic realm="gateway"' }, body: '' },
  { status: 401, headers: { 'content-type': 'application/json' }, body: '{"code":"session_blocked"}' },
];

const page = '<!doctype html><html><body>Sign in to the guest network</body></html>';

function drawFate(random: SeededRandom, { isOutage, fates }: NetworkConditions): Fate | 'fine' {
  if (isOutage) {
    return random.pick(['refused', 'refused', 'lostBefore', 'hangBefore'] as const);
  }
  const faults = Object.values(fates).reduce((sum, probability) => sum + probability, 0);
  return random.pickWeighted<Fate | 'fine'>({ fine: Math.max(0, 1 - faults), ...fates });
}

function proxyPage(random: SeededRandom): WireAnswer {
  const isPage = random.chance(0.7);
  return {
    status: random.pick([502, 503, 504]),
    headers: { 'content-type': isPage ? 'text/html' : 'text/plain' },
    body: isPage ? '<html>upstream</html>' : 'upstream',
  };
}

function portalPage(random: SeededRandom): WireAnswer {
  return random.chance(0.6)
    ? { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
    : random.pick([
        { status: 302, headers: { location: 'https://portal.example.com/' }, body: '' },
        { status: 511, headers: { 'content-type': 'text/html' }, body: page },
      ]);
}

function onTheWayBack(random: SeededRandom, fate: Fate | 'fine', answer: WireAnswer): WireAnswer {
  const { 'idempotency-key': key, 'idempotency-replayed': replayed, ...others } = answer.headers;
  switch (fate) {
    case 'proxyAfter':
      return proxyPage(random);
    case 'truncated':
      return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
    case 'stripped':
      return { ...answer, headers: others };
    case 'crossed':
      return key === undefined
        ? answer
        : {
            ...answer,
            headers: { ...others, 'idempotency-key': random.uuid(), 'idempotency-replayed': replayed ?? 'false' },
          };
    default:
      return answer;
  }
}

/** Ends as cancelled when the terminal aborts it, unless something else ends it before. */
function untilCancelled(
  { signal }: HttpRequest,
  start: (resolve: (outcome: Outcome) => void) => void = () => undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => {
      resolve(fail({ kind: 'cancelled' }));
    });
    start(resolve);
  });
}

/** A request on its way, and how it ends for the terminal. */
interface Journey {
  readonly sender: Sender;
  readonly request: HttpRequest;
  readonly wire: WireRequest;
  readonly exchange: Exchange;
  readonly fate: Fate | 'fine';
  readonly latencyMs: NetworkConditions['latencyMs'];
  readonly end: (outcome: Outcome) => void;
}

/** Lets requests meet their fates. */
function createCarrier(
  world: World,
  random: SeededRandom,
  trace: Trace,
  platform: Platform,
): (journey: Journey) => void {
  const [refusals, gateway] = [random.fork('refusals'), random.fork('gateway')];

  return ({ sender, request, wire, exchange, fate, latencyMs: [low, high], end }) => {
    const latencyMs = (): number => (random.chance(0.02) ? random.integer(high, 25_000) : random.integer(low, high));
    const arriveAfter = (delayMs: number, then: (answer: WireAnswer) => void, copy: 'first' | 'second'): void => {
      const survives = random.chance(0.5) || fate === 'late';
      world.after(delayMs, () => {
        const isGivenUp = exchange.endedAtMs !== null || !sender.isAlive();
        if (isGivenUp && copy === 'first' && !survives) {
          return;
        }
        const give = (answer: WireAnswer): void => {
          exchange.answeredWith = answer.status === 200 ? 200 : (exchange.answeredWith ?? answer.status);
          trace.add(`arrive #${String(exchange.number)}${copy === 'second' ? ' again' : ''} ${String(answer.status)}`);
          then(answer);
        };
        const answer = platform.answer(wire, copy === 'second');
        if (answer instanceof Promise) {
          void answer.then(give);
        } else {
          give(answer);
        }
      });
    };
    const breakAfter = (delayMs: number): void => {
      sender.after(delayMs, () => {
        end(fail({ kind: random.pick(['unreachable', 'unreachable', 'tlsRejected'] as const) }));
      });
    };
    const answerAfter = (answer: WireAnswer, delayMs: number): void => {
      sender.after(delayMs, () => {
        const isTooLarge = answer.body.length > request.maxBytes;
        end(isTooLarge ? fail({ kind: 'answerTooLarge' }) : succeed(onTheWayBack(random, fate, answer)));
      });
    };

    const upMs = Math.ceil(latencyMs() * random.fraction()) + 1;
    const downMs = latencyMs();
    switch (fate) {
      case 'hangBefore':
        break;
      case 'lostBefore':
        breakAfter(upMs);
        break;
      case 'portal':
      case 'proxyBefore': {
        const foreignPage = fate === 'portal' ? portalPage : proxyPage;
        const isToken = exchange.path === '/oauth/token';
        const isRefused = isToken ? refusals.chance(0.6) : gateway.chance(0.25);
        const refusal = isToken ? () => refusals.pick(foreignRefusals) : () => gateway.pick(gatewayRefusals);
        answerAfter(isRefused ? refusal() : foreignPage(random), upMs);
        break;
      }
      case 'hangAfter':
        arriveAfter(random.integer(1, request.timeoutMs - 1), () => undefined, 'first');
        break;
      case 'late': {
        const releaseMs = releaseEveryMs - (world.nowMs() % releaseEveryMs);
        arriveAfter(releaseMs + random.integer(1, maxReleaseMs), () => undefined, 'first');
        break;
      }
      case 'lostAfter':
        arriveAfter(upMs, () => breakAfter(downMs), 'first');
        break;
      case 'twice':
        arriveAfter(upMs, (answer) => answerAfter(answer, downMs), 'first');
        arriveAfter(upMs + random.integer(1, 3000), () => undefined, 'second');
        break;
      default:
        arriveAfter(upMs, (answer) => answerAfter(answer, downMs), 'first');
    }
  };
}

export function createNetwork(world: World, random: SeededRandom, trace: Trace, platform: Platform): Network {
  const exchanges: Exchange[] = [];
  const refusals: Refusal[] = [];
  const carry = createCarrier(world, random, trace, platform);

  function exchangeOf(sender: Sender, { method, url, headers, body }: WireRequest): Exchange {
    const { pathname: path, searchParams } = new URL(url);
    const isToken = path === '/oauth/token';
    const key = headers['idempotency-key'] ?? null;
    return {
      number: exchanges.length,
      life: sender.life,
      sentAtMs: world.nowMs(),
      method,
      path,
      isOfTerm: searchParams.has('term'),
      key: isToken ? null : key,
      tokenKey: isToken ? key : null,
      body,
      isRefresh: isToken && body.includes('"refresh_token"'),
      authorization: headers['authorization'] ?? null,
      email: platform.tokens.ownerOf(headers['authorization']),
      client: platform.tokens.clientOf(headers['authorization']),
      companyId: headers['service-company-id'] ?? null,
      answeredWith: null,
      endedAtMs: null,
      outcome: null,
    };
  }

  /** How an exchange ends for the terminal: once, and only while its process lives. */
  function endOf(exchange: Exchange, sender: Sender, resolve: (outcome: Outcome) => void): (outcome: Outcome) => void {
    return (outcome) => {
      if (exchange.endedAtMs !== null || !sender.isAlive()) {
        return;
      }
      // A connection does not outlast the machine's sleep.
      const result =
        outcome.ok && sender.sleptSince(exchange.sentAtMs)
          ? fail({ kind: 'unreachable' as const, message: 'the machine slept' })
          : outcome;
      exchange.endedAtMs = world.nowMs();
      exchange.outcome = result;
      trace.add(`got #${String(exchange.number)} ${result.ok ? String(result.value.status) : result.failure.kind}`);
      resolve(result);
    };
  }

  function send(sender: Sender, request: HttpRequest): Promise<Outcome> {
    const { conditions } = network;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const wire: WireRequest = { method: request.method, url: request.url, headers, body: request.body ?? '' };
    const exchange = exchangeOf(sender, wire);
    const fate = drawFate(random, conditions);
    if (fate === 'refused') {
      return untilCancelled(request, (resolve) => {
        sender.after(random.integer(1, 200), () => {
          refusals.push({ life: sender.life, key: exchange.key, sentAtMs: exchange.sentAtMs, atMs: world.nowMs() });
          resolve(fail({ kind: 'unreachable', message: 'no connection' }));
        });
      });
    }
    const refusal = request.onLeaving?.() ?? null;
    if (refusal !== null) {
      return Promise.resolve(fail(refusal));
    }
    if (!sender.isAlive()) {
      // It died before the first byte left.
      return untilCancelled(request);
    }
    exchanges.push(exchange);
    const key = exchange.key === null ? '' : ` key ${exchange.key.slice(0, 8)}`;
    const path = exchange.path.replace('/api/v3', '');
    trace.add(`send #${String(exchange.number)} ${exchange.method} ${path}${key} ${fate}`);

    const ended = new Promise<Outcome>((resolve) => {
      const end = endOf(exchange, sender, resolve);
      const cancel = (): void => {
        const settle = sender.isAlive() ? end : resolve;
        settle(fail({ kind: 'cancelled' }));
      };
      if (request.signal?.aborted === true) {
        cancel();
        return;
      }
      request.signal?.addEventListener('abort', cancel, { once: true });
      sender.after(request.timeoutMs, () => {
        end(fail({ kind: 'timedOut' }));
      });
      carry({ sender, request, wire, exchange, fate, latencyMs: conditions.latencyMs, end });
    });
    network.watch(exchange, ended);
    return ended;
  }

  const network: Network = { exchanges, refusals, conditions: goodConditions, watch: () => undefined, send };
  return network;
}
