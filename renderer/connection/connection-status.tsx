import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { OfflineIcon, OnlineIcon } from '../ui/icons.tsx';

/** Online, or Offline with since when. In safe mode nobody asks until a person does: it is not being checked. */
export function ConnectionStatus(): ReactElement {
  const { t, language } = useWords();
  const { state, since } = useTerminal((terminal) => terminal.connection);
  const isSafeMode = useTerminal((terminal) => terminal.isSafeMode);
  const now = useNow(since);
  return (
    <div role="status" aria-label={t('connection.name')} className="connection" data-state={state}>
      {state === 'offline' ? <OfflineIcon size={22} /> : <OnlineIcon size={22} />}
      <span>
        <span className="connection-state">
          {t(state === 'unknown' && isSafeMode ? 'connection.resting' : `connection.${state}`)}
        </span>
        {state === 'offline' && (
          <span className="connection-since">
            {t('connection.since', { moment: formatMoment(since, now, language) })}
          </span>
        )}
      </span>
    </div>
  );
}
