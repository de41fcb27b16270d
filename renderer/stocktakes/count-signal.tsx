import { useEffect } from 'react';
import { afterPainting } from '../dom/after-painting.ts';
import { createSoundPlayer, type Signal } from '../dom/sounds.ts';
import { useStores } from '../stores/context.tsx';
import { isFigureOld } from './line-words.ts';
import type { CountOutcome } from './stocktakes-store.ts';

const player = createSoundPlayer(window);

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
  const { stocktakes, terminal } = useStores();
  useEffect(
    () =>
      stocktakes.store.subscribe(({ outcome, lost }, before) => {
        const isLost = lost.length > before.lost.length;
        const signal = outcome === null || outcome === before.outcome ? null : signalOf(outcome);
        const sounds = terminal.getState().state?.sounds;
        if (sounds?.isOn === true && (isLost || signal !== null)) {
          // To open the machine's sound takes longer than a frame.
          afterPainting(() => player.play(isLost ? 'notFound' : (signal ?? 'found'), sounds.volume));
        }
      }),
    [stocktakes, terminal],
  );
  return null;
}
