import type { ScanRead } from '../contract/scan.ts';
import type { ScanCounted } from '../contract/stocktakes.ts';
import { unitCodeOf } from '../domain/units.ts';

type Doubt = Extract<ScanCounted, { kind: 'counted' }>['doubt'];

/** How many of a unit of weight are in a kilogram. */
const inKilogram: Readonly<Record<string, number>> = { KG: 1, GRAMAS: 1000 };

/**
 * How much one scan adds to a product that is kept in this unit: the weight or the pieces that the code names, else
 * one, which is a guess for a case and for what is weighed.
 */
export function quantityOf(
  read: ScanRead | undefined,
  unit: string | null,
): { readonly quantity: number; readonly doubt: Doubt } {
  const amountOf = (kind: 'netWeightKg' | 'pieces'): number =>
    read?.facts.reduce((sum, fact) => ('amount' in fact && fact.kind === kind ? fact.amount : sum), 0) ?? 0;
  const perKilogram = inKilogram[unitCodeOf(unit) ?? ''];
  if (perKilogram !== undefined) {
    const weight = amountOf('netWeightKg') * perKilogram;
    return weight > 0 ? { quantity: weight, doubt: null } : { quantity: 1, doubt: 'weight' };
  }
  const pieces = amountOf('pieces');
  if (pieces > 0) {
    return { quantity: pieces, doubt: null };
  }
  return { quantity: 1, doubt: (read?.ofCase ?? null) === null ? null : 'case' };
}
