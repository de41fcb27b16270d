import { useEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/context.tsx';
import { later, present } from '../dom/clock.ts';
import { useSound } from '../ui/use-sound.ts';
import { isNews, signalledBy, type Signalled } from './signals.ts';

const shownMs = 1_200;

/** Frames the answer that has just come for a scan, and sounds. */
export function AnswerSignal(): ReactElement | null {
  const { lookup } = useStores();
  const sound = useSound();
  const [shown, setShown] = useState<Signalled | null>(null);
  useEffect(
    () =>
      lookup.subscribe(({ answer, answered, failure, inPieces, scanned, signalled }) => {
        if (answered !== scanned || (answer === null && failure === null && inPieces !== answered)) {
          return;
        }
        const now = signalledBy(answered, answer, present());
        if (isNews(now, signalled)) {
          setShown(now);
          sound(now.signal);
        }
        if (now.sequence !== signalled?.sequence || now.of !== signalled.of) {
          lookup.setState({ signalled: now });
        }
      }),
    [lookup, sound],
  );
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
