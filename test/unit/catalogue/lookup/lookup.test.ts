// The proof of the answers to scanned and typed texts, K1 to K3 of lookup.ts, and that each fits the contract; aliases
// are in aliases.test.ts, what the platform is asked in asking.test.ts.
import { describe, expect, test } from 'vitest';
import { succeed } from '../../../../app/domain/result.ts';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { findCode } from '../../../../app/catalogue/lookup/code-lookup.ts';
import { readLayouts } from '../../../../app/domain/codes/scale-label.ts';
import { readScan } from '../../../../app/domain/codes/scan.ts';
import { matchCodes } from '../../../../app/catalogue/lookup/match-codes.ts';
import { idsOf, label, prepare, shop } from './lookup-fixture.ts';
import { listed } from '../../../support/listed.ts';

describe('K1: an exact code', () => {
  test.each([
    ['the EAN-13', '9520000000011', '1'],
    ['with what a scanner adds', ']E09520000000011\r\n', '1'],
    ['as a GTIN-14', '09520000000011', '1'],
    ['an EAN-8', '95200002', '2'],
    ['a UPC-A', '042100005264', '3'],
    ['a UPC-A as an EAN-13', '0042100005264', '3'],
    ['a UPC-E', '04252614', '3'],
    ['a UPC-E of six digits', '425261', '3'],
    ['another symbology in other letter case', 'c128-ABC', '4'],
    ['the product code in other letter case', 'cf-001', '1'],
    ['the product code before the id', '1', '3'],
    ['the id', '4', '4'],
  ])('%s', async (_name, text, expected) => {
    const { lookup } = await prepare(shop);
    expect(idsOf(lookup.find(text, 'scan'))).toEqual([expected]);
    expect(idsOf(lookup.find(text, 'typed'))).toEqual([expected]);
  });

  test('an id beyond 2^53 is told from its neighbour', async () => {
    const { lookup } = await prepare([
      { id: 9007199254740992n, name: 'a' },
      { id: 9007199254740993n, name: 'b' },
    ]);
    expect(idsOf(lookup.find('9007199254740993', 'typed'))).toEqual(['9007199254740993']);
  });

  test("shows the profile's first stock first, whichever was copied first, and so do the recent lookups", async () => {
    const { lookup, repository, clock } = await prepare([], { stockIds: [stockOne, stockTwo] });
    for (const [balance, stock] of repository.stocks().toReversed().entries()) {
      repository.writer.save(stock, listed([{ id: 1, name: 'Café torrado', barcode: '9520000000011', balance }]), {
        pass: 1,
        seenSince: 1,
        askedAt: clock.now(),
      });
    }
    const answer = lookup.find('9520000000011', 'scan');
    expect(answer.kind === 'found' ? answer.cards.map((card) => card.stockId) : []).toEqual([stockOne, stockTwo]);
    expect(lookup.recent()[0]?.hit).toMatchObject({ stockId: stockOne, balance: { amount: 1 } });
  });
});

describe('K7: a code that two products share', () => {
  const code = '9520000000011';

  test.each([
    ['a barcode', code, 'scan', 'barcode'],
    ['a barcode that is typed', code, 'typed', 'barcode'],
    ['a GTIN in a GS1 code', `]C101${code.padStart(14, '0')}17260101`, 'scan', 'gs1'],
  ] as const)('%s: both are listed, each with its stocks, and no card is shown', async (_what, text, source, as) => {
    const { lookup } = await prepare([...shop, { id: 9, name: 'Outro', barcode: code }], {
      stockIds: [stockOne, stockTwo],
    });
    const answer = lookup.find(text, source);
    expect(answer).toMatchObject({ kind: 'several', read: { as } });
    expect(idsOf(answer)).toEqual(['1', '1', '9', '9']);
    expect(lookup.recent()).toMatchObject([{ answer: 'several', hit: null }]);
  });

  test('is one that both have in fifty stocks, or sixty in one: all of them are listed', async () => {
    const stockIds = Array.from({ length: 50 }, (_, place) => id(100 + place));
    const { lookup, repository } = await prepare([], { stockIds });
    for (const product of [1, 2]) {
      for (const stock of repository.stocks()) {
        const elements = listed([{ id: product, code: 'C-1', barcode: code }]);
        repository.writer.save(stock, elements, { pass: 1, seenSince: 1, askedAt: 1 });
      }
    }
    for (const text of [code, 'c-1']) {
      expect([...new Set(idsOf(lookup.find(text, 'scan')))]).toEqual(['1', '2']);
    }
    expect(matchCodes(repository.reader, stockIds[49] ?? null, [code, 'c-1']).map((hits) => hits.length)).toEqual([
      2, 2,
    ]);
    const sixty = Array.from({ length: 60 }, (_, place) => ({ id: place + 1, barcode: code }));
    expect(idsOf((await prepare(sixty)).lookup.find(code, 'scan'))).toHaveLength(60);
  });

  test('the recent lookups keep both that were chosen for a code that was scanned twice', async () => {
    const { lookup } = await prepare([...shop, { id: 9, name: 'Outro', barcode: code }]);
    const { text } = lookup.find(code, 'scan');
    const choose = (productId: string): void =>
      lookup.noteOpened(lookup.read(stockOne, id(productId)) ?? expect.unreachable('it is there'), text);
    const recent = (): unknown => lookup.recent().map(({ hit }) => hit?.productId);
    choose('9');
    lookup.find(code, 'scan');
    choose('1');
    expect(recent()).toEqual(['1', '9']);
    // Another choice for the same scan.
    lookup.find(code, 'typed');
    choose('9');
    expect(recent()).toEqual(['9', '9']);
    lookup.find(code, 'scan');
    expect(recent()).toEqual(['9', '9']);
  });

  test('the recent lookups keep the one that was chosen, in the place of the question', async () => {
    const { lookup } = await prepare([...shop, { id: 9, name: 'Outro', barcode: code }]);
    lookup.find('A-100', 'scan');
    const { text } = lookup.find(code, 'scan');
    const chosen = lookup.read(stockOne, id('9')) ?? expect.unreachable('the product is there');
    lookup.noteOpened(chosen, text);
    expect(lookup.recent().slice(0, -1)).toMatchObject([{ text: code, answer: 'found', hit: { productId: '9' } }]);
    expect(lookup.recent()).toHaveLength(2);
  });
});

describe('K1: a part of a name', () => {
  test('typed, it finds several, or the one', async () => {
    const { lookup } = await prepare(shop);
    expect(lookup.find('cafe', 'typed').kind).toBe('several');
    expect(idsOf(lookup.find('cafe', 'typed')).toSorted()).toEqual(['1', '2']);
    expect(lookup.find('moido cafe', 'typed')).toMatchObject({ kind: 'found', cards: [{ productId: '2' }] });
  });

  test('a product opened from the list joins the recent lookups, one that is merely read does not', async () => {
    const { lookup } = await prepare(shop);
    const product = lookup.read(stockOne, id('2'));
    expect(lookup.recent()).toEqual([]);
    lookup.noteOpened(product ?? expect.unreachable('the product is there'));
    expect(lookup.recent()).toMatchObject([{ answer: 'found', hit: { productId: '2', stockId: stockOne } }]);
  });

  test('scanned, it finds nothing: a scan is exact', async () => {
    const { lookup } = await prepare(shop);
    expect(lookup.find('cafe', 'scan').kind).toBe('unknown');
    expect(lookup.find('00', 'scan').kind).toBe('unknown');
  });
});

describe('a name with a slip', () => {
  const goods = [
    { id: 1, name: 'Vassoura de pelo', code: 'V1' },
    { id: 2, name: 'Rodo', code: 'R1' },
  ];

  test('is answered with what it may have meant, which joins no list by itself', async () => {
    const { lookup } = await prepare(goods);
    const similar = lookup.findSimilar('vassora');
    await expect(similar).resolves.toMatchObject({ ok: true, value: [{ productId: '1' }] });
    expect(lookup.recent()).toEqual([]);
  });

  test('is given up for the next lookup', async () => {
    const { lookup, clock } = await prepare(goods);
    clock.uptimeMs = (() => {
      let now = 0;
      return () => (now += 10);
    })();
    const similar = lookup.findSimilar('vassora');
    lookup.find('R1', 'scan');
    await expect(similar).resolves.toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });
});

test('what a text may have meant is given up for what the next one may have', async () => {
  const { lookup, clock } = await prepare([{ id: 1, name: 'Vassoura de pelo', code: 'V1' }]);
  clock.uptimeMs = (() => {
    let now = 0;
    return () => (now += 10);
  })();
  const older = lookup.findSimilar('vassor');
  const newer = lookup.findSimilar('vassora');
  await expect(older).resolves.toEqual({ ok: false, failure: { kind: 'cancelled' } });
  await clock.advance(100);
  await expect(newer).resolves.toMatchObject({ ok: true, value: [{ productId: '1' }] });
});

describe('K2: a miss', () => {
  test.each([
    ['', 'empty'],
    [' \r\n', 'empty'],
    ['9'.repeat(501), 'tooLong'],
    ['12\u000034', 'controlCharacters'],
    ['9520000000015', 'checkDigit'],
    ['95200003', 'checkDigit'],
    ['(01)09520000000012', 'gs1CheckDigit'],
    [']d20109520000', 'gs1CutOff'],
    [']C1XY', 'gs1Identifier'],
    [']C1172613310109520000000011', 'gs1Form'],
    ['(00)095201234567891235', 'notAProduct'],
    ['https://example.com/menu', 'webAddress'],
  ])('%j is unreadable', async (text, why) => {
    const { lookup } = await prepare(shop);
    const answer = lookup.find(text, 'scan');
    expect(answer).toMatchObject({ kind: 'unreadable', why });
    idsOf(answer);
  });

  test('a wrong check digit does not matter where the code is known', async () => {
    const { lookup } = await prepare([{ id: 1, name: 'x', code: '9520000000015' }]);
    expect(idsOf(lookup.find('9520000000015', 'scan'))).toEqual(['1']);
  });

  test('before the copy is complete says so, with when', async () => {
    const { lookup } = await prepare(shop, { isComplete: false });
    expect(lookup.find('9520000000028', 'scan')).toEqual({
      kind: 'notCopied',
      text: '9520000000028',
      copied: 4,
      total: 400,
      completeAt: 5_000,
      asked: false,
    });
  });

  test('where the platform refuses a stock, that one may have it, and is not asked', async () => {
    const { repository, lookup, platform } = await prepare(shop, { stockIds: [stockOne, stockTwo] });
    const refused = repository.stocks()[1];
    if (refused !== undefined) {
      repository.saveProgress(refused, { ...noProgress, refused: 'forbidden' });
    }
    platform.failListing = ({ stockId }) => (stockId === stockTwo ? { kind: 'forbidden' } : null);
    const unknown = { kind: 'unknown', text: '9520000000028', refusedStocks: 1 };
    expect(lookup.find('9520000000028', 'scan')).toEqual({ ...unknown, asked: false });
    expect(await lookup.ask('9520000000028')).toEqual(succeed({ ...unknown, asked: true }));
    expect(platform.listings.map(({ stockId }) => stockId)).toEqual([stockOne]);
  });

  test('is found among the recent ones once the stock that was refused has come', async () => {
    const { repository, lookup, clock } = await prepare(shop, { stockIds: [stockOne, stockTwo] });
    const second = repository.stocks()[1] ?? expect.unreachable('a stock');
    repository.saveProgress(second, { ...noProgress, refused: 'forbidden' });
    lookup.find('9520000000028', 'scan');
    repository.saveProgress(second, noProgress);
    const came = listed([{ id: 99, name: 'Vinho', barcode: '9520000000028' }]);
    repository.writer.save(second, came, { pass: 2, seenSince: 1, askedAt: clock.now() });
    expect(lookup.findAgain('9520000000028', 'scan').kind).toBe('found');
    expect(lookup.recent()).toMatchObject([{ answer: 'found', hit: { productId: '99' } }]);
  });

  test('where the platform refuses all stocks before anything was copied, is not copied', async () => {
    const { repository, lookup } = await prepare([], { stockIds: [stockOne, stockTwo], isComplete: false });
    for (const stock of repository.stocks()) {
      repository.saveProgress(stock, { ...noProgress, refused: 'forbidden' });
    }
    expect(lookup.find('9520000000028', 'scan')).toMatchObject({ kind: 'notCopied' });
  });

  test('is told by the recent lookups as the whole copy has it', async () => {
    const { repository, lookup } = await prepare(shop, { isComplete: false });
    for (const text of ['9520000000028', 'vassoura', '9520000000035']) {
      lookup.find(text, text === 'vassoura' ? 'typed' : 'scan');
    }
    for (const stock of repository.stocks()) {
      const elements = listed([{ id: 77, name: 'Vassoura', barcode: '9520000000035' }]);
      repository.writer.save(stock, elements, { pass: 1, seenSince: 1, askedAt: 1 });
    }
    expect(lookup.recent().map(({ answer }) => answer)).toEqual(['notCopied', 'notCopied', 'notCopied']);
    for (const stock of repository.stocks()) {
      repository.saveProgress(stock, { ...noProgress, completeAsOf: 5 });
    }
    const told = lookup.recent().map(({ text, answer, hit }) => [text, answer, hit?.productId]);
    expect(told).toEqual([
      ['9520000000035', 'found', '77'],
      ['vassoura', 'found', '77'],
      ['9520000000028', 'unknown', undefined],
    ]);
  });

  test('in a complete copy is unknown', async () => {
    const { lookup } = await prepare(shop);
    expect(lookup.find('9520000000028', 'scan')).toEqual({ kind: 'unknown', text: '9520000000028', asked: false });
  });
});

describe('K1: what the code means', () => {
  const gs = '\u001d';
  const goods = [
    ...shop,
    { id: 21, code: '0149', name: 'Queijo' },
    { id: 22, code: '123', name: 'Presunto' },
    { id: 23, code: 'H7', name: 'Mortadela', barcode: label('211234500000') },
    { id: 24, code: 'CX', name: 'Caixa', barcode: '29520000000015' },
  ];
  test.each([
    ['the EAN-13 as it came', '9520000000011', '1', { as: 'barcode', facts: [] }],
    ['a product code', 'cf-001', '1', { as: 'productCode', facts: [] }],
    ['an id', '4', '4', { as: 'id', facts: [] }],
    [
      'a GS1 element string',
      `]d201095200000000111726123110L1${gs}21S`,
      '1',
      {
        as: 'gs1',
        facts: [
          { kind: 'expiry', date: '2026-12-31' },
          { kind: 'lot', text: 'L1' },
          { kind: 'serial', text: 'S' },
        ],
      },
    ],
    [
      'one as it is printed',
      '(01)09520000000011(3103)001234',
      '1',
      { as: 'gs1', facts: [{ kind: 'netWeightKg', amount: 1.234, currency: null }] },
    ],
    ['one that is cut off', ']C101095200000000111726', '1', { as: 'gs1', fault: { why: 'gs1CutOff', about: '17' } }],
    ['a GTIN-8 in one', '0100000095200002', '2', { as: 'gs1' }],
    ['a GTIN-12 in one', '0100042100005264', '3', { as: 'gs1' }],
    [
      'a Digital Link',
      'https://example.com/01/09520000000011/10/L1',
      '1',
      { as: 'digitalLink', facts: [{ kind: 'lot', text: 'L1' }] },
    ],
    ['the unit in a case', ']I119520000000018', '1', { as: 'caseUnit', ofCase: '19520000000018' }],
    [
      'the unit in a case of a GS1 code',
      '(01)19520000000018(37)12',
      '1',
      { as: 'caseUnit', ofCase: '19520000000018', facts: [{ kind: 'pieces', amount: 12 }] },
    ],
    ['a case that is known itself', '(01)29520000000015', '24', { as: 'gs1', ofCase: null }],
    ['with an add-on', '952000000001105', '1', { as: 'addOn', facts: [{ kind: 'addOn', text: '05' }] }],
    ['a UPC-E of seven digits', '4252614', '3', { as: 'upcE' }],
    [
      'a scale label, its item as printed',
      label('201490000284'),
      '21',
      {
        as: 'scaleLabel',
        layout: '2CCCC0TTTTTTV',
        facts: [
          { kind: 'item', text: '0149' },
          { kind: 'price', amount: 2.84 },
        ],
      },
    ],
    [
      'a scale label, its item without noughts',
      label('200012300500'),
      '22',
      {
        as: 'scaleLabel',
        layout: '2CCCCCCTTTTTV',
        facts: [
          { kind: 'item', text: '000123' },
          { kind: 'price', amount: 5 },
        ],
      },
    ],
    ['a scale label whose item is listed with a figure of nought', label('211234501500'), '23', { as: 'scaleLabel' }],
  ])('%s', async (_name, text, expected, read) => {
    const { lookup } = await prepare(goods);
    const answer = lookup.find(text, 'scan');
    expect(idsOf(answer)).toEqual([expected]);
    expect(answer).toMatchObject({ read });
    expect(idsOf(lookup.find(text, 'typed'))).toEqual([expected]);
    // Looked up again from the recent ones.
    expect(idsOf(lookup.find(lookup.recent()[0]?.text ?? '', 'typed'))).toEqual([expected]);
  });

  test('comes after the code as it came: a product that bears the whole text wins', async () => {
    const { lookup } = await prepare([
      ...goods,
      { id: 30, name: 'Inteiro', barcode: '0109520000000011' },
      { id: 31, name: 'Balança', barcode: label('201490000284') },
    ]);
    expect(idsOf(lookup.find('0109520000000011', 'scan'))).toEqual(['30']);
    expect(idsOf(lookup.find(label('201490000284'), 'scan'))).toEqual(['31']);
  });

  test('two products with one GTIN are both shown, also by a GS1 code', async () => {
    const { lookup } = await prepare([...goods, { id: 9, name: 'Outro', barcode: '9520000000011' }]);
    expect(idsOf(lookup.find('(01)09520000000011', 'scan')).toSorted()).toEqual(['1', '9']);
  });

  test.each([
    ['2123400015998', '1234', '12340'],
    [label('201490000284'), '0149', '01490'],
    [label('201490000284'), '149', '01490'],
  ])(
    'C6: where layouts lead %s to different products, with codes %s and %s, both are shown',
    async (text, ...codes) => {
      const { lookup, platform } = await prepare(
        codes.map((code, place) => ({ id: 901 + place, code, name: `n${code}` })),
      );
      const answer = lookup.find(text, 'scan');
      expect(answer).toMatchObject({ kind: 'several', read: { as: 'scaleLabel', layout: null, facts: [] } });
      expect(idsOf(answer).toSorted()).toEqual(['901', '902']);
      expect(platform.listings).toEqual([]);
    },
  );

  test('C6: nor is the one taken that the platform happens to be asked for first', async () => {
    const [text, codes] = ['2123400015998', ['1234', '12340']];
    const empty = await prepare([]);
    empty.platform.stocks.set(
      stockOne,
      codes.map((code, place) => ({ id: BigInt(901 + place), code, name: `n${code}`, updatedAt: 0 })),
    );
    const asked = await empty.lookup.ask(text);
    expect(asked.ok && [asked.value.kind, idsOf(asked.value).toSorted()]).toEqual(['several', ['901', '902']]);
  });

  test('C6: layouts that lead to one product say only what they say alike', async () => {
    const { repository } = await prepare([{ id: 901, code: '1234', name: 'a' }]);
    const reading = readScan('2123400015998', { year: 2026, layouts: readLayouts(['2CCCC0TTTTTTV', '2CCCC0XKKKKKV']) });
    expect(findCode(repository.reader, reading, null)).toMatchObject({
      isAmbiguous: false,
      read: { as: 'scaleLabel', facts: [{ kind: 'item', text: '1234' }] },
    });
    expect(findCode(repository.reader, reading, null)?.read.facts).toHaveLength(1);
  });

  test("C6: an item's code with other leading zeros", async () => {
    const padded = await prepare([{ id: 1, code: '0000149', name: 'a' }]);
    expect(idsOf(padded.lookup.find(label('201490000284'), 'scan'))).toEqual(['1']);
  });
});

test("a product's lines stand in the profile's order of stocks, whichever was copied first", async () => {
  const { lookup, repository, clock } = await prepare([], { stockIds: [stockOne, stockTwo] });
  for (const stock of repository.stocks().toReversed()) {
    repository.writer.save(stock, listed(shop), { pass: 1, seenSince: 1, askedAt: clock.now() });
  }
  expect(lookup.search('cafe', 8).map(({ productId, stockId }) => [productId, stockId])).toEqual([
    ['2', stockOne],
    ['2', stockTwo],
    ['1', stockOne],
    ['1', stockTwo],
  ]);
  expect(lookup.search('cafe', 1)).toMatchObject([{ stockId: stockOne }]);
  const several = lookup.find('cafe', 'typed');
  expect(several.kind === 'several' ? several.hits.map(({ stockId }) => stockId) : []).toEqual([
    stockOne,
    stockTwo,
    stockOne,
    stockTwo,
  ]);
});

test('a found product is told with every stock that has it, though one alone calls it so, up to the limit', async () => {
  const { lookup, repository, clock } = await prepare([], { stockIds: [stockOne, stockTwo] });
  const renamed = shop.map((product) => ({ ...product, name: 'Moído na hora' }));
  for (const [place, stock] of repository.stocks().entries()) {
    repository.writer.save(stock, listed(place === 0 ? renamed : shop), {
      pass: 1,
      seenSince: 1,
      askedAt: clock.now(),
    });
  }
  expect(lookup.search('cafe', 8).map(({ productId, stockId }) => [productId, stockId])).toEqual([
    ['2', stockOne],
    ['2', stockTwo],
    ['1', stockOne],
    ['1', stockTwo],
  ]);
  expect(lookup.search('cafe', 3)).toHaveLength(3);
});

test('search as you type answers hits, and read answers a card or nothing', async () => {
  const { lookup } = await prepare(shop);
  expect(lookup.search('caf', 1)).toMatchObject([{ productId: '2' }]);
  expect(lookup.read(stockOne, id(2))).toMatchObject({ name: 'Café moído', barcodes: ['95200002'] });
  expect(lookup.read(stockTwo, id(2))).toBeNull();
  expect(lookup.nameOf(id(2))).toEqual({ name: 'Café moído', code: '002' });
});
