import type { Language } from '../../app/contract/basics.ts';
import { maxCounted } from '../../app/contract/limits/stocktakes.ts';

/** Separator of the whole from the decimals. */
export type DecimalMark = '.' | ',';

const marks: Readonly<Record<Language, DecimalMark>> = { en: '.', 'pt-BR': ',', es: ',' };

/** The mark of the language's own numbers. */
export const decimalMarkOf = (language: Language): DecimalMark => marks[language];

/**
 * The amount that was typed, at most nine digits before the decimals and six of them; null when it is none. Groups of
 * three are thousands where the other mark parts them; else either mark parts the decimals.
 */
export function readAmount(text: string, mark: DecimalMark): number | null {
  const other = mark === '.' ? ',' : '.';
  const typed = text.trim();
  const isGrouped = new RegExp(`^\\d{1,3}(?:\\${other}\\d{3}){1,2}(?:\\${mark}\\d{1,6})?$`).test(typed);
  const plain = isGrouped ? typed.replaceAll(other, '') : typed;
  return /^\d{1,9}(?:[.,]\d{1,6})?$/.test(plain) ? Number(plain.replace(',', '.')) : null;
}

/** The same amount as it may be typed. */
export function writeAmount(amount: number, mark: DecimalMark): string {
  return String(amount).replace('.', mark);
}

/**
 * The quantity that a text says, by comma or point; null when it says none, or when its three digits after the
 * language's sign for thousands might as well be thousands.
 */
export function parseTypedQuantity(text: string, language: Language): number | null {
  const [, whole = '', sign = '', decimals = ''] = /^(\d{1,10})(?:([.,])(\d{1,6}))?$/.exec(text.trim()) ?? [];
  const ofThousands = marks[language] === '.' ? ',' : '.';
  const quantity = Number(`${whole}.${decimals}`);
  return whole === '' || (sign === ofThousands && decimals.length === 3) || quantity > maxCounted ? null : quantity;
}
