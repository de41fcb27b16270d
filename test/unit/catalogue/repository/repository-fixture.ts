import type { SaveOptions } from '../../../../app/catalogue/repository/product-writer.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { listed } from '../../../support/listed.ts';

export const askedAt = 1_000_000;

/** Saves elements of a page, those of the first stock unless it says otherwise. */
export function save(
  repository: CatalogueRepository,
  elements: readonly unknown[],
  options: Partial<SaveOptions> & { stock?: number } = {},
): ReturnType<CatalogueRepository['writer']['save']> {
  const stock = repository.stocks()[options.stock ?? 0];
  if (stock === undefined) {
    throw new Error('no such stock');
  }
  return repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt, ...options });
}

/** The names of rows. */
export function names(repository: CatalogueRepository, rows: readonly number[]): string[] {
  return rows.map((row) => repository.reader.hit(row)?.name ?? '');
}

export const coffee = { id: 1, code: 'CF-001', name: 'Café torrado', barcode: '9520000000011', balance: 5 };
