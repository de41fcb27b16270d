// The documented shapes of the platform's answers as zod schemas (API v3 §2, §4).
import { z } from 'zod';
import { parseId, type Id } from '../domain/int64.ts';
import { isObject } from '../domain/loose-json.ts';
import { readIdentifiedOptions, readProduct, readStock } from './listing/stock-fields.ts';
import { wireNumber } from './listing/wire-number.ts';

/** An id in whatever form it came: number, digits as text, or a bigint beyond 2^53. */
const wireId = z.unknown().transform((value, context): Id => {
  const id = parseId(value);
  if (id === null) {
    context.addIssue({ code: 'custom', message: 'not an int64 id' });
    return z.NEVER;
  }
  return id;
});

/** Whatever it is, and also when it is missing. */
const notShown = z.unknown().optional();

/** API v3 §2 "Token request": only `access_token` is documented. */
export const tokenAnswerSchema = z.object({
  access_token: z.string().min(1).max(20_000),
  refresh_token: z.string().min(1).max(20_000).optional().catch(undefined),
  // Absent, zero, negative, text: whatever it is, a lifetime that makes no sense is no lifetime.
  expires_in: wireNumber.pipe(z.number().positive()).optional().catch(undefined),
});

/** API v3 §2 "Stock product balance response": without a figure it says nothing; everything else may be missing. */
export const balanceAnswerSchema = z
  .object({ stock: notShown, product: notShown, balance: wireNumber, balance_options: notShown })
  .transform(({ stock, product, balance, balance_options: options }) => ({
    stock: readStock(stock),
    product: readProduct(product),
    balance,
    options: readIdentifiedOptions(options),
  }));

const wireFlag = z.union([
  z.boolean(),
  z.literal([0, 1]).transform((value) => value === 1),
  z.literal(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true'),
]);
const couponSettingSchema = z.object({
  product_id: wireId,
  is_enabled: wireFlag,
  company_id: notShown.transform((value) => parseId(value)),
});

/** One setting a product; null when one of them cannot be read, or speaks against another of the same product. */
function settingsIn(items: readonly unknown[]): z.infer<typeof couponSettingSchema>[] | null {
  const settings = new Map<Id, z.infer<typeof couponSettingSchema>>();
  for (const item of items) {
    // A schema takes ten times as long to say of what it cannot read.
    const { product_id: product, is_enabled: given = null } = isObject(item) ? item : {};
    if (given === null || parseId(product) === null) {
      continue;
    }
    const setting = couponSettingSchema.safeParse(item).data;
    if (
      setting === undefined ||
      (settings.get(setting.product_id)?.is_enabled ?? setting.is_enabled) !== setting.is_enabled
    ) {
      return null;
    }
    settings.set(setting.product_id, setting);
  }
  return settings.size === 0 && items.length > 0 ? null : [...settings.values()];
}

/**
 * API v3 §2 "Consumption-coupon setting of a product", as listed. An element without a product or without a setting is
 * as good as absent. But when none can be read, one has a setting that cannot, or two contradict each other, what a
 * product has would be a guess.
 */
export const couponSettingsAnswerSchema = z.object({
  items: z.array(z.unknown()).transform((items, context) => {
    const settings = settingsIn(items);
    if (settings === null) {
      context.addIssue({ code: 'custom', message: 'an element cannot be read' });
      return z.NEVER;
    }
    return settings;
  }),
});
