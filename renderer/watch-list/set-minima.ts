import { maxMinimaAtOnce } from '../../app/contract/limits/watch-list.ts';
import type { WatchedMinimum } from '../../app/contract/watch-list.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** The minimums that were set, slice by slice; the rest was stopped, or failed. */
export interface MinimaSet {
  readonly kept: number;
  /** Of products that the copy no longer has. */
  readonly leftOut: number;
  /** Null when all were asked for. */
  readonly failure: Failure | null;
}

/**
 * Sets the minimums slice by slice, and can be stopped between two; what is done stays done. `onProgress` hears how
 * many have been asked for.
 */
export async function setMinima(
  bridge: Bridge,
  minima: readonly WatchedMinimum[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<MinimaSet> {
  let [kept, leftOut] = [0, 0];
  for (let place = 0; place < minima.length; place += maxMinimaAtOnce) {
    if (signal.aborted) {
      return { kept, leftOut, failure: { kind: 'cancelled' } };
    }
    const slice = minima.slice(place, place + maxMinimaAtOnce);
    const answer = await bridge.call('watchList:set', { minima: slice }, { minima: [...minima] });
    if (!answer.ok) {
      return { kept, leftOut, failure: answer.failure };
    }
    kept += answer.value.kept;
    // mutant: minimums that were not kept are not counted
    leftOut += slice.length - answer.value.kept;
    onProgress(place + slice.length);
  }
  return { kept, leftOut, failure: null };
}
