import { batchesMigrations } from './migrations.ts';
import { onlyStorageError } from '../storage/database.ts';
import { deleteDatabase, openOrReplace, type OpenedDatabase } from '../storage/recover.ts';
import type { ExpiringParts } from './parts.ts';
import { openBatchesRepository, type BatchesRepository } from './repository.ts';

/** batches.db, opened when it is first needed; a damaged one makes way for an empty one. */
export function createBatchesFile({ path, clock, shop, stockIds, log }: ExpiringParts) {
  let opening: Promise<{ readonly file: OpenedDatabase; readonly repository: BatchesRepository }> | null = null;
  let isClosed = false;

  async function open() {
    const file = await openOrReplace(path, { kind: 'disposable', migrations: batchesMigrations }, clock.now());
    if (file.replaced !== null) {
      log('batches.db was damaged, and begins anew');
    }
    try {
      return { file, repository: openBatchesRepository(file.database, shop, stockIds) };
    } catch (error) {
      file.database.close();
      throw error;
    }
  }

  async function drop(): Promise<void> {
    const damaged = await opening?.catch(() => null);
    opening = null;
    damaged?.file.database.close();
    deleteDatabase(path);
    log('batches.db was damaged, and begins anew');
  }

  return {
    isClosed: () => isClosed,
    /** Throws StorageError; null once closed. */
    use: async <Value>(action: (repository: BatchesRepository) => Value | Promise<Value>): Promise<Value | null> => {
      if (isClosed) {
        return null;
      }
      // A failed opening is tried again by the next call.
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      const { repository } = await opening;
      if (isClosed) {
        return null;
      }
      try {
        return await action(repository);
      } catch (error) {
        const trouble = onlyStorageError(error);
        if (isClosed) {
          return null;
        }
        if (trouble.isDamage) {
          await drop();
        }
        throw trouble;
      }
    },
    close: async () => {
      isClosed = true;
      const opened = await opening?.catch(() => null);
      opened?.file.database.close();
    },
  };
}

export type BatchesFile = ReturnType<typeof createBatchesFile>;
