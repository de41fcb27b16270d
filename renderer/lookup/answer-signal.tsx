import { useEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/context.tsx';
import { afterPainting } from '../dom/after-painting.ts';
import { later, present } from '../dom/clock.ts';
import { isNews, signalOf, type Signalled } from './signals.ts';
import { createSoundPlayer } from '../dom/sounds.ts';

const shownMs = 1_200;
const player = createSoundPlayer(window);

/** Frames the answer that has just come for a scan, and sounds. */
export function AnswerSignal(): ReactElement | null {
  const { lookup, terminal } = useStores();
  const [shown, setShown] = useState<Signalled | null>(null);
  useEffect(() => {
    let before: Signalled | null = null;
    return lookup.subscribe(({ answer, answered, failure, inPieces, scanned }) => {
      if (answered !== scanned || (answer === null && failure === null && inPieces !== answered)) {
        return;
      }
      const now = { sequence: answered, signal: signalOf(answer, present()) };
      if (isNews(now, before)) {
        setShown(now);
        const sounds = terminal.getState().state?.sounds;
        if (sounds?.isOn === true) {
          // To open the machine's sound takes longer than a frame.
          afterPainting(() => player.play(now.signal, sounds.volume));
        }
      }
      before = now;
    });
  }, [lookup, terminal]);
  useEffect(() => (shown === null ? undefined : later(shownMs, () => setShown(null))), [shown]);
  const isCurrent = useStore(lookup, ({ sequence }) => sequence === shown?.sequence);
  return shown === null || !isCurrent ? null : (
    <div
      key={`${shown.sequence}-${shown.signal}`}
      className="answer-signal"
      data-signal={shown.signal}
      aria-hidden="true"
    />
  );
}
