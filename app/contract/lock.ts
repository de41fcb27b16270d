import { z } from 'zod';
import { count, instant } from './basics.ts';
import { alwaysHeld, lockKinds } from './limits/lock.ts';

export const lockKindSchema = z.enum(lockKinds);
export type LockKind = (typeof lockKinds)[number];
/** A kind that the PIN holds: one that a manager chooses, or one that is held whenever there is a PIN. */
export const heldKindSchema = z.enum([...lockKinds, ...alwaysHeld]);
export type HeldKind = LockKind | (typeof alwaysHeld)[number];

/** Digits alone: what a touch pad and a number pad have. */
export const pinSchema = z.string().regex(/^[0-9]{4,12}$/);

/** A manager's choices beside the PIN. */
export const lockChoiceSchema = z.strictObject({
  kinds: z.array(lockKindSchema).max(lockKinds.length),
  /** A PIN opens the kind that it was typed for so long; 0: for one action. */
  opensForMinutes: z.number().int().min(0).max(60),
});
export type LockChoice = z.infer<typeof lockChoiceSchema>;

export const lockStateSchema = lockChoiceSchema.extend({
  hasPin: z.boolean(),
  /** The kinds that a PIN has opened. */
  openKinds: z.array(heldKindSchema).max(lockKinds.length + alwaysHeld.length),
  /** When the last of them is locked again; null while nothing is unlocked. */
  openUntil: instant.nullable(),
  /** When the next PIN can be tried; null when it can be now. */
  waitUntil: instant.nullable(),
  /** The number of the newest entry in the list of who did what, so that a screen knows to read it again. */
  newestEntry: count,
});
export type LockState = z.infer<typeof lockStateSchema>;

/** Null removes the PIN; `oldPin` is needed when there is one. */
export const setPinInputSchema = z.strictObject({ pin: pinSchema.nullable(), oldPin: pinSchema.optional() });
