import { z } from 'zod';
import type { WithSecrets } from '../secrets.ts';
import { findQueryFaults, sqlSchema } from './sql/settings.ts';
import { trytonSchema } from './tryton/tryton.ts';
import { onlyStock, woocommerceSchema } from './woocommerce/woocommerce.ts';

/** The system in which a shop's stock lies. */
export const sourceSchema = z.discriminatedUnion('kind', [sqlSchema, trytonSchema, woocommerceSchema]);
type Written = z.infer<typeof sourceSchema>;
/** The same, with its secrets. */
export type SourceSettings = WithSecrets<Written>;

/** What is wrong with a source that serves these stocks, a sentence each. */
export function findSourceFaults(source: Written, stocks: readonly { readonly source: string }[]): readonly string[] {
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
