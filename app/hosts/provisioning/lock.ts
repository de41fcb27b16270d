import { z } from 'zod';
import { lockKinds } from '../../contract/limits/lock.ts';
import { pinLength } from '../../contract/limits/lock.ts';
import { lockChoiceSchema } from '../../contract/lock.ts';
import { isObject } from '../../domain/loose-json.ts';
import { isPinText } from '../../lock/pin.ts';

const maxMinutes = lockChoiceSchema.shape.opensForMinutes.maxValue ?? 0;

/** Either of `pin` and `pinHash` must be there. */
export const provisionedLockSchema = z
  .strictObject(
    {
      pin: z
        .string('must be text')
        .regex(/^[0-9]{4,12}$/, `must be ${pinLength.atLeast} to ${pinLength.atMost} digits, as text`)
        .optional()
        .meta({
          description: "The manager's PIN, of 4 to 12 digits; kept as a salted hash alone. Delete the file afterwards.",
        }),
      pinHash: z
        .string('must be text')
        .refine(isPinText, 'must be lock.pinHash of the settings.json of a terminal whose PIN is set')
        .optional()
        .meta({
          description:
            'Instead of the PIN: lock.pinHash, out of the settings.json of a terminal where it was set by hand.',
        }),
      kinds: z
        .array(z.enum(lockKinds, `must be of ${lockKinds.join(', ')}`), 'must be a list')
        .max(lockKinds.length, `must name ${lockKinds.length} kinds at most`)
        .optional()
        .meta({ description: 'What is locked; all of it unless told, also where less was locked before.' }),
      opensForMinutes: z
        .number('must be a number')
        .int('must be a whole number')
        .min(0, 'must not be negative')
        .max(maxMinutes, `must be ${maxMinutes} at most`)
        .optional()
        .meta({ description: 'For how long a PIN opens it; 0: for one action; as it was unless told.' }),
    },
    'must be an object',
  )
  .refine(({ pin, pinHash }) => (pin === undefined) !== (pinHash === undefined), {
    message: 'must have either pin or pinHash',
    // Beside what else is wrong with it, not after that has been mended.
    when: ({ value }) => isObject(value),
  })
  .meta({
    oneOf: [{ required: ['pin'] }, { required: ['pinHash'] }],
    description: "The manager's lock: a PIN before coupons, restoring users, settings and discarding.",
  });
