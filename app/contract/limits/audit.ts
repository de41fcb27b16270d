/** The groups that the list of who did what can be narrowed to. */
export const auditGroupNames = [
  'all',
  'coupons',
  'queue',
  'stocktakes',
  'users',
  'settings',
  'lock',
  'signIns',
] as const;
