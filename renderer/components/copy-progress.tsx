// Owns how far this terminal's copy of the catalogue is, in words and as a bar. Never guesses a time that the main process
// does not give.
import { Progress } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatAge, formatMoment, formatWait } from '../formats/times.ts';
import { useNow } from '../now.ts';

/** The bar while the first copy is being made; one quiet line afterwards. */
export function CopyProgress(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const catalogue = useTerminal((state) => state.catalogue);
  const { copied, total, completeAt, phase, failure, stocks } = catalogue;
  const completes = stocks.flatMap((stock) => stock.completeAsOf ?? []);
  const isComplete = stocks.length > 0 && completes.length === stocks.length;
  const count = formatNumber(copied, language);

  if (isComplete) {
    const asOf = Math.min(...completes);
    const present = Math.max(now, asOf);
    const age = formatAge(asOf, present, language) ?? t('age.justNow');
    return (
      <p className="copy-line">
        {t('copy.complete', { count: copied, formatted: count, moment: formatMoment(asOf, present, language), age })}
      </p>
    );
  }
  if (phase === 'idle' && copied === 0) {
    return null;
  }
  const percent = total === null || total === 0 ? 0 : Math.min(100, (copied / total) * 100);
  return (
    <section className="copy" aria-label={t('copy.title')}>
      <div className="copy-words">
        <strong>{t(phase === 'waiting' ? 'copy.waiting' : 'copy.title')}</strong>
        <span>{total === null ? t('copy.counted', { count: copied, formatted: count }) : t('copy.of', { copied: count, total: formatNumber(total, language) })}</span>
        {completeAt !== null && phase !== 'waiting' && <span>{t('copy.left', { wait: formatWait(completeAt, now, language) })}</span>}
      </div>
      <Progress value={percent} size="lg" radius="xl" aria-label={t('copy.title')} />
      <p className="copy-hint">
        {failure !== null && <>{t(`failure.${failure.kind}.says`)} </>}
        {copied > 0 ? t('copy.already', { count: copied, formatted: count }) : t('copy.soon')}
      </p>
    </section>
  );
}
