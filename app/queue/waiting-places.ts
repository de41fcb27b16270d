import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';

export interface WaitingPlaces {
  /** Updates that are not sent yet, for one company of one platform. Throws StorageError. */
  count(platform: string, companyId: Id): number;
}

/** Opens the count over queue.db. */
export function openWaitingPlaces(database: Database): WaitingPlaces {
  const count = database.prepare<{ total: number }>(
    "SELECT count(*) AS total FROM updates JOIN owners ON owners.id = updates.owner_id WHERE state IN ('pending', 'sealed') AND owners.platform = ? AND owners.company_id = ?",
  );
  return { count: (platform, companyId) => count.get(platform, companyId)?.total ?? 0 };
}
