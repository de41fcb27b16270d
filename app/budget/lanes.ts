// Owns the names of the lanes in which calls wait for the allowance. Never decides who goes next.

/** The lanes of the allowance, most urgent first. */
export const lanes = ['session', 'person', 'queue', 'catalogue'] as const;
/** Who is waiting for a slot. */
export type Lane = (typeof lanes)[number];
