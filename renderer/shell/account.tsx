import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { useSecondsUntil } from '../dom/clock.ts';
import { formatSeconds } from '../formats/times.ts';
import { useIsSignedIn, useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ChevronIcon, LockIcon, SignOutIcon, UnlockedIcon, UserIcon } from '../ui/icons.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx';
import { PersonSign } from '../ui/person-sign.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';

/** The lock that a PIN has opened, and for how long still; null while it has opened none. */
function useOpenState(): string | null {
  const { t, language } = useWords();
  const openUntil = useTerminal((state) => state.lock.openUntil);
  const seconds = useSecondsUntil(openUntil);
  return openUntil === null ? null : t('lock.openFor', { time: formatSeconds(seconds ?? 0, language) });
}

/** Who is at the till and what a PIN has opened; below it, to lock, to let another come, and to sign out. */
export function Account(): ReactElement | null {
  const { t } = useWords();
  const { bridge, lookup, earlyPin } = useStores();
  const isSignedIn = useIsSignedIn();
  const own = useTerminal((state) => state.session.email);
  const email = isSignedIn ? own : null;
  const users = useTerminal((state) => state.cashiers.users);
  const letCome = useNavigation((navigation) => navigation.letCome);
  const asked = useStore(lookup, (store) => store.sequence);
  const openState = useOpenState();
  const [isLeaving, setLeaving] = useState(false);
  const take = useNavigation((navigation) => navigation.take);
  const goToPin = useNavigation((navigation) => navigation.setPin);
  const isPractice = useTerminal((state) => state.practice !== null);
  const canHavePin = useTerminal((state) => !isPractice && state.cashierChange.keptDays > 0);
  const canLock = email !== null && users.some((user) => user.email === email);

  const lock = (next: string | null): void => {
    letCome(next);
    if (next !== null) {
      earlyPin.begin(t('shell.account.change', { email: next }));
    }
    void bridge.call('cashier:lock', {}).then((locked) => {
      // Somebody else may have locked it, which this page may not have heard yet.
      if (!locked.ok && locked.failure.kind !== 'signInNeeded') {
        earlyPin.end();
      }
    });
  };
  useShortcut('lockTill', canLock ? () => lock(null) : null);

  const relock: MenuItem = {
    id: 'lockNow',
    icon: <LockIcon size={22} />,
    label: t('lock.again'),
    choose: () => void bridge.call('lock:lockNow', {}),
  };
  const lockTill: MenuItem = {
    id: 'lock',
    icon: <LockIcon size={22} />,
    label: (
      <>
        {t('cashiers.lock')} <KeyHint of="lockTill" />
      </>
    ),
    keys: ariaKeysOf('lockTill'),
    choose: () => lock(null),
  };
  const others = users
    .filter((user) => user.email !== email && user.canComeBack)
    .map((user): MenuItem => ({
      id: `change ${user.email}`,
      icon: <PersonSign email={user.email} />,
      label: t('shell.account.change', { email: user.email }),
      choose: () => lock(user.email),
    }));
  const setPin: MenuItem = {
    id: 'setPin',
    icon: <UnlockedIcon size={22} />,
    label: t('shell.account.setPin'),
    choose: () => {
      take('#settings/general');
      goToPin(true);
    },
  };
  const signOut: MenuItem = {
    id: 'signOut',
    icon: <SignOutIcon size={22} />,
    label: t(isPractice ? 'practice.leave' : 'shell.signOut.button'),
    choose: () => setLeaving(true),
  };
  const items = [
    ...(openState === null ? [] : [relock]),
    ...(canLock ? [lockTill, ...others] : []),
    ...(email !== null && !canLock && canHavePin ? [setPin] : []),
    ...(isSignedIn ? [signOut] : []),
  ];
  return items.length === 0 ? null : (
    <>
      <MenuButton
        name={t('shell.account.name')}
        className="account"
        about={`${asked} ${email ?? ''}`}
        head={email === null ? null : <p className="menu-head">{t('shell.account.signedIn', { email })}</p>}
        items={items}
      >
        {email === null ? <UserIcon size={24} /> : <PersonSign email={email} />}
        <span className="account-words">
          <span className="visually-hidden">{email ?? t('shell.account.nobody')}</span>
          <span className="account-email" aria-hidden="true">
            {email ?? t('shell.account.nobody')}
          </span>
          {openState !== null && (
            <span className="account-open">
              <UnlockedIcon size={16} /> {openState}
            </span>
          )}
        </span>
        <ChevronIcon size={18} />
      </MenuButton>
      <SignOutDialog isOpen={isLeaving} close={() => setLeaving(false)} />
    </>
  );
}
