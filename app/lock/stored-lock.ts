import { z } from 'zod';
import { lockKinds } from '../contract/limits/lock.ts';
import { lockChoiceSchema, lockKindSchema, type LockChoice } from '../contract/lock.ts';

/** More than this many make the wait no longer. */
export const maxWrongCounted = 100;

/** The part of the settings document that this file owns. */
export interface StoredLock extends LockChoice {
  /** See pin.ts; null when there is no PIN. */
  readonly pinHash: string | null;
  /** Attempts since the last right PIN, those included that were never answered. */
  readonly wrong: number;
  /** When the last of them began, in milliseconds since the machine's start. */
  readonly wrongAtMs: number;
}

/** The text that no PIN fits. */
const unreadable = '';

const usual: LockChoice = { kinds: [...lockKinds], opensForMinutes: 0 };

/** Nobody has set a PIN. */
export const noLock: StoredLock = { ...usual, pinHash: null, wrong: 0, wrongAtMs: 0 };

/** A document from before there was a lock has none. */
export const storedLockSchema = z
  .object({
    kinds: z
      .array(z.unknown())
      // One that a newer version knows is not a reason to open the others.
      .transform((kinds) => [...new Set(kinds.flatMap((kind) => lockKindSchema.safeParse(kind).data ?? []))])
      .catch(usual.kinds),
    opensForMinutes: lockChoiceSchema.shape.opensForMinutes.catch(usual.opensForMinutes),
    pinHash: z.string().max(500).nullable().catch(unreadable),
    wrong: z.number().int().min(0).max(maxWrongCounted).catch(maxWrongCounted),
    wrongAtMs: z.number().min(0).catch(0),
  })
  .optional()
  .catch({ ...usual, pinHash: unreadable, wrong: 0, wrongAtMs: 0 })
  .transform((stored): StoredLock => stored ?? noLock);
