import type { Page } from 'playwright-core';
import type { ExpiringRow, ExpiryCoverage } from '../../../app/contract/expiring.ts';
import { dayMs, id, minuteMs, sceneNowMs as nowMs } from '../scene-fixtures.ts';
import { at, to, value, type ShownScene } from '../scene-steps.ts';

const dayIn = (days: number): string => new Date(nowMs + days * dayMs).toISOString().slice(0, 10);

const batch = (
  number: number,
  days: number,
  name: string,
  unit: string,
  figure: number,
  quantity: number | null,
  lot: string | null,
): ExpiringRow => ({
  hit: {
    stockId: id(number % 3 === 2 ? '12' : '11'),
    stockName: number % 3 === 2 ? 'Depósito' : 'Loja',
    productId: id(String(100 + number)),
    code: number === 4 ? null : `A-${100 + number}`,
    name,
    unit,
    balance: { amount: figure, asOf: nowMs - number * 23 * minuteMs, source: 'listing' },
  },
  day: dayIn(days),
  quantity,
  lot,
  askedAt: nowMs - number * 9 * 60 * minuteMs,
});

export const expiringRows: readonly ExpiringRow[] = [
  batch(1, 0, 'Iogurte natural integral 170 g', 'POTE', 12, 6, 'L04471'),
  batch(2, 1, 'Queijo minas frescal', 'KG', 3.475, 1.25, 'L00312'),
  batch(3, 3, 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família', 'PACOTE', 9, 9, 'L10922'),
  batch(4, 12, 'Açaí com guaraná 200 ml', 'POTE', 31, null, null),
  batch(5, 29, 'Café torrado e moído Serra Clara 500 g', 'PACOTE', 148, 60, 'L77120'),
];

export const someCoverage: ExpiryCoverage = {
  mayLack: [],
  withStock: 4_100,
  asked: 312,
  since: nowMs - 3 * dayMs,
  night: 'day',
  nextNightAt: nowMs + 7 * 60 * minuteMs,
  perNight: 1_900,
};

const nothing: ExpiryCoverage = { ...someCoverage, asked: 0, since: null, night: 'off', nextNightAt: null };

const open = async (page: Page): Promise<void> => {
  await to(page, '#stock');
  await page.locator('.stock-view select').selectOption('expiring');
  await page.locator('.expiring-row, .list .empty').first().waitFor();
  await page.locator('.expiring-coverage:not(:empty)').waitFor();
};

const answersOf = (rows: readonly ExpiringRow[], coverage: ExpiryCoverage) => ({
  answers: {
    'expiring:list': value({ total: rows.length, rows, next: null }),
    'expiring:readCoverage': value(coverage),
  },
});

/** Expiring batches, of all products. */
export const expiringScenes: readonly ShownScene[] = [
  at('expiring-list', {}, open, answersOf(expiringRows, someCoverage)),
  at('expiring-empty', {}, open, answersOf([], nothing)),
  at('expiring-none', {}, open, answersOf([], { ...someCoverage, asked: 4_100, night: 'done', nextNightAt: null })),
];
