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
  /** The product, or that there are several; empty for a miss. */
  readonly of: string;
  readonly signal: Signal;
}

/** The signal of the answer to this scan. */
export function signalledBy(sequence: number, answer: LookupAnswer | null, nowMs: number): Signalled {
  const of = answer?.kind === 'found' ? (answer.cards[0]?.productId ?? '') : '';
  return { sequence, of: answer?.kind === 'several' ? 'several' : of, signal: signalOf(answer, nowMs) };
}

/**
 * True when a person must be alerted: of another scan's answer, or of a miss or a product that has become another
 * product. A figure that was refreshed in the meantime is shown by the card alone.
 */
export function isNews(now: Signalled, before: Omit<Signalled, 'signal'> | undefined): boolean {
  return before?.sequence !== now.sequence || (now.of !== '' && now.of !== before.of);
}
