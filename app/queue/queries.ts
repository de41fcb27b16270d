import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import type { OpenCoupon, OpenCouponOfOther, Owner, UpdateRow } from './rows.ts';

/** How many updates of a user wait. */
export interface ForeignWaiting extends Owner {
  readonly total: number;
}

interface ForeignRow extends Omit<ForeignWaiting, 'companyId'> {
  readonly company_id: Id;
}

/** Opens what is asked of the rows and changes nothing. */
// mutant: what waits is given up when nobody is signed in (I1)
export function openQueries(database: Database) {
  const restorationOf = database.prepare<UpdateRow>(
    "SELECT * FROM updates WHERE subject_id = ? AND owner_id = ? AND kind = 'restoreUser' ORDER BY id DESC LIMIT 1",
  );
  const openOfProduct = database.prepare<UpdateRow>(
    "SELECT * FROM updates WHERE subject_id = ? AND owner_id = ? AND kind = 'coupon' AND state IN ('pending', 'sealed', 'parked') ORDER BY id DESC LIMIT 1",
  );
  const openCoupons = database.prepare<OpenCoupon>(
    "SELECT subject_id, is_enabled, state, failure, request_id FROM updates WHERE owner_id = ? AND kind = 'coupon' AND state IN ('pending', 'sealed', 'parked') ORDER BY id",
  );
  const openOfOther = database.prepare<OpenCouponOfOther>(
    `SELECT subject_id, is_enabled, state, email FROM updates JOIN owners ON owners.id = owner_id
     WHERE subject_id = ? AND kind = 'coupon' AND state IN ('pending', 'sealed', 'parked') AND owner_id <> ? AND platform = ? AND company_id = ? ORDER BY updates.id DESC LIMIT 1`,
  );
  const openCouponsOfOthers = database.prepare<OpenCouponOfOther>(
    `SELECT subject_id, is_enabled, state, email FROM updates JOIN owners ON owners.id = owner_id
     WHERE kind = 'coupon' AND state IN ('pending', 'sealed', 'parked') AND owner_id <> ? AND platform = ? AND company_id = ? ORDER BY updates.id`,
  );
  // Asked at every change: only what is shown is counted.
  const counts = database.prepare<{ state: UpdateRow['state']; total: number }>(
    "SELECT state, count(*) AS total FROM updates WHERE state IN ('pending', 'sealed', 'parked', 'delivered') AND owner_id = ? GROUP BY state",
  );
  const foreignParked = database.prepare<{ total: number }>(
    "SELECT count(*) AS total FROM updates WHERE state = 'parked' AND owner_id <> ?",
  );
  const foreign = database.prepare<ForeignRow>(
    // Also those whose owner a failing disk has altered.
    `SELECT coalesce(platform, '') AS platform, coalesce(company_id, '') AS company_id, coalesce(email, '') AS email, count(*) AS total
     FROM updates LEFT JOIN owners ON owners.id = owner_id WHERE state IN ('pending', 'sealed') AND owner_id <> ? GROUP BY owner_id ORDER BY owner_id`,
  );

  return {
    /** The newest restoration of a user, whatever its state. */
    restorationOf: (ownerId: number, userId: Id): UpdateRow | undefined => restorationOf.get(userId, ownerId),
    openOfProduct: (ownerId: number, productId: Id): UpdateRow | undefined => openOfProduct.get(productId, ownerId),
    /** Oldest first. */
    openCoupons: (ownerId: number): readonly OpenCoupon[] => openCoupons.all(ownerId),
    /** The newest that another user of this company has asked for. */
    openOfOther: (
      ownerId: number,
      { platform, companyId }: Omit<Owner, 'email'>,
      productId: Id,
    ): OpenCouponOfOther | undefined => openOfOther.get(productId, ownerId, platform, companyId),
    /** Those of all other users of this company, oldest first. */
    openCouponsOfOthers: (
      ownerId: number,
      { platform, companyId }: Omit<Owner, 'email'>,
    ): readonly OpenCouponOfOther[] => openCouponsOfOthers.all(ownerId, platform, companyId),
    /** How many are pending, sealed, parked or delivered. */
    counts: (ownerId: number): Partial<Record<UpdateRow['state'], number>> =>
      Object.fromEntries(counts.all(ownerId).map((row) => [row.state, row.total])),
    /** The waiting updates of everybody else, by platform, company and user. */
    foreign: (ownerId: number): readonly ForeignWaiting[] =>
      foreign
        .all(ownerId)
        .map(({ platform, company_id: companyId, email, total }) => ({ platform, companyId, email, total })),
    /** How many of others' need a decision. */
    foreignParked: (ownerId: number): number => foreignParked.get(ownerId)?.total ?? 0,
  };
}
