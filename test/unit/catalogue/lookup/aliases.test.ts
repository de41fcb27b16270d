// The proof of aliases, K3 of lookup.ts and C4 of code-lookup.ts: what the platform once resolved gives way to what a
// product carries, goes with its product, and is asked for anew when it is old.
import { expect, test } from 'vitest';
import type { Id } from '../../../../app/domain/int64.ts';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import type { LookupPorts } from '../../../../app/catalogue/lookup/lookup.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { idsOf, prepare, shop, type Setting } from './lookup-fixture.ts';
import { listed } from '../../../support/listed.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

const dayMs = 86_400_000;

test('K3: a code that no element carries becomes an alias of the one product', async () => {
  const { lookup, platform } = await prepare(shop);
  platform.changePage = (page) => ({ ...page, elements: [{ id: 4, name: 'Pão', code: '77' }], total: 1 });
  expect(await lookup.ask('9520000000028')).toMatchObject({ value: { kind: 'found', cards: [{ productId: '4' }] } });
  expect(idsOf(lookup.find(' 09520000000028', 'scan'))).toEqual(['4']);
});

test.each([
  ['its product code', { code: '1000010' }, '100001'],
  ['a second code', { code: '5', sku: 'AB-1000010' }, 'b-100001'],
  ['its barcode', { barcode: '7891000100103' }, '789100'],
  ['its name', { name: 'Lote 1000010' }, '100001'],
])('C5: a part of %s is shown as searched for, and is never learnt', async (_name, fields, text) => {
  const { lookup, platform, repository, clock } = await prepare(shop);
  repository.writer.saveAlias(text, id(4), clock.now(), [stockOne]);
  clock.sleep(31 * dayMs);
  platform.changePage = (page) => ({ ...page, elements: [{ id: 9, name: 'Vinho', ...fields }], total: 1 });
  expect(await lookup.ask(text)).toMatchObject({
    value: { kind: 'several', read: { as: 'search' }, hits: [{ productId: '9' }] },
  });
  expect(lookup.find(text, 'scan').kind).toBe('unknown');
});

test.each([
  ['eleven digits of an EAN-13', '78910000535'],
  ['eleven digits whose last one is right by chance', '95200000000'.replace(/.$/, checkDigitOf('9520000000'))],
  ['twelve digits with a wrong check digit', '952000000003'],
  ["a fragment of a shop's own code", 'AB-1000'],
])('C5: %s, which no element carries, are shown as searched for and never learnt', async (_name, text) => {
  const setting = await prepare(shop);
  // A platform whose `term` matches by containment, and whose elements have no barcodes.
  resolveTo(setting, { id: 9, name: 'Vinho', code: '5' });
  expect(await setting.lookup.ask(text)).toMatchObject({
    value: { kind: 'several', read: { as: 'search' }, hits: [{ productId: '9' }] },
  });
  expect(setting.lookup.find(text, 'scan').kind).not.toBe('found');
});

test.each([
  ['a field that this app does not know', { supplier: { reference: 'ab-1000010' } }, 'AB-1000010'],
  ['a list of another kind', { labels: [{ text: '1000010' }] }, '1000010'],
])('C5: what an element carries whole in %s is learnt', async (_name, fields, text) => {
  const setting = await prepare(shop);
  resolveTo(setting, { id: 9, name: 'Vinho', code: '5', ...fields });
  expect(await setting.lookup.ask(text)).toMatchObject({ value: { kind: 'found', cards: [{ productId: '9' }] } });
  expect(idsOf(setting.lookup.find(text, 'scan'))).toEqual(['9']);
});

/** A shop in which the platform resolved a code to the bread. */
async function prepareAlias(): Promise<Setting> {
  const setting = await prepare(shop);
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' });
  await setting.lookup.ask('9520000000028');
  expect(idsOf(setting.lookup.find('9520000000028', 'scan'))).toEqual(['4']);
  setting.platform.listings.length = 0;
  return setting;
}

function resolveTo({ platform }: Setting, ...elements: readonly unknown[]): void {
  platform.changePage = (page) => ({ ...page, elements, total: elements.length });
}

test.each([
  ['its barcode', { barcode: '9520000000028' }, '9520000000028'],
  ['its product code', { code: '9520000000028' }, '9520000000028'],
  ['the barcode of the unit in the case', { barcode: '9520000000028' }, '19520000000025'],
])('K3, C4: a product that carries a code as %s wins over an alias', async (_name, fields, text) => {
  const { repository, lookup, clock } = await prepare(shop);
  repository.writer.saveAlias(text, id(4), clock.now(), [stockOne]);
  expect(idsOf(lookup.find(text, 'scan'))).toEqual(['4']);
  const [stock] = repository.stocks();
  repository.writer.save(stock ?? expect.unreachable('a stock'), listed([{ id: 9, name: 'Outro', ...fields }]), {
    pass: 2,
    seenSince: 2,
    askedAt: clock.now(),
  });
  expect(idsOf(lookup.find(text, 'scan'))).toEqual(['9']);
});

test('K3: goes with the last row of its product, and does not come back with it', async () => {
  const { repository, lookup, clock } = await prepare(shop, { stockIds: [stockOne, stockTwo] });
  repository.writer.saveAlias('9520000000028', id(4), clock.now(), [stockOne, stockTwo]);
  for (const [place, stock] of repository.stocks().entries()) {
    repository.writer.remove(stock, [id(4)]);
    expect(lookup.find('9520000000028', 'scan').kind).toBe(place === 0 ? 'found' : 'unknown');
  }
  for (const stock of repository.stocks()) {
    repository.writer.save(stock, listed([{ id: 4, name: 'Pão', code: '77' }]), {
      pass: 2,
      seenSince: 2,
      askedAt: clock.now(),
    });
  }
  expect(lookup.find('9520000000028', 'scan').kind).toBe('unknown');
});

test('K3: younger than thirty days it is not asked for anew', async () => {
  const { lookup, platform, clock } = await prepareAlias();
  clock.sleep(29 * dayMs);
  expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4']);
  expect(platform.listings).toEqual([]);
});

test('K3, K8: for whoever is not at the screen by a sign-in an old one is shown, and not asked for', async () => {
  const { lookup, platform, clock } = await prepareAlias();
  clock.sleep(30 * dayMs);
  expect(idsOf(lookup.find('9520000000028', 'scan', false))).toEqual(['4']);
  await clock.advance(5_000);
  expect(platform.listings).toEqual([]);
});

test.each([
  ['still the same', [{ id: 4, name: 'Pão', code: '77' }], ['4']],
  ['another product', [{ id: 3, name: 'Chá', code: '1' }], ['3']],
  ['no product', [], []],
  ['two products', [{ id: 3 }, { id: 4 }], []],
])(
  'K3: an old one is shown and asked for anew; when it is %s, that counts from then on',
  async (_name, elements, expected) => {
    const setting = await prepareAlias();
    const { lookup, platform, clock } = setting;
    clock.sleep(30 * dayMs);
    resolveTo(setting, ...elements);
    expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4']);
    await clock.advance(5_000);
    expect(platform.listings.map(({ term }) => term)).toEqual(['9520000000028']);
    expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(expected);
    await clock.advance(5_000);
    expect(platform.listings).toHaveLength(1);
  },
);

/** A shop of two stocks, the second of which the platform refuses. */
async function prepareRefused(shared?: LookupPorts['shared']): Promise<Setting> {
  const setting = await prepare(shop, { stockIds: [stockOne, stockTwo], shared });
  const [, second] = setting.repository.stocks();
  setting.repository.saveProgress(second ?? expect.unreachable('a stock'), { ...noProgress, refused: 'forbidden' });
  return setting;
}

/** A month after it was learnt, the code still leads to the one product; counts what is asked from then on. */
async function scanThriceWhenOld({ lookup, platform, clock }: Setting): Promise<void> {
  clock.sleep(31 * dayMs);
  platform.listings.length = 0;
  for (let asked = 0; asked < 3; asked += 1) {
    expect(new Set(idsOf(lookup.find('9520000000028', 'scan')))).toEqual(new Set(['4']));
    await clock.advance(5_000);
  }
}

test('K3: is learnt of the stocks that are allowed, and renewed by one question', async () => {
  const setting = await prepareRefused();
  const { lookup, platform } = setting;
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' });
  await lookup.ask('9520000000028');
  await scanThriceWhenOld(setting);
  expect(platform.listings.map(({ stockId }) => stockId)).toEqual([stockOne]);
});

test('K3: what five of more stocks answer is published as theirs, and renewed by one question', async () => {
  const published: unknown[] = [];
  const setting = await prepare(shop, {
    stockIds: ['11', '12', '13', '14', '15', '16'] as Id[],
    shared: {
      nowMs: () => 0,
      balance: () => undefined,
      figures: () => undefined,
      alias: (...told) => published.push(told[3]),
    },
  });
  const { lookup, platform } = setting;
  // The sixth has another one for it.
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' });
  await lookup.ask('9520000000028');
  await scanThriceWhenOld(setting);
  const five = ['11', '12', '13', '14', '15'];
  expect([platform.listings.length, published]).toEqual([5, [five, five]]);
});

test('K3: what is learnt while a stock is refused is published as the others’, and old once it is allowed', async () => {
  const published: unknown[] = [];
  const setting = await prepareRefused({
    nowMs: () => 0,
    balance: () => undefined,
    figures: () => undefined,
    alias: (_term, productId, _elements, stockIds) => published.push([productId, stockIds]),
  });
  const { repository, lookup, platform, clock } = setting;
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' });
  await lookup.ask('9520000000028');
  expect(published).toEqual([['4', [stockOne]]]);
  for (const stock of repository.stocks()) {
    repository.saveProgress(stock, { ...noProgress, completeAsOf: clock.now() });
  }
  platform.changePage = (page, { stockId }) => ({
    ...page,
    elements: [stockId === stockOne ? { id: 4, name: 'Pão', code: '77' } : { id: 3, name: 'Chá', code: '1' }],
    total: 1,
  });
  expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4', '4']);
  await clock.advance(5_000);
  expect(lookup.find('9520000000028', 'scan').kind).toBe('unknown');
  expect(published.at(-1)).toEqual([null, null]);
});

test('K3: one that was learnt before a stock was added is shown and asked for anew', async () => {
  const path = `${temporaryDirectory()}/catalogue.db`;
  const before = await prepare(shop, { path });
  resolveTo(before, { id: 4, name: 'Pão', code: '77' });
  await before.lookup.ask('9520000000028');
  before.repository.close();
  const { lookup, platform, clock } = await prepare(shop, { path, stockIds: [stockOne, stockTwo] });
  platform.changePage = (page, { stockId }) => ({
    ...page,
    elements: [stockId === stockOne ? { id: 4, name: 'Pão', code: '77' } : { id: 3, name: 'Chá', code: '1' }],
    total: 1,
  });
  expect(lookup.find('9520000000028', 'scan').kind).toBe('found');
  await clock.advance(5_000);
  expect(lookup.find('9520000000028', 'scan').kind).toBe('unknown');
});

test('K3: it goes where the allowed stocks alone have several products for it', async () => {
  const setting = await prepareRefused();
  const { lookup, clock } = setting;
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' });
  await lookup.ask('9520000000028');
  clock.sleep(31 * dayMs);
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' }, { id: 3, name: 'Chá', code: '1' });
  expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4', '4']);
  await clock.advance(5_000);
  expect(lookup.find('9520000000028', 'scan').kind).toBe('unknown');
});

test('K3: of a product that may be in the refused stock alone it stays', async () => {
  const setting = await prepareRefused();
  const { repository, lookup, platform, clock } = setting;
  repository.writer.saveAlias('9520000000028', id(4), clock.now(), [stockOne, stockTwo]);
  clock.sleep(31 * dayMs);
  resolveTo(setting);
  for (const asked of [1, 2]) {
    expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4', '4']);
    await clock.advance(5_000);
    expect(platform.listings).toHaveLength(asked);
  }
});

test('K3: an old one is not asked for again as the copy grows under the card', async () => {
  const { lookup, platform, clock } = await prepareAlias();
  clock.sleep(31 * dayMs);
  platform.failListing = () => ({ kind: 'unreachable' });
  expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4']);
  for (let grown = 0; grown < 3; grown += 1) {
    await clock.advance(5_000);
    expect(idsOf(lookup.findAgain('9520000000028', 'scan'))).toEqual(['4']);
  }
  expect(platform.listings).toHaveLength(1);
});

test('K3: an old one that cannot be asked for stays, and is asked for at the next lookup', async () => {
  const setting = await prepareAlias();
  const { lookup, platform, clock } = setting;
  clock.sleep(-dayMs);
  platform.failListing = () => ({ kind: 'unreachable' });
  for (const asked of [1, 2]) {
    expect(idsOf(lookup.find('9520000000028', 'scan'))).toEqual(['4']);
    await clock.advance(5_000);
    expect(platform.listings).toHaveLength(asked);
  }
});

test('K3: a question that cannot reach the stock of its product is asked once, and not with each lookup', async () => {
  const setting = await prepare(shop, { stockIds: ['11', '12', '13', '14', '15', '16'] as Id[] });
  const { repository, lookup, platform, clock } = setting;
  const [first] = repository.stocks();
  const stock = first ?? expect.unreachable('a stock');
  repository.saveProgress(stock, { ...noProgress, refused: 'forbidden' });
  platform.changePage = (page, { stockId }) => ({
    ...page,
    elements: stockId === '16' ? [{ id: 4, name: 'Pão', code: '77' }] : [],
  });
  await lookup.ask('9520000000028');
  repository.saveProgress(stock, { ...noProgress, completeAsOf: clock.now() });
  platform.listings.length = 0;
  for (let scan = 0; scan < 4; scan += 1) {
    expect(new Set(idsOf(lookup.find('9520000000028', 'scan')))).toEqual(new Set(['4']));
    await clock.advance(5_000);
  }
  expect(platform.listings).toHaveLength(5);
});

test('K3: no product answers to a code that was forgotten, whatever its number is', async () => {
  const setting = await prepare([...shop, { id: 0, name: 'Diversos', code: 'DIV' }]);
  resolveTo(setting, { id: 4, name: 'Pão', code: '77' });
  await setting.lookup.ask('9520000000028');
  resolveTo(setting);
  await setting.lookup.ask('9520000000028');
  expect(setting.lookup.find('9520000000028', 'scan').kind).toBe('unknown');
});
