import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import type { Lane } from '../../../app/rate-limit/lanes.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createPlatformClient, type PlatformClient } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createExchange } from '../../../app/platform/exchange.ts';
import type { Clock, Http } from '../../../app/ports.ts';
import { createMemoryLog } from '../memory-log.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';
import type { SharedAccount } from './shared-account.ts';

export interface Scan {
  readonly atMs: number;
  /** From the scan until its question left; null when it never did. */
  leftAfterMs: number | null;
  /** From the scan until its live figure, less the way there and back; null when none came. */
  answeredAfterMs: number | null;
}

/** Anything that does a terminal's work at an account. */
export interface SharingTerminal {
  readonly scans: readonly Scan[];
  /** No more work from now on. */
  stop(): void;
}

export interface TerminalWorld {
  readonly world: World;
  readonly account: SharedAccount;
  readonly random: SeededRandom;
  readonly number: number;
  /** Between two scans, on average; null: nobody scans. */
  readonly scanGapMs: number | null;
  /** How many terminals there are, where the policy is given that. */
  readonly terminals: number;
}

const firstRetryMs = 5_000;
const maxRetryMs = 300_000;
const page = '{"data":{"stock_products":[]},"meta":{"current_page":1,"last_page":1,"per_page":100,"total":0}}';
const balance =
  '{"stock":{"id":1,"name":"Shop"},"product":{"id":1,"name":"Product","sku":"1","unit_of_measure":{}},"balance":1,"balance_options":[]}';

/** The way there or back. */
export function wayMs(random: SeededRandom): number {
  return random.integer(50, 200);
}

/**
 * Has a cashier scan at this terminal until it is stopped; `ask` resolves when the live figure has come, or has not.
 */
export function scanNowAndThen(
  { world, random, scanGapMs }: TerminalWorld,
  scans: Scan[],
  isOver: () => boolean,
  ask: (scan: Scan) => Promise<boolean>,
): void {
  const chance = random.fork('scans');
  const next = (): void => {
    if (scanGapMs === null) {
      return;
    }
    world.after(chance.waitMs(scanGapMs), () => {
      if (isOver()) {
        return;
      }
      const scan: Scan = { atMs: world.nowMs(), leftAfterMs: null, answeredAfterMs: null };
      scans.push(scan);
      void ask(scan).then((isAnswered) => {
        scan.answeredAfterMs = isAnswered ? world.nowMs() - scan.atMs : null;
      });
      next();
    });
  };
  next();
}

/** The rate limit of one terminal that knows nothing of the others. */
function openAlone(clock: Clock): RateLimit {
  return openRateLimit(clock, createMemoryLog());
}

/** The clock of a terminal in such a world. */
export function clockOf(world: World): Clock {
  return {
    now: () => Date.UTC(2031, 0, 6) + world.nowMs(),
    uptimeMs: () => world.nowMs() + 1e9,
    after: (delayMs, callback) => world.after(delayMs, callback),
  };
}

/**
 * The app's own client of the account; `answer` is what the platform says to an address when it does not refuse, and
 * `onWay` hears how long the way there and back takes.
 */
export function openClient(
  { world, account, random, number }: Omit<TerminalWorld, 'scanGapMs' | 'terminals'>,
  rateLimit: RateLimit,
  answer: (url: string) => string,
  onWay: (tookMs: number) => void = () => undefined,
): PlatformClient {
  const clock = clockOf(world);
  const ways = random.fork('ways');
  const http: Http = {
    send: ({ url }) =>
      new Promise((resolve) => {
        const [there, back] = [wayMs(ways), wayMs(ways)];
        onWay(there + back);
        world.after(there, () => {
          const refusal = account.arrive(number);
          world.after(back, () => {
            const headers: Record<string, string> =
              refusal?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) };
            resolve(
              succeed(
                refusal === null
                  ? { status: 200, headers: {}, body: answer(url) }
                  : { status: 429, headers, body: '{"code":"too_many_requests"}' },
              ),
            );
          });
        });
      }),
  };
  const connection = createConnection({ clock, random }, () => undefined);
  const exchange = createExchange(http, 'https://platform.example.com', connection, new AbortController().signal, () =>
    clock.now(),
  );
  const token = (): ReturnType<Parameters<typeof createPlatformClient>[0]['tokens']['accessToken']> =>
    Promise.resolve(succeed({ text: 'token', user: 'ana@example.com' }));
  return createPlatformClient({
    exchange,
    rateLimit,
    tokens: { user: () => 'ana@example.com', accessToken: token, renew: token },
    companyId: '1' as Id,
  });
}

/** Starts the app's own parts at an account, with a rate limit that is opened for it. */
export function startTerminal(setting: TerminalWorld, openLimit: typeof openAlone = openAlone): SharingTerminal {
  const { world, random } = setting;
  const rateLimit = openLimit(clockOf(world));
  const scans: Scan[] = [];
  const ending = new AbortController();
  let onTheWayMs = 0;
  const client = openClient(
    setting,
    rateLimit,
    (url) => (url.includes('balance') ? balance : page),
    (tookMs) => {
      onTheWayMs = tookMs;
    },
  );

  const rest = (forMs: number): Promise<void> =>
    new Promise((resolve) => {
      world.after(forMs, resolve);
    });

  /** As app/catalogue does: evenly, and after a failure with patience. */
  async function copy(): Promise<void> {
    const chance = random.fork('copy');
    let failures = 0;
    let dueMs = world.nowMs();
    for (let pageNumber = 1; !ending.signal.aborted; pageNumber += 1) {
      const { limit, reserve } = rateLimit.state();
      await rest(Math.max(0, dueMs - world.nowMs()));
      dueMs = Math.max(dueMs, world.nowMs() - 5_000) + 60_000 / Math.max(1, limit - reserve);
      const answer = await client.listStockProducts(
        { stockId: '1' as Id, page: pageNumber, perPage: 100 },
        { lane: 'catalogue' },
      );
      const isUnreported =
        !answer.ok && answer.failure.kind === 'tooManyRequests' && answer.failure.retryAfterMs === undefined;
      failures = answer.ok ? 0 : failures + (isUnreported ? 0 : 1);
      if (!answer.ok) {
        const patienceMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.max(0, failures - 1));
        const waitMs = patienceMs * (0.75 + chance.fraction() / 4);
        await rest(Math.max(waitMs, answer.failure.retryAfterMs ?? 0));
      }
    }
  }

  void copy();
  scanNowAndThen(
    setting,
    scans,
    () => ending.signal.aborted,
    async (scan) => {
      const wanted = new AbortController();
      const answer = await client.readBalance(
        { stockId: '1' as Id, productId: '1' as Id },
        { lane: 'person' satisfies Lane, whileWanted: wanted.signal },
      );
      scan.leftAfterMs = Math.max(0, world.nowMs() - scan.atMs - onTheWayMs);
      return answer.ok;
    },
  );
  return {
    scans,
    stop: () => {
      ending.abort();
      rateLimit.close();
    },
  };
}
