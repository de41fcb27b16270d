import type { Profile } from './profiles.ts';

/** Whether these are of the same copy: the same company of the same platform. */
export function isSamePlace(one: Profile, other: Profile): boolean {
  return one.platformUrl === other.platformUrl && one.companyId === other.companyId;
}

/** Whether these are one profile: at the same place with the same stocks, in any order. */
export function isSameProfile(one: Profile, other: Profile): boolean {
  return (
    isSamePlace(one, other) &&
    new Set([...one.stockIds, ...other.stockIds]).size === new Set(one.stockIds).size &&
    one.stockIds.length === other.stockIds.length
  );
}
