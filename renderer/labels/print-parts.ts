import { maxLabelCopies, maxLabelsAtOnce } from '../../app/contract/limits/labels.ts';
import { meantUnitOf, unitsOfMeasure } from '../../app/domain/units.ts';
import type { Copies } from './sizes.ts';

/** All labels with their copies. */
export function countLabels(labels: readonly Pick<Copies<unknown>, 'copies'>[]): number {
  return labels.reduce((sum, { copies }) => sum + copies, 0);
}

/** So many labels as pieces were counted, up to what a printer takes of one; one for what is measured. */
export function countedCopies(counted: number | null, unit: string | null): number {
  if (counted === null || counted <= 0) {
    return 0;
  }
  const code = meantUnitOf(unit);
  const isByPiece = Number.isInteger(counted) && (code === null || !unitsOfMeasure[code].isMeasured);
  return isByPiece ? Math.min(counted, maxLabelCopies) : 1;
}

/** The labels from this one on, counted from 1 with all copies, in parts that a printer is handed at once. */
export function partsFrom<Label>(
  labels: readonly Copies<Label>[],
  from: number,
): readonly (readonly Copies<Label>[])[] {
  const parts: Copies<Label>[][] = [];
  let skip = from - 1;
  let room = 0;
  for (const { label, copies } of labels) {
    let left = Math.max(0, copies - skip);
    skip = Math.max(0, skip - copies);
    while (left > 0) {
      if (room === 0) {
        parts.push([]);
        room = maxLabelsAtOnce;
      }
      const taken = Math.min(left, room);
      parts.at(-1)?.push({ label, copies: taken });
      left -= taken;
      room -= taken;
    }
  }
  return parts;
}
