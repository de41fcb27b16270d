import type { ProductBatches } from '../contract/batches.ts';

/** A batch as it is kept. */
export interface KeptBatch {
  readonly day: string;
  readonly quantity: number | null;
  readonly lot: string | null;
}

/** So many batches of a product are kept: the next ones to expire, and the last ones that did. */
const mostKept = { toCome: 4, over: 2 } as const;

/**
 * The batches of an answer that the list needs: those with a day, of which something may be left. `today` is
 * "YYYY-MM-DD". The platform lists entries and need not say what is left of them.
 */
export function keptOf({ batches }: Pick<ProductBatches, 'batches'>, today: string): readonly KeptBatch[] {
  const dated = batches
    .flatMap(({ expiresOn, quantity, lot }) =>
      expiresOn === null || (quantity !== null && quantity.amount <= 0)
        ? []
        : [{ day: expiresOn.day, quantity: quantity?.amount ?? null, lot: lot?.text ?? null }],
    )
    .toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  const over = dated.filter(({ day }) => day < today).slice(-mostKept.over);
  return [...over, ...dated.filter(({ day }) => day >= today).slice(0, mostKept.toCome)];
}
