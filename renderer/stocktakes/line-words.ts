import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import { differenceBetween } from '../../app/domain/decimal.ts';
import { formatSpan, isOldAge } from '../formats/times.ts';
import { formatAmount, formatQuantity } from '../formats/units.ts';

/** How a line is called. */
export const nameOfLine = ({ name, code }: Pick<StocktakeLine, 'name' | 'code'>): string => name ?? code ?? '';

/** By how much more was counted than the copy had; null where nobody knows. */
export function differenceOf({
  quantity,
  figure,
  productId,
}: Pick<StocktakeLine, 'quantity' | 'figure' | 'productId'>): number | null {
  return quantity === null || figure === null || productId === null ? null : differenceBetween(quantity, figure);
}

/** How old the copy's figure was when the line was counted, in milliseconds; null for none, and after a clock was set back. */
export function figureAgeOf({ figureAsOf, countedAt }: StocktakeLine): number | null {
  return figureAsOf === null || countedAt === null || figureAsOf > countedAt ? null : countedAt - figureAsOf;
}

/** Whether the copy's figure was an old one when the line was counted. */
export const isFigureOld = (line: StocktakeLine): boolean => isOldAge(figureAgeOf(line) ?? 0);

/** "2 more", "3 fewer", "the same"; empty where nobody knows. */
export function differenceWords(line: StocktakeLine, t: TFunction, language: Language): string {
  const difference = differenceOf(line);
  if (difference === null) {
    return '';
  }
  if (difference === 0) {
    return t('stocktakes.difference.same');
  }
  return t(difference > 0 ? 'stocktakes.difference.more' : 'stocktakes.difference.fewer', {
    amount: formatQuantity(Math.abs(difference), line.unit, language),
  });
}

/** The copy's figure when the line was counted, and its age then; that it knew nothing, never nought. */
export function figureWords(line: StocktakeLine, t: TFunction, language: Language): string {
  const { figure, unit, productId } = line;
  if (productId === null) {
    return '';
  }
  if (figure === null) {
    return t('stocktakes.figure.unknown');
  }
  const amount = formatAmount(figure, unit, language);
  const age = figureAgeOf(line);
  return age === null
    ? t('stocktakes.figure.plain', { amount })
    : t(isFigureOld(line) ? 'stocktakes.figure.old' : 'stocktakes.figure.aged', {
        amount,
        age: formatSpan(age, language),
      });
}

/** How many lines somebody has counted. */
export const countedLines = ({ lines }: Stocktake): number =>
  lines.same + lines.different + lines.noFigure + lines.unknownCode;

/** How many lines there are, also of what nobody has counted. */
export const allLines = (stocktake: Stocktake): number => countedLines(stocktake) + stocktake.lines.notCounted;
