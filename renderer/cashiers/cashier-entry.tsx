import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { ownPinLength } from '../../app/contract/limits.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { PinEntry } from '../lock/pin-entry.tsx';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';

interface CashierEntryProps {
  /** Somebody wants to give their password; the e-mail is empty where it is not known. */
  readonly onPassword: (email: string) => void;
}

/** The names of who has a PIN here, and then the PIN. */
export function CashierEntry({ onPassword }: CashierEntryProps): ReactElement {
  const { t } = useWords();
  const { bridge, badge } = useStores();
  const { users, lockedEmail } = useTerminal((state) => state.cashiers);
  const locker = users.find(({ email, canComeBack }) => email === lockedEmail && canComeBack);
  const [chosen, setChosen] = useState<string | null>(locker?.email ?? null);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const user = users.find(({ email }) => email === chosen);
  const mayScan = useTerminal(({ cashierChange }) => cashierChange.badges);
  const badgeHint = mayScan && users.some(({ hasBadge, canComeBack }) => hasBadge && canComeBack) && (
    <p className="hint">{t('badge.orScan')}</p>
  );
  // Back at the names, the keyboard is at the first.
  const names = useRef<HTMLDivElement>(null);
  const hadChosen = useRef(false);
  useEffect(() => {
    if (chosen === null && hadChosen.current) {
      names.current?.querySelector('button')?.focus();
    }
    hadChosen.current = chosen !== null;
  }, [chosen]);

  const said = useStore(badge, (store) => store.said);
  useEffect(() => {
    if (said?.outcome === 'passwordFirst') {
      onPassword(said.email);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each badge
  }, [said]);

  const choose = (email: string | null): void => {
    setFailure(null);
    setChosen(email);
  };
  const comeBack = async (email: string, pin: string): Promise<void> => {
    setWorking(true);
    const came = await bridge.call('cashier:comeBack', { email, pin });
    setWorking(false);
    setFailure(came.ok ? null : came.failure);
    if (!came.ok && came.failure.kind === 'signInNeeded') {
      onPassword(email);
    }
  };

  if (user !== undefined) {
    return (
      <>
        {badgeHint}
        <PinEntry
          key={user.email}
          length={ownPinLength}
          label={t('pin.field')}
          action={t('signIn.button')}
          back={t('cashiers.others')}
          problem={failure === null ? null : t(`failure.${failure.kind}.says`)}
          waitUntil={user.waitUntil}
          isWorking={isWorking}
          onPin={(pin) => void comeBack(user.email, pin)}
          onCancel={() => choose(null)}
        >
          <p className="cashier-chosen">
            <strong>{user.email}</strong>
          </p>
        </PinEntry>
      </>
    );
  }
  return (
    <div ref={names} className="cashier-names" role="group" aria-label={t('cashiers.choose')}>
      <p>{t('cashiers.choose')}</p>
      {badgeHint}
      {users.map(({ email, canComeBack }) => (
        <Button
          key={email}
          className="cashier-name"
          variant="default"
          size="lg"
          fullWidth
          justify="start"
          onClick={() => (canComeBack ? choose(email) : onPassword(email))}
        >
          <span className="cashier-email">{email}</span>
          {!canComeBack && <span className="row-sub">{t('cashiers.passwordFirst')}</span>}
        </Button>
      ))}
      <Button variant="subtle" size="md" fullWidth onClick={() => onPassword('')}>
        {t('cashiers.withPassword')}
      </Button>
    </div>
  );
}
