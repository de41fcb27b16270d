import { describe, expect, it } from 'vitest';
import { formatFact, passedDeadline } from '../../../../renderer/formats/code-facts.ts';

const plain = (text: string): string => text.replaceAll(/\s/g, ' ');

describe('a fact', () => {
  it.each([
    [{ kind: 'netWeightKg', amount: 1.234, currency: null }, '1.234 kg', '1,234 kg'],
    [{ kind: 'grossWeightLb', amount: 2, currency: null }, '2 lb', '2 lb'],
    [{ kind: 'pieces', amount: 1200, currency: null }, '1,200', '1.200'],
    [{ kind: 'price', amount: 2.5, currency: null }, '2.50', '2,50'],
    [{ kind: 'price', amount: 1299.9, currency: 'BRL' }, 'R$1,299.90', 'R$ 1.299,90'],
    [{ kind: 'payable', amount: 2, currency: '999' }, '2.00 999', '2,00 999'],
    [{ kind: 'pricePerUnit', amount: 0.125, currency: null }, '0.125', '0,125'],
    [{ kind: 'expiry', date: '2026-12-31' }, 'Dec 31, 2026', '31 de dez. de 2026'],
    [{ kind: 'bestBefore', date: '2026-12' }, 'December 2026', 'dezembro de 2026'],
    [{ kind: 'lot', text: 'L-7' }, 'L-7', 'L-7'],
    [{ kind: 'other', identifier: '422', title: 'ORIGIN', text: '076' }, '076', '076'],
  ] as const)('%j is written %s and %s', (fact, english, portuguese) => {
    expect(plain(formatFact(fact, 'en'))).toBe(english);
    expect(plain(formatFact(fact, 'pt-BR'))).toBe(portuguese);
  });
});

describe('a deadline', () => {
  // By this machine's calendar, at the very end of a day.
  const late = new Date(2026, 11, 31, 23, 59).getTime();
  it.each([
    ['2026-12-31', null],
    ['2026-12-30', 'expiry'],
    ['2027-01-01', null],
    ['2026-12', null],
    ['2026-11', 'expiry'],
    ['1999-12-31', 'expiry'],
  ])('of %s at the end of 31 December 2026: %s', (date, passed) => {
    expect(passedDeadline({ kind: 'expiry', date }, late)).toBe(passed);
  });

  it('is only what should stop a sale: no date of production, and no lot', () => {
    expect(passedDeadline({ kind: 'production', date: '2020-01-01' }, late)).toBeNull();
    expect(passedDeadline({ kind: 'lot', text: '2020-01-01' }, late)).toBeNull();
    expect(passedDeadline({ kind: 'sellBy', date: '2020-01-01' }, late)).toBe('sellBy');
  });
});
