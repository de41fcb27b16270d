/** Saved choices of coupons of one company. */
export const maxCouponSets = 200;
export const maxSetNameLength = 80;
/** For so many minutes after it was due a moment of a plan is still made. */
export const planGraceRange = { min: 0, max: 120 } as const;
/** Plans of all sets of one company. */
export const maxCouponPlans = 100;
