// The proof of what the queue's history tells: each attempt with its answer, for as long as a person chose.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { maxAttemptsShown } from '../../../app/queue/history.ts';
import { limitsOf } from '../../../app/queue/repository.ts';
import type { ListedUpdate } from '../../../app/queue/rows.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { enqueue, keysOf, openShop, signed, silence, type Shop } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';
import { asking } from './repository-rows.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const newest = (shop: Shop): ListedUpdate => {
  const [row] = shop.repository.history.list([], 0, 1).rows;
  if (row === undefined) {
    throw new Error('the queue is empty');
  }
  return row;
};

test('every attempt is told with its time, key and answer, across several requests', async () => {
  const shop = await openShop();
  const start = shop.clock.now();
  shop.replies.push(
    silence,
    signed(500, '{"code":"internal_server_error"}', { 'idempotency-replayed': 'False' }),
    signed(204, '', { 'idempotency-replayed': 'TRUE' }),
  );
  await enqueue(shop, '1');
  await shop.clock.advance(minute);
  endCall(shop.connection, null);
  await shop.clock.advance(minute);
  const [first, , last] = keysOf(shop);
  const attempts = shop.repository.history.attemptsOf(newest(shop).id);
  expect(attempts).toMatchObject([
    { sentAt: start, key: first, outcome: 'noAnswer', status: null, failure: 'timedOut', isReplayed: null },
    {
      key: first,
      outcome: 'answered',
      status: 500,
      code: 'internal_server_error',
      failure: 'platformFailed',
      isReplayed: false,
    },
    { key: last, outcome: 'answered', status: 204, code: null, failure: null, isReplayed: true },
  ]);
  expect(attempts.every(({ sentAt, settledAt }) => settledAt !== null && settledAt >= sentAt)).toBe(true);
});

test.each([
  ['', null],
  ['maybe', null],
  ['"true", "true"', true],
  ['1', true],
  ['0', false],
])('"Idempotency-Replayed: %s" is read as %s', async (value, expected) => {
  const shop = await openShop();
  shop.replies.push(signed(204, '', { 'idempotency-replayed': value }));
  await enqueue(shop, '1');
  expect(shop.repository.history.attemptsOf(newest(shop).id)[0]?.isReplayed).toBe(expected);
});

test('an attempt under way, and one that the app did not live to see answered, are told as such', async () => {
  const shop = await openShop();
  let answer: () => void = () => undefined;
  shop.replies.push((sending) => new Promise((resolve) => (answer = () => resolve(signed(204)(sending)))));
  await enqueue(shop, '1');
  expect(shop.repository.history.attemptsOf(newest(shop).id)).toMatchObject([{ outcome: 'underWay', settledAt: null }]);
  shop.repository.begin(shop.clock.now());
  expect(shop.repository.history.attemptsOf(newest(shop).id)).toMatchObject([{ outcome: 'abandoned' }]);
  answer();
  await settlePromises();
});

test('of very many attempts the newest are told', async () => {
  const shop = await openShop();
  shop.owner = null;
  const ownerId = shop.repository.ownerId({ platform: 'p', companyId: '7' as Id, email: 'ana@example.com' });
  const now = shop.clock.now();
  shop.repository.enqueueRestoration({ ownerId, userId: '703' as Id, now });
  const request = shop.repository.seal(ownerId, 'key', now);
  for (let attempt = 0; attempt < maxAttemptsShown + 5; attempt += 1) {
    shop.repository.beginAttempt(request?.id ?? 0, now + attempt);
  }
  const attempts = shop.repository.history.attemptsOf(newest(shop).id);
  expect(attempts).toHaveLength(maxAttemptsShown);
  expect(attempts.at(-1)?.sentAt).toBe(now + maxAttemptsShown + 4);
});

test('what is over is forgotten with its attempts after the chosen days, while the app runs', async () => {
  const shop = await openShop();
  shop.limits = limitsOf({ historyDays: 3, askAfterHours: 0 });
  await enqueue(shop, '1');
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '2');
  await shop.clock.advance(2 * day);
  shop.queue.resume();
  await settlePromises();
  expect(shop.repository.history.list([], 0, 10).total).toBe(2);
  await shop.clock.advance(1.5 * day);
  shop.queue.resume();
  await settlePromises();
  expect(shop.repository.history.list([], 0, 10).rows).toMatchObject([{ subject_id: '2', state: 'pending' }]);
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.database.prepare('SELECT count(*) AS total FROM sealings').get()).toEqual({ total: 1 });
});

test('a long history is forgotten a part at a time', async () => {
  const shop = await openShop();
  shop.owner = null;
  const ownerId = shop.repository.ownerId({ platform: 'p', companyId: '7' as Id, email: 'ana@example.com' });
  const now = shop.clock.now();
  shop.database.transaction(() => {
    for (let product = 1; product <= 1100; product += 1) {
      shop.repository.enqueue(asking(ownerId, String(product), { now }));
    }
    for (const row of shop.repository.history.list([], 0, 1100).rows) {
      shop.repository.discard(row.id, now);
    }
  });
  await shop.clock.advance(40 * day);
  const later = shop.clock.now();
  expect([shop.repository.tidy(later), shop.repository.tidy(later), shop.repository.tidy(later)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(shop.repository.history.list([], 0, 1).total).toBe(0);
});

test('pages of the history go on where the last one ended, oldest first', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  for (const product of ['1', '2', '3']) {
    await enqueue(shop, product);
  }
  const first = shop.repository.history.page(0, 2);
  expect(first.map((row) => row.subject_id)).toEqual(['1', '2']);
  expect(shop.repository.history.page(first.at(-1)?.id ?? 0, 2).map((row) => row.subject_id)).toEqual(['3']);
});
