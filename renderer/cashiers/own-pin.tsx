import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { PinChangeDialog, type PinChange } from '../lock/pin-change-dialog.tsx';
import { useTerminal, useWords } from '../stores/context.tsx';
import { LockIcon, UnlockedIcon } from '../ui/icons.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** The PIN of whoever is signed in; not there in practice, or where the manager allows none. */
export function OwnPin(): ReactElement | null {
  const { t } = useWords();
  const hasPin = useTerminal(({ session, cashiers }) => cashiers.users.some(({ email }) => email === session.email));
  const keptDays = useTerminal((state) => state.cashierChange.keptDays);
  const isPractice = useTerminal((state) => state.practice !== null);
  const [change, setChange] = useState<PinChange | null>(null);
  const [done, setDone] = useState<PinChange | null>(null);
  if (isPractice || (keptDays === 0 && !hasPin)) {
    return null;
  }
  const begin = (what: PinChange): void => {
    setDone(null);
    setChange(what);
  };
  return (
    <SettingsPart title={t('cashiers.own.title')}>
      <p className="lock-standing" data-standing={hasPin ? 'locked' : 'none'} role="status">
        {hasPin ? <LockIcon size={28} /> : <UnlockedIcon size={28} />}
        <span>
          {t(hasPin ? 'cashiers.own.has' : 'cashiers.own.hasNone')}
          {done !== null && <> {t(`lock.done.${done}`)}</>}
        </span>
      </p>
      <div className="buttons">
        {hasPin ? (
          <>
            <Button variant="default" onClick={() => begin('change')}>
              {t('lock.change')}
            </Button>
            <Button variant="default" onClick={() => begin('remove')}>
              {t('lock.remove')}
            </Button>
          </>
        ) : (
          <Button onClick={() => begin('set')}>{t('lock.set')}</Button>
        )}
      </div>
      <p className="hint">{t('cashiers.own.explain', { count: keptDays })}</p>
      <PinChangeDialog whose="own" change={change} close={() => setChange(null)} onDone={setDone} />
    </SettingsPart>
  );
}
