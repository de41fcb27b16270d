import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { OfflineIcon, OnlineIcon, WarningIcon } from '../ui/icons.tsx';

function StateIcon({ state }: { readonly state: string }): ReactElement {
  if (state === 'offline') {
    return <OfflineIcon size={22} />;
  }
  return state === 'noAnswer' || state === 'signIn' ? <WarningIcon size={22} /> : <OnlineIcon size={22} />;
}

/** What the snapshot says of the connection, and since when it is cut. */
export function ConnectionStatus(): ReactElement {
  const { t, language } = useWords();
  const { state, since } = useTerminal((terminal) => terminal.connection);
  const now = useNow(since ?? undefined);
  return (
    <div role="status" aria-label={t('connection.name')} className="connection" data-state={state}>
      <StateIcon state={state} />
      <span>
        <span className="connection-state">{t(`connection.${state}`)}</span>
        {since !== null && (
          <span className="connection-since">
            {t('connection.since', { moment: formatMoment(since, now, language) })}
          </span>
        )}
      </span>
    </div>
  );
}
