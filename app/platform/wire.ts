// Owns the documented shapes of the platform's answers as zod schemas (API v3 §2, §4). What the document does not show is
// left open: unknown fields pass, and numbers may come as text. Never names a field that the document does not.
import { z } from 'zod';
import { parseId, type Id } from '../domain/int64.ts';
import { readOptions, readProduct, readStock } from './stock-fields.ts';

/** An id in whatever form it came: number, digits as text, or a bigint beyond 2^53. */
const wireId = z.unknown().transform((value, context): Id => {
  const id = parseId(value);
  if (id === null) {
    context.addIssue({ code: 'custom', message: 'not an int64 id' });
    return z.NEVER;
  }
  return id;
});

const wireNumber = z.union([z.number(), z.bigint().transform(Number), z.string().regex(/^-?\d+(\.\d+)?$/).transform(Number)]).pipe(z.number());
const wireCount = wireNumber.pipe(z.number().int().nonnegative());

/** Whatever it is, and also when it is missing. */
const notShown = z.unknown().optional();

/** API v3 §2 "Token request": only `access_token` is documented. */
export const tokenAnswerSchema = z.object({
  access_token: z.string().min(1).max(20_000),
  refresh_token: z.string().min(1).max(20_000).optional().catch(undefined),
  // Absent, zero, negative, text: whatever it is, a lifetime that makes no sense is no lifetime.
  expires_in: wireNumber.pipe(z.number().positive()).optional().catch(undefined),
});

/** API v3 §2 "Pagination envelope" around whatever is in pages; all four facts are documented to be always there. */
function pageOf<Data extends z.ZodType>(data: Data) {
  return z.object({ data, meta: z.object({ current_page: wireCount, last_page: wireCount, per_page: wireCount, total: wireCount }) });
}

/** API v3 §2 "Stock product list response". */
export const listingAnswerSchema = pageOf(z.object({ stock_products: z.array(z.unknown()) }));

/** API v3 §2 "Stock product balance response": without a figure it says nothing; everything else may be missing. */
export const balanceAnswerSchema = z
  .object({ stock: notShown, product: notShown, balance: wireNumber, balance_options: notShown })
  .transform(({ stock, product, balance, balance_options: options }) => ({ stock: readStock(stock), product: readProduct(product), balance, options: readOptions(options) }));

const couponSettingSchema = z.object({
  product_id: wireId,
  is_enabled: z.union([z.boolean(), z.literal([0, 1]).transform((value) => value === 1)]),
});

/**
 * API v3 §2 "Consumption-coupon setting of a product", as listed; an element that cannot be read is as good as absent, but when none
 * can, the shape has changed, and that nothing is switched on would be a guess.
 */
export const couponSettingsAnswerSchema = z.object({
  items: z.array(z.unknown()).transform((items, context) => {
    const settings = items.flatMap((item) => {
      const setting = couponSettingSchema.safeParse(item);
      return setting.success ? [setting.data] : [];
    });
    if (items.length > 0 && settings.length === 0) {
      context.addIssue({ code: 'custom', message: 'no element can be read' });
      return z.NEVER;
    }
    return settings;
  }),
});
