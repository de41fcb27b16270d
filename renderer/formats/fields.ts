import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { FieldPlace, ProductField } from '../../app/contract/fields.ts';
import { parseDateTime } from '../../app/domain/date-time.ts';
import { withoutLastZeros } from '../../app/domain/decimal.ts';
import { withDecimalSign } from './numbers.ts';
import { formatFullMoment } from './times.ts';

/** Those of a product's fields that the shop wants in this place, in the shop's order. */
export function fieldsOn(fields: readonly ProductField[] | undefined, place: FieldPlace): readonly ProductField[] {
  return fields?.filter(({ on }) => on.includes(place)) ?? [];
}

/** A field's value in a file: a number where that keeps every digit but zeros behind decimals, else a text. */
export function fieldCell({ kind, value }: Pick<ProductField, 'kind' | 'value'>, t: TFunction): string | number {
  if (kind === 'boolean') {
    return t(value === 'true' ? 'fields.yes' : 'fields.no');
  }
  return kind === 'number' && String(Number(value)) === withoutLastZeros(value) ? Number(value) : value;
}

/**
 * A field's value as its JSON type alone says; no figure is rounded, and none is taken for money but the price's,
 * whose one decimal is written as two.
 */
export function fieldText(
  { isPrice, kind, value }: Pick<ProductField, 'isPrice' | 'kind' | 'value'>,
  t: TFunction,
  language: Language,
): string {
  switch (kind) {
    case 'number':
      return withDecimalSign(isPrice === true ? value.replace(/\.\d$/, '$&0') : value, language);
    case 'boolean':
      return t(value === 'true' ? 'fields.yes' : 'fields.no');
    case 'moment': {
      const time = parseDateTime(value)?.time;
      return time === undefined ? value : formatFullMoment(time, language);
    }
    case 'text':
      return value;
  }
}
