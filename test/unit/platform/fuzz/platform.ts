import type { RateLimit } from '../../../../app/rate-limit/rate-limit.ts';
import { parseId, type Id } from '../../../../app/domain/int64.ts';
import { succeed } from '../../../../app/domain/result.ts';
import { createPlatformClient, type PlatformClient } from '../../../../app/platform/client.ts';
import { createConnection } from '../../../../app/platform/connection.ts';
import { createExchange, type Exchange } from '../../../../app/platform/exchange.ts';
import type { Http, HttpResponse } from '../../../../app/ports.ts';
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts';
import { spoil } from './mutator.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { tokenOf, tokenUser } from '../../../support/tokens.ts';
import { idleSlot } from '../../../support/idle-slot.ts';

export function id(text: string): Id {
  const parsed = parseId(text);
  if (parsed === null) {
    throw new Error(`${text} is no id`);
  }
  return parsed;
}

const types = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/html',
  'application/xml',
  '',
  'x'.repeat(5_000),
];
const waits = [
  '',
  '0',
  '7',
  '-1',
  'soon',
  '1e9',
  '9'.repeat(400),
  'Sun, 01 Jun 2025 10:00:30 GMT',
  '2025-06-01',
  '\u0000',
];
const dates = [
  'Sun, 01 Jun 2025 10:00:00 GMT',
  '',
  'yesterday',
  '0',
  '9'.repeat(40),
  'Sat, 01 Jan 275761 00:00:00 GMT',
];

/** Spoiled answers: mostly 200 with a spoiled document, sometimes any other status with a spoiled error. */
export function spoiledAnswer(
  random: SeededRandom,
  documents: readonly unknown[],
  errors: readonly unknown[],
): HttpResponse {
  const isError = random.chance(0.12);
  const headers: Record<string, string> = {
    'content-type': random.chance(0.9) ? 'application/json' : random.pick(types),
  };
  if (random.chance(0.1)) {
    headers['retry-after'] = random.pick(waits);
    headers['date'] = random.pick(dates);
  }
  if (random.chance(0.1)) {
    headers['idempotency-key'] = random.pick(['key', 'other', '', '"key", key']);
  }
  const status = isError
    ? random.pick([
        100,
        199,
        201,
        204,
        300,
        302,
        304,
        400,
        401,
        403,
        404,
        405,
        406,
        409,
        415,
        422,
        429,
        500,
        502,
        503,
        511,
        599,
        600,
        random.integer(0, 999),
      ])
    : 200;
  return { status, headers, body: spoil(random, random.pick(isError ? errors : documents)) };
}

export interface FuzzedPlatform {
  readonly client: PlatformClient;
  readonly exchange: Exchange;
  readonly rateLimit: Pick<RateLimit, 'take' | 'slowDown' | 'wantedFigures'>;
  readonly clock: ManualClock;
  /** The answer to the next requests, unless `answerTo` says otherwise. */
  answer: HttpResponse;
  answerTo: ((url: string) => HttpResponse) | null;
  /** Requests, slots and renewals since it was last set to 0. */
  steps: number;
  /** Slots that were taken and never settled or given back. */
  openSlots: number;
}

/** Opens one. */
export function openFuzzedPlatform(): FuzzedPlatform {
  const clock = createManualClock();
  const connection = createConnection({ clock, random: { uuid: () => '', fraction: () => 0.5 } }, () => undefined);
  const http: Http = {
    send: ({ url }) => {
      platform.steps += 1;
      return Promise.resolve(succeed(platform.answerTo?.(url) ?? platform.answer));
    },
  };
  const exchange = createExchange(http, 'https://platform.example.com', connection, new AbortController().signal, () =>
    clock.now(),
  );
  const rateLimit: FuzzedPlatform['rateLimit'] = {
    take: () => {
      platform.steps += 1;
      platform.openSlots += 1;
      const close = (): void => {
        platform.openSlots -= 1;
      };
      return Promise.resolve(succeed({ ...idleSlot, settle: close, giveBack: close }));
    },
    wantedFigures: () => [],
    slowDown: (retryAfterMs) => {
      if (retryAfterMs !== undefined && !(retryAfterMs >= 0 && Number.isFinite(retryAfterMs))) {
        throw new Error(`slowed down by ${retryAfterMs} ms`);
      }
    },
  };
  const tokens = {
    user: () => tokenUser,
    accessToken: () => Promise.resolve(succeed(tokenOf('token-0'))),
    renew: () => {
      platform.steps += 1;
      return Promise.resolve(succeed(tokenOf('token-1')));
    },
  };
  const client = createPlatformClient({ exchange, rateLimit, tokens, companyId: id('42') });
  const platform: FuzzedPlatform = {
    client,
    exchange,
    rateLimit,
    clock,
    answer: { status: 404, headers: {}, body: '' },
    answerTo: null,
    steps: 0,
    openSlots: 0,
  };
  return platform;
}
