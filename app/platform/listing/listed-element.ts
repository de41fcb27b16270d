import { z } from 'zod';
import type { ProductField, ShownField } from '../../contract/fields.ts';
import { parseJson } from '../../domain/json.ts';
import { isObject, plainTextsOf } from '../../domain/loose-json.ts';
import { combineRows, rowKeyOf, rowsOf } from './combined-rows.ts';
import { offsetIn, readElement, updatedIn } from './element.ts';
import type { KeptElement, ListedProduct, UnreadableElement } from './listed.ts';
import { holdSameValues, keptOf } from './raw-element.ts';
import { plainValuesIn, shownIn, type ValueAtPath } from './shown-fields.ts';
import { identityOf, unreadableOf } from './unreadable-element.ts';

/**
 * One element of a stock's listing (API v3 §4.3). What came stays in here, so that nothing but this folder goes by the
 * platform's names; it is held once, for what is read in it is read when it is asked for.
 */
export class ListedElement {
  readonly #content: unknown;
  #product: ListedProduct | null = null;

  /** Of a value as `parseJson` answers it. */
  constructor(content: unknown) {
    this.#content = content;
  }

  /** What several rows of one page say of one product, in the place of each of them; see `combineRows`. */
  static combine(elements: readonly ListedElement[]): readonly ListedElement[] {
    const rows = Map.groupBy(elements, (element) => element.product?.productId ?? element);
    if (rows.size === elements.length) {
      return elements;
    }
    const combined = new Map<unknown, ListedElement>();
    for (const [productId, all] of rows) {
      const products = all.flatMap(({ product }) => product ?? []);
      const contents = all.map((element) => element.#content);
      const [first] = all;
      const isRepeated = first !== undefined && all.every((element) => element.holdsSameAs(first));
      // mutant: of several rows of one product the last one stands for it
      if (!isRepeated) combined.set(productId, new ListedElement(combineRows(contents, products)));
    }
    return elements.map((element) => combined.get(element.product?.productId) ?? element);
  }

  /** Null when it cannot be read: it has no id that this app can find. */
  get product(): ListedProduct | null {
    // mutant: an element of the listing is read anew whenever its product is asked for
    return (this.#product ??= readElement(this.#content));
  }

  // A date takes longer to read than all the rest, and only who stores an element asks for one.
  /** The offset of its first date-time, in minutes; null without one. The platform writes the store's time zone. */
  get offsetMinutes(): number | null {
    return offsetIn(this.#content);
  }

  /** When the platform last changed it, in milliseconds since 1970: the latest that it says; null without any. */
  get updatedAt(): number | null {
    return updatedIn(this.#content);
  }

  /** The facts that are known of it where `product` is null. */
  get unreadable(): UnreadableElement {
    return unreadableOf(this.#content);
  }

  /** Of how many rows of the product it is; see `combineRows`. */
  get rows(): number {
    return rowsOf(this.#content).length;
  }

  /** With those rows of `before`, which is of the same product, that it does not have. */
  joinedTo(before: ListedElement): ListedElement {
    const own = rowsOf(this.#content);
    const known = new Set(own.flatMap((row) => rowKeyOf(row) ?? []));
    const others = rowsOf(before.#content).filter((row) => !known.has(rowKeyOf(row) ?? ''));
    const rows = [...others, ...own].map((row) => new ListedElement(row));
    // Of a long one that is kept in short, nothing is left of its rows but what they are called.
    const areReadable = rows.every(({ product }) => product?.productId === this.product?.productId);
    return (areReadable && others.length > 0 ? ListedElement.combine(rows)[0] : undefined) ?? this;
  }

  /** A digest of what names it though its id may not be readable: its code, a barcode, its id or its name; else null. */
  get identity(): number | null {
    return identityOf(this.#content);
  }

  /** As it is to be kept, for `readKept`. */
  get kept(): KeptElement {
    return keptOf(this.#content, this.product);
  }

  /** The texts of all its plain values, however they are called. */
  get texts(): readonly string[] {
    return plainTextsOf(this.#content);
  }

  /** Those of the shown fields that it has, in their order; the usual ones where none are chosen. */
  shown(fields: readonly ShownField[]): ProductField[] {
    return shownIn(this.#content, fields);
  }

  /** Every plain value with its path, down to the depth that a path can have. Lists are not looked into. */
  plainValues(): Iterable<ValueAtPath> {
    return isObject(this.#content) ? plainValuesIn(this.#content, []) : [];
  }

  /** Whether both say the same, however many zeros stand behind their decimals. */
  holdsSameAs(other: ListedElement): boolean {
    return holdSameValues(this.#content, other.#content);
  }

  /** The element as it came, for `writeJson`; other terminals read it by `listedElementSchema`. */
  toJSON(): unknown {
    return this.#content;
  }
}

/** Whatever it is, for what it says is not documented. */
export const listedElementSchema = z.unknown().transform((content) => new ListedElement(content));

/** Reads an element again as `ListedElement.kept` wrote it; one of any other text has no product. */
export function readKept(text: string): ListedElement {
  return new ListedElement(parseJson(text));
}
