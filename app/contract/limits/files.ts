/** The kinds of file that a list can be saved as. */
export const fileKinds = ['xlsx', 'csv'] as const;
export type FileKind = (typeof fileKinds)[number];
