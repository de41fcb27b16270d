// Tests of the content of each list's file.
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import type { RecentLookup } from '../../../../app/contract/lookup.ts';
import { couponFile } from '../../../../renderer/coupons/coupon-file.ts';
import { unknownCodes, unknownFile } from '../../../../renderer/stock/unknown-file.ts';
import { queueFile } from '../../../../renderer/queue/queue-file.ts';
import { stockFile } from '../../../../renderer/stock/stock-file.ts';
import { orderFile, type OrderLine } from '../../../../renderer/watch-list/order-lines.ts';
import { createEveryWord } from '../../../support/sentences.ts';
import { id, ok } from '../stores/held-bridge.ts';
import { bridgeOf, readWorkbook, write } from './written-file.ts';

const moment = Date.UTC(2026, 10, 21, 19, 5, 44);

const nobody = { status: 'confirmed', failure: null };
const attempt = { settledAt: moment, key: 'key-1', code: null, isReplayed: null, failure: null };
const update = {
  id: 1,
  status: 'delivered',
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
      status: 'parked',
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
    const refused = { status: 'parked', failure: { kind: 'forbidden' }, isEnabled: null };
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
    const { bytes } = await write(orderFile(lines, t, 'pt-BR', null), 'xlsx', 'pt-BR');
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
