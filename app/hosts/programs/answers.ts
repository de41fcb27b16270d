// What programs are answered. These shapes are a promise to programs that nobody here knows: fields are added, never
// changed.
import { z } from 'zod';
import type { Handlers } from '../../contract/bridge.ts';
import { invokes } from '../../contract/contract.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { ProductCard, ProductHit } from '../../contract/products.ts';
import type { Failure } from '../../domain/failure.ts';
import { mapResult, type Result } from '../../domain/result.ts';
import type { Shell } from '../../ports.ts';
import { dispatch } from '../dispatch.ts';

const named = z.object({ name: z.string(), value: z.string() });
const productSchema = z.object({
  productId: z.string(),
  stockId: z.string(),
  stockName: z.string().nullable(),
  name: z.string(),
  code: z.string().nullable(),
  unit: z.string().nullable(),
  /** Null where the platform has told none. */
  balance: z.number().nullable(),
  /** When the platform told it (ISO 8601). */
  balanceAsOf: z.iso.datetime().nullable(),
  barcodes: z.array(z.string()),
  /** Further fields of the platform's listing. */
  fields: z.array(named),
  /** Whether the coupon is on; null where it was never set. */
  coupon: z.boolean().nullable(),
});

export const lookupSchema = z.object({
  code: z.string(),
  isFound: z.boolean(),
  /** `several`: the code fits several products, of which a person chooses one. */
  answer: z.enum(['found', 'several', 'unknown', 'notCopied', 'unreadable']),
  mode: z.enum(['platform', 'practice']).nullable(),
  /** The same product once for each stock. */
  products: z.array(productSchema),
});
export type ProgramLookup = z.infer<typeof lookupSchema>;

/** A line of several has no more than its figure. */
function productOf(hit: ProductHit | ProductCard): z.infer<typeof productSchema> {
  const { productId, stockId, stockName, name, code, unit, balance } = hit;
  const card = 'barcodes' in hit ? hit : null;
  return {
    productId,
    stockId,
    stockName,
    name,
    code,
    unit,
    balance: balance.amount,
    balanceAsOf: balance.asOf === null ? null : new Date(balance.asOf).toISOString(),
    barcodes: card?.barcodes ?? [],
    fields: card?.extra ?? [],
    coupon: card?.coupon.isEnabled ?? null,
  };
}

function productsOf(answer: LookupAnswer): readonly (ProductHit | ProductCard)[] {
  if (answer.kind === 'found') {
    return answer.cards;
  }
  return answer.kind === 'several' ? answer.hits : [];
}

/** What a code is, for a program. Fails as `lookup:find` does. */
export async function lookUp(
  handlers: Handlers,
  code: string,
  log: Shell['log'],
): Promise<Result<ProgramLookup, Failure>> {
  const found = await dispatch(handlers, 'lookup:find', { text: code, source: 'program' }, log);
  const state = await handlers['terminal:read']({});
  return mapResult(found, (value) => {
    const answer = invokes['lookup:find'].output.parse(value);
    const products = productsOf(answer).map(productOf);
    return {
      code: answer.text,
      isFound: products.length > 0,
      answer: answer.kind,
      mode: state.ok ? state.value.mode : null,
      products,
    };
  });
}
