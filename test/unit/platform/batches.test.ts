// The proof that entry batches are shown whole, by the platform's own names, and that nothing is taken for an expiry, a
// lot or a quantity but what looks like one.
import { expect, test } from 'vitest';
import { productBatchesSchema } from '../../../app/contract/batches.ts';
import { parseJson } from '../../../app/domain/json.ts';
import { batchesAnswerSchema } from '../../../app/platform/batches.ts';

function read(text: string) {
  const answer = batchesAnswerSchema.parse(parseJson(text));
  expect(productBatchesSchema.parse(answer)).toEqual(answer);
  return answer;
}

function only(batch: string) {
  const [first] = read(`{"stock_movements":[${batch}]}`).batches;
  return first;
}

test('every field keeps its name; what looks like an expiry, a lot and a quantity says from where', () => {
  expect(
    read(
      '{"product":{"id":9007199254740993,"name":"Iogurte","sku":"IO-1","unit_of_measure":{"code":"GF"}},"option_names":"Morango 170 g","stock_movements":[{"id":9007199254740995,"batch":"L-0042","amount":12.5,"created_at":"2025-05-01T09:30:00-03:00","expires_at":"2025-12-31T00:00:00-03:00","note":null}]}',
    ),
  ).toEqual({
    product: { id: '9007199254740993', name: 'Iogurte', sku: 'IO-1', unit: 'GF' },
    optionNames: 'Morango 170 g',
    total: 1,
    batches: [
      {
        facts: [
          { kind: 'text', name: 'id', value: '9007199254740995' },
          { kind: 'text', name: 'batch', value: 'L-0042' },
          { kind: 'number', name: 'amount', value: 12.5 },
          { kind: 'date', name: 'created_at', value: '2025-05-01T09:30:00' },
          { kind: 'date', name: 'expires_at', value: '2025-12-31T00:00:00' },
        ],
        expiresOn: { name: 'expires_at', day: '2025-12-31' },
        quantity: { name: 'amount', amount: 12.5 },
        lot: { name: 'batch', text: 'L-0042' },
      },
    ],
  });
});

test.each([
  ['{"dataValidade":"2025-12-31"}', { name: 'dataValidade', day: '2025-12-31' }],
  ['{"batch":{"expiration_date":"2025-12-31"}}', { name: 'batch.expiration_date', day: '2025-12-31' }],
  ['{"best_before":"2025-12-31 10:00:00"}', { name: 'best_before', day: '2025-12-31' }],
  // B1: neither a day of another form nor a figure is one.
  ['{"expires_at":"31/12/2025"}', null],
  ['{"expires_at":1767139200}', null],
  ['{"expires_at":"2025-02-30"}', null],
  ['{"created_at":"2025-12-31"}', null],
  // B2: what programs and spreadsheets write for no date at all.
  ['{"expires_at":"0001-01-01T00:00:00"}', null],
  ['{"expires_at":"1899-12-30"}', null],
  ['{"expires_at":"1900-01-01"}', null],
  ['{"expires_at":"1970-01-01T00:00:00-03:00"}', null],
  ['{"expires_at":"1999-12-31"}', null],
  ['{"expires_at":"2000-01-01"}', { name: 'expires_at', day: '2000-01-01' }],
  ['{"expires_at":"0001-01-01","best_before":"2025-12-31"}', { name: 'best_before', day: '2025-12-31' }],
])('B1, B2: of %s the expiry is %j', (batch, expiresOn) => {
  expect(only(batch)?.expiresOn).toEqual(expiresOn);
});

test('B2: a day that is no expiry is shown as the field that it is', () => {
  expect(only('{"expires_at":"0001-01-01T00:00:00"}')?.facts).toEqual([
    { kind: 'date', name: 'expires_at', value: '0001-01-01T00:00:00' },
  ]);
});

test.each([
  ['{"lot":"A"}', { name: 'lot', text: 'A' }],
  ['{"lotNumber":"007"}', { name: 'lotNumber', text: '007' }],
  ['{"batch":{"id":5,"code":"B"}}', { name: 'batch.code', text: 'B' }],
  ['{"lote":42}', { name: 'lote', text: '42' }],
  ['{"lot_size":5}', null],
  ['{"slot":"A"}', null],
  ['{"batch_date":"2025-01-01"}', null],
])('B2: of %s the lot is %j', (batch, lot) => {
  expect(only(batch)?.lot).toEqual(lot);
});

test.each([
  ['{"amount":"3.5"}', { name: 'amount', amount: 3.5 }],
  ['{"quantity":10,"remaining":4}', { name: 'remaining', amount: 4 }],
  ['{"movement":{"quantidade":-2}}', { name: 'movement.quantidade', amount: -2 }],
  ['{"amount":"3,5"}', null],
  ['{"price":3}', null],
])('B2: of %s the quantity is %j', (batch, quantity) => {
  expect(only(batch)?.quantity).toEqual(quantity);
});

test('B3, B4: nested fields are named by their path, deeper ones and lists are text, empty ones left out', () => {
  expect(only('{"a":{"b":{"c":{"d":1},"e":true}},"tags":["x",2],"none":null,"empty":"","list":[]}')?.facts).toEqual([
    { kind: 'text', name: 'a.b.c', value: '{"d":1}' },
    { kind: 'text', name: 'a.b.e', value: 'true' },
    { kind: 'text', name: 'tags', value: 'x, 2' },
  ]);
});

test("those that expire first come first, those without a date last, in the platform's order", () => {
  const { batches } = read(
    '{"stock_movements":[{"lot":"z"},{"lot":"b","validade":"2026-01-01"},{"lot":"y"},{"lot":"a","validade":"2025-01-01"}]}',
  );
  expect(batches.map(({ lot }) => lot?.text)).toEqual(['a', 'b', 'z', 'y']);
});

test.each([
  ['{"stock_movements":[]}', 0, 0],
  ['{"stock_movements":{}}', 0, 0],
  ['{"stock_movements":{"1":{"lot":"a"},"2":{"lot":"b"}}}', 2, 2],
  ['{"stock_movements":{"lot":"a","amount":1}}', 1, 1],
  ['{"stock_movements":["L1",7,null]}', 3, 2],
  [`{"stock_movements":[${Array.from({ length: 600 }, () => '{"lot":1}').join(',')}]}`, 600, 500],
])('a list in whatever form is a list: %#', (text, total, shown) => {
  const answer = read(text);
  expect([answer.total, answer.batches.length]).toEqual([total, shown]);
});

test.each(['{}', '{"stock_movements":null}', '{"stock_movements":"none"}', '[]', 'null', '7'])(
  'without a list nobody knows whether there are batches: %s',
  (text) => {
    expect(batchesAnswerSchema.safeParse(parseJson(text)).success).toBe(false);
  },
);

test.each([
  ['["M","azul"]', 'M azul'],
  ['null', ''],
  ['{"name":"M"}', ''],
  ['7', '7'],
])('option_names %s are %j', (names, expected) => {
  expect(read(`{"option_names":${names},"stock_movements":[]}`).optionNames).toBe(expected);
});

test.each([
  ['the oldest first', (days: readonly string[]) => days],
  ['the newest first', (days: readonly string[]) => days.toReversed()],
])('of more batches than are kept, those that expire last are (B5): %s', (_order, inOrder) => {
  const days = Array.from({ length: 6_000 }, (_, place) =>
    new Date(Date.UTC(2026, 0, 1) + place * 86_400_000).toISOString().slice(0, 10),
  );
  const movements = [...inOrder(days).map((day) => ({ expires_on: day })), { lot: 'without a date' }];
  const { total, batches } = batchesAnswerSchema.parse({ stock_movements: movements });
  expect(total).toBe(6_001);
  expect(batches.map(({ expiresOn }) => expiresOn?.day)).toEqual(days.slice(-500));
});

test('a field with a long name and many fields inside of it is read in proportion to them', () => {
  const wide = (value: unknown) => Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, value]));
  const begun = performance.now();
  const batch = only(JSON.stringify({ ['x'.repeat(300_000)]: wide(wide(1)) }));
  expect(batch?.facts).toHaveLength(100);
  expect(batch?.facts[0]).toEqual({ kind: 'number', name: 'x'.repeat(500), value: 1 });
  // Where each bears the whole name they take three gigabytes, and with a longer one the process ends.
  expect(performance.now() - begun).toBeLessThan(500);
});
