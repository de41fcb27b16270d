import { useEffect } from 'react';
import type { Signal } from '../dom/sounds.ts';
import { useStores } from '../stores/context.tsx';
import { useSound } from '../ui/use-sound.ts';
import { isFigureOld } from './line-words.ts';
import type { CountOutcome } from './stocktakes-store.ts';

/** The signal for a scan's outcome; null for any other outcome. */
export function signalOf(outcome: CountOutcome): Signal | null {
  switch (outcome.kind) {
    case 'counted':
      if (outcome.line.miss !== null) {
        return 'notFound';
      }
      return outcome.doubt !== null || isFigureOld(outcome.line) ? 'stale' : 'found';
    case 'none':
    case 'pieces':
      return 'notFound';
    default:
      return null;
  }
}

/** Sounds each scan, and each one that could not be kept. */
export function CountSignal(): null {
  const { stocktakes } = useStores();
  const sound = useSound();
  useEffect(
    () =>
      stocktakes.store.subscribe(({ outcome, lost, unsure }, before) => {
        const isLost = lost.length > before.lost.length || unsure.length > before.unsure.length;
        const signal = outcome === null || outcome === before.outcome ? null : signalOf(outcome);
        if (isLost || signal !== null) {
          sound(isLost ? 'notFound' : (signal ?? 'found'));
        }
      }),
    [stocktakes, sound],
  );
  return null;
}
