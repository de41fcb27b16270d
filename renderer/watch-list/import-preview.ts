// Previews the minimums that a file would set, before it does.
import type { WatchedMinimum } from '../../app/contract/watch-list.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { mapResult, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { matchLines, type LeftOut, type LostZeros } from '../files/match-lines.ts';
import type { FileLine, MinimaFile } from './minima-file.ts';

/** A line that names one product; nothing changes where both minimums are the same. */
export interface Named {
  readonly kind: 'named';
  readonly line: number;
  readonly productId: Id;
  readonly name: string;
  readonly unit: string | null;
  readonly before: number | null;
  readonly after: number | null;
}

export interface ImportPreview {
  readonly stockId: Id;
  readonly leftOut: readonly LeftOut[];
  readonly lostZeros: LostZeros | null;
  /** First those that take a product off the list: a file that says so by mistake is seen at once. */
  readonly changes: readonly Named[];
  readonly removed: number;
  readonly unchanged: number;
  /** Lines without a minimum. */
  readonly blank: number;
}

/**
 * Looks up what the lines name in this stock, slice by slice. `onProgress` hears how many lines are done. Fails as
 * `watchList:match` does, or with `cancelled` by the signal.
 */
export async function previewImport(
  bridge: Bridge,
  stockId: Id,
  file: MinimaFile,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Result<ImportPreview, Failure>> {
  const isOther = (line: FileLine): boolean => line.stockId !== '' && line.stockId !== stockId;
  const matched = await matchLines(
    {
      lines: file.lines.filter((line) => !isOther(line)),
      unread: [
        ...file.unread,
        ...file.lines.filter(isOther).map(({ line, code }) => ({ line, text: code, why: 'otherStock' as const })),
      ],
    },
    (codes) => bridge.call('watchList:match', { stockId, codes }),
    onProgress,
    signal,
  );
  return mapResult(matched, ({ leftOut, lostZeros, found }) => {
    const changes = found
      .map(({ line: { line, minimum: after }, product: { productId, name, unit, minimum: before } }) => ({
        kind: 'named' as const,
        line,
        productId,
        name,
        unit,
        before,
        after,
      }))
      .filter(({ before, after }) => before !== after);
    const removals = changes.filter(({ after }) => after === null);
    return {
      stockId,
      leftOut,
      lostZeros,
      changes: [...removals, ...changes.filter(({ after }) => after !== null)],
      removed: removals.length,
      unchanged: found.length - changes.length,
      blank: file.blank,
    };
  });
}

/** The minimums to be set. */
export function minimaOf({ stockId, changes }: ImportPreview): readonly WatchedMinimum[] {
  return changes.map(({ productId, after }) => ({ stockId, productId, minimum: after }));
}
