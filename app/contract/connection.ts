import { z } from 'zod';
import { failureSchema, shortText } from './basics.ts';

/** Each step of the connection test; after a failed one the rest are skipped. */
export const connectionStepSchema = z.strictObject({
  step: z.enum(['address', 'tls', 'client', 'user', 'company', 'stock']),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** Which stock, for the last step; which scopes the platform offers, for the client. */
  detail: shortText.nullable(),
  failure: failureSchema.nullable(),
});
export type ConnectionStep = z.infer<typeof connectionStepSchema>;
export const connectionReportSchema = z.strictObject({
  passed: z.boolean(),
  steps: z.array(connectionStepSchema).max(60),
});
export type ConnectionReport = z.infer<typeof connectionReportSchema>;
