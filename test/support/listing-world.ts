import { join } from 'node:path';
import { openRateLimit, type RateLimit } from '../../app/rate-limit/rate-limit.ts';
import { openSendLog } from '../../app/rate-limit/send-log.ts';
import { openCatalogue, type Catalogue } from '../../app/catalogue/catalogue.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import { readLayouts, defaultLayouts } from '../../app/domain/codes/scale-label.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { createPlatformClient } from '../../app/platform/client.ts';
import { createConnection } from '../../app/platform/connection.ts';
import { createExchange } from '../../app/platform/exchange.ts';
import type { Clock, Http, HttpRequest, HttpResponse } from '../../app/ports.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { createWorld, type World } from '../simulation/virtual-clock.ts';
import { tokenOf, tokenUser } from './tokens.ts';

const epochMs = Date.UTC(2031, 0, 6, 12);
const limit = 60;
const windowMs = 60_000;
/** Where the platform's fixed windows begin. */
const windowOffsetMs = 17_333;
export const listingUrl = 'https://platform.example.com';

/** How the platform reads its limit of 60 requests a minute (API v3 §8). */
export type LimitWindow = 'sliding' | 'fixed';

interface ListingPlatformOptions {
  readonly products: number;
  readonly limitWindow: LimitWindow;
  /** From sending to answer, for each request anew. */
  readonly latencyMs: () => number;
  /** The largest page that it grants; 100 by default (API v3 §8). */
  readonly largestPage?: number;
  /** The product at a place, as JSON. */
  readonly element?: (place: number) => string;
}

export interface ListingPlatform extends Http {
  /** Requests so far, refused ones too. */
  arrivals(): number;
  refused(): number;
  /** The most that arrived within any 60 s, and within any of the platform's own minutes. */
  maxSeen(): { readonly sliding: number; readonly fixed: number };
  /** Called when a request leaves the terminal. */
  onSend: (path: string) => void;
  /** Others on the same account send so many now. */
  crowd(requests: number): void;
}

/** Makes the platform. */
export function createListingPlatform(
  world: World,
  random: SeededRandom,
  options: ListingPlatformOptions,
): ListingPlatform {
  const {
    products,
    limitWindow,
    latencyMs,
    largestPage = 100,
    element = (place) =>
      `{"id":${1_000_000 + place},"code":"${String(place).padStart(7, '0')}","name":"Sample ${place}","balance":${place % 90}}`,
  } = options;
  let recent: number[] = [];
  let arrivals = 0;
  let refused = 0;
  let maxSliding = 0;
  const byMinute = new Map<number, number>();

  function minuteOf(timeMs: number): number {
    return Math.floor((timeMs + windowOffsetMs) / windowMs);
  }

  function count(): boolean {
    const nowMs = world.nowMs();
    recent = [...recent.filter((timeMs) => timeMs > nowMs - windowMs), nowMs];
    arrivals += 1;
    maxSliding = Math.max(maxSliding, recent.length);
    byMinute.set(minuteOf(nowMs), (byMinute.get(minuteOf(nowMs)) ?? 0) + 1);
    return (limitWindow === 'sliding' ? recent.length : (byMinute.get(minuteOf(nowMs)) ?? 0)) <= limit;
  }

  function reply(status: number, body: string): HttpResponse {
    return {
      status,
      headers: { 'content-type': 'application/json', date: new Date(epochMs + world.nowMs()).toUTCString() },
      body,
    };
  }

  function answer({ pathname, searchParams }: URL): HttpResponse {
    if (!count()) {
      refused += 1;
      return reply(429, '{"code":"too_many_requests"}');
    }
    const balance = /\/stocks\/(\d+)\/products\/(\d+)\/balance$/.exec(pathname);
    if (balance !== null) {
      return reply(
        200,
        `{"stock":{"id":${balance[1]},"name":"Sample"},"product":{"id":${balance[2]},"name":"Sample","sku":"1","unit_of_measure":{}},"balance":7,"balance_options":[]}`,
      );
    }
    const [page, perPage] = [
      Number(searchParams.get('page')),
      Math.min(largestPage, Number(searchParams.get('per_page'))),
    ];
    const ids = searchParams.get('product_ids')?.split(',');
    const total = searchParams.has('updated_from') ? 0 : (ids?.length ?? products);
    const shown = Array.from({ length: Math.max(0, Math.min(perPage, total - (page - 1) * perPage)) }, (_, place) =>
      element(ids === undefined ? (page - 1) * perPage + place : Number(ids[place]) - 1_000_000),
    );
    return reply(
      200,
      `{"data":{"stock_products":[${shown.join(',')}]},"meta":{"current_page":${page},"last_page":${Math.max(1, Math.ceil(total / perPage))},"per_page":${perPage},"total":${total}}}`,
    );
  }

  const platform: ListingPlatform = {
    arrivals: () => arrivals,
    refused: () => refused,
    maxSeen: () => ({ sliding: maxSliding, fixed: Math.max(0, ...byMinute.values()) }),
    onSend: () => undefined,
    crowd: (requests) => {
      for (let left = requests; left > 0; left -= 1) {
        count();
      }
    },
    send: (request: HttpRequest) =>
      new Promise<Result<HttpResponse, Failure>>((resolve) => {
        const url = new URL(request.url);
        platform.onSend(url.pathname);
        const refusal = request.onLeaving?.() ?? null;
        if (refusal !== null) {
          resolve(fail(refusal));
          return;
        }
        const tookMs = latencyMs();
        request.signal?.addEventListener(
          'abort',
          () => {
            resolve(fail({ kind: 'cancelled' }));
          },
          { once: true },
        );
        const upMs = Math.round(tookMs * random.fraction());
        world.after(upMs, () => {
          const response = answer(url);
          world.after(tookMs - upMs, () => {
            resolve(succeed(response));
          });
        });
      }),
  };
  return platform;
}

/** An id, as the terminal knows it. */
export function idOf(value: number): Id {
  const id = parseId(value);
  if (id === null) {
    throw new RangeError(String(value));
  }
  return id;
}

interface ListingWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly clock: Clock;
  readonly platform: ListingPlatform;
  readonly rateLimit: RateLimit;
  readonly catalogue: Catalogue;
  close(): void;
}

/**
 * Opens the terminal's catalogue before such a platform; its files go into this folder. Nothing is sent before
 * `catalogue.start`.
 */
export async function openListingWorld(
  directory: string,
  seed: string,
  options: ListingPlatformOptions & { readonly stockIds?: readonly Id[] },
): Promise<ListingWorld> {
  const world = createWorld();
  const random = createSeededRandom(seed);
  const clock: Clock = {
    now: () => epochMs + world.nowMs(),
    uptimeMs: () => 86_400_000 + world.nowMs(),
    after: (delayMs, callback) => world.after(delayMs, callback),
  };
  const platform = createListingPlatform(world, random.fork('platform'), options);
  const database = await Database.open(join(directory, 'queue.db'), { kind: 'precious', migrations: queueMigrations });
  const rateLimit = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'));
  const connection = createConnection({ clock, random }, () => undefined);
  const closing = new AbortController();
  const exchange = createExchange(platform, listingUrl, connection, closing.signal, () => clock.now());
  const tokens = {
    user: () => tokenUser,
    accessToken: () => Promise.resolve(succeed(tokenOf('access'))),
    renew: () => Promise.resolve(fail({ kind: 'signInNeeded' as const })),
  };
  const client = createPlatformClient({ exchange, rateLimit, tokens, companyId: idOf(7) });
  const catalogue = await openCatalogue({
    path: join(directory, 'catalogue.db'),
    fingerprint: listingUrl,
    stockIds: options.stockIds ?? [idOf(1)],
    clock,
    random,
    client,
    planning: {
      quietHours: () => ({ from: 22, to: 6 }),
      offsetMinutes: () => 0,
      perMinute: () => rateLimit.state().limit - rateLimit.state().reserve,
      forecastMs: (requests) => rateLimit.forecastMs(requests),
    },
    scaleLayouts: () => readLayouts(defaultLayouts),
    log: () => undefined,
    onRebuilt: () => undefined,
  });
  return {
    world,
    random,
    clock,
    platform,
    rateLimit,
    catalogue,
    close: () => {
      closing.abort();
      catalogue.close();
      connection.close();
      rateLimit.close();
      database.close();
    },
  };
}
