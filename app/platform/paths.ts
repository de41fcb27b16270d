import type { Id } from '../domain/int64.ts';

/** API v3 §4.6 and §4.7. */
export const couponSettingsPath = '/api/v3/products/consumption-coupons';

/** API v3 §4.8. */
export function restoreUserPath(userId: Id): string {
  return `/api/v3/users/${userId}`;
}
