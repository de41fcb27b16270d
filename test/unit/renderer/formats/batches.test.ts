import { expect, test } from 'vitest';
import type { ProductBatches } from '../../../../app/contract/batches.ts';
import { keptOf } from '../../../../app/expiring/kept.ts';
import { batchesAnswerSchema } from '../../../../app/platform/batches.ts';
import {
  batchesNear,
  formatBatchFact,
  formatDay,
  knownField,
  markOf,
  nearDays,
  nearnessOf,
  otherFacts,
  unreadBatches,
} from '../../../../renderer/formats/batches.ts';
import { createWords } from '../../../../renderer/formats/i18n.ts';

test('dates are as the store wrote them, numbers in the language, numbers that count nothing as digits', () => {
  expect(formatBatchFact({ kind: 'date', name: 'created_at', value: '2026-01-31' }, 'pt-BR')).toBe(
    '31 de jan. de 2026',
  );
  expect(formatBatchFact({ kind: 'date', name: 'created_at', value: '2026-01-31T23:30:00' }, 'pt-BR')).toBe(
    '31 de jan. de 2026, 23:30',
  );
  expect(formatDay('2026-12-01', 'en')).toBe('Dec 1, 2026');
  expect(formatBatchFact({ kind: 'number', name: 'unit_cost', value: -1234.56789 }, 'pt-BR')).toBe('\u22121.234,56789');
  expect(formatBatchFact({ kind: 'number', name: 'unit_cost', value: 1234.5 }, 'en')).toBe('1,234.5');
  expect(formatBatchFact({ kind: 'number', name: 'supplier.id', value: 80_000_123 }, 'pt-BR')).toBe('80000123');
  expect(formatBatchFact({ kind: 'text', name: 'note', value: 'as it came' }, 'en')).toBe('as it came');
});

test('nearness counts calendar days: the day itself still counts, and a month before it is marked', () => {
  const now = new Date(2026, 2, 10, 23, 59).getTime();
  const day = (offset: number): string => new Date(Date.UTC(2026, 2, 10 + offset)).toISOString().slice(0, 10);
  expect(nearnessOf(day(-1), now)).toEqual({ kind: 'expired', days: 1 });
  expect(nearnessOf(day(0), now)).toEqual({ kind: 'today', days: 0 });
  expect(nearnessOf(day(3), now)).toEqual({ kind: 'near', days: 3 });
  expect(nearnessOf(day(nearDays), now).kind).toBe('near');
  expect(nearnessOf(day(nearDays + 1), now).kind).toBe('later');
  expect(nearnessOf(day(3), new Date(2026, 2, 10, 0, 0).getTime()).days).toBe(3);
});

test('what is told as expiry, quantity or lot is not told a second time', () => {
  const facts = [
    { kind: 'date' as const, name: 'expires_at', value: '2026-01-31' },
    { kind: 'number' as const, name: 'quantity', value: 3 },
    { kind: 'text' as const, name: 'lot', value: 'L1' },
    { kind: 'text' as const, name: 'shelf', value: 'B' },
  ];
  expect(
    otherFacts({
      facts,
      expiresOn: { name: 'expires_at', day: '2026-01-31' },
      quantity: { name: 'quantity', amount: 3 },
      lot: { name: 'lot', text: 'L1' },
    }),
  ).toEqual([facts[3]]);
  expect(otherFacts({ facts, expiresOn: null, quantity: null, lot: null })).toEqual(facts);
});

test.each([
  ['created_at', 'created'],
  ['createdAt', 'created'],
  ['validade', 'expires'],
  ['Código', 'code'],
  ['unit_cost', 'cost'],
  ['supplier.id', null],
  ['shelf', null],
  ['', null],
  ['constructor', null],
])('the field %j is called %s', (name, field) => {
  expect(knownField(name)).toBe(field);
});

test('a batch without a lot is told by its code, or else by its id', () => {
  const [code, id] = [
    { kind: 'text' as const, name: 'code', value: 'B-7' },
    { kind: 'number' as const, name: 'id', value: 7 },
  ];
  const batch = (...facts: (typeof code | typeof id)[]) => ({ facts, expiresOn: null, quantity: null, lot: null });
  expect(markOf(batch(id, code))).toBe(code);
  expect(markOf(batch(id))).toBe(id);
  expect(markOf(batch())).toBeNull();
});

test('near are batches that expire within a month or have, and may have some left, soonest first', () => {
  const now = new Date(2026, 2, 10, 12).getTime();
  const batch = (day: string | null, amount: number | null) => ({
    facts: [],
    expiresOn: day === null ? null : { name: 'expires_at', day },
    quantity: amount === null ? null : { name: 'quantity', amount },
    lot: null,
  });
  const near = batchesNear(
    {
      batches: [
        batch('2026-03-12', 5),
        batch('2026-12-31', 5),
        batch('2026-03-01', 1),
        batch('2026-03-03', 0),
        batch(null, 9),
        batch('2026-03-11', null),
      ],
    },
    now,
  );
  expect(near.map(({ day, quantity }) => [day, quantity])).toEqual([
    ['2026-03-01', 1],
    ['2026-03-11', null],
    ['2026-03-12', 5],
  ]);
});

test.each([
  ['{"quantidade":10,"quantidade_restante":0}', []],
  ['{"quantidade":10,"quantidade_restante":3}', [3]],
  ['{"remaining":5,"available":0}', [5]],
  ['{"remaining_amount":0,"available":5}', []],
  ['{"remaining_quantity":0,"quantidade_restante":5}', []],
  ['{"quantity":10,"available":"0"}', []],
])('of %s the same is left on the card, in its details and in the list', (fields, left) => {
  const day = '2026-03-12';
  const answer = batchesAnswerSchema.parse({ stock_movements: [{ validade: day, ...JSON.parse(fields) }] });
  const onCard = batchesNear(answer, new Date(2026, 2, 10, 12).getTime());
  const inList = keptOf(answer, '2026-03-10');
  expect(onCard.map(({ quantity }) => quantity)).toEqual(left);
  expect(inList.map(({ quantity }) => quantity)).toEqual(left);
  expect(answer.batches.map(({ quantity }) => quantity?.amount)).toEqual(left.length === 0 ? [0] : left);
});

test('unreadable batches are counted, unless the list is longer than what is read of it', async () => {
  const batch = { facts: [], expiresOn: null, quantity: null, lot: null };
  const answer = (read: number, total: number): ProductBatches => ({
    product: { id: null, name: null, sku: null, unit: null },
    optionNames: '',
    total,
    batches: Array.from({ length: read }, () => batch),
  });
  for (const [language, words] of [
    ['en', '1 of 3 batches; 2 could not be read.'],
    ['pt-BR', '1 de 3 lotes; ilegíveis: 2.'],
    ['es', '1 de 3 lotes; ilegibles: 2.'],
  ] as const) {
    const { t } = await createWords(language);
    expect(unreadBatches(answer(1, 3), t, language)).toBe(words);
    for (const [read, total] of [
      [0, 0],
      [3, 3],
      [500, 501],
    ] as const) {
      expect(unreadBatches(answer(read, total), t, language)).toBeNull();
    }
  }
});
