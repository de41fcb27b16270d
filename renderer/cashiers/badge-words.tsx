import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSecondsUntil } from '../dom/clock.ts';
import { formatSeconds } from '../formats/times.ts';
import { CheckIcon, WarningIcon } from '../ui/icons.tsx';
import type { BadgeSaid } from './badge-store.ts';

/** A sentence for each thing that may become of a badge. */
export function BadgeWords({ said }: { readonly said: BadgeSaid }): ReactElement {
  const { t, language } = useWords();
  const isGood = said.outcome === 'came' || said.outcome === 'here';
  const waitS = useSecondsUntil(said.outcome === 'failed' ? said.waitUntil : null);
  return (
    <p className="badge-note" role={isGood ? 'status' : 'alert'} data-outcome={said.outcome}>
      {isGood ? <CheckIcon size={24} /> : <WarningIcon size={24} />}
      <span>
        {said.outcome === 'failed'
          ? t(`failure.${said.kind}.says`)
          : t(`cashiers.badge.said.${said.outcome}`, { email: 'email' in said ? said.email : '' })}
        {waitS !== null && (
          <span aria-hidden="true"> {t('lock.pin.wait', { time: formatSeconds(waitS, language) })}</span>
        )}
      </span>
    </p>
  );
}
