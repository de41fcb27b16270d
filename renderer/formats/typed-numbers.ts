import type { Language } from '../../app/contract/basics.ts';

/** Separator of the whole from the decimals. */
export type DecimalMark = '.' | ',';

const marks: Readonly<Record<Language, DecimalMark>> = { en: '.', 'pt-BR': ',', es: ',' };

/** The mark of the language's own numbers. */
export const decimalMarkOf = (language: Language): DecimalMark => marks[language];

const otherThan = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.');

/** Whether the three digits behind its only sign may be thousands, by this decimal mark, or as well decimals by another. */
export function isOfTwoAmounts(text: string, mark: DecimalMark): boolean {
  return new RegExp(`^[1-9]\\d{0,2}\\${otherThan(mark)}\\d{3}$`).test(text.trim());
}

/**
 * The amount that was typed, with six decimals and so much at most; null when it is none, or may be one of two. Groups
 * of three are thousands where the other mark parts them; else either mark parts the decimals.
 */
export function readAmount(text: string, mark: DecimalMark, most: number): number | null {
  const other = otherThan(mark);
  const typed = text.trim();
  const isGrouped = new RegExp(`^[1-9]\\d{0,2}(?:\\${other}\\d{3})+(?:\\${mark}\\d{1,6})?$`).test(typed);
  const plain = isGrouped ? typed.replaceAll(other, '') : typed;
  const amount = /^\d{1,10}(?:[.,]\d{1,6})?$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN;
  return amount <= most && !isOfTwoAmounts(text, mark) ? amount : null;
}

/** The same amount as it may be typed. */
export function writeAmount(amount: number, mark: DecimalMark): string {
  return String(amount).replace('.', mark);
}
