/** Updates, or products to be switched, that one call takes; whoever has chosen more calls again. */
export const maxUpdatesAtOnce = 200;
/** Updates that can be chosen: as many as the queue holds open. */
export const maxUpdatesChosen = 10_000;
export const queueLimitsRange = { historyDays: { min: 1, max: 3650 }, askAfterHours: { min: 0, max: 8760 } } as const;
