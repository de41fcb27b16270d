import type { ReactElement } from 'react';
import { useIsSignedIn, useNavigation, useTerminal, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { OfflineIcon, OnlineIcon, WarningIcon } from '../ui/icons.tsx';

function StateIcon({ state }: { readonly state: string }): ReactElement {
  if (state === 'offline') {
    return <OfflineIcon size={22} />;
  }
  return state === 'noAnswer' || state === 'signIn' ? <WarningIcon size={22} /> : <OnlineIcon size={22} />;
}

/**
 * The connection's state, and since when it is cut; the way to sign in where that is what it wants.
 * While nobody is signed in, the button for it stands beside this and says so.
 */
export function ConnectionStatus(): ReactElement | null {
  const { t, language } = useWords();
  const { state, since } = useTerminal((terminal) => terminal.connection);
  const isPractice = useTerminal((terminal) => terminal.practice !== null);
  const isSignedIn = useIsSignedIn();
  const signIn = useNavigation((navigation) => navigation.signIn);
  const now = useNow(since ?? undefined);
  if (state === 'signIn' && !isSignedIn) {
    return null;
  }
  const words = (
    <>
      <StateIcon state={state} />
      <span>
        <span className="connection-state">{t(`connection.${state}`)}</span>
        {since !== null && (
          <span className="connection-since">
            {t('connection.since', { moment: formatMoment(since, now, language) })}
          </span>
        )}
      </span>
    </>
  );
  return (
    <div role="status" aria-label={t('connection.name')} className="connection-place">
      {state === 'signIn' && !isPractice ? (
        <button type="button" className="connection" data-state={state} onClick={() => signIn(true)}>
          {words}
        </button>
      ) : (
        <div className="connection" data-state={state}>
          {words}
        </div>
      )}
    </div>
  );
}
