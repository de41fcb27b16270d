import type { Database } from '../../storage/database.ts';
import { noProgress, progressSchema, type Progress } from '../sync/progress.ts';
import type { StockNumber } from './row-writer.ts';

/** Noted progress is written with the first that comes after so long: a crash reads the changes since again. */
const notedForMs = 600_000;

/** Null when it cannot be read: it is damaged, or another version's. */
export function readProgress(text: string | null): Progress | null {
  if (text === null) {
    return noProgress;
  }
  try {
    return progressSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** How far each stock has got: on disk, and what is not worth a write of its own yet. */
export function openKeptProgress(database: Database) {
  const write = database.prepare('UPDATE stocks SET progress = ? WHERE number = ?');
  const noted = new Map<number, Progress>();
  /** By their `changesAt`. */
  const savedAt = new Map<number, number | null>();

  function save({ number }: Pick<StockNumber, 'number'>, progress: Progress): void {
    write.run(JSON.stringify(progress), number);
    const before = noted.get(number);
    database.ifRolledBack(() => {
      savedAt.delete(number);
      if (before !== undefined) {
        noted.set(number, before);
      }
    });
    noted.delete(number);
    savedAt.set(number, progress.changesAt);
  }

  return {
    read: (number: number, text: string | null): Progress => noted.get(number) ?? readProgress(text) ?? noProgress,
    save,
    /** For progress that is to be saved, whether or not the disk takes it now. */
    believe: ({ number }: Pick<StockNumber, 'number'>, progress: Progress): void => {
      noted.set(number, progress);
    },
    note: (stock: StockNumber, progress: Progress): void => {
      const before = savedAt.get(stock.number) ?? null;
      if (before === null || progress.changesAt === null || Math.abs(progress.changesAt - before) >= notedForMs) {
        save(stock, progress);
      } else {
        noted.set(stock.number, progress);
      }
    },
    close: (): void => {
      for (const [number, progress] of noted) {
        write.run(JSON.stringify(progress), number);
      }
    },
  };
}
