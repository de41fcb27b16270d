import type { ReactElement } from 'react';
import { PinPart } from '../lock/pin-part.tsx';
import { useNavigation, useTerminal, useWords } from '../stores/context.tsx';
import { useKeptSignIn } from './use-kept-sign-in.ts';

/** The PIN of whoever is signed in; not there in practice, or where the manager allows none. */
export function OwnPin(): ReactElement | null {
  const { t } = useWords();
  const hasPin = useTerminal(({ session, cashiers }) => cashiers.users.some(({ email }) => email === session.email));
  const keptDays = useTerminal((state) => state.cashierChange.keptDays);
  const keptSignIn = useKeptSignIn();
  const { isSettingPin, setPin } = useNavigation((navigation) => navigation);
  const isPractice = useTerminal((state) => state.practice !== null);
  if (isPractice || (keptDays === 0 && !hasPin)) {
    return null;
  }
  return (
    <PinPart
      whose="own"
      title={t('cashiers.own.title')}
      hasPin={hasPin}
      state={hasPin ? 'locked' : 'none'}
      before={keptSignIn}
      asked={{ isNow: isSettingPin, taken: () => setPin(false) }}
      says={t(hasPin ? 'cashiers.own.has' : 'cashiers.own.hasNone')}
      about={[t('cashiers.own.explain', { count: keptDays })]}
    />
  );
}
