import { Button } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import { focusHeading } from '../dom/focus.ts';
import { useLookup, useNavigation, useTerminal, useTour, useWords } from '../stores/context.tsx';
import { tourSteps, type TourStep } from './tour-store.ts';

/** The current step; null when none is. */
export function useTourStep(): TourStep | null {
  const step = useTour((tour) => tour.step);
  const isSeen = useTerminal((state) => state.isTourSeen);
  return step === 'ended' ? null : (step ?? (isSeen ? null : 'scan'));
}

/** The tour in five sentences; nothing while it is not on. */
export function TourBand(): ReactElement | null {
  const { t } = useWords();
  const step = useTourStep();
  const goOn = useTour((tour) => tour.goOn);
  const end = useTour((tour) => tour.end);
  const isPractice = useTerminal((state) => state.practice !== null);
  const isAnswered = useLookup((lookup) => lookup.answer?.kind === 'found');
  const isAtLookup = useNavigation(({ screen }) => screen === 'lookup');
  const isCardShown = isAnswered && isAtLookup;
  useEffect(() => {
    if (step === 'scan' && isAnswered) {
      void goOn('scan');
    }
  }, [goOn, isAnswered, step]);
  useEffect(() => {
    if (isCardShown && (step === 'figure' || step === 'coupon')) {
      document.querySelector(step === 'figure' ? '.figure' : '.coupon-part')?.scrollIntoView({ block: 'nearest' });
    }
  }, [isCardShown, step]);
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== null && step === null) {
      // The button that ended it is gone.
      focusHeading(document.querySelector('main'));
    }
    before.current = step;
  }, [step]);
  if (step === null) {
    return null;
  }
  // The step's subject may not be on the screen: somebody goes on without a scan, after a miss, or elsewhere.
  const title =
    (step === 'figure' || step === 'coupon') && !isCardShown
      ? t(`shell.tour.${step}.unseen`)
      : t(`shell.tour.${step}.title`);
  const isLast = step === tourSteps.at(-1);
  return (
    <section className="tour" aria-label={t('shell.tour.title')}>
      <p className="tour-place">
        {t('shell.tour.place', { place: tourSteps.indexOf(step) + 1, total: tourSteps.length })}
      </p>
      <p className="tour-text" role="status">
        <strong>{title}</strong>{' '}
        {t(step === 'scan' && isPractice && isAtLookup ? 'shell.tour.scan.practice' : `shell.tour.${step}.text`)}
      </p>
      <div className="tour-buttons">
        {!isLast && (
          <Button variant="subtle" onClick={() => void end()}>
            {t('shell.tour.skip')}
          </Button>
        )}
        <Button onClick={() => void goOn(step)}>{t(isLast ? 'shell.tour.done' : 'shell.tour.next')}</Button>
      </div>
    </section>
  );
}
