import { z } from 'zod';
import { failureSchema, instant, shortText } from './basics.ts';

/** The states of `connection`; every screen that shows it has words for each. */
export const connectionStates = ['online', 'noAnswer', 'offline', 'signIn', 'checking', 'resting'] as const;

/** How this terminal stands with the platform: decided once, by terminal/workspace/connection-state.ts. */
export const connectionStateSchema = z.strictObject({
  /**
   * `online`: the platform answers; `noAnswer`: it is silent, or answers with a fault alone; `offline`: nothing gets
   * through to it; `signIn`: what is sent needs a sign-in, and only a person can give it. Before any of them is known:
   * `checking`, for a few seconds after a start; `resting`, while nothing is to be asked.
   */
  state: z.enum(connectionStates),
  /** Since when it is offline or has no answer; null otherwise. */
  since: instant.nullable(),
  /** The failure that showed it; null while it is online, and where nobody has signed in. */
  failure: failureSchema.nullable(),
});
export type ConnectionState = z.infer<typeof connectionStateSchema>;

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
