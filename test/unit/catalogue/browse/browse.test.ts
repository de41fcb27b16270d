// The proof of the stock table: whatever was written, renamed, counted and removed, every query answers what a plain
// reading of all products would, in the same order.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { codeOrderKey, levelOf, orderKey } from '../../../../app/catalogue/browse/order-keys.ts';
import { compactCode, wordsOf } from '../../../../app/catalogue/search/words.ts';
import { stockOrders } from '../../../../app/contract/limits/browse.ts';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import type { StockQuery } from '../../../../app/contract/browse.ts';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { dayMs, openShop, today, watchedPlaces, yesterday, type Shop } from './open-shop.ts';

const levels = { positive: 1, zero: 0, negative: -1 } as const;

interface Known {
  readonly stock: number;
  readonly productId: number;
  readonly code: string | null;
  readonly name: string;
  readonly balance: number | null;
  /** When its figure was asked for. */
  readonly asOf: number | null;
  readonly updatedAt: number;
  /** When it last ran out or came back. */
  readonly turnedAt: number | null;
  /** When its listing last changed. */
  readonly listedAt: number | null;
  /** In the order of their first writing, as the rows of the database are. */
  readonly born: number;
}

function fitsTerm({ name, code }: Known, term: string): boolean {
  const words = wordsOf(term);
  const own = wordsOf(`${name} ${code ?? ''}`);
  const fragment = compactCode(term);
  return (
    words.length > 0 &&
    (words.every((word) => own.some((one) => one.startsWith(word))) ||
      (fragment.length >= 3 && /\d/.test(fragment) && compactCode(code ?? '').includes(fragment)) ||
      code?.toLowerCase() === term.trim().toLowerCase())
  );
}

function turnedAt(before: Known | undefined, balance: number | null, at: number): number | null {
  const has = (amount: number | null | undefined): boolean | null =>
    amount === null || amount === undefined ? null : amount > 0;
  const [was, is] = [has(before?.balance), has(balance)];
  return was === null || is === null || was === is ? (before?.turnedAt ?? null) : at;
}

function isListed({ stock, productId, balance, turnedAt: at, listedAt }: Known, list: StockQuery['list']): boolean {
  if (list === 'ranOut' || list === 'cameBack') {
    return at !== null && at >= yesterday && (balance ?? 0) > 0 === (list === 'cameBack');
  }
  if (list === 'changedToday') {
    return listedAt !== null && listedAt >= today;
  }
  const place = { stockId: stock === 0 ? stockOne : stockTwo, productId: id(productId) };
  return list === 'all' || watchedPlaces[list].some((one) => isDeepStrictEqual(one, place));
}

/** The names that a query answers, in its order. */
function plainly(products: readonly Known[], query: StockQuery): readonly string[] {
  const stock = query.stockId === null ? null : [stockOne, stockTwo].indexOf(query.stockId);
  const sign = query.direction === 'asc' ? 1 : -1;
  const keys = new Map(
    products.map((product) => [
      product,
      Buffer.from(query.orderBy === 'code' ? codeOrderKey(product.code) : orderKey(product.name)),
    ]),
  );
  const keyOf = (product: Known): Buffer => keys.get(product) ?? Buffer.of();
  const ofBoth = query.orderBy === 'asOf' || query.orderBy === 'stock' ? 1 : sign;
  // What nobody knows comes last, whichever way.
  const known = (left: number | null, right: number | null): number =>
    left === null || right === null ? Number(left === null) - Number(right === null) : sign * (left - right);
  const first = (left: Known, right: Known): number => {
    switch (query.orderBy) {
      case 'balance':
        return known(left.balance, right.balance);
      case 'asOf':
        return known(left.asOf, right.asOf);
      case 'stock':
        return sign * (left.stock - right.stock);
      default:
        return 0;
    }
  };
  return products
    .filter((product) => stock === null || product.stock === stock)
    .filter((product) => isListed(product, query.list))
    .filter((product) => query.amount === 'all' || levelOf(product.balance) === levels[query.amount])
    .filter((product) => query.term.trim() === '' || fitsTerm(product, query.term))
    .filter((product) => query.productIds === null || query.productIds.includes(id(product.productId)))
    .filter((product) => query.updatedFrom === null || product.updatedAt >= query.updatedFrom)
    .toSorted(
      (left, right) =>
        first(left, right) ||
        ofBoth * Buffer.compare(keyOf(left), keyOf(right)) ||
        left.stock - right.stock ||
        ofBoth * (left.born - right.born),
    )
    .map((product) => product.name);
}

function elementOf({
  productId,
  code,
  name,
  balance,
}: Pick<Known, 'productId' | 'code' | 'name' | 'balance'>): unknown {
  return { id: productId, name, ...(code === null ? {} : { code }), ...(balance === null ? {} : { balance }) };
}

const amounts = fc.constantFrom(null, 0, 3, 0.5, -2);
const act = fc.record({
  kind: fc.constantFrom('save', 'save', 'save', 'count', 'remove'),
  stock: fc.constantFrom(0, 1),
  productId: fc.integer({ min: 1, max: 12 }),
  name: fc.constantFrom('Água', 'agua', 'Café 2', 'Café 10', 'cafe com leite', 'Pão', 'Zinco', 'É'),
  code: fc.constantFrom(null, 'A2', 'a10', '7-71', '007', 'Z'),
  balance: amounts,
});
const queries = fc.record({
  list: fc.constantFrom('all', 'all', 'below', 'watched', 'ranOut', 'cameBack', 'changedToday'),
  stockId: fc.constantFrom(null, stockOne, stockTwo, id(99)),
  amount: fc.constantFrom('all', 'positive', 'negative', 'zero'),
  orderBy: fc.constantFrom(...stockOrders),
  direction: fc.constantFrom('asc', 'desc'),
  term: fc.constantFrom('', '', ' ', 'caf', 'CAFÉ 1', 'leite c', 'a', '771', 'a10', 'nothing', '"', '*'),
  productIds: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 14 }).map(id), { minLength: 1, maxLength: 6 })),
  updatedFrom: fc.option(fc.integer({ min: 0, max: 40 })),
}) satisfies fc.Arbitrary<StockQuery>;

test('O1, W5, W6, W7: any query answers what a plain reading of all products would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 30 }),
      fc.array(queries, { minLength: 1, maxLength: 6 }),
      async (acts, asked) => {
        const shop = await openShop();
        shop.clock.jumpWall(today + 100 - shop.clock.now());
        const known = new Map<string, Known>();
        // The last state of each in the platform's listing.
        const listed = new Map<string, string>();
        let born = 0;
        for (const [place, { kind, stock, productId, name, code, balance }] of acts.entries()) {
          // The first ones lie in the days before, the others in the last moments of yesterday and today.
          const at = place < 15 ? place : dayMs - 5 + place;
          const key = `${stock} ${productId}`;
          const before = known.get(key);
          const row = shop.repository.stocks()[stock];
          if (row === undefined) {
            continue;
          }
          if (kind === 'remove') {
            shop.repository.writer.remove(row, [id(productId)]);
            known.delete(key);
            listed.delete(key);
          } else if (kind === 'count') {
            const amount = balance ?? 5;
            if (
              shop.repository.writer.saveBalance(row, id(productId), { amount, options: [], asOf: at }) &&
              before !== undefined
            ) {
              known.set(key, {
                ...before,
                balance: amount,
                asOf: at,
                updatedAt: amount === before.balance ? before.updatedAt : at,
                turnedAt: turnedAt(before, amount, at),
              });
            }
          } else {
            const next = { stock, productId, name, code, balance: balance ?? before?.balance ?? null };
            const element = elementOf({ productId, name, code, balance });
            const raw = JSON.stringify(element);
            const isOther = before === undefined || listed.get(key) !== raw || next.balance !== before.balance;
            shop.save([element], { stock, askedAt: at });
            listed.set(key, raw);
            born += 1;
            known.set(key, {
              ...next,
              asOf: balance === null ? (before?.asOf ?? null) : at,
              updatedAt: isOther ? at : before.updatedAt,
              turnedAt: turnedAt(before, next.balance, at),
              listedAt:
                before === undefined || (before.name === name && before.code === code)
                  ? (before?.listedAt ?? null)
                  : at,
              born: before?.born ?? born,
            });
          }
        }
        for (const query of asked) {
          expect(await shop.all(query)).toEqual(plainly([...known.values()], query));
        }
      },
    ),
    { seed: 1, numRuns: 40 },
  );
});

describe('a large copy', () => {
  const many = Array.from({ length: 9_001 }, (_unused, place): Known => {
    const number = (place * 7_919) % 9_001;
    return {
      stock: 0,
      productId: number + 1,
      code: number % 10 === 0 ? null : `C${number}`,
      name: `Produto ${number % 3_000} ${number % 2 === 0 ? 'par' : 'ímpar'}`,
      balance: [4, 0, -1, null][number % 4] ?? null,
      asOf: number % 4 === 3 ? null : 1,
      updatedAt: 1,
      turnedAt: null,
      listedAt: null,
      born: place,
    };
  });

  async function openLarge(): Promise<Shop> {
    const shop = await openShop();
    for (let from = 0; from < many.length; from += 500) {
      shop.save(many.slice(from, from + 500).map(elementOf));
    }
    return shop;
  }

  test('is answered in full, in every order and under every filter', async () => {
    const shop = await openLarge();
    const ids = many.slice(0, 900).map(({ productId }) => id(productId));
    const parts: readonly Partial<StockQuery>[] = [
      {},
      { direction: 'desc' },
      { orderBy: 'code' },
      { orderBy: 'balance' },
      { orderBy: 'balance', direction: 'desc' },
      { orderBy: 'balance', direction: 'desc', term: 'par' },
      { orderBy: 'asOf', direction: 'desc' },
      { orderBy: 'stock', direction: 'desc' },
      { amount: 'negative', direction: 'desc' },
      { term: 'par' },
      { term: 'impar', amount: 'zero', orderBy: 'code', direction: 'desc' },
      { productIds: ids },
      { updatedFrom: 1, amount: 'positive' },
      { updatedFrom: 2 },
    ];
    for (const part of parts) {
      const query = { ...everyProduct, ...part };
      expect(await shop.all(query), JSON.stringify(part)).toEqual(plainly(many, query));
    }
  });

  test('V2: shows its first rows and its count before it has been walked to the end', async () => {
    const { browse } = await openLarge();
    const first = await browse.page({ query: everyProduct, offset: 0, limit: 100 });
    // Three names of the first 400 rows may go on behind them.
    expect(first).toMatchObject({ ok: true, value: { total: 9_001, found: 397, isWhole: false } });
    const second = await browse.page({ query: { ...everyProduct, amount: 'negative' }, offset: 0, limit: 50 });
    expect(second).toMatchObject({ ok: true, value: { total: null, isWhole: false } });
  });

  test('a page from the middle waits until the walk has got there', async () => {
    const shop = await openLarge();
    const [answer] = await Promise.all([
      shop.browse.page({ query: everyProduct, offset: 8_950, limit: 100 }),
      shop.clock.advance(10),
    ]);
    expect(answer).toMatchObject({ ok: true, value: { total: 9_001, found: 9_001, isWhole: true } });
    expect(answer.ok && answer.value.rows.length).toBe(51);
  });
});

test('rows of one name or code stand in the order of the profile’s stocks, wherever a stretch ends', async () => {
  const shop = await openShop();
  // The second stock is copied first, and every name is in both, so that many a stretch would end between the two.
  const elements = Array.from({ length: 1_500 }, (_unused, place) => ({
    id: place + 1,
    code: `C${place}`,
    name: `Produto ${place}`,
    balance: 1,
  }));
  for (const stock of [1, 0]) {
    shop.save(elements, { stock });
  }
  for (const orderBy of ['name', 'code', 'balance'] as const) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const term of ['', 'produto 7']) {
        const query = { ...everyProduct, orderBy, direction, term };
        await shop.all(query);
        const [page] = await Promise.all([
          shop.browse.page({ query, offset: 0, limit: 3_000 }),
          shop.clock.advance(200),
        ]);
        const rows = page.ok ? page.value.rows : [];
        expect(rows.length).toBeGreaterThan(200);
        expect(
          rows.every(
            (row, place) =>
              row?.stockId === (place % 2 === 0 ? stockOne : stockTwo) &&
              (place % 2 === 0 || row.productId === rows[place - 1]?.productId),
          ),
        ).toBe(true);
      }
    }
  }
});

test('W5: what the listing says of its last change counts before what this terminal saw', async () => {
  const shop = await openShop();
  const updatedAt = '2026-01-05T09:00:00-03:00';
  shop.save(
    [
      { id: 1, name: 'Dito', balance: 1, updated_at: updatedAt },
      { id: 2, name: 'Visto', balance: 1 },
    ],
    { askedAt: 5_000 },
  );
  expect(await shop.all({ updatedFrom: Date.parse(updatedAt) })).toEqual(['Dito']);
  expect(await shop.all({ updatedFrom: 5_000 })).toEqual(['Dito', 'Visto']);
  shop.save(
    [
      { id: 1, name: 'Dito', balance: 1, updated_at: updatedAt },
      { id: 2, name: 'Visto', balance: 1 },
    ],
    { askedAt: 9_000 },
  );
  expect(await shop.all({ updatedFrom: 9_000 })).toEqual(['Dito']);
  shop.save([{ id: 2, name: 'Visto', balance: 2 }], { askedAt: 9_000 });
  expect(await shop.all({ updatedFrom: 9_000 })).toEqual(['Dito', 'Visto']);
  // A change that is told with an older date is as old as told, whenever it was read.
  shop.save([{ id: 1, name: 'Dito', balance: 7, updated_at: '1970-01-01T00:00:02Z' }], { askedAt: 9_500 });
  expect(await shop.all({ updatedFrom: 9_000 })).toEqual(['Visto']);
  expect(await shop.all({ updatedFrom: 2_000 })).toEqual(['Dito', 'Visto']);
});

test('what was noted while the clock was ahead is not of yesterday, today or now', async () => {
  const shop = await openShop();
  const ahead = shop.clock.now() + 30 * dayMs;
  const product = (productId: number, part: object) => ({ id: productId, name: `P${productId}`, balance: 1, ...part });
  const lists = async () => [
    await shop.all({ list: 'ranOut' }),
    await shop.all({ list: 'cameBack' }),
    await shop.all({ list: 'changedToday' }),
    await shop.all({ updatedFrom: shop.clock.now() - dayMs }),
  ];
  const [stock = { number: 0, stockId: stockOne }] = shop.repository.stocks();
  shop.save([product(1, {}), product(2, { balance: 0 }), product(3, {})]);
  shop.repository.saveProgress(stock, { ...noProgress, completeAsOf: 3 });
  // The platform's own dates are of its own clock.
  const told = { updated_at: new Date(ahead).toISOString() };
  const changed = [product(1, { balance: 0 }), product(2, {}), product(3, { name: 'Q3' }), product(4, told)];
  shop.save(changed, { askedAt: ahead });
  expect(await lists()).toEqual([[], [], [], ['P4']]);
  shop.clock.jumpWall(ahead - shop.clock.now());
  expect(await lists()).toEqual([['P1'], ['P2'], ['P4', 'Q3'], ['P1', 'P2', 'P4', 'Q3']]);
});

test('O2: a live figure moves a product to where the filters look for it', async () => {
  const shop = await openShop();
  shop.save(
    [
      { id: 1, name: 'Um', code: 'A', balance: 4 },
      { id: 2, name: 'Dois', code: 'B' },
    ],
    { askedAt: 1 },
  );
  const [stock] = shop.repository.stocks();
  shop.repository.writer.saveBalance(stock ?? { number: 0, stockId: stockOne }, id(1), {
    amount: -1,
    options: [],
    asOf: 2,
  });
  shop.repository.writer.saveBalance(stock ?? { number: 0, stockId: stockOne }, id(2), {
    amount: 0,
    options: [],
    asOf: 3,
  });
  for (const orderBy of stockOrders) {
    expect([
      await shop.all({ orderBy, amount: 'positive' }),
      await shop.all({ orderBy, amount: 'negative' }),
      await shop.all({ orderBy, amount: 'zero' }),
    ]).toEqual([[], ['Um'], ['Dois']]);
  }
  expect(await shop.all({ updatedFrom: 2 })).toEqual(['Dois', 'Um']);
});
