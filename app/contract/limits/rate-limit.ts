export const rateLimitLanes = ['session', 'person', 'queue', 'catalogue'] as const;

export const rateLimitSettingRange = {
  limit: { min: 1, max: 1000 },
  windowSeconds: { min: 1, max: 600 },
  reserve: { min: 0, max: 999 },
} as const;

/** What counts as one against the limit: all that is sent to the platform's address, or what an OAuth client sends there. */
export const rateLimitAccounts = ['platform', 'client'] as const;
