import type { SourceSettings } from './settings.ts';
import type { ShopSource } from './shop-source.ts';

/** What a source must know of the shop. */
export interface ShopFacts {
  /** Dates and times without a zone are of this one. */
  readonly timeZone: string;
  /** The stocks that are asked for, each with the source's own name. */
  readonly stocks: readonly { readonly source: string }[];
}

/**
 * Opens the source, and reads no more code than that one needs: each pass does so anew. Throws where it can be seen not to
 * work.
 */
export async function openSource(source: SourceSettings, { timeZone, stocks }: ShopFacts): Promise<ShopSource> {
  const stockNames = stocks.map((stock) => stock.source);
  switch (source.kind) {
    case 'sql':
      return (await import('./sql/sql.ts')).createSqlSource(source, timeZone);
    case 'tryton':
      return (await import('./tryton/tryton.ts')).createTrytonSource(source, stockNames, timeZone);
    case 'woocommerce':
      return (await import('./woocommerce/woocommerce.ts')).createWoocommerceSource(source);
  }
}
