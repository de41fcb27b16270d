import { z } from 'zod';
import { maxPlatformAddressLength } from '../domain/platform-address.ts';
import { count, idSchema, nameSchema } from './basics.ts';
import { maxProfiles } from './limits/profiles.ts';

/** Which platform, company and stocks this terminal works with (API v3 §2, §4.3). */
export const profileSchema = z.strictObject({
  platformUrl: z.string().min(1).max(maxPlatformAddressLength),
  clientId: z.string().min(1).max(500),
  companyId: idSchema,
  stockIds: z.array(idSchema).min(1).max(50),
});
export type Profile = z.infer<typeof profileSchema>;

/** Given by a person; null for none. */
export const profileNameSchema = nameSchema(60).nullable();

/** Numbers are this terminal's own; one is given again only after its profile was removed. */
export const profileIdSchema = z
  .number()
  .int()
  .min(1)
  .max(maxProfiles + 1);

/** A profile that the terminal has kept. */
export const keptProfileSchema = profileSchema.extend({
  profileId: profileIdSchema,
  name: profileNameSchema,
  /** Who is signed in there by the keychain; profiles of the same platform and client share it. */
  email: z.string().max(320).nullable(),
  /** Updates for its company that wait, whoever's; null for the open company, whose queue tells, and while none is open. */
  waiting: count.nullable(),
});
export type KeptProfile = z.infer<typeof keptProfileSchema>;
