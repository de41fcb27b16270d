import { useLayoutEffect } from 'react';
import { whenPainted } from '../dom/after-painting.ts';
import type { AnswerPlace, KeySubject } from './answer-keys.ts';
import { useStores } from './context.tsx';

/** Tells what the keys of a place act on, from its painting on, as long as the component is there. */
export function useKeySubject(place: AnswerPlace, { turn, what, kind }: KeySubject): void {
  const { answerKeys } = useStores();
  useLayoutEffect(() => {
    const subject = { turn, what, kind };
    answerKeys.getState().show(place, subject);
    return whenPainted(() => answerKeys.getState().paint(place, subject));
  }, [answerKeys, place, turn, what, kind]);
  useLayoutEffect(() => () => answerKeys.getState().show(place, null), [answerKeys, place]);
}
