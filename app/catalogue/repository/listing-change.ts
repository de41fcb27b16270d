import type { ShownField } from '../../contract/fields.ts';
import { readStoreTime } from '../../domain/date-time.ts';
import { withoutLastZeros } from '../../domain/decimal.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import { isFigure } from '../../platform/listing/own-place.ts';

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, place) => text === other[place]);

/** True when both hold the same texts, in whatever order. */
const holdSame = (one: readonly string[], other: readonly string[]): boolean =>
  isSame(one, other) || isSame(one.toSorted(), other.toSorted());

/** The shown fields whose change counts: no figure and no date; zeros behind decimals do not. */
function shownOf(element: ListedElement, shown: readonly ShownField[]): readonly string[] {
  const counting = shown.filter(({ path }) => !isFigure(path));
  if (shown.length > 0 && counting.length === 0) {
    return []; // Only figures are chosen; the usual fields stand for no choice at all.
  }
  return element
    .shown(counting)
    .flatMap(({ name, kind, value }) =>
      readStoreTime(value) === null ? [name, kind === 'number' ? withoutLastZeros(value) : value] : [],
    );
}

/** W7 of product-writer.ts, for the fields that the shop shows now. */
export function isListedOtherwise(before: ListedElement, after: ListedElement, shown: readonly ShownField[]): boolean {
  const [was, is] = [before.product, after.product];
  if (was === null || is === null) {
    return false;
  }
  return (
    was.name !== is.name ||
    was.code !== is.code ||
    was.unit !== is.unit ||
    !holdSame(was.otherCodes, is.otherCodes) ||
    !holdSame(was.barcodes, is.barcodes) ||
    !isSame(shownOf(before, shown), shownOf(after, shown))
  );
}
