// The proof of what the queue's history tells: each attempt with its answer, for as long as a person chose, and a file
// that every program reads as it is meant.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { csvField } from '../../../app/domain/csv.ts';
import { exportText, type ExportedUpdate } from '../../../app/queue/export.ts';
import { maxAttemptsTold } from '../../../app/queue/history.ts';
import { limitsOf } from '../../../app/queue/limits.ts';
import type { ListedUpdate } from '../../../app/queue/rows.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { enqueue, keysOf, openShop, signed, silence, type Shop } from './queue-shop.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const newest = (shop: Shop): ListedUpdate => {
  const [row] = shop.store.history.list([], 0, 1).rows;
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
  shop.connection.report(null);
  await shop.clock.advance(minute);
  const [first, , last] = keysOf(shop);
  const attempts = shop.store.history.attemptsOf(newest(shop).id);
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
  expect(shop.store.history.attemptsOf(newest(shop).id)[0]?.isReplayed).toBe(expected);
});

test('an attempt under way, and one that the app did not live to see answered, are told as such', async () => {
  const shop = await openShop();
  let answer: () => void = () => undefined;
  shop.replies.push((sending) => new Promise((resolve) => (answer = () => resolve(signed(204)(sending)))));
  await enqueue(shop, '1');
  expect(shop.store.history.attemptsOf(newest(shop).id)).toMatchObject([{ outcome: 'underWay', settledAt: null }]);
  shop.store.begin(shop.clock.now());
  expect(shop.store.history.attemptsOf(newest(shop).id)).toMatchObject([{ outcome: 'abandoned' }]);
  answer();
  await settlePromises();
});

test('of very many attempts the newest are told', async () => {
  const shop = await openShop();
  shop.owner = null;
  const ownerId = shop.store.ownerId({ platform: 'p', companyId: '7' as Id, email: 'ana@example.com' });
  const now = shop.clock.now();
  shop.store.enqueueRestoration({ ownerId, userId: '703' as Id, now });
  const request = shop.store.seal(ownerId, 'key', now);
  for (let attempt = 0; attempt < maxAttemptsTold + 5; attempt += 1) {
    shop.store.beginAttempt(request?.id ?? 0, now + attempt);
  }
  const attempts = shop.store.history.attemptsOf(newest(shop).id);
  expect(attempts).toHaveLength(maxAttemptsTold);
  expect(attempts.at(-1)?.sentAt).toBe(now + maxAttemptsTold + 4);
});

test('what is over is forgotten after the chosen days, with its attempts, while the app runs; what is open is not', async () => {
  const shop = await openShop();
  shop.limits = limitsOf({ historyDays: 3, askAfterHours: 0 });
  await enqueue(shop, '1');
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '2');
  await shop.clock.advance(2 * day);
  shop.queue.resume();
  await settlePromises();
  expect(shop.store.history.list([], 0, 10).total).toBe(2);
  await shop.clock.advance(1.5 * day);
  shop.queue.resume();
  await settlePromises();
  expect(shop.store.history.list([], 0, 10).rows).toMatchObject([{ subject_id: '2', state: 'pending' }]);
  shop.connection.report(null);
  await settlePromises();
  expect(shop.database.prepare('SELECT count(*) AS total FROM sealings').get()).toEqual({ total: 1 });
});

test('a long history is forgotten a part at a time', async () => {
  const shop = await openShop();
  shop.owner = null;
  const ownerId = shop.store.ownerId({ platform: 'p', companyId: '7' as Id, email: 'ana@example.com' });
  const now = shop.clock.now();
  shop.database.transaction(() => {
    for (let product = 1; product <= 1100; product += 1) {
      shop.store.enqueue({
        ownerId,
        productId: String(product) as Id,
        isEnabled: true,
        seen: false,
        isSeenFresh: true,
        now,
      });
    }
    for (const row of shop.store.history.list([], 0, 1100).rows) {
      shop.store.discard(row.id, now);
    }
  });
  await shop.clock.advance(40 * day);
  const later = shop.clock.now();
  expect([shop.store.tidy(later), shop.store.tidy(later), shop.store.tidy(later)]).toEqual([true, true, false]);
  expect(shop.store.history.list([], 0, 1).total).toBe(0);
});

test('pages of the history go on where the last one ended, oldest first', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  for (const product of ['1', '2', '3']) {
    await enqueue(shop, product);
  }
  const first = shop.store.history.page(0, 2);
  expect(first.map((row) => row.subject_id)).toEqual(['1', '2']);
  expect(shop.store.history.page(first.at(-1)?.id ?? 0, 2).map((row) => row.subject_id)).toEqual(['3']);
});

// ---- The file ----------------------------------------------------------------------------------------------------

function exported(more: Partial<ListedUpdate> = {}, name: string | null = 'Café moído, 500 g'): ExportedUpdate {
  const row: ListedUpdate = {
    id: 1,
    owner_id: 1,
    kind: 'coupon',
    subject_id: '9007199254740993' as Id,
    is_enabled: 1,
    seen: 0,
    created_at: Date.UTC(2025, 5, 1),
    changed_at: Date.UTC(2025, 5, 2),
    state: 'delivered',
    request_id: 1,
    split_group: 0,
    checked_steady_ms: null,
    attempts: 2,
    failure: null,
    parked_because: null,
    theirs: null,
    is_in_doubt: 0,
    is_age_approved: 0,
    checksum: 'made up',
    name: null,
    platform: 'https://platform.example.com',
    email: 'ana@example.com',
    company_id: '7' as Id,
    ...more,
  };
  const attempt = { settledAt: Date.UTC(2025, 5, 2), key: 'key-1', code: null, isReplayed: null, failure: null };
  return {
    row,
    name,
    attempts: [
      { ...attempt, sentAt: Date.UTC(2025, 5, 1, 12), outcome: 'noAnswer', status: null, failure: 'timedOut' },
      { ...attempt, sentAt: Date.UTC(2025, 5, 2), key: 'key-2', outcome: 'answered', status: 204, isReplayed: true },
    ],
  };
}

/** A reader of RFC 4180 that knows nothing of the writer. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  let field = '';
  let isQuoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const sign = text[place] ?? '';
    if (isQuoted) {
      if (sign !== '"') {
        field += sign;
      } else if (text[place + 1] === '"') {
        field += '"';
        place += 1;
      } else {
        isQuoted = false;
      }
    } else if (sign === '"') {
      isQuoted = true;
    } else if (sign === ',' || (sign === '\r' && text[place + 1] === '\n')) {
      lines.at(-1)?.push(field);
      field = '';
      if (sign === '\r') {
        lines.push([]);
        place += 1;
      }
    } else {
      field += sign;
    }
  }
  return lines.slice(0, -1);
}

test('CSV begins with a byte order mark and its column names, and holds who, what, when, key, attempts and answers', () => {
  const text = exportText('csv', [exported()], { isFirst: true, isLast: true });
  expect(text.startsWith('\uFEFFupdate,kind,')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  const [names = [], values = []] = parseCsv(text.slice(1));
  expect(Object.fromEntries(names.map((name, place) => [name, values[place]]))).toEqual({
    update: '1',
    kind: 'coupon',
    subjectId: '9007199254740993',
    subjectName: 'Café moído, 500 g',
    asksFor: 'on',
    madeBy: 'ana@example.com',
    companyId: '7',
    madeAt: '2025-06-01T00:00:00.000Z',
    standing: 'delivered',
    parkedBecause: '',
    deliveredAt: '2025-06-02T00:00:00.000Z',
    changedAt: '2025-06-02T00:00:00.000Z',
    attemptCount: '2',
    lastKey: 'key-2',
    answers: '2025-06-01T12:00:00.000Z noAnswer timedOut; 2025-06-02T00:00:00.000Z 204 replayed',
  });
});

test.each(['=HYPERLINK("http://example.com")', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
  'a name that would be a formula stays a text: %j',
  (name) => {
    const [, values = []] = parseCsv(exportText('csv', [exported({}, name)], { isFirst: true, isLast: true }).slice(1));
    expect(values[3]).toBe(`'${name}`);
  },
);

test('any text comes back from CSV as it went in, but for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }), (texts) => {
      const [line = []] = parseCsv(`${texts.map(csvField).join(',')}\r\n`);
      expect(line).toEqual(
        texts.map((text) => (/^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text)),
      );
    }),
    { seed: 1 },
  );
});

test('the pages of a file one after the other are the file', () => {
  const updates = [
    exported({ id: 1 }),
    exported(
      { id: 2, kind: 'restoreUser', subject_id: '703' as Id, state: 'parked', parked_because: 'maybeDone' },
      null,
    ),
    exported({ id: 3 }),
  ];
  for (const format of ['csv', 'json'] as const) {
    const whole = exportText(format, updates, { isFirst: true, isLast: true });
    const pages = updates.map((update, place) =>
      exportText(format, [update], { isFirst: place === 0, isLast: place === 2 }),
    );
    expect(pages.join('')).toBe(whole);
  }
  const { updates: read } = JSON.parse(exportText('json', updates, { isFirst: true, isLast: true })) as {
    updates: unknown[];
  };
  expect(read).toMatchObject([
    { update: 1, subjectId: '9007199254740993' },
    { kind: 'restoreUser', asksFor: 'restore', standing: 'parked', parkedBecause: 'maybeDone', deliveredAt: null },
    { attempts: [{ key: 'key-1' }, { key: 'key-2', status: 204 }] },
  ]);
});

test('an empty history is a file without rows', () => {
  expect(JSON.parse(exportText('json', [], { isFirst: true, isLast: true }))).toEqual({ updates: [] });
  expect(parseCsv(exportText('csv', [], { isFirst: true, isLast: true }).slice(1))).toHaveLength(1);
});
