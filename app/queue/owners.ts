import type { Owner } from './rows.ts';
import type { Statements } from './statements.ts';

/** Numbers those who make updates: a user of a company at a platform. */
export function openOwners(sql: Statements) {
  return {
    /** 0, which nobody is, for an owner who never made an update. */
    knownOwnerId: ({ platform, companyId, email }: Owner): number =>
      sql.ownerId.get(platform, companyId, email)?.id ?? 0,

    ownerId: ({ platform, companyId, email }: Owner): number =>
      sql.ownerId.get(platform, companyId, email)?.id ?? sql.addOwner.run(platform, companyId, email).lastId,

    /** Whether anybody was ever signed in for another company of this platform. */
    hasOtherCompany: ({ platform, companyId }: Pick<Owner, 'platform' | 'companyId'>): boolean =>
      sql.otherCompany.get(platform, companyId) !== undefined,
  };
}
