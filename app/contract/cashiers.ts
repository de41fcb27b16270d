import { z } from 'zod';
import { instant } from './basics.ts';
import { ownPinLength } from './limits/cashiers.ts';

/** Users who have a PIN at one terminal. */
export const maxCashiers = 50;
const cashierLimits = { keptDays: { min: 0, max: 365 }, lockAfterMinutes: { min: 0, max: 120 } } as const;

/** The PIN of one cashier. */
export const ownPinSchema = z.string().regex(new RegExp(`^[0-9]{${ownPinLength.atLeast},${ownPinLength.atMost}}$`));

const within = ({ min, max }: { readonly min: number; readonly max: number }) => z.number().int().min(min).max(max);

/** A manager's choices about the change of cashier. */
export const cashierChangeSchema = z.strictObject({
  /** Days after a sign-in with the password on which the PIN suffices; 0: nobody may have one. */
  keptDays: within(cashierLimits.keptDays),
  /** A till that has rested so long is locked; 0: never. */
  lockAfterMinutes: within(cashierLimits.lockAfterMinutes),
  /** Whether a cashier's printed badge does what their PIN does. */
  badges: z.boolean(),
});

const email = z.string().min(1).max(320);

const cashierSchema = z.strictObject({
  email,
  /** False when the password is needed first. */
  canComeBack: z.boolean(),
  /** When the next PIN can be tried; null when it can be now. */
  waitUntil: instant.nullable(),
  /** With so many digits the PIN is whole; null where that is not known. */
  pinLength: z.number().int().min(ownPinLength.atLeast).max(ownPinLength.atMost).nullable(),
  hasBadge: z.boolean(),
});

/** Who has a PIN at the open shop, and whether the till is locked. */
export const cashiersStateSchema = z.strictObject({
  /** Whose changes go on being sent behind the lock; null while the till is not locked. */
  lockedEmail: email.nullable(),
  users: z.array(cashierSchema).max(maxCashiers),
});
export type CashiersState = z.infer<typeof cashiersStateSchema>;

export const comeBackInputSchema = z.strictObject({ email, pin: ownPinSchema });
export const forgetCashierInputSchema = z.strictObject({ email });
/** Null removes the PIN; `oldPin` is needed when there is one. */
export const setOwnPinInputSchema = z.strictObject({ pin: ownPinSchema.nullable(), oldPin: ownPinSchema.optional() });

/** The text that a scanner has read; of another form than a badge's it counts as a wrong one. */
export const scanBadgeInputSchema = z.strictObject({ code: z.string().min(1).max(100) });
/**
 * `came`: this user is at the screen now; `here`: they were already; `passwordFirst`: their badge does not suffice any
 * more; `signOutFirst`: this other user is at work, and has no PIN to come back with.
 */
export const badgeScannedSchema = z.strictObject({
  outcome: z.enum(['came', 'here', 'passwordFirst', 'signOutFirst']),
  email,
});
export type BadgeScanned = z.infer<typeof badgeScannedSchema>;
export const makeBadgeInputSchema = z.strictObject({ pin: ownPinSchema });
export const badgeMadeSchema = z.strictObject({ code: z.string().max(100) });
