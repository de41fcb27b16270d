import { z } from 'zod';
import type { WithSecrets } from '../secrets.ts';
import type { ShopSource } from './shop-source.ts';
import { createSqlSource, findQueryFaults, sqlSchema } from './sql/sql.ts';
import { createTrytonSource, trytonSchema } from './tryton/tryton.ts';
import { createWoocommerceSource, onlyStock, woocommerceSchema } from './woocommerce/woocommerce.ts';

/** The system in which a shop's stock lies. */
export const sourceSchema = z.discriminatedUnion('kind', [sqlSchema, trytonSchema, woocommerceSchema]);
type Written = z.infer<typeof sourceSchema>;
export type SourceSettings = WithSecrets<Written>;

/** What is wrong with a source that serves these stocks, a sentence each. */
export function findSourceFaults(source: Written, stocks: ShopFacts['stocks']): readonly string[] {
  switch (source.kind) {
    case 'sql':
      return findQueryFaults(source.queries);
    case 'tryton':
      return [];
    case 'woocommerce':
      return stocks.every((stock) => stock.source === onlyStock)
        ? []
        : [`stocks: WooCommerce has one stock, whose source is "${onlyStock}"`];
  }
}

/** What a source must know of the shop. */
export interface ShopFacts {
  /** Dates and times without a zone are of this one. */
  readonly timeZone: string;
  /** The stocks that are asked for, each with the source's own name. */
  readonly stocks: readonly { readonly source: string }[];
}

/** Opens the source. Throws where it can be seen not to work. */
export function openSource(source: SourceSettings, { timeZone, stocks }: ShopFacts): ShopSource {
  const stockNames = stocks.map((stock) => stock.source);
  switch (source.kind) {
    case 'sql':
      return createSqlSource(source, timeZone);
    case 'tryton':
      return createTrytonSource(source, stockNames, timeZone);
    case 'woocommerce':
      return createWoocommerceSource(source);
  }
}
