// What the bridge asks of the system in which a shop's stock lies. Every question may fail by throwing; the bridge then
// goes on with what it read before, and says so.

import { z } from 'zod';

/** How often the whole source is read. */
export const everySeconds = z.int().min(5).max(86_400);

/** A product under the source's own id. */
export interface SourceProduct {
  readonly sourceId: string;
  readonly name: string;
  readonly code: string | null;
  readonly barcodes: readonly string[];
  readonly department: string | null;
  /** The code of its unit of measure, as "KG". */
  readonly unit: string | null;
  readonly price: number | null;
  readonly supplier: string | null;
  readonly aisle: string | null;
  /** Whether its coupon is on; null where the source does not say. */
  readonly coupon: boolean | null;
}

/** How much of a product lies in a stock, which is named as the source names it. */
export interface SourceAmount {
  readonly sourceId: string;
  readonly stock: string;
  readonly amount: number;
}

export interface SourceBatch {
  readonly name: string | null;
  readonly amount: number;
  /** Milliseconds since 1970. */
  readonly enteredAt: number | null;
  readonly expiresAt: number | null;
}

/** Both 0 or more. */
export interface SourceMovements {
  readonly entered: number;
  readonly exited: number;
}

/** A barcode that does not come with its product. */
export interface SourceBarcode {
  readonly sourceId: string;
  readonly barcode: string;
}

/** Some of what the source holds; the products come before their amounts. */
export interface SourceRows {
  readonly products?: readonly SourceProduct[];
  /** Those of products that are not there count for nothing. */
  readonly barcodes?: readonly SourceBarcode[];
  /** What is not named is 0. */
  readonly amounts?: readonly SourceAmount[];
}

export interface ShopSource {
  /** Everything, some at a time; as of one moment where the source can. */
  read(): AsyncIterable<SourceRows>;
  /** The amount as it is now; without it, the amount of the last pass counts. */
  readonly readAmount: ((sourceId: string, stock: string) => Promise<number>) | null;
  readonly readMovements: ((sourceId: string, stock: string) => Promise<SourceMovements>) | null;
  readonly listBatches: ((sourceId: string, stock: string) => Promise<readonly SourceBatch[]>) | null;
  /** Sets a product's coupon; may be called again with the same value. Without it, the bridge keeps the settings. */
  readonly writeCoupon: ((sourceId: string, isEnabled: boolean) => Promise<void>) | null;
  /** Has the source look at what sets the coupon, without setting it. Throws what is wrong with that. */
  readonly checkCoupon?: ((sourceId: string) => Promise<void>) | null;
  close(): Promise<void>;
}
