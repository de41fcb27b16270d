/** The check station: its choices, and the products of one answer. */
export const stationLimits = { clearAfterSeconds: { min: 5, max: 120 }, greeting: 80, products: 6 } as const;
