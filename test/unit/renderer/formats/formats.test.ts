import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatNumber } from '../../../../renderer/formats/numbers.ts';
import { groupCards, groupHits } from '../../../../renderer/formats/products.ts';
import {
  ageInWords,
  formatAge,
  formatMoment,
  formatSpan,
  formatWait,
  isOldFigure,
  localDay,
} from '../../../../renderer/formats/times.ts';
import { formatQuantity, formatUnit, nameOfUnit, shortUnit } from '../../../../renderer/formats/units.ts';
import { formatPlanMoment } from '../../../../renderer/coupon-sets/plan-words.ts';
import { card, id } from '../stores/held-bridge.ts';

const now = Date.parse('2026-03-10T15:00:00-03:00');
const minute = 60_000;

it("names a file of the evening by this machine's day", () => {
  expect(['22:00', '23:59:59'].map((time) => localDay(Date.parse(`2026-11-27T${time}-03:00`)))).toEqual([
    '2026-11-27',
    '2026-11-27',
  ]);
  expect(localDay(Date.parse('2026-11-28T00:00-03:00'))).toBe('2026-11-28');
  expect(localDay(Date.parse('2026-11-30T22:00-03:00'), 1)).toBe('2026-12-01');
});

describe('numbers', () => {
  it('follow the language, keep every decimal and use a true minus', () => {
    expect(formatNumber(1234.5678, 'en')).toBe('1,234.5678');
    expect(formatNumber(1234.5678, 'pt-BR')).toBe('1.234,5678');
    expect([formatNumber(12_345.5678, 'es'), formatNumber(1234.5, 'es'), formatNumber(-6, 'es')]).toEqual([
      '12.345,5678',
      '1234,5',
      '\u22126',
    ]);
    expect(formatNumber(-6, 'en')).toBe('\u22126');
    expect(formatNumber(-0, 'en')).toBe('0');
  });
});

describe('times', () => {
  it('of today have no date, others have one', () => {
    expect(formatMoment(now - 58 * minute, now, 'en')).toBe('14:02');
    expect(formatMoment(now - 24 * 60 * minute, now, 'en')).toContain('Mar');
    expect(formatMoment(now - 24 * 60 * minute, now, 'pt-BR')).toContain('mar');
    expect(formatMoment(now - 24 * 60 * minute, now, 'es')).toContain('mar');
  });

  it.each(['en', 'pt-BR', 'es'] as const)('of another year have the year in %s, others have none', (language) => {
    for (const years of [1, 9]) {
      const at = new Date(now);
      at.setFullYear(2026 - years);
      expect(formatMoment(at.getTime(), now, language)).toContain(String(2026 - years));
      expect(formatPlanMoment(at.getTime(), now, language)).toContain(String(2026 - years));
    }
    expect(formatMoment(Date.parse('2027-01-01T12:00:00Z'), now, language)).toContain('2027');
    expect(formatPlanMoment(Date.parse('2027-03-12T12:00:00Z'), now, language)).toContain('2027');
    const [first, yesterday] = [new Date(2026, 0, 1).getTime(), now - 24 * 60 * minute];
    for (const at of [first, yesterday]) {
      expect(formatMoment(at, now, language)).not.toContain('26');
      expect(formatPlanMoment(at, now, language)).not.toContain('26');
    }
  });

  it.each([
    [5_000, null, null, null],
    [40_000, '40 seconds ago', 'há 40 segundos', 'hace 40 segundos'],
    [3 * minute, '3 minutes ago', 'há 3 minutos', 'hace 3 minutos'],
    [60 * minute, '1 hour ago', 'há 1 hora', 'hace 1 hora'],
    [25 * 60 * minute, '25 hours ago', 'há 25 horas', 'hace 25 horas'],
    [73 * 60 * minute, '3 days ago', 'há 3 dias', 'hace 3 días'],
    [59_600, '1 minute ago', 'há 1 minuto', 'hace 1 minuto'],
    [3.4 * minute, '3 minutes ago', 'há 3 minutos', 'hace 3 minutos'],
    [3.6 * minute, '4 minutes ago', 'há 4 minutos', 'hace 4 minutos'],
    [59.6 * minute, '1 hour ago', 'há 1 hora', 'hace 1 hora'],
    [47.6 * 60 * minute, '2 days ago', 'há 2 dias', 'hace 2 días'],
    [-60_000, null, null, null],
  ])('%i ms ago', (ageMs, english, portuguese, spanish) => {
    expect(formatAge(now - ageMs, now, 'en')).toBe(english);
    expect(formatAge(now - ageMs, now, 'pt-BR')).toBe(portuguese);
    expect(formatAge(now - ageMs, now, 'es')).toBe(spanish);
  });

  it('are not told of what is still to come, by the present and not by when the page was drawn', () => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const words = (ageMs: number, drawnAgoMs = 0): string =>
      ageInWords(now - ageMs, now - drawnAgoMs, ((key: string) => key) as never, 'en');
    expect([-5_001, -5_000, 0, 60_000].map((ageMs) => words(ageMs))).toEqual([
      'ui.age.clockSet',
      'ui.age.justNow',
      'ui.age.justNow',
      '1 minute ago',
    ]);
    expect(words(0, 600_000)).toBe('ui.age.justNow');
    expect([-5_001, -5_000, 0, 86_400_001].map((ageMs) => isOldFigure(now - ageMs, now))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('to wait are rounded to the nearest and never nothing', () => {
    expect(formatWait(now + 61_000, now, 'en')).toBe('1 minute');
    expect(formatWait(now - 5, now, 'pt-BR')).toBe('1 segundo');
    expect(formatWait(now + 90 * minute, now, 'en')).toBe('2 hours');
    expect(formatWait(now + 100_000, now, 'es')).toBe('2 minutos');
  });

  it('a span is rounded to the nearest: three hours and two seconds are three hours', () => {
    expect(formatSpan(180 * minute + 2000, 'en')).toBe('3 hours');
    expect(formatSpan(180 * minute - 2000, 'pt-BR')).toBe('3 horas');
    expect(formatSpan(60 * 24 * 60 * minute, 'es')).toBe('60 días');
  });
});

describe('units', () => {
  it('are named in full and abbreviated', () => {
    expect([
      nameOfUnit('KG', 1, 'en'),
      nameOfUnit('kg', 2, 'pt-BR'),
      nameOfUnit('CX10', 2, 'en'),
      nameOfUnit(null, 2, 'en'),
    ]).toEqual(['kilogram', 'quilogramas', 'boxes of 10', '']);
    expect([
      shortUnit('UNID', 'en'),
      shortUnit('PC', 'pt-BR'),
      shortUnit('Kilogramm', 'en'),
      shortUnit(null, 'en'),
    ]).toEqual(['un.', 'pç.', 'Kilogramm', '']);
  });

  it.each([
    [12, 'KG', '12', '12'],
    [1.5, 'KG', '1.500', '1,500'],
    [0.25, 'LITRO', '0.250', '0,250'],
    [1.5, 'M', '1.50', '1,50'],
    [1.125, 'M', '1.125', '1,125'],
    [24, 'UNID', '24', '24'],
    // Half a unit is odd, but it is what the platform says.
    [1.5, 'UNID', '1.5', '1,5'],
    [1.5, 'ZZZ', '1.5', '1,5'],
    [1.5, null, '1.5', '1,5'],
  ])('write %d %s with the unit\u2019s decimals, and cut none', (amount, code, english, portuguese) => {
    expect([formatQuantity(amount, code, 'en'), formatQuantity(amount, code, 'pt-BR')]).toEqual([english, portuguese]);
  });

  it.each([
    ['UNID', 1, 'unit', 'unidade', 'unidad'],
    ['UNID', 0, 'units', 'unidades', 'unidades'],
    ['UNID', -6, 'units', 'unidades', 'unidades'],
    ['CX10', 2, 'boxes of 10', 'caixas de 10', 'cajas de 10'],
    ['kg', 3.475, 'kg', 'kg', 'kg'],
    ['ZZZ', 3, 'ZZZ', 'ZZZ', 'ZZZ'],
  ])('%s of %d', (code, amount, english, portuguese, spanish) => {
    expect(formatUnit(code, amount, 'en')).toBe(english);
    expect(formatUnit(code, amount, 'pt-BR')).toBe(portuguese);
    expect(formatUnit(code, amount, 'es')).toBe(spanish);
  });

  it('that are not told are not written', () => {
    expect(formatUnit(null, 3, 'en')).toBe('');
  });
});

describe('cards', () => {
  it('of a product stand in the order of the profile, those of other stocks after them', () => {
    const cards = ['12', '99', '11'].map((stockId) => card('1', { stockId: id(stockId) }));
    const stocksOf = (chosen: string | null) =>
      groupCards(cards, [id('11'), id('12')], chosen === null ? null : id(chosen))?.cards.map(({ stockId }) => stockId);
    expect([stocksOf(null), stocksOf('99'), groupCards([], [id('11')])]).toEqual([
      ['11', '12', '99'],
      ['99', '11', '12'],
      null,
    ]);
  });

  it('of one product are one group, in however many stocks it lies, in the order of the answer', () => {
    const groups = groupHits([card('2', { stockId: id('12') }), card('1'), card('2', { stockId: id('11') })]);
    expect(groups.map(({ first, hits }) => [first.productId, hits.map(({ stockId }) => stockId)])).toEqual([
      ['2', ['12', '11']],
      ['1', [card('1').stockId]],
    ]);
  });
});
