/** Minimums that one call sets. */
export const maxMinimaAtOnce = 100;
export const maxMinimum = 1_000_000_000;
