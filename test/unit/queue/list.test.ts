// The proof of how the queue's rows are narrowed down and counted, and of the table over them.
import { expect, test } from 'vitest';
import type { QueueQuery } from '../../../app/contract/queue.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createQueueTable } from '../../../app/queue/table.ts';
import { openQueueRepository } from '../../../app/queue/repository.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { asking } from './repository-rows.ts';

const start = Date.UTC(2025, 5, 1);
const shop = { platform: 'https://platform.example.com', companyId: '7' as Id };
const names = new Map([
  ['1', 'Coffee'],
  ['2', 'Cheese'],
  ['703', 'Corn'],
]);

async function open() {
  const database = await openQueueDatabase(temporaryDirectory());
  let named = names;
  const repository = openQueueRepository(
    database,
    openCouponRepository(database).confirm,
    undefined,
    undefined,
    (productId) => named.get(productId) ?? null,
  );
  const owners = ['ana@example.com', 'bia@example.com'].map((email) => repository.ownerId({ ...shop, email }));
  const [ana, bia] = owners as [number, number];
  const add = (ownerId: number, productId: string): void => {
    repository.enqueue(asking(ownerId, productId));
  };
  add(ana, '1');
  add(ana, '2');
  add(bia, '2');
  add(ana, '703');
  repository.enqueueRestoration({ ownerId: ana, userId: '703' as Id, now: start });
  repository.discard(2, start);
  const asked: string[] = [];
  let noticed = 0;
  const table = createQueueTable({
    clock: createManualClock(),
    shop,
    offsetMinutes: () => 0,
    senderIds: () => [ana],
    queue: {
      noticeRows: () => {
        noticed += 1;
      },
    },
    queueRepository: repository,
    catalogue: {
      products: (term) => {
        asked.push(term);
        const products = [...names]
          .filter(([, name]) => name.toLowerCase().startsWith(term.toLowerCase()))
          .map(([productId, name]) => ({ productId: productId as Id, name, code: null }));
        return Promise.resolve(succeed({ products, isCut: term === 'c' }));
      },
    },
    pause: () => Promise.resolve(true),
  });
  const list = async (
    query: Partial<QueueQuery>,
  ): Promise<{
    readonly ids: readonly number[];
    readonly counts: Record<string, number>;
    readonly total: number;
    readonly isCut: boolean;
  }> => {
    const page = await table.page({ statuses: [], ...query }, 0, 100);
    return { ids: page.rows.map(({ id }) => id), counts: page.counts, total: page.total, isCut: page.isCut };
  };
  /** An update that was made in another shop, whose products have other names. */
  const addElsewhere = (place: typeof shop, productId: string, name: string | null): void => {
    named = new Map(name === null ? [] : [[productId, name]]);
    add(repository.ownerId({ ...place, email: 'ana@example.com' }), productId);
    named = names;
  };
  return { database, repository, table, list, asked, noticed: () => noticed, addElsewhere };
}

test('every status is counted, whichever is listed', async () => {
  const { list } = await open();
  expect(await list({ statuses: ['discarded'] })).toEqual({
    ids: [2],
    total: 1,
    isCut: false,
    counts: { pending: 4, inFlight: 0, delivered: 0, parked: 0, superseded: 0, discarded: 1 },
  });
  expect((await list({})).ids).toEqual([5, 4, 3, 2, 1]);
});

test('a text finds products by name, and products and users by id; a user is not taken for a product', async () => {
  const { list, asked } = await open();
  expect((await list({ term: ' che ' })).ids).toEqual([3, 2]);
  expect(await list({ term: 'che', statuses: ['pending'] })).toMatchObject({
    ids: [3],
    total: 1,
    counts: { pending: 1, discarded: 1 },
  });
  expect((await list({ term: 'corn' })).ids).toEqual([4]);
  expect((await list({ term: '703' })).ids).toEqual([5, 4]);
  expect((await list({ term: 'nothing' })).ids).toEqual([]);
  expect(asked).toEqual(['che', 'corn', '703', 'nothing']);
});

test.each([
  ['another platform', { ...shop, platform: 'https://other.example.com' }],
  ['another company of the same platform', { ...shop, companyId: '8' as Id }],
])(
  'of %s, a text finds what its names were when it was made, and never by the names of this shop',
  async (_what, place) => {
    const { list, repository, addElsewhere } = await open();
    addElsewhere(place, '2', 'Dish soap 500 ml');
    addElsewhere(place, '1', null);
    expect(repository.history.list([], 0, 2).rows).toMatchObject([
      { id: 7, name: null, platform: place.platform, company_id: place.companyId },
      { id: 6, name: 'Dish soap 500 ml', platform: place.platform, company_id: place.companyId },
    ]);
    expect((await list({ term: 'che' })).ids).toEqual([3, 2]);
    expect((await list({ term: 'coffee' })).ids).toEqual([1]);
    expect(await list({ term: ' soap  dish', statuses: ['pending'] })).toMatchObject({
      ids: [6],
      total: 1,
      counts: { pending: 1 },
    });
    expect((await list({ term: 'soap powder' })).ids).toEqual([]);
    expect((await list({ term: '2' })).ids).toEqual([6, 3, 2]);
  },
);

test('of another shop, a text finds names as the search of the copy does', async () => {
  const { list, addElsewhere } = await open();
  addElsewhere({ ...shop, companyId: '8' as Id }, '2', 'AÇÚCAR Cristal, Piracicaba');
  for (const term of ['açúcar', 'acucar', 'cristal AÇU', 'ac\u0327u\u0301car', 'cristal \u200Epira']) {
    expect((await list({ term })).ids, term).toEqual([6]);
  }
});

test('while somebody searches, what comes from another shop is found, and what has gone is not', async () => {
  const { list, repository, addElsewhere, database } = await open();
  const found = async (term: string) => (await list({ term })).ids;
  const eight = { ...shop, companyId: '8' as Id };
  addElsewhere(eight, '2', 'Açúcar');
  expect(await found('acucar')).toEqual([6]);
  addElsewhere(shop, '1', 'Açúcar');
  addElsewhere(eight, '3', 'Açúcar mascavo');
  expect([await found('acucar'), await found('mascavo')]).toEqual([[8, 6], [8]]);
  database.exec('DELETE FROM updates WHERE id = 8');
  expect([await found('mascavo'), await found('acucar')]).toEqual([[], [6]]);
  addElsewhere(eight, '4', 'Mascavo');
  expect(await found('mascavo')).toEqual([9]);
  // To the other shop, this one is another.
  const subjects = { shop: eight, productIds: '[]', words: ['che'], id: null };
  expect(repository.history.list([], 0, 9, { subjects }).rows.map(({ id }) => id)).toEqual([3, 2]);
});

test('the name as it stood stays with an update, and a restoration has none', async () => {
  const { repository } = await open();
  expect(repository.history.page(0, 10).map(({ id, name }) => [id, name])).toEqual([
    [1, 'Coffee'],
    [2, 'Cheese'],
    [3, 'Cheese'],
    [4, 'Corn'],
    [5, null],
  ]);
  expect(repository.history.find(4)).toMatchObject({ name: 'Corn', email: 'ana@example.com', platform: shop.platform });
});

test('what was cut off is said; and names are asked for again when they may have changed', async () => {
  const { list, table, asked } = await open();
  expect((await list({ term: 'c' })).isCut).toBe(true);
  table.forgetNames();
  await list({ term: 'c' });
  expect(asked).toEqual(['c', 'c']);
});

test('an e-mail, or a part of it with its sign, finds what its user has asked for', async () => {
  const { list, asked } = await open();
  expect((await list({ term: 'BIA@' })).ids).toEqual([3]);
  expect((await list({ term: '@example.com', statuses: ['discarded'] })).ids).toEqual([2]);
  expect(asked).toEqual([]);
});

test('restorations are listed by themselves, from an index of their own', async () => {
  const { database, list, asked } = await open();
  expect((await list({ kind: 'restoreUser' })).ids).toEqual([5]);
  expect(await list({ kind: 'restoreUser', term: '703', statuses: ['pending'] })).toMatchObject({ ids: [5], total: 1 });
  expect((await list({ kind: 'coupon' })).ids).toEqual([4, 3, 2, 1]);
  expect(asked).toEqual([]);
  const plan = database
    .prepare<{ detail: string }>(
      "EXPLAIN QUERY PLAN SELECT id FROM updates WHERE kind = 'restoreUser' ORDER BY id DESC LIMIT 100",
    )
    .all()
    .map(({ detail }) => detail)
    .join(' ');
  expect(plan).toMatch(/USING COVERING INDEX updates_restorations/);
});

test('a text that fits many products looks each of them up, and never walks the rows', async () => {
  const { database } = await open();
  const narrowed =
    "((kind = 'coupon' AND subject_id IN (SELECT value FROM json_each(?)) AND owner_id IN (SELECT id FROM owners WHERE platform = ? AND company_id = ?)) OR subject_id = ?)";
  for (const states of ['', "AND +state IN ('pending')"]) {
    const plan = database
      .prepare<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT id FROM updates WHERE ${narrowed} ${states} ORDER BY id DESC LIMIT 100`,
      )
      .all('[]', shop.platform, shop.companyId, '1')
      .map(({ detail }) => detail)
      .join(' ');
    expect(plan).not.toMatch(/SCAN updates/);
  }
});

test('what can be acted upon is found by its place in the list', async () => {
  const { table } = await open();
  expect(await table.ids({ statuses: [] }, 0, 3)).toEqual({ total: 5, updateIds: [5, 4, 3] });
  expect(await table.ids({ statuses: [] }, 3, 2)).toEqual({ total: 5, updateIds: [1] });
});

test('what is done to the rows is told to the queue; a disk that fails is thrown', async () => {
  const { database, table, noticed } = await open();
  expect(table.discard([1, 3])).toEqual([1, 3]);
  expect(table.count([1, 4])).toMatchObject({ gone: 1, pending: 1 });
  expect(table.retry([4])).toEqual(0);
  expect(noticed()).toBe(2);
  database.exec('ALTER TABLE updates RENAME TO moved');
  expect(() => table.discard([4])).toThrow(StorageError);
  await expect(table.day()).rejects.toThrow(StorageError);
});
