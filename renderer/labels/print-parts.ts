import { maxLabelsAtOnce } from '../../app/contract/limits/labels.ts';
import type { Copies } from './sizes.ts';

/** All labels with their copies. */
export function countLabels(labels: readonly Copies<unknown>[]): number {
  return labels.reduce((sum, { copies }) => sum + copies, 0);
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
