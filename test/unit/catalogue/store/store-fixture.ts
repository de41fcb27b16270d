import type { SaveOptions } from '../../../../app/catalogue/store/product-writer.ts';
import type { CatalogueStore } from '../../../../app/catalogue/store/store.ts';
import { listed } from '../../../support/listed.ts';

export const askedAt = 1_000_000;

/** Saves elements of a page, those of the first stock unless it says otherwise. */
export function save(
  store: CatalogueStore,
  elements: readonly unknown[],
  options: Partial<SaveOptions> & { stock?: number } = {},
): ReturnType<CatalogueStore['writer']['save']> {
  const stock = store.stocks()[options.stock ?? 0];
  if (stock === undefined) {
    throw new Error('no such stock');
  }
  return store.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt, ...options });
}

/** The names of rows. */
export function names(store: CatalogueStore, rows: readonly number[]): string[] {
  return rows.map((row) => store.reader.hit(row)?.name ?? '');
}

export const coffee = { id: 1, code: 'CF-001', name: 'Café torrado', barcode: '9520000000011', balance: 5 };
