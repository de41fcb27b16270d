// The fields that are read in a stock's listing (API v3 §4.3), whatever the platform calls them.
import type { Id } from '../../domain/int64.ts';

/** Raised whenever this folder reads an element differently: the next full listing then writes every row anew. */
export const readerVersion = 3;
/**
 * The versions whose rows answer until then. Rows of all others are gone at once, for the codes that they are found by
 * may be other ones. Version 2 left characters in texts that nobody sees; no scan has these.
 */
export const readersAlike: readonly number[] = [2, readerVersion];

/** A balance of one option of a product, such as a size. */
export interface OptionBalance {
  readonly name: string;
  readonly amount: number | null;
}

/** The facts in an element, as far as this app understands it. Texts are at most 500 characters. */
export interface ListedProduct {
  readonly productId: Id;
  readonly code: string | null;
  readonly name: string;
  readonly unit: string | null;
  /** At most 50. */
  readonly barcodes: readonly string[];
  /** A second code beside `code`, such as a `sku`; found by an exact lookup, shown among `extra`. */
  readonly otherCodes: readonly string[];
  /** Null when the element carries none that is plainly a number. */
  readonly balance: number | null;
  readonly options: readonly OptionBalance[];
  /** At most 100 fields that have no place of their own. */
  readonly extra: readonly { readonly name: string; readonly value: string }[];
  readonly stockName: string | null;
}

/** An element that cannot be read. */
export interface UnreadableElement {
  readonly why: 'notAnObject' | 'noId' | 'wrongId';
  /** By what names it, see `ListedElement.identity`; null where nothing does. */
  readonly identity: number | null;
  /** A short sample, at most 300 characters, without what has the shape of a secret or of a person. */
  readonly text: string;
}

/** An element as it is kept. */
export interface KeptElement {
  readonly text: string;
  /** Of the whole element. */
  readonly digest: number;
  /** False for one that was too long (W4 of app/catalogue/repository/product-writer.ts). */
  readonly isWhole: boolean;
}
