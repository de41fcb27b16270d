import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { BadgeDialog } from './badge-dialog.tsx';
import { useKeptSignIn } from './use-kept-sign-in.ts';

/** The badge of whoever is signed in and has a PIN; not there where the manager allows none. */
export function OwnBadge(): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const own = useTerminal(({ session, cashiers }) => cashiers.users.find(({ email }) => email === session.email));
  const mayHave = useTerminal(({ cashierChange }) => cashierChange.badges && cashierChange.keptDays > 0);
  const [isMaking, setMaking] = useState(false);
  const keptSignIn = useKeptSignIn();
  const [failure, setFailure] = useState<Failure | null>(null);
  if (own === undefined || (!mayHave && !own.hasBadge)) {
    return null;
  }
  const make = async (): Promise<void> => setMaking(await keptSignIn.ask());
  const remove = async (): Promise<void> => {
    const removed = await bridge.call('cashier:removeBadge', {});
    setFailure(removed.ok ? null : removed.failure);
  };
  return (
    <SettingsPart title={t('cashiers.badge.title')} about={[t('cashiers.badge.explain')]}>
      <p role="status">{t(own.hasBadge ? 'cashiers.badge.has' : 'cashiers.badge.hasNone')}</p>
      <div className="buttons">
        {mayHave && (
          <Button variant="default" aria-busy={keptSignIn.isAsking} onClick={() => void make()}>
            {t(own.hasBadge ? 'cashiers.badge.makeNew' : 'cashiers.badge.make')}
          </Button>
        )}
        {own.hasBadge && (
          <Button variant="default" onClick={() => void remove()}>
            {t('cashiers.badge.remove')}
          </Button>
        )}
      </div>
      {keptSignIn.why !== null && (
        <p className="notice" role="alert" data-kind="warn">
          {keptSignIn.why}
        </p>
      )}
      <FailureNotice failure={failure} />
      {isMaking && <BadgeDialog email={own.email} close={() => setMaking(false)} />}
    </SettingsPart>
  );
}
