// The platform's document shows no price (API v3 §2): one is what a person types, or a field that the shop has chosen.
import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import { readableCode } from '../../app/domain/codes/barcode-choice.ts';
import type { DrawnCode } from './barcode-picture.ts';
import { byLanguage } from '../formats/by-language.ts';
import { formatQuantity, shortUnit } from '../formats/units.ts';
import { fieldsOn, fieldText } from '../formats/fields.ts';
import { simplified } from './helvetica.ts';
import type { LabelContent } from './layout.ts';

const dates = byLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }));

/** The day on which a label is printed. */
export function labelDate(nowMs: number, language: Language): string {
  return dates(language).format(nowMs);
}

interface LabelWishes {
  readonly line: string;
  readonly withBalance: boolean;
  readonly nowMs: number;
  readonly language: Language;
  readonly t: TFunction;
}

/** The label of a product with this code, or with none that can be drawn. */
export function contentOf(
  card: Pick<ProductCard, 'name' | 'code' | 'unit' | 'balance' | 'fields'>,
  drawn: DrawnCode | null,
  { line, withBalance, nowMs, language, t }: LabelWishes,
): LabelContent {
  const { amount } = card.balance;
  const unit = shortUnit(card.unit, language);
  const figure =
    withBalance && amount !== null ? `${formatQuantity(amount, card.unit, language)} ${unit}`.trim() : unit;
  const code = card.code !== null && card.code !== drawn?.text ? card.code : '';
  return {
    name: card.name,
    line,
    fields: fieldsOn(card.fields, 'label').map((field) => `${field.name}: ${fieldText(field, t, language)}`),
    symbol: drawn?.symbol ?? null,
    readable: drawn === null ? '' : readableCode(drawn),
    // A true minus is no letter of the fonts of a PDF.
    facts: [code, figure.replace('\u2212', '-')].filter((part) => part !== '').join(' · '),
    date: labelDate(nowMs, language),
  };
}

/** True when a PDF can carry every character of the label as it is. */
export function isWhollyPrintable({ name, line, fields, readable, facts }: LabelContent): boolean {
  return [name, line, ...fields, readable, facts].every((text) => simplified(text) === text);
}

/** A file name for the label of this product. */
export function labelFileName({ code, productId }: Pick<ProductCard, 'code' | 'productId'>): string {
  const name = (code ?? productId).replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
  return `label-${name.replaceAll(/^-|-$/g, '') || productId}.pdf`;
}
