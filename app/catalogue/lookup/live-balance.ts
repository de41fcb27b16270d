// How a balance that was read by itself (API v3 §4.4) enters the copy.
import type { Id } from '../../domain/int64.ts';
import type { BalanceAnswer } from '../../platform/client.ts';
import type { CatalogueStore } from '../store/store.ts';

/**
 * Keeps the figures, unless the copy has newer ones than were asked for at `asOf`, and the stock's name. False when the
 * copy has no such stock or product. Throws StorageError.
 */
export function keepBalance(
  store: CatalogueStore,
  stockId: Id,
  productId: Id,
  { balance, options, stock: described }: Pick<BalanceAnswer, 'balance' | 'options' | 'stock'>,
  asOf: number,
): boolean {
  const stock = store.stocks().find((candidate) => candidate.stockId === stockId);
  if (stock === undefined) {
    return false;
  }
  return store.transaction(() => {
    if (described.name !== null) {
      store.nameStock(stock, described.name);
    }
    return store.writer.saveBalance(stock, productId, { amount: balance, options, asOf });
  });
}
