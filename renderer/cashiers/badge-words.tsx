import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSecondsUntil } from '../dom/clock.ts';
import { formatSeconds } from '../formats/times.ts';
import { CheckIcon, WarningIcon } from '../ui/icons.tsx';
import type { BadgeOutcome } from './badge-store.ts';

/** A sentence for each thing that may become of a badge. */
export function BadgeWords({ shown }: { readonly shown: BadgeOutcome }): ReactElement {
  const { t, language } = useWords();
  const isGood = shown.outcome === 'came' || shown.outcome === 'here';
  const waitS = useSecondsUntil(shown.outcome === 'failed' ? shown.waitUntil : null);
  return (
    <p className="badge-note line-3" role={isGood ? 'status' : 'alert'} data-outcome={shown.outcome}>
      {isGood ? <CheckIcon size={24} /> : <WarningIcon size={24} />}
      <span>
        {shown.outcome === 'failed'
          ? t(`failure.${shown.kind}.says`)
          : t(`cashiers.badge.said.${shown.outcome}`, { email: 'email' in shown ? shown.email : '' })}
        {waitS !== null && (
          <span aria-hidden="true"> {t('lock.pin.wait', { time: formatSeconds(waitS, language) })}</span>
        )}
      </span>
    </p>
  );
}
