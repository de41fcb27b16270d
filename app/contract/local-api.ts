import { z } from 'zod';
import { defaultLocalApiPort, isWebOrigin, localApiStatuses, maxOrigins, portRange } from '../domain/local-api.ts';

const portSchema = z.number().int().min(portRange.min).max(portRange.max);

export const localApiChoiceSchema = z.strictObject({
  isOn: z.boolean(),
  port: z.union([z.literal(0), portSchema]),
  origins: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^https?:\/\/[^/?#@\s]+$/)
        .refine(isWebOrigin),
    )
    .max(maxOrigins),
  mayChangeCoupons: z.boolean(),
});

export const defaultLocalApi: z.infer<typeof localApiChoiceSchema> = {
  isOn: false,
  port: defaultLocalApiPort,
  origins: [],
  mayChangeCoupons: false,
};

/** The SHA-256 of the token in base64url; null while nobody has made one. */
export const localApiTokenHashSchema = z
  .string()
  .regex(/^[\w-]{43}$/)
  .nullable();

export const localApiStateSchema = localApiChoiceSchema.extend({
  status: z.enum(localApiStatuses),
  openPort: portSchema.nullable(),
});
