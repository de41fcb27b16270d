// Owns the band that makes the practice store unmistakable. Never hides in practice.
import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../context.tsx';

/** Hatched, above everything, on every screen of the practice store. */
export function PracticeBand(): ReactElement | null {
  const { t } = useWords();
  const mode = useTerminal((state) => state.mode);
  return mode === 'practice' ? (
    <aside className="practice-band" aria-label={t('practice.name')}>
      <strong>{t('practice.name')}</strong> <span>{t('practice.text')}</span>
    </aside>
  ) : null;
}
