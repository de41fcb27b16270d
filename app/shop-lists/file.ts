// The file by which minimums, sets and plans go from one till to the others. It has no secret, and no person's name.
import { z } from 'zod';
import { idSchema } from '../contract/basics.ts';
import {
  couponSetHowSchema,
  momentKeySchema,
  planTimesSchema,
  saveCouponSetSchema,
  type PlanTimes,
} from '../contract/coupon-sets.ts';
import { maxCouponPlans, maxCouponSets } from '../contract/limits/coupon-sets.ts';
import { maxMinimum } from '../contract/limits/watch-list.ts';
import { searchedStocks, type KeptHow } from '../coupons/sets.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';

const format = 'tillside-lists';
/** The first knew no stocks of a search. */
const [firstVersion, version] = [1, 2];

/** Moments of a plan that are to be left out. */
const skippedSchema = momentKeySchema.omit({ planId: true }).extend({ dueAt: z.number().int() });

/** A plan of a set is known by its times. */
export const sameTimes =
  (times: PlanTimes) =>
  (other: { readonly times: PlanTimes }): boolean =>
    (['repeats', 'day', 'on', 'off'] as const).every((part) => times[part] === other.times[part]);

const [listSchema, searchSchema] = couponSetHowSchema.options;

const setSchema = z.strictObject({
  name: saveCouponSetSchema.shape.name,
  how: z.discriminatedUnion('kind', [
    listSchema,
    /** Without the stocks in which it is looked up, they are those of the till that takes it. */
    searchSchema
      .extend({ stockIds: z.array(idSchema).max(50).readonly().optional() })
      .transform(({ stockIds, ...search }): KeptHow => ({
        ...search,
        stockIds: stockIds && searchedStocks(search.term, stockIds),
      })),
  ]),
  plans: z
    .array(z.strictObject({ times: planTimesSchema, skipped: z.array(skippedSchema).max(100) }))
    .max(maxCouponPlans)
    // One that is there again is the same plan.
    .transform((plans) => plans.filter(({ times }, place) => plans.findIndex(sameTimes(times)) === place)),
});

type Minima = Readonly<Record<Id, Readonly<Record<Id, number>>>>;

/** By hand: of very many that are wrong, zod would keep as many issues, and end in a RangeError. */
const isById = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(([id, one]) => parseId(id) === id && isOne(one));
const isMinimum = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= maxMinimum;

const listsSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal([firstVersion, version]),
  savedAt: z.iso.datetime().transform(Date.parse),
  platform: z.string().min(1).max(2000),
  companyId: idSchema,
  /** By stock and product. A stock without one is there as well: whatever another till has in it goes. */
  minima: z.custom<Minima>((stocks) => isById(stocks, (ofStock) => isById(ofStock, isMinimum))),
  sets: z
    .array(setSchema)
    .max(maxCouponSets)
    .refine((sets) => new Set(sets.map(({ name }) => name)).size === sets.length, 'two sets of one name')
    .refine((sets) => sets.reduce((sum, { plans }) => sum + plans.length, 0) <= maxCouponPlans, 'too many plans'),
});

export type ShopLists = Readonly<Omit<z.infer<typeof listsSchema>, 'format' | 'version'>>;
export type SharedSet = ShopLists['sets'][number];
export type SharedPlan = SharedSet['plans'][number];

const newerSchema = z.object({ format: z.literal(format), version: z.number().gt(version) });

/** Writes the file. */
export function writeLists({ savedAt, ...lists }: ShopLists): string {
  return `${JSON.stringify({ format, version, savedAt: new Date(savedAt).toISOString(), ...lists })}\n`;
}

/** JSON's own, which is three times as fast or more: ids are texts here, and how a number was written is shown nowhere. */
function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the file. Fails with `newer` for one of a later version. */
export function readLists(text: string): Result<ShopLists, 'unreadable' | 'newer'> {
  const document = parseDocument(text.replace(/^\uFEFF/, ''));
  if (newerSchema.safeParse(document).success) {
    return fail('newer');
  }
  const parsed = listsSchema.safeParse(document);
  return parsed.success ? succeed(parsed.data) : fail('unreadable');
}
