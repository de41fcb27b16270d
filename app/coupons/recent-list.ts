import type { Failure } from '../domain/failure.ts';
import { fail, type Result } from '../domain/result.ts';
import { onlyStorageError } from '../storage/database.ts';
import { isBySetting, type CouponList } from './list.ts';
import type { ReadingLane } from './refresh.ts';

/** The settings are read every quarter of an hour; older ones may lack what was switched elsewhere since. */
const recentMs = 20 * 60_000;
/** Where another till says that something was switched since, they are read once more, and only what was read counts. */
const recentBesideHearsayMs = 60_000;

interface RecentListParts {
  /** Whether the settings were read whole in this run, no longer ago than so many milliseconds. */
  readonly areCouponsReadWithin: (maxAgeMs: number) => boolean;
  /** Whether another till says of some setting what has not been read. */
  readonly hasHearsay: () => boolean;
  /** Under the sign-in of this user, where that is kept. */
  readonly readCoupons: (lane: ReadingLane, email: string) => Promise<Result<void, Failure>>;
}

/**
 * Makes what turns a list into one as a plan looks it up (P5 of planner.ts): a search by the setting fails with
 * `notCopied` where the settings are older, and has them read under the sign-in of who planned.
 */
export function createRecentLists({ areCouponsReadWithin, hasHearsay, readCoupons }: RecentListParts) {
  const reading = new Set<string>();

  /** A reading may wait long for its turn, and each look would have another one wait. */
  async function readOnce(email: string): Promise<void> {
    if (!reading.has(email)) {
      reading.add(email);
      await readCoupons('catalogue', email)
        .catch(onlyStorageError)
        .finally(() => reading.delete(email));
    }
  }

  return (list: Pick<CouponList, 'ids'>, email: string): Pick<CouponList, 'ids'> => ({
    ids: (query, ...range) => {
      if (!isBySetting(query.filter) || areCouponsReadWithin(hasHearsay() ? recentBesideHearsayMs : recentMs)) {
        return list.ids(query, ...range);
      }
      void readOnce(email);
      return Promise.resolve(fail({ kind: 'notCopied' }));
    },
  });
}
