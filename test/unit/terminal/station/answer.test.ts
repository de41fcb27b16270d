// The proof of what a customer is told: words where the manager wants words, the first stock alone, and nothing that is
// somebody's.
import { describe, expect, test } from 'vitest';
import type { LookupAnswer } from '../../../../app/contract/lookup.ts';
import type { ProductCard } from '../../../../app/contract/products.ts';
import { defaultSettings } from '../../../../app/contract/settings.ts';
import { defaultStation, stationAnswerSchema } from '../../../../app/contract/station.ts';
import { terminalStateSchema, type TerminalState } from '../../../../app/contract/terminal-state.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { stationAnswerOf, stationStateOf, stationStockOf } from '../../../../app/terminal/station/answer.ts';
import { firstRunState } from '../../../support/fake-handlers.ts';

const id = (text: string): Id => text as Id;
const figure = (amount: number | null) => ({ amount, asOf: amount === null ? null : 1_000, source: null });
const card = (more: Partial<ProductCard> = {}): ProductCard => ({
  stockId: id('11'),
  stockName: 'Loja',
  productId: id('101'),
  code: 'A-101',
  name: 'Café',
  unit: 'UNID',
  balance: figure(148),
  barcodes: ['9520000000011'],
  options: [{ name: 'P', amount: 3 }],
  extra: [{ name: 'cost', value: '9.90' }],
  coupon: { isEnabled: true, status: 'confirmed', failure: null },
  minimum: 24,
  ...more,
});
const found = (...cards: readonly ProductCard[]): LookupAnswer => ({ kind: 'found', text: 'x', cards: [...cards] });
const facts = (station: Partial<TerminalState['station']> = {}, completeAsOf: number | null = 500) => ({
  profile: {
    platformUrl: 'https://platform.example.com',
    clientId: 'c',
    companyId: id('7'),
    stockIds: [id('11'), id('12')],
  },
  catalogue: {
    ...firstRunState.catalogue,
    stocks: [{ stockId: id('11'), name: 'Loja', copied: 5, unreadable: 0, total: 5, completeAsOf, refused: null }],
  },
  station: { ...defaultStation, isOn: true, ...station },
});

test('until the first stock was copied once every code is one to ask for', () => {
  expect(stationAnswerOf(found(card()), facts({}, null))).toEqual({ kind: 'askUs' });
});

describe('what is told of a figure', () => {
  test.each([
    [null, 'askUs', 'askUs'],
    [-6, 'askUs', 'askUs'],
    [0, 'askUs', 'askUs'],
    [0.5, 'few', 'figure'],
    [4.999, 'few', 'figure'],
    [5, 'inStock', 'figure'],
    [1320, 'inStock', 'figure'],
  ] as const)('%s is %s in words, %s in figures', (amount, inWords, inFigures) => {
    expect(stationStockOf(figure(amount), 'KG', { stockWords: 'words', fewBelow: 5 })).toEqual({ kind: inWords });
    expect(stationStockOf(figure(amount), 'KG', { stockWords: 'figures', fewBelow: 5 })).toEqual(
      inFigures === 'figure' ? { kind: 'figure', amount, unit: 'KG' } : { kind: 'askUs' },
    );
  });
});

test('in words no figure is in the answer, nor anything else that the card knows', () => {
  const answer = stationAnswerOf(found(card()), facts());
  expect(answer).toEqual({
    kind: 'found',
    products: [{ name: 'Café', code: 'A-101', stock: { kind: 'inStock' }, fields: [], asOf: 1_000 }],
  });
  expect(stationAnswerSchema.parse(answer)).toEqual(answer);
  expect(JSON.stringify(answer)).not.toMatch(/148|24|9\.90|coupon|Loja/);
});

test('the figure is the first stock’s; what only another stock has is to be asked for', () => {
  const depot = { stockId: id('12'), stockName: 'Depósito' };
  expect(stationAnswerOf(found(card({ ...depot, balance: figure(1320) }), card()), facts())).toMatchObject({
    products: [{ stock: { kind: 'inStock' } }],
  });
  expect(stationAnswerOf(found(card(depot)), facts({ stockWords: 'figures' }))).toEqual({
    kind: 'found',
    products: [{ name: 'Café', code: 'A-101', stock: { kind: 'askUs' }, fields: [], asOf: null }],
  });
});

test('of the chosen fields those for the station cross, and of the first stock alone', () => {
  const fields: ProductCard['fields'] = [
    { name: 'Aisle', value: '7', kind: 'text', on: ['card', 'station'] },
    { name: 'Cost', value: '9.90', kind: 'number', on: ['card'] },
  ];
  const reported = { name: 'Aisle', value: '7', kind: 'text' };
  expect(stationAnswerOf(found(card({ fields })), facts())).toMatchObject({ products: [{ fields: [reported] }] });
  expect(stationAnswerOf(found(card({ fields, stockId: id('12') })), facts())).toMatchObject({
    products: [{ fields: [] }],
  });
});

test('a figure is as old as the copy was last complete', () => {
  expect(stationAnswerOf(found(card()), facts({}, 9_000))).toMatchObject({ products: [{ asOf: 9_000 }] });
  expect(stationAnswerOf(found(card()), facts({}, 500))).toMatchObject({ products: [{ asOf: 1_000 }] });
});

test('products that share a code are listed up to six; whatever else is known, a customer is to ask', () => {
  const many = Array.from({ length: 9 }, (_, index) => card({ productId: id(`${index + 1}`), name: `P${index + 1}` }));
  const answer = stationAnswerOf(found(...many), facts());
  expect(answer.kind === 'found' && answer.products.map(({ name }) => name)).toEqual([
    'P1',
    'P2',
    'P3',
    'P4',
    'P5',
    'P6',
  ]);
  const misses: readonly LookupAnswer[] = [
    { kind: 'unknown', text: 'x', asked: false },
    { kind: 'notCopied', text: 'x', copied: 5, total: 9, completeAt: null, asked: false },
    { kind: 'unreadable', text: 'x', why: 'checkDigit' },
  ];
  for (const miss of misses) {
    expect(stationAnswerOf(miss, facts())).toEqual({ kind: 'askUs' });
  }
});

test('of the state the page gets its looks, its scanner and the station, and nothing of anybody', () => {
  const state: TerminalState & { readonly ofLater: string } = {
    // What a later version adds, and nobody has let out.
    ofLater: 'dora@example.com',
    ...firstRunState,
    ...facts(),
    version: '9.9.9',
    phase: 'signIn',
    mode: 'platform',
    profileId: 3,
    language: 'pt-BR',
    theme: 'dark',
    textSize: 'large',
    session: { state: 'signedIn', email: 'ana@example.com', keptIn: 'keychain', failure: null },
    queue: { ...firstRunState.queue, pending: 41, ofOthers: { count: 1, emails: ['bea@example.com'], parked: 1 } },
    lock: { ...firstRunState.lock, hasPin: true, waitUntil: 5_000, openUntil: 6_000, newestEntry: 77 },
    cashiers: {
      lockedEmail: 'ana@example.com',
      users: [{ email: 'ana@example.com', canComeBack: true, waitUntil: 1, pinLength: 4, hasBadge: true }],
    },
    queueLimits: { historyDays: 99, askAfterHours: 98 },
    notices: [{ id: 1, kind: 'storageFull', detail: 'secret place' }],
    watchList: { watched: 55, below: 5, unknown: 0, absent: 0 },
  };
  const reduced = stationStateOf(state);
  expect(terminalStateSchema.parse(reduced)).toEqual(reduced);
  expect(reduced).toMatchObject({
    phase: 'ready',
    language: 'pt-BR',
    theme: 'dark',
    textSize: 'large',
    mode: 'platform',
    station: { isOn: true },
    lock: { hasPin: true, waitUntil: 5_000, openUntil: null, newestEntry: 0 },
    queueLimits: defaultSettings.queueLimits,
    profile: null,
  });
  expect(JSON.stringify(reduced)).not.toMatch(/@example|41|secret|platform\.example|9\.9\.9|77|55|99|98/);
});
