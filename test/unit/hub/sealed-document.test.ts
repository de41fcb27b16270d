import { beforeEach, describe, expect, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { HubDocument, Member } from '../../../app/hub/document.ts';
import { createSealedDocument, type SealedDocument } from '../../../app/hub/sealed-document.ts';
import { seal } from '../../../app/hub/sealing.ts';
import { createStoredText, type Stored } from '../../../app/hub/stored-text.ts';
import { asEarlierVersion, earlierDocument } from '../../support/earlier-hub.ts';
import { documentOf, memberOf } from '../../support/hub-document.ts';
import { linkToText } from '../../support/hub-register.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';

const key = new Uint8Array(32).fill(1);
const random = createSeededRandom('seal');

const [one, two] = [memberOf({ name: 'one' }), memberOf({ name: 'two' })];

let text: ReturnType<typeof createStoredText>;
let till: SealedDocument;
beforeEach(() => {
  text = createStoredText(() => 0);
  till = openTill();
});

function openTill(
  stored = text,
  change: { readonly key?: Uint8Array; readonly account?: string } = {},
): SealedDocument {
  return createSealedDocument({ random, link: linkToText(stored), account: 'account', key, ...change });
}

/** The document as a till reads it now. */
async function readBy(reader: SealedDocument) {
  const read = await reader.read();
  return read.ok ? read.value.document : read.failure;
}

/** Writes these members, after a reading; answers what lies at the hub then. */
async function write(members: Readonly<Record<string, Member>>, writer = till): Promise<Stored> {
  const read = await writer.read();
  if (!read.ok) expect.fail(read.failure);
  expect(await writer.write(read.value.reading, documentOf(members))).toEqual(succeed(true));
  return text.stored();
}

describe('a document', () => {
  test('is read as it was written, by whoever has the key', async () => {
    expect(await readBy(till)).toBeNull();
    await write({ one, two });
    expect(await readBy(till)).toEqual(documentOf({ one, two }));
    expect(await readBy(openTill())).toEqual(documentOf({ one, two }));
  });

  test('costs one row for a member that has changed, however many there are', async () => {
    const members = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`till ${at}`, memberOf()]));
    await write(members);
    const read = await till.read();
    const document = read.ok ? read.value.document : null;
    if (document === null || document === 'unreadable') expect.fail('nothing was read');
    const before = text.read().version;
    await write({ ...document.members, 'till 7': memberOf({ name: 'seven', writes: 2 }) });
    expect(text.read(before).rows?.map(({ member }) => member)).toEqual(['till 7']);
    // The header is as long as before.
    expect(text.read().document?.length).toBeLessThan(500);
  });

  test('forgets whom it names no more', async () => {
    await write({ one, two });
    const other = openTill();
    await readBy(other);
    await write({ one });
    expect(text.stored().rows.map(({ member }) => member)).toEqual(['one']);
    expect([await readBy(other), await readBy(other)]).toEqual(['contended', documentOf({ one })]);
  });

  test('shows nothing of what it holds, and is another text each time', async () => {
    const first = await write({ one });
    const second = await write({ one: { ...one } });
    const texts = [first, second].flatMap(({ document, rows }) => [
      document ?? '',
      ...rows.map(({ record }) => record),
    ]);
    expect(new Set(texts).size).toBe(4);
    for (const sealed of texts) {
      expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toMatch(/epoch|name|account/);
    }
  });

  test('of a newer version of the app is told as such, also where a row alone is newer', async () => {
    await till.write(text.read(), {
      ...documentOf({ one: { ...one, readsRows: false } }),
      format: 3,
    } as unknown as HubDocument);
    expect(await readBy(openTill())).toBe('newerDocument');
    await till.write(text.read(), documentOf({ one: { ...one, rights: 'many' } as unknown as Member }));
    expect(await readBy(openTill())).toBe('newerDocument');
  });
});

describe('nothing is read, and so it is lost (H8), of', () => {
  const changes: readonly [string, (now: Stored, before: Stored) => Partial<Stored>][] = [
    ['a changed bit of the header', ({ document }) => ({ document: `A${document?.slice(1) ?? ''}` })],
    ['a cut header', ({ document }) => ({ document: document?.slice(0, 20) ?? null })],
    ['a header that is none', () => ({ document: '{"format":2}' })],
    ['an earlier header', (_, { document }) => ({ document })],
    ['a header of another version', ({ version }) => ({ version: version + 1 })],
    ['an old row beside a new header', (_, { rows }) => ({ rows })],
    ['a missing row', ({ rows }) => ({ rows: rows.slice(1) })],
    ['a row more', ({ rows }) => ({ rows: [...rows, ...rows.map((row) => ({ ...row, member: 'three' }))] })],
    [
      'rows that have changed places',
      ({ rows: [first, second] }) => ({
        rows:
          first && second
            ? [
                { ...first, record: second.record },
                { ...second, record: first.record },
              ]
            : [],
      }),
    ],
    ['a garbled row', ({ rows }) => ({ rows: rows.map((row) => ({ ...row, record: 'garbage' })) })],
  ];

  test.each(changes)('%s', async (_, change) => {
    const before = await write({ one, two });
    const now = await write({ one: memberOf({ name: 'one', writes: 2 }), two: memberOf({ name: 'two', writes: 2 }) });
    expect(await readBy(openTill(createStoredText(() => 0, now)))).toMatchObject({ epoch: 'one' });
    const changed = createStoredText(() => 0, { ...now, ...change(now, before) });
    expect(await readBy(openTill(changed))).toBe('unreadable');
  });

  test('what another key or account has sealed', async () => {
    await write({ one });
    expect(await readBy(openTill(text, { key: new Uint8Array(32).fill(2) }))).toBe('unreadable');
    expect(await readBy(openTill(text, { account: 'other' }))).toBe('unreadable');
  });

  test.each([
    ['ever new ones when asked for all', 500, 500],
    ['more at once than there may be', 801, 0],
  ])('rows of a hub that names %s, which it does not keep', async (_, count, most) => {
    let names = 0;
    const written: number[] = [];
    const reader = createSealedDocument({
      random,
      account: 'account',
      key,
      link: {
        ...linkToText(text),
        read: () => {
          const rows = Array.from({ length: count }, () => ({ member: `${(names += 1)}`, version: 0, record: '' }));
          const reading = { version: 0, document: 'garbage', isIntact: false, life: null, rows, serverMs: 0 };
          return Promise.resolve(succeed(reading));
        },
        write: (_account, _reading, _document, _timeoutMs, rows = []) => {
          written.push(rows.filter(({ record }) => record === null).length);
          return Promise.resolve(succeed(false));
        },
      },
    });
    for (let times = 0; times < 5; times += 1) await reader.read();
    const read = await reader.read();
    if (read.ok) await reader.write(read.value.reading, documentOf({}));
    expect(Math.max(0, ...written)).toBeLessThanOrEqual(most);
  });

  test('what the key has sealed and is no JSON, which is told as of another version', async () => {
    const [sealed, record] = ['tillside-hub 1\naccount\n1', 'tillside-hub row\naccount\none\n1'].map((meaning) =>
      seal(key, meaning, Buffer.from('no JSON'), random).toString('base64'),
    );
    text.write(0, 0, sealed ?? '', [{ member: 'one', record: record ?? '' }]);
    expect(await readBy(till)).toBe('newerDocument');
  });

  /** A till that reads what the hub has now. */
  const readerOf = (link: { readonly now: typeof text }): ReturnType<typeof createSealedDocument> =>
    createSealedDocument({
      random,
      account: 'account',
      key,
      link: { ...linkToText(text), read: (...input) => linkToText(link.now).read(...input) },
    });

  test('rows that were restored to an earlier state, also by a till that knows newer ones', async () => {
    const before = await write({ one, two });
    await write({ one: memberOf({ name: 'one', writes: 2 }), two });
    const restored = createStoredText(() => 0, before);
    const link = { now: text };
    const reader = readerOf(link);
    expect(await readBy(reader)).toMatchObject({ members: { one: { writes: 2 } } });
    link.now = restored;
    // By its version it is from before; it is read anew, as a whole.
    expect([await readBy(reader), await readBy(reader)]).toEqual(['contended', documentOf({ one, two })]);
  });

  test('a row that only a newer version can read, by a till that knows it when the hub has been emptied', async () => {
    const link = { now: text };
    const reader = readerOf(link);
    await write({ one, two: { ...two, rights: 'many' } as unknown as Member });
    expect(await readBy(reader)).toBe('newerDocument');
    // Another till has been quicker to write there.
    text = createStoredText(() => 0);
    link.now = text;
    await write({ one }, openTill());
    expect([await readBy(reader), await readBy(reader)]).toEqual(['contended', documentOf({ one })]);
  });
});

describe('beside an earlier version of the app', () => {
  test('its document is read', async () => {
    const { sealed: document, account, version } = earlierDocument;
    const earlier = createStoredText(() => 0, { document, version, isIntact: false, life: null, rows: [] });
    expect(await readBy(openTill(earlier, { account }))).toMatchObject({
      epoch: 'one',
      members: { one: { name: 'Caixa 1', rights: 3, share: 60, readsRows: false, wants: [{ lane: 'person' }] } },
    });
  });

  test('one text is written until every member reads rows, and again when one does not (H1)', async () => {
    const earlier = createSealedDocument({
      random,
      account: 'account',
      key,
      link: asEarlierVersion(linkToText(text), key, random),
    });
    expect((await write({ one, two: { ...two, readsRows: false } })).rows).toEqual([]);
    expect(await readBy(earlier)).toMatchObject({ members: { two: { name: 'two' } } });
    expect((await write({ one, two })).rows).toHaveLength(2);
    expect(await readBy(earlier)).toEqual('newerVersion');
    // After a loss somebody remembers one.
    expect((await write({ one, two: { ...two, readsRows: false } })).rows).toEqual([]);
    expect(await readBy(earlier)).toMatchObject({ members: { one: { name: 'one' } } });
  });

  test('a hub that keeps no rows has one text, and rows that it has lost are told as newer', async () => {
    const noRows = { ...linkToText(text), read: async () => succeed({ ...text.read(), rows: null }) };
    const reader = createSealedDocument({ random, link: noRows, account: 'account', key });
    await reader.read();
    await reader.write({ ...text.read(), rows: null }, documentOf({ one }));
    expect(text.stored().rows).toEqual([]);
    expect(await readBy(reader)).toEqual(documentOf({ one }));
    await write({ one });
    expect(await reader.read()).toEqual(fail('newerDocument'));
  });
});
