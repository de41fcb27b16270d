import { z } from 'zod';

/** The kinds of file that a list can be saved as; JSON is for programs, and the queue's alone. */
export const fileKindSchema = z.enum(['xlsx', 'csv', 'json']);
export type FileKind = z.infer<typeof fileKindSchema>;
