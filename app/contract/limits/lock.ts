/** The kinds that a manager can lock; see ../access.ts for the calls that each covers. */
export const lockKinds = ['coupons', 'users', 'settings', 'discarding'] as const;
/**
 * The kinds that ask for the PIN whenever there is one, each time: the lock's own choice, and all else that is for a
 * manager alone.
 */
export const alwaysHeld = ['lock', 'audit', 'tokens', 'provisioning', 'updates', 'closing'] as const;
/** Digits of a PIN. */
export const pinLength = { atLeast: 4, atMost: 12 } as const;
