import type { Failure } from '../domain/failure.ts';
import { fail, type Result } from '../domain/result.ts';
import type { Clock, Timer } from '../ports.ts';
import { countChanges } from '../storage/change-counter.ts';
import { onlyStorageError, unlessStorageFails } from '../storage/database.ts';
import { openOrReplace, type OpenedDatabase } from '../storage/recover.ts';
import { stocktakeMigrations } from './migrations.ts';
import { openStocktakeRepository, type Shop, type StocktakeRepository } from './repository.ts';

export interface StocktakesParts {
  readonly path: string;
  readonly shop: Shop;
  readonly clock: Clock;
  /** Lets everything else have its turn; false once the shop is being closed. */
  readonly pause: () => Promise<boolean>;
  /** The file was damaged, and now lies there. */
  readonly onSetAside: (path: string) => void;
  /** A page that shows counts shows something else now. */
  readonly onChange: () => void;
}

/** A scanner's burst wakes the pages once in such a while. */
const toldEveryMs = 300;

/** The counts of one shop; the file is opened when somebody first asks for it, for most terminals never count. */
export type Stocktakes = ReturnType<typeof createStocktakes>;

interface Opened {
  readonly file: OpenedDatabase;
  readonly repository: StocktakeRepository;
  /** How many rows have changed. Throws StorageError. */
  readonly rowChanges: () => number;
}

/** Opens nothing yet. */
export function createStocktakes({ path, shop, clock, pause, onSetAside, onChange }: StocktakesParts) {
  let opening: Promise<Opened> | null = null;
  let isClosed = false;
  let isForgetting = false;
  const running = new Set<Promise<unknown>>();
  let changes = 0;
  let rowsTold = 0;
  let timer: Timer | null = null;

  async function open(): Promise<Opened> {
    const file = await openOrReplace(path, { kind: 'precious', migrations: stocktakeMigrations }, clock.now());
    if (file.replaced !== null) {
      onSetAside(file.replaced);
    }
    try {
      const repository = openStocktakeRepository(file.database, shop);
      unlessStorageFails(() => repository.removePrepared());
      const counters = ['stocktakes', 'lines'].map((table) => countChanges(file.database, table));
      void forget(repository);
      rowsTold = 0;
      return { file, repository, rowChanges: () => counters.reduce((sum, counter) => sum + counter(), 0) };
    } catch (error) {
      file.database.close();
      throw error;
    }
  }

  async function forget(repository: StocktakeRepository): Promise<void> {
    if (isForgetting) {
      return;
    }
    isForgetting = true;
    try {
      while (await pause()) {
        if (isClosed || !repository.forgetSome()) {
          return;
        }
      }
    } catch (error) {
      // Nobody waits for it: the next start tries again.
      onlyStorageError(error);
    } finally {
      isForgetting = false;
    }
  }

  /** Tells a change soon, together with those that follow meanwhile. */
  function noteChanges(rowChanges: Opened['rowChanges']): void {
    if (timer !== null || isClosed || rowChanges() === rowsTold) {
      return;
    }
    timer = clock.after(toldEveryMs, () => {
      timer = null;
      changes += 1;
      onChange();
      unlessStorageFails(() => {
        rowsTold = rowChanges();
      });
    });
  }

  return {
    /** Goes up with whatever a page that shows counts shows otherwise since. */
    changes: (): number => changes,
    /** Fails as the action does, or with `notReady` once closed. Throws StorageError. */
    use: async <Value>(
      action: (repository: StocktakeRepository) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
    ): Promise<Result<Value, Failure>> => {
      if (isClosed) {
        return fail({ kind: 'notReady' });
      }
      // A failed opening is tried again by the next call.
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      const { repository, rowChanges } = await opening;
      if (isClosed) {
        return fail({ kind: 'notReady' });
      }
      const done = Promise.resolve(action(repository));
      running.add(done);
      return done.finally(() => {
        running.delete(done);
        unlessStorageFails(() => noteChanges(rowChanges));
      });
    },
    /** Forgets, in the background, the lines of what has been deleted. */
    forgetDeleted: () => {
      void opening?.then(({ repository }) => forget(repository));
    },
    close: async (): Promise<void> => {
      isClosed = true;
      timer?.cancel();
      const opened = await opening?.catch(() => null);
      await Promise.allSettled(running);
      opened?.file.database.close();
    },
  };
}
