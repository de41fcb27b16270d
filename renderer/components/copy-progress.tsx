// Owns how far this terminal's copy of the catalogue is, in words and as a bar. Never guesses a time that the main process
// does not give.
import { Progress } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatAge, formatMoment, formatWait } from '../formats/times.ts';
import { useNow } from '../now.ts';

function useIsComplete(): boolean {
  return useTerminal(({ catalogue: { stocks } }) => stocks.length > 0 && stocks.every((stock) => stock.completeAsOf !== null));
}

/** One quiet line once the whole catalogue is here. */
export function CopyLine(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const isComplete = useIsComplete();
  const { copied, stocks } = useTerminal((state) => state.catalogue);
  if (!isComplete) {
    return null;
  }
  const asOf = Math.min(...stocks.flatMap((stock) => stock.completeAsOf ?? []));
  const present = Math.max(now, asOf);
  const age = formatAge(asOf, present, language) ?? t('age.justNow');
  return (
    <p className="copy-line">
      {t('copy.complete', { count: copied, formatted: formatNumber(copied, language), moment: formatMoment(asOf, present, language), age })}
    </p>
  );
}

/** The bar while the first copy is being made. */
export function CopyProgress(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const isComplete = useIsComplete();
  const { copied, total, completeAt, phase, failure } = useTerminal((state) => state.catalogue);
  const count = formatNumber(copied, language);
  if (isComplete || (phase === 'idle' && copied === 0)) {
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
