// What the bridge asks of the system in which a shop's stock lies. Every question may fail by throwing; the bridge then
// goes on with what it read before, and says so.

/** An id as the source itself writes it: with blanks around it, or a number. */
export type SourceKey = string | number;

/** A product under the source's own id. */
export interface SourceProduct {
  readonly sourceId: string;
  /** By which the source is asked about it, where that is another than `sourceId`. */
  readonly key?: SourceKey;
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
  /** Of products that are left out, what is wrong with each. */
  readonly unreadable?: readonly string[];
}

export interface ShopSource {
  /** Everything, some at a time; as of one moment where the source can. */
  read(): AsyncIterable<SourceRows>;
  /** The amount as it is now; without it, the amount of the last pass counts. */
  readonly readAmount: ((key: SourceKey, stock: string) => Promise<number>) | null;
  readonly readMovements: ((key: SourceKey, stock: string) => Promise<SourceMovements>) | null;
  readonly listBatches: ((key: SourceKey, stock: string) => Promise<readonly SourceBatch[]>) | null;
  /**
   * Sets a product's coupon; may be called again with the same value. Answers false where the source says that it has
   * changed nothing. Without it, the bridge keeps the settings.
   */
  readonly writeCoupon: ((key: SourceKey, isEnabled: boolean) => Promise<boolean>) | null;
  /**
   * Has the source look at what sets the coupon. Where it says how the product's is, it is tried both ways, and taken
   * back. Throws what is wrong with that.
   */
  readonly checkCoupon?: ((product: SourceProduct) => Promise<void>) | null;
  close(): Promise<void>;
}
