import { expect, test } from 'vitest';
import type { StocktakeLine } from '../../../../app/contract/stocktakes.ts';
import { languages } from '../../../../app/domain/language.ts';
import { createEveryWord } from '../../../support/sentences.ts';
import { differenceOf, differenceWords, figureWords, isFigureOld } from '../../../../renderer/stocktakes/line-words.ts';
import { id } from '../stores/held-bridge.ts';

const minuteMs = 60_000;
const line = (more: Partial<StocktakeLine> = {}): StocktakeLine => ({
  id: 1,
  step: 1,
  productId: id('1'),
  code: 'A-1',
  name: 'Café',
  unit: 'UNID',
  quantity: 3,
  figure: 5,
  figureAsOf: 1_000_000,
  hasFigureMoved: false,
  state: 'different',
  miss: null,
  countedAt: 1_000_000 + 3 * minuteMs,
  countedBy: null,
  ...more,
});

test('a difference is that of two figures that are known, and of a product alone', () => {
  expect(differenceOf(line())).toBe(-2);
  expect(differenceOf(line({ quantity: 0.3, figure: 0.1 }))).toBe(0.2);
  expect(differenceOf(line({ figure: null }))).toBeNull();
  expect(differenceOf(line({ quantity: null }))).toBeNull();
  expect(differenceOf(line({ productId: null, figure: 0 }))).toBeNull();
});

test.each(languages)(
  'the age is that of the figure when it was counted, and nothing known is no nought, in %s',
  async (language) => {
    const t = (await createEveryWord(language)).t;
    expect(figureWords(line(), t, language)).toMatch(/5 .*3 min/);
    expect(figureWords(line({ figure: null, figureAsOf: null }), t, language)).not.toMatch(/\d/);
    expect(figureWords(line({ productId: null }), t, language)).toBe('');
    const old = line({ countedAt: 1_000_000 + 49 * 60 * minuteMs });
    expect([isFigureOld(line()), isFigureOld(old)]).toEqual([false, true]);
    expect(figureWords(old, t, language)).toMatch(/2 d[ií]?as?|2 days/);
    expect(differenceWords(line(), t, language)).toMatch(/2/);
    expect(differenceWords(line({ quantity: 5 }), t, language)).not.toMatch(/\d/);
    expect(differenceWords(line({ figure: null }), t, language)).toBe('');
  },
);
