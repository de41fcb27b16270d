import { z } from 'zod';

/** What a list can be saved as; JSON is for programs, and the queue's alone. */
export const fileKindSchema = z.enum(['xlsx', 'csv', 'json']);
export type FileKind = z.infer<typeof fileKindSchema>;
