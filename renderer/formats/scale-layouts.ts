import type { Language } from '../../app/contract/basics.ts';
import type { ScaleFigure } from '../../app/domain/codes/scale-label.ts';
import { formatFact } from './code-facts.ts';

const facts = { weight: 'netWeightKg', price: 'price', pieces: 'pieces' } as const;

/** A label's figure, such as "1.234 kg". */
export function formatFigure(amount: number, figure: ScaleFigure, language: Language): string {
  return formatFact({ kind: facts[figure], amount, currency: null }, language);
}

/** A typed figure with a point or a comma, and no more than four decimals; null for all else. */
export function readFigure(text: string): number | null {
  const typed = text.trim();
  return /^\d{1,8}(?:[.,]\d{1,4})?$/.test(typed) ? Number(typed.replace(',', '.')) : null;
}
