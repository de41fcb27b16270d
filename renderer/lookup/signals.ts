import type { LookupAnswer } from '../../app/contract/lookup.ts';
import { isOldFigure } from '../formats/times.ts';
import type { Signal } from '../dom/sounds.ts';

/** The signal of an answer, or of none, which shows no product either. The first card is the one that is read. */
export function signalOf(answer: LookupAnswer | null, nowMs: number): Signal {
  if (answer?.kind === 'several') {
    return 'found';
  }
  if (answer?.kind !== 'found') {
    return 'notFound';
  }
  const asOf = answer.cards[0]?.balance.asOf ?? null;
  return isOldFigure(asOf, nowMs) ? 'stale' : 'found';
}

/** The answer of a scan that is on the screen. */
export interface Signalled {
  readonly sequence: number;
  readonly signal: Signal;
}

/**
 * True when a person must be alerted: of another scan's answer, or of a miss that has become a product. A figure that
 * was refreshed in the meantime is shown by the card alone.
 */
export function isNews(now: Signalled, before: Signalled | null): boolean {
  return (
    before === null || before.sequence !== now.sequence || (before.signal === 'notFound' && now.signal !== 'notFound')
  );
}
