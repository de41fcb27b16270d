// What a file of minimums would set, before it does.
import { maxMinimaAtOnce } from '../../app/contract/limits.ts';
import type { WatchedMinimum } from '../../app/contract/watch-list.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileLine, MinimaFile, UnreadLine } from './minima-file.ts';

/** A line from which nothing is set, and why; `earlier` is the line that names the same product. */
export interface LeftOut extends Omit<UnreadLine, 'why'> {
  readonly kind: 'leftOut';
  readonly why: UnreadLine['why'] | 'notFound' | 'several' | 'twice';
  readonly earlier: number | null;
}

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
  readonly changes: readonly Named[];
  readonly unchanged: number;
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
  const leftOut: LeftOut[] = file.unread.map((line) => ({ kind: 'leftOut', earlier: null, ...line }));
  const named = new Map<Id, Named>();
  const leave = ({ line, code }: FileLine, why: LeftOut['why'], earlier: number | null = null): void => {
    leftOut.push({ kind: 'leftOut', line, text: code, why, earlier });
  };
  for (let place = 0; place < file.lines.length; place += maxMinimaAtOnce) {
    const slice = file.lines.slice(place, place + maxMinimaAtOnce);
    const answer = await bridge.call('watchList:match', { stockId, codes: slice.map(({ code }) => code) });
    if (signal.aborted || !answer.ok) {
      return answer.ok ? fail({ kind: 'cancelled' }) : answer;
    }
    for (const [index, fileLine] of slice.entries()) {
      const [product, other] = answer.value.matches[index] ?? [];
      if (product === undefined || other !== undefined) {
        leave(fileLine, product === undefined ? 'notFound' : 'several');
        continue;
      }
      const { productId, name, unit, minimum: before } = product;
      const earlier = named.get(productId);
      if (earlier !== undefined) {
        leave(fileLine, 'twice', earlier.line);
        continue;
      }
      named.set(productId, {
        kind: 'named',
        line: fileLine.line,
        productId,
        name,
        unit,
        before,
        after: fileLine.minimum,
      });
    }
    onProgress(place + slice.length);
  }
  const changes = [...named.values()].filter(({ before, after }) => before !== after);
  return succeed({
    stockId,
    leftOut: leftOut.toSorted((one, next) => one.line - next.line),
    changes,
    unchanged: named.size - changes.length,
  });
}

/** What is to be set. */
export function minimaOf({ stockId, changes }: ImportPreview): readonly WatchedMinimum[] {
  return changes.map(({ productId, after }) => ({ stockId, productId, minimum: after }));
}
