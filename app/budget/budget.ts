// placeholder for the seam
/** The lanes of the allowance, most urgent first. */
export const lanes = ['session', 'person', 'queue', 'catalogue'] as const;
export type Lane = (typeof lanes)[number];
