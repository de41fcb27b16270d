import { z } from 'zod';
import { idSchema, instant, shortText } from './basics.ts';
import { couponStateSchema } from './coupons.ts';
import { productFieldsSchema } from './fields.ts';

const balanceSchema = z.strictObject({
  /** Null when neither the listing nor a live answer has told one. May be negative and have decimals. */
  amount: z.number().nullable(),
  /** When the platform gave this figure; null with a null amount. */
  asOf: instant.nullable(),
  source: z.enum(['listing', 'live']).nullable(),
});
export type Balance = z.infer<typeof balanceSchema>;

/** One line of a result list. */
export const productHitSchema = z.strictObject({
  stockId: idSchema,
  stockName: shortText.nullable(),
  productId: idSchema,
  /** The product's code (the platform's `sku` or `code`); null when it has none. */
  code: shortText.nullable(),
  name: shortText,
  /** The unit's code, such as "KG" or "UNID" (API v3 §2 "Units of measure"), or whatever text the platform gave. */
  unit: shortText.nullable(),
  balance: balanceSchema,
});
export type ProductHit = z.infer<typeof productHitSchema>;

/** One product in one stock, ready to be shown. */
export const productCardSchema = productHitSchema.extend({
  barcodes: z.array(shortText).max(50),
  options: z.array(z.strictObject({ name: shortText, amount: z.number().nullable() })).max(200),
  /** Fields of the listing that this app has no place for, by name, as text. */
  extra: z.array(z.strictObject({ name: shortText, value: shortText })).max(100),
  /** All that the shop shows of it anywhere. */
  fields: productFieldsSchema,
  coupon: couponStateSchema,
  /** Below which the product is on the list of what to order; null for a product that is not watched. */
  minimum: z.number().nullable(),
});
export type ProductCard = z.infer<typeof productCardSchema>;
