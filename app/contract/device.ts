import { z } from 'zod';
import { instant, shortText } from './basics.ts';

export const deviceStateSchema = z.strictObject({
  update: z.strictObject({
    state: z.enum(['off', 'upToDate', 'checking', 'ready', 'announced', 'failed']),
    version: shortText.nullable(),
    checkedAt: instant.nullable(),
    lastCheck: z.enum(['good', 'failed', 'date']),
  }),
  /** Null where the system cannot start it. */
  startsAtSignIn: z.boolean().nullable(),
  isKiosk: z.boolean(),
});
export type DeviceState = z.infer<typeof deviceStateSchema>;
