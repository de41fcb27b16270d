// The proof that a list's file opens right: each kind, in each language, is read by other people's readers, cell by cell.
import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import readExcelFile, { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import type { AuditAction } from '../../../../app/contract/audit.ts';
import type { Language } from '../../../../app/contract/basics.ts';
import type { FileKind } from '../../../../app/contract/files.ts';
import type { RecentLookup } from '../../../../app/contract/lookup.ts';
import { languages } from '../../../../app/domain/language.ts';
import { succeed } from '../../../../app/domain/result.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import { couponFile } from '../../../../renderer/coupons/coupon-file.ts';
import { cellOf, type Cell, type FileList } from '../../../../renderer/files/columns.ts';
import { readRows, writeList, type FileProgress } from '../../../../renderer/files/write-list.ts';
import { createEveryWord } from '../../../support/sentences.ts';
import { auditFile } from '../../../../renderer/lock/audit-file.ts';
import { unknownCodes, unknownFile } from '../../../../renderer/lookup/unknown-file.ts';
import { queueFile } from '../../../../renderer/queue/queue-file.ts';
import { stockFile } from '../../../../renderer/stock/stock-file.ts';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import { orderFile, type OrderLine } from '../../../../renderer/watch-list/order-lines.ts';
import { failed, id, ok } from '../stores/held-bridge.ts';

const moment = Date.UTC(2026, 10, 21, 19, 5, 44);

/** What a platform, or whoever types there, may put into a name. */
const hostile = [
  'plain',
  '=HYPERLINK("http://example.com";"x")',
  '+1',
  '-1+1',
  '@SUM(A1)',
  'say "x"; and, more',
  'one\r\ntwo\nthree',
  ' led and followed by blanks ',
  'tab\tinside',
  '😀👩‍👩‍👧 emoji',
  'عصير البرتقال ‏500',
  '0007',
  '78910001001030000000',
  '1e5',
  '<b>&amp;</b> ]]>',
  '_x0041_ no letter A',
  'true',
  'x'.repeat(40_000),
  '\u0001control\u0000',
  '\uD800 half a pair',
];

interface Written {
  readonly result: Awaited<ReturnType<typeof writeList>>;
  readonly progress: readonly FileProgress[];
  readonly bytes: Uint8Array;
}

async function write<Row>(
  list: FileList<Row>,
  kind: FileKind,
  language: Language,
  signal = new AbortController().signal,
): Promise<Written> {
  const progress: FileProgress[] = [];
  const result = await writeList(list, { kind, language, onProgress: (now) => progress.push(now), signal });
  const bytes = new Uint8Array(await new Blob(result.ok ? [...result.value] : []).arrayBuffer());
  return { result, progress, bytes };
}

/** A bridge that answers from its pages, the next one at each call of a channel. */
function bridgeOf(pages: Readonly<Record<string, readonly unknown[]>>) {
  const inputs: unknown[] = [];
  const turns = new Map<string, number>();
  const call = (channel: string, input: unknown): Promise<unknown> => {
    const turn = turns.get(channel) ?? 0;
    turns.set(channel, turn + 1);
    inputs.push(input);
    return Promise.resolve(pages[channel]?.[turn]);
  };
  return { bridge: { call, subscribe: () => () => undefined } as unknown as Bridge, inputs };
}

interface Sample {
  readonly text: string | null;
  readonly number: number | null;
  readonly at: number | null;
}

const rows: readonly Sample[] = [
  ...hostile.map((text, place) => ({
    text,
    number: place % 2 === 0 ? -place - 0.25 : place * 1e15,
    at: moment + place,
  })),
  { text: null, number: null, at: null },
  { text: 'of another millennium', number: 0.1 + 0.2, at: Date.parse('0001-01-01T00:00:00Z') },
];

function listOf(all: readonly Sample[], rowsAtOnce: number): FileList<Sample> {
  let place = 0;
  return {
    title: 'Estoque',
    columns: [
      { kind: 'text', heading: 'Código; e "mais"', width: 20, of: ({ text }) => text },
      { kind: 'number', heading: 'Saldo', width: 4, of: ({ number }) => number },
      { kind: 'moment', heading: 'Quando', width: 20, of: ({ at }) => at },
    ],
    read: () => {
      const page = all.slice(place, place + rowsAtOnce);
      place += rowsAtOnce;
      return Promise.resolve({ ok: true, value: { rows: page, of: all.length, isLast: place >= all.length } } as const);
    },
  };
}

/** What Excel shows of a text: one kind of line break, nothing that XML cannot hold, at most what a cell holds. */
function inWorkbook(cell: Cell): string | number | Date | null {
  if (cell instanceof Date) {
    // To the second, by the local clock, which a workbook calls UTC.
    return new Date(Math.floor(cell.getTime() / 1000) * 1000 - cell.getTimezoneOffset() * 60_000);
  }
  if (typeof cell !== 'string') {
    return cell;
  }
  const text = cell
    .replaceAll('\r\n', '\n')
    .replaceAll('\u0000', '')
    .replaceAll('\u0001', '')
    .replaceAll('\uD800', '\uFFFD');
  return text.length > 32_767 ? `${text.slice(0, 32_766)}…` : text;
}

/** The first sheet. */
async function readWorkbook(bytes: Uint8Array): Promise<unknown[][]> {
  const sheet = await readSheet(Buffer.from(bytes), { trim: false });
  return sheet.map((cells) =>
    cells.map((cell) => {
      if (typeof cell === 'string') {
        // A spreadsheet program shows what `_xHHHH_` means, this reader what it says.
        return cell.replaceAll('_x005F_', '_');
      }
      // A part of a day is no binary fraction: the reader is some microseconds off.
      return cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell;
    }),
  );
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function inCsv(cell: Cell, language: Language): string {
  if (cell instanceof Date) {
    const day = `${cell.getFullYear()}-${twoDigits(cell.getMonth() + 1)}-${twoDigits(cell.getDate())}`;
    const time = `${twoDigits(cell.getHours())}:${twoDigits(cell.getMinutes())}:${twoDigits(cell.getSeconds())}`;
    return `${language === 'en' ? day : day.split('-').toReversed().join('/')} ${time}`;
  }
  if (typeof cell === 'number') {
    const plain = Number.isInteger(cell) ? BigInt(cell).toString() : String(cell);
    return language === 'en' ? plain : plain.replace('.', ',');
  }
  const text = (cell ?? '').replaceAll('\uD800', '\uFFFD');
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

describe.each(languages)('in %s', (language) => {
  test('every cell of a workbook is what it was: texts texts, figures figures, moments dates', async () => {
    const list = listOf(rows, 3);
    const { result, bytes } = await write(list, 'xlsx', language);
    expect(result.ok).toBe(true);
    const read = await readWorkbook(bytes);
    expect(read).toEqual([
      list.columns.map(({ heading }) => heading),
      ...rows.map((row) => list.columns.map((column) => inWorkbook(cellOf(column, row)))),
    ]);
  });

  test('a workbook has a frozen head, widths, and texts that stay texts when they are edited', async () => {
    const { bytes } = await write(listOf(rows, 100), 'xlsx', language);
    const files = unzipSync(bytes);
    const part = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
    const sheet = part('xl/worksheets/sheet1.xml');
    expect(sheet).toMatch(/<pane ySplit="1" topLeftCell="A2" state="frozen"/);
    expect([...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => width)).toEqual(['20', '7', '20']);
    expect(part('xl/workbook.xml')).toContain('name="Estoque"');
    expect(part('xl/styles.xml')).toContain('formatCode="@"');
    expect(part('xl/styles.xml')).toContain(language === 'en' ? 'yyyy-mm-dd hh:mm:ss' : 'dd/mm/yyyy hh:mm:ss');
    // Nothing in it is a formula.
    expect(sheet).not.toContain('<f>');
  });

  test('every cell of a CSV file is what it was, in the form of the language', async () => {
    const list = listOf(rows, 3);
    const { bytes } = await write(list, 'csv', language);
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    const read = parse(Buffer.from(bytes), {
      bom: true,
      delimiter: language === 'en' ? ',' : ';',
      record_delimiter: '\r\n',
    });
    expect(read).toEqual([
      list.columns.map(({ heading }) => heading),
      ...rows.map((row) => list.columns.map((column) => inCsv(cellOf(column, row), language))),
    ]);
  });

  test('the headings, the sheet and the words in the cells are of the language', async () => {
    const { t } = await createEveryWord(language);
    const entry = { id: 1, at: moment, email: null, companyId: id('7'), isPractice: false, isWithPin: true };
    const { bridge } = bridgeOf({
      'audit:export': [ok({ rows: [{ ...entry, action: { kind: 'pinWrong' } satisfies AuditAction }], next: null })],
    });
    const { bytes } = await write(auditFile(bridge, 1, t, language), 'xlsx', language);
    const [sheet] = await readExcelFile(Buffer.from(bytes));
    const words = {
      en: ['Who did what', 'When', 'A wrong PIN was tried', 'no', 'yes'],
      'pt-BR': ['Quem fez o quê', 'Quando', 'Um PIN errado foi tentado', 'não', 'sim'],
      es: ['Quién hizo qué', 'Cuándo', 'Se intentó un PIN incorrecto', 'no', 'sí'],
    }[language];
    const [heads = [], cells = []] = sheet?.data ?? [];
    expect([sheet?.sheet, heads[1], cells[5], cells[4], cells[8]]).toEqual(words);
  });
});

const nobody = { standing: 'confirmed', failure: null };
const attempt = { settledAt: moment, key: 'key-1', code: null, isReplayed: null, failure: null };
const update = {
  id: 1,
  standing: 'delivered',
  email: 'ana@example.com',
  companyId: '7',
  isOwn: true,
  createdAt: moment,
  changedAt: moment + 60_000,
  attempts: 2,
  failure: null,
  parkedBecause: null,
};
const coupon = { kind: 'coupon', ...update, productId: '9007199254740993', productName: '=Café', isEnabled: true };
const attempts = [
  { ...attempt, sentAt: moment, outcome: 'noAnswer', status: null, failure: 'timedOut' },
  { ...attempt, sentAt: moment, key: 'key-2', outcome: 'answered', status: 204, isReplayed: true },
];

describe('the file of', () => {
  test('the stock has every row of one view, and what the page has only once', async () => {
    const { t } = await createEveryWord('en');
    const product = (productId: string, more: object) => ({
      hit: {
        stockId: '11',
        stockName: 'Loja',
        productId,
        code: '0007',
        name: '-Água',
        unit: 'KG',
        balance: { amount: -1.25, asOf: moment, source: 'live' },
        ...more,
      },
      barcodes: ['7891000100103', '00012345'],
      minimum: 12.5,
      updatedAt: moment,
      updatedBy: 'terminal',
    });
    const facts = { view: 4, found: 2, isWhole: true };
    const unknown = { code: null, balance: { amount: null, asOf: null, source: null } };
    const { bridge, inputs } = bridgeOf({
      'stock:export': [
        ok({ ...facts, total: null, rows: [product('1', {})], next: 1 }),
        ok({ ...facts, total: 2, rows: [{ ...product('9007199254740993', unknown), updatedAt: null }], next: null }),
      ],
    });
    const { bytes, progress } = await write(stockFile(bridge, everyProduct, t), 'xlsx', 'en');
    const at = new Date(Date.UTC(2026, 10, 21, 16, 5, 44));
    expect(await readWorkbook(bytes)).toEqual([
      [
        'Stock ID',
        'Stock',
        'Product ID',
        'Code',
        'Barcodes',
        'Name',
        'Balance',
        'Unit',
        'As of',
        'Balance from',
        'Minimum',
        'Product changed',
        'Change dated by',
      ],
      [
        '11',
        'Loja',
        '1',
        '0007',
        '7891000100103 00012345',
        '-Água',
        -1.25,
        'KG',
        at,
        'asked just then',
        12.5,
        at,
        'this terminal',
      ],
      [
        '11',
        'Loja',
        '9007199254740993',
        null,
        '7891000100103 00012345',
        '-Água',
        null,
        'KG',
        null,
        null,
        12.5,
        null,
        null,
      ],
    ]);
    expect(progress).toEqual([
      { done: 1, of: null },
      { done: 2, of: 2 },
    ]);
    expect(inputs).toEqual([
      { query: everyProduct, after: 0 },
      { query: everyProduct, view: 4, after: 1 },
    ]);
  });

  test('the stock has a column for each field of the listing that the shop shows in the table', async () => {
    const { t } = await createEveryWord('pt-BR');
    const on = ['table'];
    const row = (productId: string, fields: object) => ({
      hit: {
        stockId: '11',
        stockName: 'Loja',
        productId,
        code: null,
        name: 'Água',
        unit: null,
        balance: { amount: null, asOf: null, source: null },
      },
      barcodes: [],
      minimum: null,
      updatedAt: null,
      updatedBy: 'terminal',
      ...fields,
    });
    const priced = [
      { name: 'Preço', value: '18.9', kind: 'number', on },
      { name: 'Orgânico', value: 'true', kind: 'boolean', on },
    ];
    const large = [{ name: 'Preço', value: '9007199254740993', kind: 'number', on }];
    const text = [{ name: 'Preço', value: '=1+1', kind: 'text', on }];
    const listed = [
      row('1', { fields: priced }),
      row('2', { fields: large }),
      row('3', { fields: text }),
      row('4', {}),
    ];
    const page = ok({ view: 4, found: 4, isWhole: true, total: 4, rows: listed, next: null });
    const columns = ['Preço', 'Orgânico'];
    const file = (kind: 'xlsx' | 'csv') =>
      write(stockFile(bridgeOf({ 'stock:export': [page] }).bridge, everyProduct, t, columns), kind, 'pt-BR');
    const lastTwo = (await readWorkbook((await file('xlsx')).bytes)).map((cells) => cells.slice(-2));
    expect(lastTwo).toEqual([columns, [18.9, 'sim'], ['9007199254740993', null], ['=1+1', null], [null, null]]);
    const lines = new TextDecoder().decode((await file('csv')).bytes).split('\r\n');
    expect(lines.map((line) => line.split(';').slice(-2).join(';'))).toEqual([
      'Preço;Orgânico',
      '18,9;sim',
      '9007199254740993;',
      "'=1+1;",
      ';',
      '',
    ]);
  });

  test('the queue has every attempt, for people and for programs', async () => {
    const { t } = await createEveryWord('en');
    const restoration = {
      kind: 'restoreUser',
      ...update,
      id: 2,
      standing: 'parked',
      parkedBecause: 'maybeDone',
      userId: '703',
    };
    const pages = {
      'queue:list': [ok({ total: 2, rows: [] })],
      'queue:export': [
        ok({ rows: [{ update: coupon, attempts }], next: 1 }),
        ok({ rows: [{ update: restoration, attempts: [] }], next: null }),
      ],
    };
    const { bytes, progress } = await write(queueFile(bridgeOf(pages).bridge, t, 'en'), 'csv', 'en');
    const table = parse(Buffer.from(bytes), { bom: true, columns: true });
    expect(table).toEqual([
      {
        'No.': '1',
        'Product or user ID': '9007199254740993',
        Name: "'=Café",
        Change: 'switch coupon on',
        Who: 'ana@example.com',
        'Company ID': '7',
        Made: '2026-11-21 16:05:44',
        State: 'Delivered',
        'Decision needed because': '',
        'State since': '2026-11-21 16:06:44',
        Attempts: '2',
        'Last key': 'key-2',
        'Every attempt': expect.stringMatching(
          /^11\/21\/26, 16:05:44 · .* did not answer in time.*\n11\/21\/26, 16:05:44 · Done\. \(The platform repeated its earlier answer\.\) · HTTP 204$/,
        ),
      },
      expect.objectContaining({
        'Product or user ID': '703',
        Name: 'User 703',
        Change: 'restore',
        State: 'Needs a decision',
        'Decision needed because': 'may have been done',
        'Every attempt': '',
      }),
    ]);
    expect(progress.map(({ of }) => of)).toEqual([2, 2]);
    const json = await write(queueFile(bridgeOf(pages).bridge, t, 'en'), 'json', 'en');
    expect(JSON.parse(new TextDecoder().decode(json.bytes))).toEqual({
      updates: [
        {
          update: 1,
          kind: 'coupon',
          subjectId: '9007199254740993',
          subjectName: '=Café',
          asksFor: 'on',
          madeBy: 'ana@example.com',
          companyId: '7',
          madeAt: '2026-11-21T19:05:44.000Z',
          standing: 'delivered',
          parkedBecause: null,
          deliveredAt: '2026-11-21T19:06:44.000Z',
          changedAt: '2026-11-21T19:06:44.000Z',
          attemptCount: 2,
          attempts: attempts.map((one) => ({
            ...one,
            sentAt: '2026-11-21T19:05:44.000Z',
            settledAt: '2026-11-21T19:05:44.000Z',
          })),
        },
        expect.objectContaining({
          kind: 'restoreUser',
          subjectId: '703',
          asksFor: 'restore',
          parkedBecause: 'maybeDone',
          deliveredAt: null,
          attempts: [],
        }),
      ],
    });
    const empty = { ...pages, 'queue:export': [ok({ rows: [], next: null })] };
    const none = await write(queueFile(bridgeOf(empty).bridge, t, 'en'), 'json', 'en');
    expect(JSON.parse(new TextDecoder().decode(none.bytes))).toEqual({ updates: [] });
  });

  test('coupons has what is listed, each product once, and ends when something else is listed', async () => {
    const { t } = await createEveryWord('en');
    const row = (productId: string, more: object) => ({
      productId,
      productName: 'Pão',
      code: '07',
      coupon: { ...nobody, ...more },
    });
    const first = Array.from({ length: 200 }, (_unused, place) => row(String(place + 1), { isEnabled: true }));
    const refused = { standing: 'parked', failure: { kind: 'forbidden' }, isEnabled: null };
    const listed = { filter: 'all', term: 'p', view: 3 } as const;
    const facts = { view: 3, total: 202, isCut: false };
    const { bridge, inputs } = bridgeOf({
      'coupon:list': [ok({ ...facts, rows: first }), ok({ ...facts, rows: [first.at(-1), row('300', refused)] })],
    });
    const { bytes } = await write(couponFile(bridge, listed, t), 'csv', 'en');
    const [heads, ...lines] = parse(Buffer.from(bytes), { bom: true });
    expect(heads).toEqual(['Product ID', 'Code', 'Name', 'Consumption coupon', 'State', 'Other people’s changes']);
    expect(lines).toHaveLength(201);
    expect(lines[0]).toEqual(['1', '07', 'Pão', 'on', 'as on the platform', '']);
    expect(lines[200]?.slice(0, 4)).toEqual(['300', '07', 'Pão', '']);
    expect(lines[200]?.[4]).toMatch(/^refused: /);
    expect(inputs).toEqual([
      { ...listed, offset: 0, limit: 200 },
      { ...listed, offset: 200, limit: 200 },
    ]);
    const other = bridgeOf({ 'coupon:list': [ok({ ...facts, rows: first }), ok({ ...facts, view: 9, rows: [] })] });
    const { result } = await write(couponFile(other.bridge, listed, t), 'csv', 'en');
    expect(result).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });

  test('the order proposal has what is missing, and an empty field for what nobody knows', async () => {
    const { t } = await createEveryWord('pt-BR');
    const row = { stockId: id('11'), stockName: 'Loja', productId: id('1'), code: '007', name: 'Café', unit: 'UNID' };
    const lines: OrderLine[] = [
      { ...row, balance: { amount: 2.5, asOf: moment, source: 'listing' }, minimum: 10, proposed: 8, turnedAt: null },
      {
        ...row,
        stockName: null,
        balance: { amount: null, asOf: null, source: null },
        minimum: 0.5,
        proposed: null,
        turnedAt: null,
      },
    ];
    const { bytes } = await write(orderFile(lines, t, 'pt-BR'), 'xlsx', 'pt-BR');
    expect(await readWorkbook(bytes)).toEqual([
      ['Estoque', 'Código', 'Nome', 'Saldo', 'Mínimo', 'A comprar', 'Unidade', 'Atualizado'],
      ['Loja', '007', 'Café', 2.5, 10, 8, 'un.', new Date(Date.UTC(2026, 10, 21, 16, 5, 44))],
      ['11', '007', 'Café', null, 0.5, null, 'un.', null],
    ]);
  });

  test('unknown codes has when and how often, and neither names nor what was found', async () => {
    const { t } = await createEveryWord('pt-BR');
    const asked = (text: string, at: number, answer = 'unknown') =>
      ({ id: at, at, text, answer, hit: null }) as RecentLookup;
    const codes = unknownCodes([
      asked('0007891000100103', moment + 9_000),
      asked('café', moment + 8_000),
      asked('leite 1234', moment + 7_000),
      asked('7891000315507', moment + 6_000, 'found'),
      asked('SKU-12345', moment + 5_000),
      asked('0007891000100103', moment),
    ]);
    const { bytes } = await write(unknownFile(codes, t), 'xlsx', 'pt-BR');
    const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 16, 5, second));
    expect(await readWorkbook(bytes)).toEqual([
      ['Código', 'Vezes', 'Primeira consulta', 'Última consulta'],
      ['0007891000100103', 2, at(44), at(53)],
      ['SKU-12345', 1, at(49), at(49)],
    ]);
  });
});

test.each(['xlsx', 'csv'] as const)('a %s file of many rows is whole', async (kind) => {
  const count = 2_500;
  let place = 0;
  const list: FileList<Sample> = {
    ...listOf([], 1),
    read: () => {
      const page = Array.from({ length: 500 }, (_unused, row) => ({
        text: `C${place + row}`,
        number: row,
        at: moment,
      }));
      place += page.length;
      return Promise.resolve({ ok: true, value: { rows: page, of: count, isLast: place >= count } } as const);
    },
  };
  const { bytes, progress } = await write(list, kind, 'pt-BR');
  const read = kind === 'xlsx' ? await readWorkbook(bytes) : parse(Buffer.from(bytes), { bom: true, delimiter: ';' });
  expect(read).toHaveLength(count + 1);
  expect(read.map(([first]) => first).slice(1)).toEqual(Array.from({ length: count }, (_unused, row) => `C${row}`));
  expect(progress.at(-1)).toEqual({ done: count, of: count });
});

test.each(['xlsx', 'csv'] as const)('whoever stops a %s file reads no further page, and has no file', async (kind) => {
  const controller = new AbortController();
  const whole = listOf(rows, 2);
  let reads = 0;
  const list: FileList<Sample> = {
    ...whole,
    read: () => {
      reads += 1;
      if (reads === 3) {
        controller.abort();
      }
      return whole.read();
    },
  };
  const { result } = await write(list, kind, 'en', controller.signal);
  expect(result).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(reads).toBe(3);
});

test.each(['xlsx', 'csv'] as const)('a %s file whose reading fails is none', async (kind) => {
  const { bridge } = bridgeOf({ 'audit:export': [ok({ rows: [], next: 5 }), failed('storageFailed')] });
  const { t } = await createEveryWord('en');
  const { result } = await write(auditFile(bridge, null, t, 'en'), kind, 'en');
  expect(result).toEqual({ ok: false, failure: { kind: 'storageFailed' } });
});

describe('all rows of a list', () => {
  const pagesOf = (pages: readonly (readonly number[])[]): Pick<FileList<number>, 'read'> => {
    let turn = 0;
    return {
      read: () => {
        const next = pages[turn] ?? [];
        turn += 1;
        return Promise.resolve(succeed({ rows: next, of: 4, isLast: turn === pages.length }));
      },
    };
  };

  test('come in their order, with counts', async () => {
    const progress: FileProgress[] = [];
    const { signal } = new AbortController();
    const read = await readRows(pagesOf([[1, 2], [3], [4]]), { onProgress: (now) => progress.push(now), signal });
    expect(read).toEqual(ok([1, 2, 3, 4]));
    expect(progress.map(({ done, of }) => [done, of])).toEqual([
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
  });

  test('end where they are stopped', async () => {
    const controller = new AbortController();
    const read = await readRows(pagesOf([[1, 2], [3], [4]]), {
      onProgress: () => controller.abort(),
      signal: controller.signal,
    });
    expect(read).toEqual(failed('cancelled'));
  });
});
