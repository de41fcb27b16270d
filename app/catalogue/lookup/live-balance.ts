// How a balance that was read by itself (API v3 §4.4) enters the copy.
import type { Id } from '../../domain/int64.ts';
import type { BalanceAnswer } from '../../platform/client.ts';
import type { CatalogueRepository } from '../repository/repository.ts';

/**
 * Keeps the figures, unless the copy has newer ones than were asked for at `asOf`, and the stock's name. False when the
 * copy has no such stock or product. Throws StorageError.
 */
export function keepBalance(
  repository: CatalogueRepository,
  stockId: Id,
  productId: Id,
  { balance, options, stock: described }: Pick<BalanceAnswer, 'balance' | 'options' | 'stock'>,
  asOf: number,
): boolean {
  const stock = repository.stocks().find((candidate) => candidate.stockId === stockId);
  if (stock === undefined) {
    return false;
  }
  return repository.transaction(() => {
    if (described.name !== null) {
      repository.nameStock(stock, described.name);
    }
    return repository.writer.saveBalance(stock, productId, { amount: balance, options, asOf });
  });
}
