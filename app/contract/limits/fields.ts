/** Where a field of the platform's listing can be shown: `bar` is the companion bar, `station` the price check's. */
export const fieldPlaces = ['card', 'bar', 'table', 'label', 'station'] as const;
/** Shown fields at most; characters of a name and of a path, and the names in a path. */
export const shownFieldLimits = { fields: 12, name: 24, path: 120, pathParts: 5 } as const;
/** What is shown on the card and at the check station where the shop has chosen no fields and the listing has it. */
export const usualFields = ['price', 'aisle'] as const;
export type UsualField = (typeof usualFields)[number];
