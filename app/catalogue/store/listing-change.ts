import type { ShownField } from '../../contract/fields.ts';
import { readStoreTime } from '../../domain/date-time.ts';
import { withoutLastZeros } from '../../domain/decimal.ts';
import { balanceKeys } from '../../platform/stock-fields.ts';
import type { ListedProduct } from './element.ts';
import { shownIn } from './shown-fields.ts';

/** An element of the listing, and what is read in it. */
export interface ReadElement {
  readonly element: unknown;
  readonly listed: ListedProduct;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, place) => text === other[place]);

/** True when both hold the same texts, in whatever order. */
const holdSame = (one: readonly string[], other: readonly string[]): boolean =>
  isSame(one, other) || isSame(one.toSorted(), other.toSorted());

/** The shown fields whose change counts: no figure and no date; zeros behind decimals do not. */
function shownOf({ element }: ReadElement, shown: readonly ShownField[]): readonly string[] {
  const counting = shown.filter(({ path }) => !balanceKeys.includes(path.toLowerCase()));
  return shownIn(element, counting).flatMap(({ name, kind, value }) =>
    readStoreTime(value) === null ? [name, kind === 'number' ? withoutLastZeros(value) : value] : [],
  );
}

/** W7 of product-writer.ts, for the fields that the shop shows now. */
export function isListedOtherwise(before: ReadElement, after: ReadElement, shown: readonly ShownField[]): boolean {
  const [was, is] = [before.listed, after.listed];
  return (
    was.name !== is.name ||
    was.code !== is.code ||
    was.unit !== is.unit ||
    !holdSame(was.otherCodes, is.otherCodes) ||
    !holdSame(was.barcodes, is.barcodes) ||
    (shown.length > 0 && !isSame(shownOf(before, shown), shownOf(after, shown)))
  );
}
