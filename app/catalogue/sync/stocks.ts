import type { CatalogueRepository, StockRow } from '../repository/repository.ts';
import type { Progress } from './progress.ts';

/** The stocks as the copy has them. */
export type Stocks = ReturnType<typeof openStocks>;

export function openStocks(repository: CatalogueRepository) {
  let stocks = [...repository.stocks()];
  const refresh = (): void => {
    stocks = [...repository.stocks()];
  };
  return {
    all: (): readonly StockRow[] => stocks,
    /** The same stock as it is now. */
    current: (stock: StockRow): StockRow => stocks.find((candidate) => candidate.number === stock.number) ?? stock,
    /** Writes how far a stock has got and, when that is on disk, believes it. Throws StorageError. */
    keep: (stock: StockRow, progress: Progress) => {
      repository.saveProgress(stock, progress);
      refresh();
    },
    /** Believes how far a stock has got, though a crash forgets it. Throws StorageError. */
    note: (stock: StockRow, progress: Progress) => {
      repository.noteProgress(stock, progress);
      refresh();
    },
    /** Reads them again. Throws StorageError. */
    refresh,
  };
}
