// The proof of what the platform is asked for a person, and what becomes of its answer (K3 to K5 of lookup.ts).
import { describe, expect, test } from 'vitest';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { succeed } from '../../../../app/domain/result.ts';
import { id, noProduct, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { idsOf, label, prepare, shop } from './lookup-fixture.ts';
import { listed } from '../../../support/listed.ts';

describe('asking the platform', () => {
  test('stores what came and answers with it; one request a stock, in the lane of a person', async () => {
    const { lookup, platform, stored } = await prepare([], { stockIds: [stockOne, stockTwo] });
    platform.stocks.set(stockOne, [
      { id: 8n, code: 'X8', name: 'Azeite', barcode: '9520000000028', balance: 3, updatedAt: 0 },
    ]);
    const answer = await lookup.ask('9520000000028');
    expect(answer).toMatchObject({
      ok: true,
      value: { kind: 'found', cards: [{ productId: '8', stockId: stockOne }] },
    });
    expect(platform.listings.map((query) => [query.stockId, query.term, query.page])).toEqual([
      [stockOne, '9520000000028', 1],
      [stockTwo, '9520000000028', 1],
    ]);
    expect(new Set(platform.lanes)).toEqual(new Set(['person']));
    expect(stored()).toBe(1);
    expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['8']);
  });

  test.each([
    ['the GTIN of a GS1 code as its EAN-13', '(01)09520000000028(10)L1', ['9520000000028']],
    ['the GTIN of a Digital Link', 'https://example.com/01/00000095200019/21/S', ['95200019']],
    ['the GTIN before an add-on', '952000000002805', ['9520000000028']],
    ['a case, then the unit inside', '19520000000025', ['19520000000025', '9520000000028']],
    [
      "the items of a scale's label, and in the end the whole",
      label('201490000284'),
      ['0149', '01490', '014900', label('201490000284')],
    ],
    ['an article that the shop has numbered itself', label('200000000001'), [label('200000000001')]],
    ['a text as it came', 'azeite', ['azeite']],
    ['six digits as they came', '425261', ['425261']],
  ])('asks for %s', async (_name, text, terms) => {
    const { lookup, platform } = await prepare([]);
    platform.stocks.set(stockOne, []);
    expect(await lookup.ask(text)).toMatchObject({ value: { kind: 'unknown', asked: true } });
    expect(platform.listings.map((query) => query.term)).toEqual(terms);
  });

  test.each(['(01)09520000000012', 'https://example.com/menu', '(00)095201234567891235'])(
    'never asks for %s, which names no product',
    async (text) => {
      const { lookup, platform } = await prepare([]);
      expect(await lookup.ask(text)).toMatchObject({ value: { kind: 'unreadable' } });
      expect(platform.listings).toEqual([]);
    },
  );

  test('K3: of a GS1 code the GTIN is remembered, so that the next lot is known as well', async () => {
    const { lookup, platform } = await prepare(shop);
    platform.changePage = (page) => ({ ...page, elements: [{ id: 4, name: 'Pão', code: '77' }], total: 1 });
    expect(await lookup.ask('(01)09520000000028(10)L1')).toMatchObject({
      value: { kind: 'found', read: { as: 'gs1', facts: [{ kind: 'lot', text: 'L1' }] }, cards: [{ productId: '4' }] },
    });
    expect(idsOf(lookup.find('(01)09520000000028(10)L2', 'scan'))).toEqual(['4']);
    expect(lookup.find('9520000000028', 'scan')).toMatchObject({ kind: 'found', read: { as: 'alias' } });
  });

  test("K3: nothing is remembered of a scale's label, and what does not bear its item is not shown for it", async () => {
    const { lookup, platform } = await prepare([]);
    platform.changePage = (page, query) => ({
      ...page,
      elements: query.term?.length === 13 ? [] : [{ id: 4, name: 'Pão', code: 'outro' }],
      total: 1,
    });
    expect(await lookup.ask(label('201490000284'))).toMatchObject({
      value: { kind: 'unknown', read: { as: 'scaleLabel' } },
    });
    expect(idsOf(lookup.find('014900', 'scan'))).toEqual([]);
    platform.changePage = (page) => ({ ...page, elements: [{ id: 5, name: 'Queijo', code: '01490' }], total: 1 });
    expect(await lookup.ask(label('201490000284'))).toMatchObject({
      value: { kind: 'found', read: { layout: '2CCCCCTTTTTTV' }, cards: [{ productId: '5' }] },
    });
  });

  test("an article numbered like a label is shown when the platform knows the number, not as the scale's", async () => {
    const { lookup, platform } = await prepare([]);
    platform.changePage = (page, query) => ({
      ...page,
      elements: query.term?.length === 13 ? [{ id: 6, name: 'Cesta', code: 'outro' }] : [],
      total: 1,
    });
    const answer = await lookup.ask(label('201490000284'));
    expect(answer).toMatchObject({ value: { kind: 'found', cards: [{ productId: '6' }] } });
    expect(answer.ok && answer.value).not.toHaveProperty('read.facts');
  });

  test('a unit that the platform has answers for its case', async () => {
    const { lookup, platform } = await prepare([]);
    platform.stocks.set(stockOne, [{ id: 8n, code: 'X8', name: 'Azeite', barcode: '9520000000028', updatedAt: 0 }]);
    expect(await lookup.ask('19520000000025')).toMatchObject({
      value: { kind: 'found', read: { as: 'caseUnit', ofCase: '19520000000025' }, cards: [{ productId: '8' }] },
    });
  });

  test.each([
    ['two products answer', '9520000000028', [{ id: 4 }, { id: 5 }]],
    ['the check digit is wrong', '9520000000022', [{ id: 4 }]],
    ['it is a part of a name', 'azeite', [{ id: 4 }]],
  ])('K3: no alias when %s', async (_name, text, elements) => {
    const { lookup, platform } = await prepare([]);
    platform.changePage = (page) => ({ ...page, elements });
    const answer = await lookup.ask(text);
    expect(answer.ok && idsOf(answer.value)).toEqual(elements.map((element) => String(element.id)));
    expect(idsOf(lookup.find(text, 'scan'))).toEqual([]);
  });

  test('what neither has is unknown, asked', async () => {
    const { lookup, platform } = await prepare(shop);
    platform.stocks.set(stockOne, []);
    expect(await lookup.ask('9520000000028')).toEqual(succeed({ kind: 'unknown', text: '9520000000028', asked: true }));
    expect(await lookup.ask('9520000000022')).toEqual(
      succeed({ kind: 'unreadable', text: '9520000000022', why: 'checkDigit', asked: true }),
    );
  });

  test("K2: a shop's own number of eight digits with another check digit is asked for before it is copied", async () => {
    const { lookup, platform } = await prepare([], { isComplete: false });
    platform.stocks.set(stockOne, [{ id: 5n, code: '10000001', name: 'Vinho', updatedAt: 0 }]);
    expect(lookup.find('10000001', 'scan')).toEqual({
      kind: 'unreadable',
      text: '10000001',
      why: 'checkDigit',
      asked: false,
    });
    expect(await lookup.ask('10000001')).toMatchObject({
      value: { kind: 'found', read: { as: 'productCode' }, cards: [{ productId: '5' }] },
    });
  });

  test('an unreadable text is not sent', async () => {
    const { lookup, platform } = await prepare(shop);
    expect(await lookup.ask('\r\n')).toMatchObject({ value: { kind: 'unreadable', why: 'empty' } });
    expect(platform.listings).toEqual([]);
  });

  test('a failure is answered, and the copy stays', async () => {
    const { lookup, platform } = await prepare(shop);
    platform.failListing = () => ({ kind: 'unreachable' });
    expect(await lookup.ask('x')).toEqual({ ok: false, failure: { kind: 'unreachable' } });
    expect(idsOf(lookup.find('77', 'scan'))).toEqual(['4']);
  });

  test('after the store was closed answers notReady', async () => {
    const { lookup, platform, repository } = await prepare(shop);
    platform.beforeListing = () => {
      repository.close();
    };
    expect(await lookup.ask('x')).toEqual({ ok: false, failure: { kind: 'notReady' } });
  });

  test('after the store was closed by what keeping an answer has started answers notReady', async () => {
    const { lookup, platform, stored } = await prepare([], { isClosedByAnswer: true });
    platform.stocks.set(stockOne, [{ id: 4n, code: '77', name: 'Pão', balance: 3, updatedAt: 0 }]);
    expect(await lookup.ask('77')).toEqual({ ok: false, failure: { kind: 'notReady' } });
    expect(stored()).toBe(1);
  });

  test('for what was found (K8) reads nothing of a store that was closed by that', async () => {
    const { lookup, platform, stored } = await prepare(shop, { isComplete: false, isClosedByAnswer: true });
    platform.stocks.set(stockOne, [{ id: 4n, code: '77', name: 'Pão', balance: 3, updatedAt: 0 }]);
    expect(idsOf(lookup.find('77', 'scan'))).toEqual(['4']);
    // What it reads then would be nobody's error, and fail the run.
    await expect.poll(stored).toBe(1);
  });
});

describe('a live balance', () => {
  test('is kept with its time, options and the name of the stock', async () => {
    const { lookup, platform, clock, stored } = await prepare([
      { id: 1, name: 'Camiseta', balance: 1, options: ['P', 'M'] },
    ]);
    platform.answerBalance = () =>
      Promise.resolve(
        succeed({
          stock: { id: stockOne, name: 'Loja Centro' },
          product: noProduct,
          balance: -2.5,
          options: [{ name: 'M', amount: 4, ids: [] }],
        }),
      );
    clock.sleep(60_000);
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({
      ok: true,
      value: {
        stockName: 'Loja Centro',
        balance: { amount: -2.5, asOf: clock.now(), source: 'live' },
        options: [
          { name: 'P', amount: null },
          { name: 'M', amount: 4 },
        ],
      },
    });
    expect(platform.lanes).toEqual(['person']);
    expect(stored()).toBe(1);
  });

  test('is as of when it was asked for, and leaves one that was asked for later', async () => {
    const { lookup, platform, repository, clock } = await prepare([{ id: 1, name: 'Camiseta', balance: 1 }]);
    const [stock] = repository.stocks();
    if (stock === undefined) {
      expect.fail('no stock');
    }
    clock.sleep(60_000);
    const askedAt = clock.now();
    let meanwhile = (): void => undefined;
    platform.answerBalance = () => {
      clock.sleep(20_000);
      meanwhile();
      return Promise.resolve(
        succeed({ stock: { id: stockOne, name: null }, product: noProduct, balance: 5, options: [] }),
      );
    };
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({
      value: { balance: { amount: 5, asOf: askedAt, source: 'live' } },
    });
    meanwhile = () =>
      repository.writer.save(stock, listed([{ id: 1, name: 'Camiseta', balance: 3 }]), {
        pass: 1,
        seenSince: 1,
        askedAt: clock.now(),
      });
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({
      value: { balance: { amount: 3, asOf: askedAt + 40_000, source: 'listing' } },
    });
  });

  test('K4: asked for twice at a time is one request, and another one afterwards', async () => {
    const { lookup, platform } = await prepare(shop);
    const [first, second] = await Promise.all([lookup.refresh(stockOne, id(1)), lookup.refresh(stockOne, id(1))]);
    expect(first).toBe(second);
    await lookup.refresh(stockOne, id(1));
    expect(platform.balances).toHaveLength(2);
  });

  test('of a product that is not here is not kept', async () => {
    const { lookup } = await prepare(shop);
    expect(await lookup.refresh(stockOne, id(99))).toEqual({ ok: false, failure: { kind: 'notFoundHere' } });
  });
});

test('a question that joined an earlier lookup’s, which was turned away, is asked for this one (K4, K5)', async () => {
  const { lookup, platform } = await prepare(shop);
  platform.stocks.set(stockOne, [{ id: 1n, code: 'CF-001', name: 'Café torrado', updatedAt: 0 }]);
  const readBalance = platform.readBalance.bind(platform);
  let withdraw = (): void => {};
  let asked = 0;
  platform.readBalance = (...given: Parameters<typeof readBalance>) => {
    asked += 1;
    return asked > 1
      ? readBalance(...given)
      : new Promise((resolve) => (withdraw = () => resolve({ ok: false, failure: { kind: 'cancelled' } })));
  };
  lookup.find('cf-001', 'scan');
  const first = lookup.refresh(stockOne, id(1));
  lookup.find('cf-001', 'scan');
  const second = lookup.refresh(stockOne, id(1));
  withdraw();
  await Promise.all([first, second]);
  expect(asked).toBe(2);
  expect((await first).ok).toBe(false);
  expect((await second).ok).toBe(true);
});

describe('what could not be read', () => {
  const noId = { id: 'N/A', name: 'Azeite', barcode: '9520000000028' };
  const full = { pass: 2, seenSince: 1, askedAt: 1, place: { kind: 'full', first: 0 } } as const;

  test('of the listing is told with a miss (K2)', async () => {
    const { lookup, repository } = await prepare(shop);
    expect(lookup.find('9520000000028', 'scan')).toEqual({
      kind: 'unknown',
      text: '9520000000028',
      read: undefined,
      asked: false,
    });
    repository.writer.save(repository.stocks()[0] ?? expect.unreachable(), listed([noId, null]), full);
    const answer = lookup.find('9520000000028', 'scan');
    expect(answer).toMatchObject({ kind: 'unknown', unreadListed: 2, asked: false });
    expect(idsOf(answer)).toEqual([]);
  });

  test("of the platform's answer is told: it may have it", async () => {
    const { lookup, platform } = await prepare(shop);
    platform.changePage = (page) => ({ ...page, elements: [noId], total: 1 });
    const answer = await lookup.ask('9520000000028');
    expect(answer).toMatchObject({ ok: true, value: { kind: 'unknown', asked: true, unreadAnswered: 1 } });
    expect(answer.ok ? idsOf(answer.value) : null).toEqual([]);
    platform.changePage = (page) => ({ ...page, elements: [], total: 0 });
    expect(await lookup.ask('9520000000028')).toEqual({
      ok: true,
      value: { kind: 'unknown', text: '9520000000028', read: undefined, asked: true },
    });
  });

  test('is told while the copy is not complete as well, and with a wrong check digit', async () => {
    const { lookup, platform } = await prepare(shop, { isComplete: false });
    platform.changePage = (page) => ({ ...page, elements: [noId, 7], total: 2 });
    expect(await lookup.ask('9520000000028')).toMatchObject({ value: { kind: 'notCopied', unreadAnswered: 2 } });
    expect(await lookup.ask('9520000000027')).toMatchObject({ value: { kind: 'unreadable', unreadAnswered: 2 } });
  });

  test('may be the product that the code names: the other one is offered, and not learned (C5, K3)', async () => {
    const { lookup, platform } = await prepare(shop);
    platform.changePage = (page) => ({ ...page, elements: [{ id: 4, name: 'Pão', code: '77' }, noId], total: 2 });
    const answer = await lookup.ask('9520000000028');
    expect(answer).toMatchObject({ value: { kind: 'several', unreadAnswered: 1, hits: [{ productId: '4' }] } });
    expect(lookup.find('9520000000028', 'scan')).toMatchObject({ kind: 'unknown' });
  });

  test.each([stockOne, stockTwo])(
    'in one stock alone, %s, keeps what the other one answers from being learned (K3)',
    async (where) => {
      const { lookup, platform } = await prepare(shop, { stockIds: [stockOne, stockTwo] });
      platform.changePage = (page, { stockId }) => ({
        ...page,
        elements: stockId === where ? [noId] : [{ id: 4, name: 'Pão', code: '77' }],
        total: 1,
      });
      expect(await lookup.ask('9520000000028')).toMatchObject({ value: { kind: 'several', unreadAnswered: 1 } });
      expect(lookup.find('9520000000028', 'scan')).toMatchObject({ kind: 'unknown' });
    },
  );

  test('does not take back what was learned before (K3)', async () => {
    const { lookup, platform, repository } = await prepare(shop);
    repository.writer.saveAlias('9520000000028', id(4), 1, [stockOne]);
    platform.changePage = (page) => ({ ...page, elements: [noId], total: 1 });
    await lookup.ask('9520000000028');
    expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4']);
  });
});

test('what has run out is found at a platform that lists it only where all is asked for', async () => {
  const { lookup, platform } = await prepare(shop);
  platform.changePage = (page, { amountInStock = 'positive' }) => ({
    ...page,
    elements: amountInStock === 'all' ? [{ id: 4, name: 'Pão', code: '77', balance: 0 }] : [],
  });
  expect(await lookup.ask('9520000000028')).toMatchObject({ value: { kind: 'found' } });
});

describe('K8: before the copy has had the whole listing', () => {
  const barcode = '9520000000011';
  const late = { id: 9n, code: 'X9', name: 'Vinho', barcode, balance: 3, updatedAt: 0 };

  test('a code that one product has is asked for once, and another that the platform has is listed as well', async () => {
    const { lookup, platform, stored } = await prepare(shop, { isComplete: false });
    platform.stocks.set(stockOne, [
      { id: 1n, code: 'CF-001', name: 'Café torrado', barcode, balance: 3, updatedAt: 0 },
      late,
    ]);
    expect(idsOf(lookup.find(barcode, 'scan'))).toEqual(['1']);
    await expect.poll(stored).toBe(1);
    expect(lookup.findAgain(barcode, 'scan').kind).toBe('several');
    lookup.find(barcode, 'scan');
    lookup.find(barcode, 'scan');
    expect(platform.listings.map(({ term }) => term)).toEqual([barcode]);
  });

  test.each([
    ['a product whose code is the barcode of another', '77', ['77'], { barcode: '77' }, '9'],
    ['a label of a scale that is a whole barcode of another', label('200077001234'), null, {}, '9'],
  ])('%s makes way for it, in the recent lookups as well', async (_name, text, terms, more, productId) => {
    const { lookup, platform, stored } = await prepare(shop, { isComplete: false });
    platform.stocks.set(stockOne, [{ ...late, barcode: text, ...more }]);
    expect(idsOf(lookup.find(text, 'typed'))).toEqual(['4']);
    await expect.poll(stored).toBe(1);
    expect(platform.listings.map(({ term }) => term)).toEqual(terms ?? [text]);
    expect(idsOf(lookup.findAgain(text, 'typed'))).toEqual([productId]);
    expect(lookup.recent()).toMatchObject([{ text, answer: 'found', hit: { productId } }]);
  });

  test.each([
    ["a scale's label, whole, then its items", label('200077001234'), [label('200077001234'), '00077', '000770', '77']],
    ['the unit of a case as well', '19520000000018', ['19520000000018', '9520000000011']],
    ['of several, too', 'caf', ['caf']],
  ])('asks for %s, if nothing carries the code as it came', async (_name, text, terms) => {
    const { lookup, platform } = await prepare(shop, { isComplete: false });
    expect(lookup.find(text, 'typed').kind).toMatch(/found|several/);
    await expect.poll(() => platform.listings.map(({ term }) => term)).toEqual(terms);
  });

  test('a code is asked for again when the platform could not be', async () => {
    const { lookup, platform } = await prepare(shop, { isComplete: false });
    platform.failListing = () => ({ kind: 'unreachable' });
    lookup.find(barcode, 'scan');
    await expect.poll(() => platform.listings.length).toBe(1);
    lookup.find(barcode, 'scan');
    await expect.poll(() => platform.listings.length).toBe(2);
  });

  test('a code is asked for again when one of the stocks could not be, for the other may have found some', async () => {
    const { lookup, platform, stored } = await prepare(shop, { isComplete: false, stockIds: [stockOne, stockTwo] });
    platform.stocks.set(stockOne, [{ ...late, id: 1n, code: 'CF-001' }]);
    platform.failListing = ({ stockId }) => (stockId === stockTwo ? { kind: 'timedOut' } : null);
    lookup.find(barcode, 'scan');
    await expect.poll(stored).toBe(1);
    platform.failListing = () => null;
    platform.stocks.set(stockTwo, [late]);
    lookup.find(barcode, 'scan');
    await expect.poll(stored).toBe(2);
    expect(lookup.findAgain(barcode, 'scan').kind).toBe('several');
    lookup.find(barcode, 'scan');
    expect(platform.listings.length).toBe(4);
  });

  test('a stock that was refused is asked once it is allowed, whatever was looked up meanwhile', async () => {
    const stockIds = [stockOne, stockTwo];
    const { repository, lookup, platform } = await prepare(shop, { stockIds });
    const note = (refused: 'forbidden' | null) => {
      for (const stock of repository.stocks().slice(1)) {
        repository.saveProgress(stock, { ...noProgress, total: 400, refused });
      }
    };
    note('forbidden');
    lookup.find('77', 'scan');
    note(null);
    lookup.find('77', 'scan');
    await expect.poll(() => platform.listings.map(({ stockId }) => stockId)).toEqual(stockIds);
  });

  test('nothing is asked once it had, nor for what is counted', async () => {
    const { lookup, platform } = await prepare(shop);
    lookup.find(barcode, 'scan');
    const part = await prepare(shop, { isComplete: false });
    part.lookup.identify(barcode, 'scan');
    expect([...platform.listings, ...part.platform.listings]).toEqual([]);
  });
});
