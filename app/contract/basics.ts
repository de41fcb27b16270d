import { z } from 'zod';
import { textSizes } from './limits/look.ts';
import { failureKinds, type Failure } from '../domain/failure.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { languages } from '../domain/language.ts';
import { fitText } from '../domain/visible-text.ts';
import { maxCodeLength, maxCodesAtOnce } from './limits/codes.ts';

/** Rows of a list that cross the bridge at once for a file: so few that no scan waits for them. */
export const maxExported = 500;

/** An int64 id as decimal text (API v3 §2 "Conventions"). */
export const idSchema = z.custom<Id>(
  (value) => typeof value === 'string' && parseId(value) === value,
  'an int64 id as decimal text',
);

/** Milliseconds since 1970 by this machine's clock. */
export const instant = z.number().int();
export const count = z.number().int().nonnegative();
export const shortText = z.string().max(500);
/** A name that a person gives, without what nobody sees in it: two that look alike are one. */
export const nameSchema = (longest: number) =>
  z
    .string()
    .max(longest)
    .overwrite((name) => fitText(name, longest) ?? '')
    .min(1);
/** Codes to be looked up. */
export const codesSchema = z.array(z.string().min(1).max(maxCodeLength)).min(1).max(maxCodesAtOnce);

export const failureSchema = z.strictObject({
  kind: z.enum(failureKinds),
  status: z.number().int().optional(),
  code: shortText.optional(),
  message: shortText.optional(),
  fields: z
    .array(
      z.strictObject({
        field: shortText,
        validations: z.array(z.strictObject({ type: shortText, values: z.array(shortText).max(50) })).max(50),
      }),
    )
    .max(100)
    .optional(),
  retryAfterMs: z.number().nonnegative().optional(),
}) as z.ZodType<Failure>;

/** Reads an object of which each field that makes no sense takes its default. */
export function fieldByField<Schema extends z.ZodObject>(
  schema: Schema,
  defaults: z.infer<Schema>,
): z.ZodType<z.infer<Schema>> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    (field as z.ZodType).catch(defaults[name as keyof typeof defaults]),
  ]);
  return z.object(Object.fromEntries(fields) as z.ZodRawShape).catch(defaults) as unknown as z.ZodType<z.infer<Schema>>;
}

export const languageSchema = z.enum(languages);
export type Language = z.infer<typeof languageSchema>;

export const themeSchema = z.enum(['light', 'dark', 'system']);

export const textSizeSchema = z.enum(textSizes);
