import type { CatalogueRepository, StockRow } from '../repository/repository.ts';
import type { Progress } from './progress.ts';

/** The stocks as the copy has them. */
export interface Stocks {
  readonly all: () => readonly StockRow[];
  /** The same stock as it is now. */
  readonly current: (stock: StockRow) => StockRow;
  /** Writes how far a stock has got and, when that is on disk, believes it. Throws StorageError. */
  readonly keep: (stock: StockRow, progress: Progress) => void;
  /** Believes how far a stock has got, though a crash forgets it. Throws StorageError. */
  readonly note: (stock: StockRow, progress: Progress) => void;
  /** Reads them again. Throws StorageError. */
  readonly refresh: () => void;
}

export function openStocks(repository: CatalogueRepository): Stocks {
  let stocks = [...repository.stocks()];
  const refresh = (): void => {
    stocks = [...repository.stocks()];
  };
  return {
    all: () => stocks,
    current: (stock) => stocks.find((candidate) => candidate.number === stock.number) ?? stock,
    keep: (stock, progress) => {
      repository.saveProgress(stock, progress);
      refresh();
    },
    note: (stock, progress) => {
      repository.noteProgress(stock, progress);
      refresh();
    },
    refresh,
  };
}
