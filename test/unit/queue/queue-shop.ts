import { expect } from 'vitest';
import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { documentedRules } from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { ownTurns } from '../../../app/rate-limit/turns.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { CallOptions, CouponSetting, Sending, TokenSource } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import type { HttpResponse } from '../../../app/ports.ts';
import { startQueue, type Queue } from '../../../app/queue/queue.ts';
import { defaultLimits, openQueueRepository, type QueueLimits } from '../../../app/queue/repository.ts';
import type { Sender } from '../../../app/queue/queue-ports.ts';
import type { Owner } from '../../../app/queue/rows.ts';
import { openSteadyTime } from '../../../app/queue/steady-time.ts';
import { createManualClock, settlePromises, type ManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import type { AccessToken } from '../../../app/platform/access-token.ts';
import { endCall } from '../../support/way.ts';

export const ana: Owner = { platform: 'https://platform.example.com', companyId: '7' as Id, email: 'ana@example.com' };
export const bia: Owner = { ...ana, email: 'bia@example.com' };

type Answer = Result<HttpResponse, Failure>;
type Reading = Result<readonly CouponSetting[], Failure>;
/** With the token's text alone. */
export type Sent = Omit<Sending, 'accessToken'> & { readonly accessToken: string };
export type Reply = (sending: Sending) => Answer | Promise<Answer>;

/** An answer of the platform itself, with the echo. */
export function signed(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply {
  return ({ idempotencyKey }) => succeed({ status, headers: { 'idempotency-key': idempotencyKey, ...headers }, body });
}

/** An answer without the echo. */
export function unsigned(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply {
  return () => succeed({ status, headers, body });
}

export const silence: Reply = () => fail({ kind: 'timedOut' });
export const lost: Reply = () => fail({ kind: 'unreachable' });

export interface Shop {
  readonly clock: ManualClock;
  readonly queue: Queue;
  readonly rateLimit: RateLimit;
  readonly connection: ReturnType<typeof createConnection>;
  readonly repository: ReturnType<typeof openQueueRepository>;
  readonly database: Awaited<ReturnType<typeof openQueueDatabase>>;
  readonly directory: string;
  /** The sent requests, in order. */
  readonly sent: Sent[];
  /** Answers to come; when none is left, the platform says 204. */
  readonly replies: Reply[];
  /** Answers to readings to come; when none is left, an empty list. */
  readonly readings: (Reading | Promise<Reading> | ((options: CallOptions) => Promise<Reading>))[];
  readonly counts: { reads: number; renewals: number };
  readonly slowDowns: (number | undefined)[];
  limits: QueueLimits;
  owner: Owner | null;
  /** Whose sign-in is kept beside. */
  kept: Sender[];
  token: Result<string, Failure>;
  /** Until which uptime nothing is to be sent (Q15). */
  waitsUntilMs: number;
  /** The answer to a renewal; a new token by default. */
  renewal: Result<string, Failure> | null;
  stop(): void;
}

export async function openShop(
  directory = temporaryDirectory(),
  clock = createManualClock(),
  rules = documentedRules,
  isCalm = false,
  turns = ownTurns,
): Promise<Shop> {
  const database = await openQueueDatabase(directory);
  const rateLimit = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'), () => rules, turns);
  const connection = createConnection({ clock, random: { uuid: () => '', fraction: () => 0.5 } }, () => undefined);
  endCall(connection, null);
  let uuid = Math.floor(clock.uptimeMs());
  const shop: Omit<Shop, 'queue' | 'repository'> & { queue?: Queue; repository?: Shop['repository'] } = {
    clock,
    rateLimit,
    connection,
    database,
    directory,
    sent: [],
    replies: [],
    readings: [],
    slowDowns: [],
    counts: { reads: 0, renewals: 0 },
    limits: defaultLimits,
    owner: ana,
    kept: [],
    token: succeed('token-0'),
    waitsUntilMs: 0,
    renewal: null,
    stop: () => {
      database.close();
    },
  };
  const ofUser = (token: Result<string, Failure>): Result<AccessToken, Failure> =>
    token.ok ? succeed({ text: token.value, user: shop.owner?.email ?? '' }) : token;
  const atScreen: TokenSource = {
    user: () => shop.owner?.email ?? null,
    accessToken: () => Promise.resolve(ofUser(shop.token)),
    renew: () => {
      shop.counts.renewals += 1;
      const renewed = shop.renewal ?? succeed(`token-${shop.counts.renewals}`);
      shop.token = renewed;
      return Promise.resolve(ofUser(renewed));
    },
  };
  const repository = openQueueRepository(
    database,
    openCouponRepository(database).confirm,
    () => shop.limits,
    () => rules.windowMs,
    undefined,
    openSteadyTime(database, clock),
  );
  const queue = startQueue({
    clock,
    random: { uuid: () => `${(uuid += 1)}`, fraction: () => 0.5 },
    repository: repository,
    rateLimit: {
      ...rateLimit,
      slowDown: (retryAfterMs) => {
        shop.slowDowns.push(retryAfterMs);
        rateLimit.slowDown(retryAfterMs);
      },
    },
    client: {
      listCouponSettings: async (_query, options) => {
        shop.counts.reads += 1;
        const next = shop.readings.shift() ?? succeed([]);
        const reading = await (typeof next === 'function' ? next(options) : next);
        endCall(connection, reading.ok ? null : reading.failure);
        return reading;
      },
      write: async (sending) => {
        shop.sent.push({ ...sending, accessToken: sending.accessToken.text });
        sending.slot.leave();
        const answer = await (shop.replies.shift() ?? signed(204))(sending);
        if (!answer.ok) {
          sending.slot.abandon();
          endCall(connection, answer.failure);
          return answer;
        }
        const { status } = answer.value;
        sending.slot.settle();
        endCall(connection, status < 300 ? null : { kind: 'refused', status });
        return answer;
      },
    },
    connection,
    shop: ana,
    owner: () => shop.owner,
    senders: () => [
      ...(shop.owner === null ? [] : [{ owner: shop.owner, tokens: atScreen, isStuck: false }]),
      ...shop.kept,
    ],
    settingsRead: () => Promise.resolve(),
    isCalm,
    waitsMs: () => shop.waitsUntilMs - clock.uptimeMs(),
    log: () => undefined,
  });
  return Object.assign(shop, { repository, queue });
}

export async function enqueue(shop: Shop, product: string, isEnabled = true): Promise<void> {
  expect(shop.queue.enqueue(product as Id, isEnabled, !isEnabled)).toEqual({ ok: true, value: undefined });
  await settlePromises();
}

export function keysOf(shop: Shop): string[] {
  return shop.sent.map((sending) => sending.idempotencyKey);
}
