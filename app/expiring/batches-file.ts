import { batchesMigrations } from './migrations.ts';
import { asStorageError, onlyStorageError } from '../storage/database.ts';
import { deleteDatabase, openOrReplace, type OpenedDatabase } from '../storage/recover.ts';
import type { ExpiringParts } from './parts.ts';
import { openBatchesRepository, type BatchesRepository } from './repository.ts';

/** batches.db, opened when it is first needed; a damaged one makes way for an empty one. */
export function createBatchesFile({ path, clock, shop, stockIds, log }: ExpiringParts) {
  let opening: Promise<{ readonly file: OpenedDatabase; readonly repository: BatchesRepository }> | null = null;
  let isClosed = false;

  async function openOnce() {
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

  function drop(): void {
    deleteDatabase(path);
    log('batches.db was damaged, and begins anew');
  }

  /** Damage may show only in what is read at the opening, or in tables that are not what they were. */
  async function open() {
    try {
      return await openOnce();
    } catch (error) {
      const { isDamage, isMisfit } = onlyStorageError(asStorageError(error));
      if (!isDamage && !isMisfit) {
        throw error;
      }
      drop();
      return openOnce();
    }
  }

  return {
    isClosed: () => isClosed,
    /** Throws StorageError; null once closed, or when another one has found the file damaged meanwhile. */
    use: async <Value>(action: (repository: BatchesRepository) => Value | Promise<Value>): Promise<Value | null> => {
      if (isClosed) {
        return null;
      }
      // A failed opening is tried again by the next call.
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      const mine = opening;
      const { file, repository } = await mine;
      if (isClosed) {
        return null;
      }
      try {
        return await action(repository);
      } catch (error) {
        // Closed under it, by the end or by whoever met the damage first.
        if (isClosed || opening !== mine) {
          return null;
        }
        const trouble = onlyStorageError(error);
        if (trouble.isDamage) {
          opening = null;
          file.database.close();
          drop();
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
