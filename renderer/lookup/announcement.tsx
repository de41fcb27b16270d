import { useState, type ReactElement } from 'react';
import { useLookup } from '../stores/context.tsx';
import { useSpoken } from './spoken-answer.ts';

/** The only live region of the answer; the same product scanned again is told again. */
export function Announcement(): ReactElement {
  const answer = useLookup((lookup) => lookup.answer);
  const failure = useLookup((lookup) => lookup.failure);
  const answered = useLookup((lookup) => lookup.answered);
  const { about, words } = useSpoken(answer, failure);
  const key = `${answered} ${about}`;
  const [said, setSaid] = useState({ key: '', words: '' });
  if (said.key !== key) {
    setSaid({ key, words });
  }
  return (
    <p className="visually-hidden announcement" aria-live="polite" aria-atomic="true">
      {/* A node of its own for each thing said, so that the same words again are heard again. */}
      <span key={said.key}>{said.words}</span>
    </p>
  );
}
