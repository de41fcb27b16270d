import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue, type Catalogue } from '../../../../app/catalogue/catalogue.ts';
import { createSharedAnswers } from '../../../../app/catalogue/lookup/shared-answers.ts';
import { parseJson } from '../../../../app/domain/json.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { succeed } from '../../../../app/domain/result.ts';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import type { Clock, SharedTexts } from '../../../../app/ports.ts';
import { createHubRegister, hubAddress } from '../../../support/hub-register.ts';
import { openHubTexts } from '../../../support/hub-texts.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { settlePromises } from '../../../support/manual-clock.ts';
import {
  createClock,
  FakePlatform,
  type FakeProduct,
  id,
  noProduct,
  stockOne,
  stockTwo,
} from '../catalogue-fixture.ts';
import { label } from './lookup-fixture.ts';

const fingerprint = 'https://platform.example.com 7';
const hourMs = 3_600_000;

/** Two terminals of one shop, the second with a clock of its own; the first may have other stocks. */
async function shop(aheadMs = 0, ofOne: readonly Id[] = [stockOne], ofTwo = ofOne) {
  const clock = createClock();
  const platform = new FakePlatform(clock);
  platform.fill(stockOne, 30);
  platform.fill(stockTwo, 30);
  const register = createHubRegister(clock);
  const hub = { startMs: 0 };
  const textsOf = (terminal: string): SharedTexts =>
    openHubTexts(clock, register.open(hubAddress), terminal, () => ({
      epoch: 'one',
      loMs: clock.uptimeMs(),
      hiMs: clock.uptimeMs() - hub.startMs,
    }));
  const pathOfTwo = `${temporaryDirectory()}/catalogue.db`;
  async function open(
    terminal: string,
    offMs: number,
    stockIds: readonly Id[],
    path = `${temporaryDirectory()}/catalogue.db`,
  ): Promise<Catalogue> {
    const ownClock: Clock = {
      now: () => clock.now() + offMs,
      uptimeMs: () => clock.uptimeMs(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
    };
    const catalogue = await openCatalogue({
      path,
      fingerprint,
      stockIds,
      clock: ownClock,
      random: createSeededRandom(terminal),
      client: platform,
      planning: {
        quietHours: () => ({ from: 22, to: 6 }),
        offsetMinutes: () => 0,
        perMinute: () => 57,
        forecastMs: (requests) => requests * 1_000,
      },
      texts: textsOf(terminal),
      scaleLayouts: () => [],
      log: () => undefined,
      onRebuilt: () => undefined,
    });
    onTestFinished(() => {
      catalogue.close();
    });
    catalogue.start();
    await clock.advance(10_000);
    expect(catalogue.state().phase).toBe('complete');
    return catalogue;
  }
  const openTwo = (): Promise<Catalogue> => open('two', aheadMs, ofTwo, pathOfTwo);
  return { clock, hub, platform, textsOf, openTwo, one: await open('one', 0, ofOne), two: await openTwo() };
}

test('a live figure stands on the other terminal at once, and is as old there as it is', async () => {
  const { clock, platform, one, two } = await shop(-hourMs);
  let changes = 0;
  two.onChange(() => (changes += 1));
  platform.answerBalance = (stockId, productId) =>
    Promise.resolve(
      succeed({
        stock: { id: stockId, name: 'Loja' },
        product: { ...noProduct, id: productId },
        balance: -3.5,
        options: [{ name: 'P', amount: 2, ids: [id(5)] }],
      }),
    );
  const askedAt = clock.now();
  await one.refresh(stockOne, id(4));
  await settlePromises();
  expect(two.read(stockOne, id(4))?.balance).toEqual({
    ...one.read(stockOne, id(4))?.balance,
    amount: -3.5,
    asOf: askedAt - hourMs,
  });
  expect(changes).toBeGreaterThan(0);
  expect(platform.balances.length).toBeLessThanOrEqual(1);
});

test('who waits for a slot is answered by the listing of another terminal, and both have its figures (H15)', async () => {
  const { clock, platform, one, two } = await shop(-hourMs);
  const inStock = platform.stocks.get(stockOne) ?? [];
  platform.stocks.set(
    stockOne,
    inStock.map((product) => ({ ...product, balance: 500 })),
  );
  const listings = platform.listings.length;
  platform.granting = (whileWanted) =>
    new Promise((resolve) => {
      whileWanted?.addEventListener('abort', () => {
        resolve(false);
      });
    });
  const waiting = two.refresh(stockOne, id(4));
  await settlePromises();
  platform.granting = () => Promise.resolve(true);
  platform.wanted = [id(4)];
  const leavesAt = clock.now();
  expect(await one.refresh(stockOne, id(7))).toMatchObject({ ok: true, value: { balance: { amount: 500 } } });
  expect(await waiting).toMatchObject({ ok: true, value: { balance: { amount: 500, asOf: leavesAt - hourMs } } });
  expect(two.read(stockOne, id(7))?.balance.amount).toBe(500);
  expect([platform.listings.length - listings, platform.balances]).toEqual([1, []]);
});

test('a figure that was asked for later stays', async () => {
  const { clock, platform, textsOf, one, two } = await shop();
  const answer = platform.answerBalance;
  await two.refresh(stockOne, id(4));
  await settlePromises();
  const before = two.read(stockOne, id(4))?.balance;
  await textsOf('three').publish(fingerprint, {
    text: JSON.stringify({
      kind: 'balance',
      stockId: stockOne,
      productId: id(4),
      balance: 99,
      options: [],
      stock: { id: null, name: null },
    }),
    atMs: clock.uptimeMs() - 60_000,
  });
  await settlePromises();
  expect(two.read(stockOne, id(4))?.balance).toEqual(before);
  expect(one.read(stockOne, id(4))?.balance).toEqual(before);
  expect(platform.answerBalance).toBe(answer);
});

test('a code that the platform named to one terminal is known to the other, and forgotten with it', async () => {
  const { clock, platform, one, two } = await shop();
  const code = label('789000000001');
  const products = platform.stocks.get(stockOne) ?? [];
  platform.changePage = (page, query) =>
    query.term === code
      ? { ...page, elements: [{ id: 4, code: 'C0000004', name: 'Produto 4', balance: 3 }], total: 1 }
      : page;
  await one.ask(code);
  await settlePromises();
  expect(two.find(code, 'scan')).toMatchObject({ kind: 'found', cards: [{ productId: '4' }] });
  expect(platform.listings.filter(({ term }) => term === code)).toHaveLength(1);
  platform.changePage = (page) => page;
  expect(products).toHaveLength(30);
  await one.ask(code);
  await clock.advance(100);
  expect(two.find(code, 'scan').kind).not.toBe('found');
});

test.each([
  ['of fewer stocks', [stockOne], [stockOne, stockTwo], 'unknown', 'several'],
  ['of the same stocks', [stockOne, stockTwo], [stockTwo, stockOne], 'unknown', 'several'],
  ['of more stocks, which have several for it', [stockOne, stockTwo], [stockOne], 'unknown', 'found'],
  ['of other stocks', [stockOne], [stockTwo], 'unknown', 'found'],
] as const)(
  'a code that means another product in each stock, asked for by a terminal %s',
  async (_name, ofOne, ofTwo, before, after) => {
    const { clock, platform, one, two } = await shop(0, ofOne, ofTwo);
    const code = label('789000000001');
    platform.changePage = (page, { stockId, term }) =>
      term === code
        ? { ...page, elements: [{ id: stockId === stockOne ? 4 : 5, name: 'Produto' }], total: 1, lastPage: 1 }
        : page;
    await one.ask(code);
    await clock.advance(1_000);
    expect(two.find(code, 'scan').kind).toBe(before);
    expect(await two.ask(code)).toMatchObject({ value: { kind: after } });
  },
);

test('a terminal of fewer stocks takes from no other what it knows of more', async () => {
  const { clock, platform, one, two } = await shop(0, [stockOne], [stockOne, stockTwo]);
  const code = label('789000000001');
  const elements = (stockId: Id): readonly object[] => (stockId === stockTwo ? [{ id: 5, name: 'Produto' }] : []);
  platform.changePage = (page, { stockId, term }) =>
    term === code ? { ...page, elements: elements(stockId), total: 1, lastPage: 1 } : page;
  expect(await two.ask(code)).toMatchObject({ value: { kind: 'found' } });
  await clock.advance(1_000);
  expect(one.find(code, 'scan').kind).toBe('found');
  await one.ask(code);
  await clock.advance(1_000);
  expect([one.find(code, 'scan').kind, two.find(code, 'scan').kind]).toEqual(['unknown', 'found']);
});

/** A shop whose platform resolves a code to product 4, or to the one that `resolved` names. */
async function shopThatResolves() {
  const setting = await shop();
  const { platform } = setting;
  const [code, resolved] = [label('789000000001'), { to: 4n }];
  platform.changePage = (page, { term }) => {
    const named = (platform.stocks.get(stockOne) ?? []).filter((product) => product.id === resolved.to);
    const elements = named.map((product) => ({ id: Number(product.id), name: product.name, code: product.code }));
    return term === code ? { ...page, elements, total: 1, lastPage: 1 } : page;
  };
  await setting.one.ask(code);
  await setting.clock.advance(1_000);
  const change = (to: (products: readonly FakeProduct[]) => FakeProduct[]): void => {
    platform.stocks.set(stockOne, to(platform.stocks.get(stockOne) ?? []));
  };
  /** The second terminal ends after so many hours, starts again, and has heard what is kept. */
  const restart = async (hours: number): Promise<Catalogue> => {
    await setting.clock.advance(hours * hourMs);
    setting.two.close();
    const again = await setting.openTwo();
    await setting.clock.advance(hourMs);
    return again;
  };
  return { ...setting, code, resolved, change, restart };
}

test('what is heard again after a start takes nothing back: the name of a product', async () => {
  const { clock, change, restart } = await shopThatResolves();
  const renamed = { name: 'Leite sem lactose', updatedAt: clock.now() };
  change((products) => products.map((one) => (one.id === 4n ? { ...one, ...renamed } : one)));
  expect((await restart(1)).read(stockOne, id(4))?.name).toBe('Leite sem lactose');
});

test('what is heard again after a start takes nothing back: a product that has gone', async () => {
  const { clock, change, restart } = await shopThatResolves();
  change((products) => products.filter((one) => one.id !== 4n));
  clock.sleep(23 * hourMs);
  expect((await restart(3)).read(stockOne, id(4))).toBeNull();
});

test.each([
  ['another product', 5n, { kind: 'found', cards: [{ productId: '5' }] }],
  ['no product any more', 99n, { kind: 'unknown' }],
])('what is heard again after a start takes nothing back: a code that means %s', async (_name, to, expected) => {
  const { code, clock, resolved, two, restart } = await shopThatResolves();
  resolved.to = to;
  await clock.advance(60_000);
  await two.ask(code);
  expect((await restart(1)).find(code, 'scan')).toMatchObject(expected);
});

test('what a newer version publishes is left alone', async () => {
  const { clock, textsOf, two } = await shop();
  const before = two.read(stockOne, id(4));
  for (const text of ['{"kind":"later","productId":"4"}', 'no JSON', '{"kind":"balance","stockId":"x"}']) {
    await textsOf('three').publish(fingerprint, { text, atMs: clock.uptimeMs() });
  }
  await clock.advance(20_000);
  expect(two.read(stockOne, id(4))).toEqual(before);
});

test.each([9.007e15, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, hourMs])(
  'a false figure of the moment %d leaves the copy, and what the till itself reads, as they are',
  async (atMs) => {
    const { clock, textsOf, two, openTwo } = await shop();
    const figure = { kind: 'balance', stockId: stockOne, productId: id(4), balance: 99, options: [] };
    const text = JSON.stringify({ ...figure, stock: { id: null, name: null } });
    await textsOf('stolen').publish(fingerprint, { text, atMs });
    await clock.advance(1_000);
    expect(two.find(label('789000000003'), 'scan').kind).not.toBe('notCopied');
    await two.refresh(stockOne, id(4));
    const read = two.read(stockOne, id(4))?.balance;
    expect(read?.amount).not.toBe(99);
    two.close();
    const again = await openTwo();
    await clock.advance(60_000);
    expect(again.read(stockOne, id(4))?.balance.amount).toBe(read?.amount);
    expect(again.find(label('789000000003'), 'scan').kind).not.toBe('notCopied');
  },
);

test('a figure that a stolen till tells as of before all calendars leaves the copy as it is', async () => {
  const { clock, hub, platform, textsOf, two } = await shop();
  const fresh = { id: 40n, code: 'C0000040', name: 'Produto 40', updatedAt: clock.now() };
  platform.stocks.set(stockOne, [...(platform.stocks.get(stockOne) ?? []), fresh]);
  two.copyAgain();
  await clock.advance(600_000);
  expect(two.read(stockOne, id(40))?.balance.amount).toBeNull();
  // It has written so late a time into the shared document, too.
  hub.startMs = -9e15;
  const figure = { kind: 'balance', stockId: stockOne, productId: id(40), balance: 99, options: [] };
  const text = JSON.stringify({ ...figure, stock: { id: null, name: null } });
  await textsOf('stolen').publish(fingerprint, { text, atMs: -9e15 });
  await clock.advance(10_000);
  expect(two.read(stockOne, id(40))?.balance).toMatchObject({ amount: 99, asOf: 0 });
});

test('an answer of more values than any costs no till the time to read it', async () => {
  const { clock, textsOf, two } = await shop();
  const before = two.read(stockOne, id(4))?.balance;
  const element = {
    id: 4,
    code: 'C0000004',
    name: 'Produto 4',
    balance: 99,
    more: Array.from({ length: 26_000 }, () => 0),
  };
  const text = JSON.stringify({ kind: 'figures', stockId: stockOne, elements: [element] });
  await textsOf('stolen').publish(fingerprint, { text, atMs: clock.uptimeMs() });
  await clock.advance(10_000);
  expect(two.read(stockOne, id(4))?.balance).toEqual(before);
});

/** What a terminal would publish of the figures of these elements, and of an alias of theirs. */
function publishedOf(elements: readonly ListedElement[]): readonly (readonly string[])[] {
  const published: string[] = [];
  const texts = {
    nowMs: () => 0,
    publish: (_name: string, { text }: { readonly text: string }) => Promise.resolve(published.push(text) > 0),
  } as unknown as SharedTexts;
  const answers = createSharedAnswers(texts, fingerprint);
  answers.figures(stockOne, elements, 0);
  answers.alias(
    '5',
    id(1),
    elements.map((element) => ({ stockId: stockOne, element })),
    [stockOne],
    0,
  );
  return published.map((text) => [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name ?? ''));
}

test('what is nested deeper than the stack is not shared', () => {
  const texts = ['{"id":1,"name":"A"}', `{"id":2,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`];
  const [one, deep] = texts.map((text) => new ListedElement(parseJson(text)));
  expect(publishedOf([one, deep, one].flatMap((element) => element ?? []))).toEqual([['A']]);
});

test('rows of a product that differ in a barcode alone are written once, not once for each', () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, row) => new ListedElement({ id: 1, name: 'A', balance: 1, ean: row }),
  );
  const elements = ListedElement.combine(rows);
  const begun = performance.now();
  expect(publishedOf(elements)[0]).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
