import type { Circumstances } from '../../../app/expiring/night.ts';

/** Nothing keeps the night from asking. */
export const calm: Circumstances = {
  isSafeMode: false,
  isSignedIn: true,
  isOnline: true,
  isCopyAtRest: true,
  isBusy: false,
  refusedForMs: Infinity,
};
