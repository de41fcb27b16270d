import { z } from 'zod';
import { count, nameSchema, shortText } from './basics.ts';
import { fieldPlaces, shownFieldLimits, usualFields } from './limits/fields.ts';

/** Of a listing, so many different fields are told. */
export const maxListedFields = 200;
/** Where the app itself shows a field of the listing. */
const ownPlaces = ['id', 'name', 'code', 'barcode', 'unit', 'balance', 'stock', 'updated'] as const;

const { fields, name, path, pathParts } = shownFieldLimits;

export const fieldPlaceSchema = z.enum(fieldPlaces);
export type FieldPlace = z.infer<typeof fieldPlaceSchema>;

/** A field of the platform's listing that the shop wants to see. */
const shownFieldSchema = z.strictObject({
  /**
   * Names of fields with dots between, from the outside of a listing's element in: "aisle", "product.price". Whole
   * names are tried first, for a name may hold a dot.
   */
  path: z
    .string()
    .min(1)
    .max(path)
    .refine((text) => text.split('.').length <= pathParts, 'a path'),
  /** The shop's name for it. */
  name: nameSchema(name),
  on: z.array(fieldPlaceSchema).max(fieldPlaces.length),
});
export type ShownField = z.infer<typeof shownFieldSchema>;

const hasTwins = (texts: readonly string[]): boolean => new Set(texts).size < texts.length;

/** In the order in which they are shown. */
export const shownFieldsSchema = z
  .array(shownFieldSchema)
  .max(fields)
  .refine(
    (shown) => !hasTwins(shown.map((one) => one.path)) && !hasTwins(shown.map((one) => one.name)),
    'each path and each name once',
  );

/** An entry that makes no sense, and a second field of a path or name, is left out. */
export const keptShownFieldsSchema = z
  .array(z.unknown())
  .transform((kept) =>
    kept
      .flatMap((one) => shownFieldSchema.safeParse(one).data ?? [])
      .filter(
        (one, place, all) => all.findIndex((other) => other.path === one.path || other.name === one.name) === place,
      )
      .slice(0, fields),
  )
  .catch([]);

/** By its JSON type; `moment` is a text that is a date-time with an offset (API v3 §2 "Conventions"). */
const fieldKindSchema = z.enum(['text', 'number', 'boolean', 'moment']);
export type FieldKind = z.infer<typeof fieldKindSchema>;

/** A shown field of one product. */
export const productFieldSchema = z.strictObject({
  /** For one that is shown without having been chosen: what it is. It has the platform's name. */
  usual: z.enum(usualFields).optional(),
  /** By its name in the listing it is the product's price. */
  isPrice: z.literal(true).optional(),
  /** The shop's name for it, which no other shown field has. */
  name: z.string().max(name),
  /**
   * As the platform gave it: a number by its digits, a boolean as "true" or "false". Without control characters, and
   * without those that turn the direction of writing.
   */
  value: shortText,
  kind: fieldKindSchema,
  /** Where the shop wants it. */
  on: z.array(fieldPlaceSchema).max(fieldPlaces.length),
});
export type ProductField = z.infer<typeof productFieldSchema>;

/** Absent where the shop shows none, or the product has none of them. */
export const productFieldsSchema = z.array(productFieldSchema).max(fields).optional();

/** Where the app shows it anyway. */
export type OwnPlace = (typeof ownPlaces)[number];

const listedFieldSchema = z.strictObject({
  path: z.string().min(1).max(path),
  /** Most often one. */
  kinds: z.array(fieldKindSchema).min(1).max(4),
  /** Of the products that were looked at, so many have it. */
  products: count,
  /** Different values of it, the first ones that were met; a long one is cut. */
  samples: z
    .array(productFieldSchema.pick({ value: true, kind: true }))
    .min(1)
    .max(3),
  /** Null for a field that has no place of its own. */
  ownPlace: z.enum(ownPlaces).nullable(),
  /** For one that is shown as long as none is chosen: what it is. */
  usual: z.enum(usualFields).optional(),
});
export type ListedField = z.infer<typeof listedFieldSchema>;

/** The fields that the copy's products carry in the listing (API v3 §4.3), in the order of its elements. */
export const listedFieldsSchema = z.strictObject({
  fields: z.array(listedFieldSchema).max(maxListedFields),
  /** Products that were looked at. */
  counted: count,
  /** True when these are some of very many, spread evenly. */
  isSample: z.boolean(),
  /** Plain values that were met under names that cannot be chosen: too long, too deep, not writable, or too many. */
  leftOut: count,
});
export type ListedFields = z.infer<typeof listedFieldsSchema>;
