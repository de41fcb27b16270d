import type { ScanRead } from '../contract/scan.ts';
import type { ScanCounted } from '../contract/stocktakes.ts';
import { withoutBinaryNoise } from '../domain/decimal.ts';
import { meantUnitOf, unitsOfMeasure, type UnitCode } from '../domain/units.ts';

type Doubt = Extract<ScanCounted, { kind: 'counted' }>['doubt'];

/** How many of a unit of weight are in a kilogram. */
const inKilogram: { readonly [Code in UnitCode]?: number } = { KG: 1, GRAMAS: 1000, TON: 0.001 };
/** Of packs, dozens and the like nobody knows whether a code's pieces are those, or what is in one. */
const pieceUnits: readonly UnitCode[] = ['UNID', 'PC'];

/**
 * How much one scan adds to a product that is kept in this unit: the weight or the pieces that the code names, where
 * they are in that unit, else one. That is a guess for a case, for what is weighed, and where the code names figures
 * that say nothing certain of this unit.
 */
export function quantityOf(
  read: ScanRead | undefined,
  unit: string | null,
): { readonly quantity: number; readonly doubt: Doubt } {
  const figuresOf = (kind: 'netWeightKg' | 'netWeightLb' | 'pieces'): readonly number[] => [
    ...new Set(
      read?.facts.flatMap((fact) => ('amount' in fact && fact.kind === kind && fact.amount > 0 ? fact.amount : [])),
    ),
  ];
  const [kilograms, pounds, pieces] = [figuresOf('netWeightKg'), figuresOf('netWeightLb'), figuresOf('pieces')];
  const hasWeight = kilograms.length + pounds.length > 0;
  const code = meantUnitOf(unit);
  const perKilogram = code === null ? undefined : inKilogram[code];
  const ofPieces = code !== null && pieceUnits.includes(code) ? pieces : [];
  const figures = perKilogram === undefined ? ofPieces : kilograms.map((weight) => weight * perKilogram);
  if (figures.length === 1 && figures[0] !== undefined) {
    return { quantity: withoutBinaryNoise(figures[0]), doubt: null };
  }
  if (perKilogram !== undefined) {
    return { quantity: 1, doubt: hasWeight ? 'figure' : 'weight' };
  }
  // The weight on a label is that of the one thing which bears it, where those are counted.
  const isOfOne = code !== null && !unitsOfMeasure[code].isMeasured && unitsOfMeasure[code].decimals === 0;
  if (pieces.length > 0 || (hasWeight && !isOfOne)) {
    return { quantity: 1, doubt: 'figure' };
  }
  return { quantity: 1, doubt: (read?.ofCase ?? null) === null ? null : 'case' };
}
