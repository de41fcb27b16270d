// The proof of what becomes a recent lookup, and that no answer waits for its being written: K6 of lookup.ts, R1 and R2
// of recent.ts.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { Database } from '../../../../app/storage/database.ts';
import { id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { idsOf, prepare, shop } from '../lookup/lookup-fixture.ts';
import { coffee, save } from './repository-fixture.ts';
import { listed } from '../../../support/listed.ts';

describe('K6: while another thread writes', () => {
  const text = 'cf-001';
  const rowsOf = (database: Database) =>
    database
      .prepare<{ text: string }>('SELECT text FROM recent_lookups')
      .all()
      .map((row) => row.text);

  /** A store whose connection waits longer for another than a test may last, wherever it waits. */
  async function prepareToWait(): ReturnType<typeof prepare> {
    const { exec } = Database.prototype;
    const waits = vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database, sql) {
      exec.call(this, sql.replace(/busy_timeout = [1-9]\d*/, 'busy_timeout = 15000'));
    });
    const opens = vi.spyOn(Database, 'open');
    onTestFinished(() => {
      waits.mockRestore();
      opens.mockRestore();
    });
    const prepared = await prepare(shop);
    const opened = await Promise.all(opens.mock.results.map((result): unknown => result.value));
    const databases = opened.filter((one): one is Database => one instanceof Database);
    expect(databases).not.toEqual([]);
    databases.forEach((database) => database.exec('PRAGMA busy_timeout = 1'));
    return prepared;
  }

  async function hold(path: string): Promise<Database> {
    const other = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
    other.exec('BEGIN IMMEDIATE');
    return other;
  }

  test('an answer does not wait, is among the recent lookups at once, and in the file afterwards', async () => {
    const { lookup, path, clock } = await prepareToWait();
    const other = await hold(path);
    expect(idsOf(lookup.find(text, 'scan'))).toEqual(['1']);
    expect(lookup.findAgain(text, 'scan').kind).toBe('found');
    await clock.advance(0);
    expect(lookup.recent()).toMatchObject([{ text, answer: 'found' }]);
    const before = lookup.recent();
    other.exec('ROLLBACK');
    expect(rowsOf(other)).toEqual([]);
    await clock.advance(1_000);
    expect(rowsOf(other)).toEqual([text]);
    expect(lookup.recent()).toEqual(before);
    other.close();
  });

  test('scanned again after another is a line of its own, twice in a row is one; also once written', async () => {
    const { lookup, path, clock } = await prepare(shop);
    const other = await hold(path);
    const texts = (): string[] => lookup.recent().map((line) => line.text);
    for (const scanned of [text, '002', text, text]) {
      lookup.find(scanned, 'scan');
    }
    expect(texts()).toEqual([text, '002', text]);
    other.exec('ROLLBACK');
    await clock.advance(1_000);
    expect(rowsOf(other)).toEqual([text, '002', text]);
    expect(texts()).toEqual([text, '002', text]);
    other.close();
  });

  test('it is written with the next one, or when the store is closed', async () => {
    const { lookup, repository, path, clock } = await prepare(shop);
    const other = await hold(path);
    lookup.find(text, 'scan');
    await clock.advance(5_000);
    other.exec('ROLLBACK');
    expect(rowsOf(other)).toEqual([]);
    lookup.find('002', 'scan');
    await clock.advance(0);
    expect(rowsOf(other)).toEqual([text, '002']);
    lookup.find('77', 'scan');
    repository.close();
    await clock.advance(5_000);
    expect(rowsOf(other)).toEqual([text, '002', '77']);
    other.close();
  });
});

test('an answer on the screen is looked up again without a new recent lookup; its line is corrected', async () => {
  const { lookup, repository, clock } = await prepare([], { isComplete: false });
  lookup.find('9520000000028', 'scan');
  lookup.find('9520000000011', 'scan');
  expect(lookup.findAgain('9520000000028', 'scan').kind).toBe('notCopied');
  expect(lookup.recent()).toMatchObject([{ text: '9520000000011' }, { text: '9520000000028', answer: 'notCopied' }]);
  for (const stock of repository.stocks()) {
    repository.writer.save(stock, listed([{ id: 8, name: 'Azeite', barcode: '9520000000028' }]), {
      pass: 1,
      seenSince: 1,
      askedAt: clock.now(),
    });
  }
  const whileWanted = lookup.whileWanted();
  expect(idsOf(lookup.findAgain('9520000000028', 'scan'))).toEqual(['8']);
  expect(whileWanted.aborted).toBe(false);
  expect(lookup.recent()).toMatchObject([
    { text: '9520000000011', answer: 'notCopied' },
    { text: '9520000000028', answer: 'found', hit: { name: 'Azeite' } },
  ]);
});

test('what was chosen of several makes way for the question once the code names it no more', async () => {
  const juice = (number: number, barcode: string) => ({ id: number, name: `Suco ${number}`, barcode });
  const { lookup, repository, clock } = await prepare([1, 2, 3].map((number) => juice(number, '9520000000028')));
  lookup.find('9520000000028', 'scan');
  lookup.noteOpened(lookup.read(stockOne, id(2)) ?? expect.fail(), '9520000000028');
  save(repository, [juice(2, '9520000000035')], { askedAt: clock.now() + 1 });
  expect(lookup.find('9520000000028', 'scan')).toMatchObject({ hits: [{ productId: '1' }, { productId: '3' }] });
  expect(lookup.recent()).toMatchObject([{ answer: 'several', hit: null }]);
});

test('what was chosen of several stays chosen until something else is looked up between', async () => {
  const both = [1, 2].map((number) => ({ id: number, name: `Suco ${number}`, barcode: '9520000000028' }));
  const { lookup, platform } = await prepare(both);
  platform.stocks.set(
    stockOne,
    both.map(({ id: number, name, barcode }) => ({ id: BigInt(number), code: '', name, barcode, updatedAt: 0 })),
  );
  const line = (): unknown[] => lookup.recent().map(({ answer, hit }) => [answer, hit?.name]);
  expect(lookup.find('9520000000028', 'scan').kind).toBe('several');
  const asked = lookup.ask('9520000000028');
  const second = lookup.read(stockOne, id(2));
  expect(second).not.toBeNull();
  if (second !== null) {
    lookup.noteOpened(second, '9520000000028');
  }
  expect(lookup.findAgain('9520000000028', 'scan').kind).toBe('several');
  expect(await asked).toMatchObject({ ok: true, value: { kind: 'several' } });
  expect(line()).toEqual([['found', 'Suco 2']]);
  // The same code once more asks anew; nothing else has been chosen. What is chosen then is another lookup.
  lookup.find('9520000000028', 'scan');
  expect(line()).toEqual([['found', 'Suco 2']]);
  lookup.noteOpened(lookup.read(stockOne, id(1)) ?? expect.fail(), '9520000000028');
  const chosen = [
    ['found', 'Suco 1'],
    ['found', 'Suco 2'],
  ];
  expect(line()).toEqual(chosen);
  lookup.find('508', 'scan');
  lookup.find('9520000000028', 'scan');
  expect(line()).toEqual([['several', undefined], ['unknown', undefined], ...chosen]);
  lookup.find('9520000000028', 'scan');
  expect(line()).toHaveLength(4);
});

test.each([
  ['9520000000028', 'scan'],
  ['azeite', 'typed'],
] as const)(
  'the line of %s follows the card to the stock that comes later, but not from a chosen one',
  async (text, source) => {
    const { lookup, repository, clock } = await prepare([], { isComplete: false, stockIds: [stockOne, stockTwo] });
    const copy = (place: number): void => {
      const stock = repository.stocks()[place] ?? expect.fail();
      const oil = listed([{ id: 8, name: 'Azeite', barcode: '9520000000028' }]);
      repository.writer.save(stock, oil, { pass: 1, seenSince: 1, askedAt: clock.now() });
    };
    const line = (): unknown => lookup.recent().map(({ hit }) => hit?.stockId);
    copy(1);
    lookup.find(text, source);
    expect(line()).toEqual([stockTwo]);
    copy(0);
    lookup.findAgain(text, source);
    expect(line()).toEqual([stockOne]);
    lookup.noteOpened(lookup.read(stockTwo, id(8)) ?? expect.fail(), text);
    lookup.findAgain(text, source);
    expect(line()).toEqual([stockTwo]);
  },
);

test('find and ask are remembered as one line, search is not', async () => {
  const { lookup, platform } = await prepare([]);
  platform.stocks.set(stockOne, [{ id: 8n, code: 'X8', name: 'Azeite', barcode: '9520000000028', updatedAt: 0 }]);
  lookup.search('aze', 5);
  lookup.find('9520000000028', 'scan');
  expect(lookup.recent()).toMatchObject([{ text: '9520000000028', answer: 'unknown', hit: null }]);
  await lookup.ask('9520000000028');
  expect(lookup.recent()).toMatchObject([{ text: '9520000000028', answer: 'found', hit: { name: 'Azeite' } }]);
});

test('a withdrawn lookup is no recent one, before and after the writing, unless another came since', async () => {
  const { lookup, clock } = await prepare(shop);
  const texts = (): string[] => lookup.recent().map((line) => line.text);
  for (const text of ['cf-001', '508', '7890']) {
    lookup.find(text, 'scan');
  }
  lookup.withdraw('508');
  expect(texts()).toEqual(['7890', '508', 'cf-001']);
  lookup.withdraw('7890');
  expect(texts()).toEqual(['508', 'cf-001']);
  await clock.advance(0);
  expect(texts()).toEqual(['508', 'cf-001']);
  lookup.withdraw('508');
  await clock.advance(0);
  expect(texts()).toEqual(['cf-001']);
});

test.each([1, 7, 500])(
  'the last hundred lookups are kept, newest first, repeats as one, written after every %d',
  async (often) => {
    const { repository } = await openRepository();
    save(repository, [coffee]);
    for (let place = 0; place < 150; place += 1) {
      repository.recent.remember({ at: place, text: `t${place}`, answer: 'unknown', product: null });
      if (place % often === 0) {
        repository.recent.write('now');
      }
    }
    repository.recent.remember({ at: 150, text: 'cafe', answer: 'unknown', product: null });
    repository.recent.remember({
      at: 151,
      text: 'cafe',
      answer: 'found',
      product: { stockId: stockOne, productId: id(1) },
    });
    const list = repository.recent.list();
    expect(list).toHaveLength(100);
    expect(list[0]).toMatchObject({ at: 151, text: 'cafe', answer: 'found', hit: { name: 'Café torrado' } });
    expect(list[1]?.text).toBe('t149');
    repository.recent.remember({ at: 152, text: 'x', answer: 'notCopied', product: null });
    repository.recent.remember({ at: 153, text: 'y', answer: 'notCopied', product: null });
    expect(repository.recent.correct({ text: 'x', answer: 'unknown', product: null }, ['notCopied'])).toBe(true);
    expect(repository.recent.correct({ text: 'cafe', answer: 'unknown', product: null }, ['notCopied'])).toBe(false);
    const before = repository.recent.list();
    expect(before.slice(0, 3).map(({ text, answer }) => [text, answer])).toEqual([
      ['y', 'notCopied'],
      ['x', 'unknown'],
      ['cafe', 'found'],
    ]);
    repository.recent.write('patiently');
    expect(repository.recent.list()).toEqual(before);
  },
);
