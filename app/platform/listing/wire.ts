// The documented shape of a page of the listing (API v3 §2 "Pagination envelope", "Stock product list response"). It is
// the only thing in pages.
import { z } from 'zod';
import { ListedElement, listedElementSchema } from './listed-element.ts';
import { wireNumber } from './wire-number.ts';

const wireCount = wireNumber.pipe(z.number().int().nonnegative());

/** All four facts of `meta` are documented to be always there. */
export const listingAnswerSchema = z
  .object({
    data: z.object({ stock_products: z.array(listedElementSchema) }),
    meta: z.object({ current_page: wireCount, last_page: wireCount, per_page: wireCount, total: wireCount }),
  })
  .transform(({ data, meta }) => ({
    elements: ListedElement.combine(data.stock_products),
    currentPage: meta.current_page,
    lastPage: meta.last_page,
    perPage: meta.per_page,
    total: meta.total,
  }));
