import type { ReactElement } from 'react';
import type { Nearness } from '../formats/batches.ts';
import { useWords } from '../stores/context.tsx';
import { ClockIcon, CrossIcon, WarningIcon } from './icons.tsx';

/** The sign of how near an expiry is. */
export function NearnessSign({ kind }: Pick<Nearness, 'kind'>): ReactElement {
  switch (kind) {
    case 'expired':
      return <CrossIcon size={20} />;
    case 'today':
      return <WarningIcon size={20} />;
    case 'near':
    case 'later':
      return <ClockIcon size={20} />;
  }
}

/** How near an expiry is, in words. */
export function NearnessWords({ kind, days }: Nearness): ReactElement {
  const { t } = useWords();
  return (
    <>
      {kind === 'today'
        ? t('lookup.details.expiresToday')
        : t(kind === 'expired' ? 'lookup.details.expired' : 'lookup.details.expiresIn', { count: days })}
    </>
  );
}
