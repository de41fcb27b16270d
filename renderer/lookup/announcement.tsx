import { useState, type ReactElement } from 'react';
import { useLookup, useWords } from '../stores/context.tsx';
import { useSpoken } from './spoken-answer.ts';

/** Announces the answer, alone; the same product scanned again is announced again, and so is another language. */
export function Announcement(): ReactElement {
  const { language } = useWords();
  const answer = useLookup((lookup) => lookup.answer);
  const failure = useLookup((lookup) => lookup.failure);
  const answered = useLookup((lookup) => lookup.answered);
  const { about, words } = useSpoken(answer, failure);
  const key = `${language} ${answered} ${about}`;
  const [announced, setAnnounced] = useState({ key: '', words: '' });
  if (announced.key !== key) {
    setAnnounced({ key, words });
  }
  return (
    <p className="visually-hidden announcement" aria-live="polite" aria-atomic="true">
      {/* A node of its own for each announcement, so that the same words again are read out again. */}
      <span key={announced.key}>{announced.words}</span>
    </p>
  );
}
