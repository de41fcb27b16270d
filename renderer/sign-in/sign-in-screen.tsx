import { Button } from '@mantine/core';
import { Suspense, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { ConnectionStatus } from '../connection/connection-status.tsx';
import { useCut, useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { ScanIcon } from '../ui/icons.tsx';
import { copyMomentOf } from '../formats/blocked-by.ts';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { canLookUp } from '../../app/contract/access.ts';
import { hostOf } from '../formats/profiles.ts';
import { Entry } from './entry.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const CashierEntry = lazyPart(async () => (await import('../cashiers/cashier-entry.tsx')).CashierEntry);

/** The way to the copy, for whoever will not sign in, or cannot. */
function LookUpInstead(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const { go, lookUp } = useNavigation((navigation) => navigation);
  const begin = (): void => {
    go('lookup');
    lookUp(true);
  };
  const moment = useTerminal((state) => copyMomentOf(state.catalogue.stocks));
  return (
    <div className="sign-in-instead">
      <Button variant="default" size="lg" fullWidth leftSection={<ScanIcon size={22} />} onClick={begin}>
        {t('signIn.lookUp.button')}
      </Button>
      <p className="hint">
        {moment === null
          ? t('signIn.lookUp.begun')
          : t('signIn.lookUp.hint', { moment: formatMoment(moment, Math.max(now, moment), language) })}
      </p>
    </div>
  );
}

/** E-mail and password, for the profile that is set up. */
export function SignIn(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const profile = useTerminal((state) => state.profile);
  const kept = useTerminal((state) => state.profiles.find(({ profileId }) => profileId === state.profileId) ?? null);
  const name = kept?.name ?? null;
  const hasOthers = useTerminal((state) => state.profiles.length > 1);
  // While nobody is signed in, every change that waits is somebody else's.
  const unsent = useTerminal((state) => state.queue.ofOthers);
  const connect = useNavigation((navigation) => navigation.connect);
  const canLook = useTerminal(canLookUp);
  const cut = useCut();
  const { users, lockedEmail } = useTerminal((state) => state.cashiers);
  /** Whose password is asked for, or empty for anybody's; null while a PIN is. */
  const [passwordOf, setPasswordOf] = useState<string | null>(null);
  const isPinPossible = users.some(({ canComeBack }) => canComeBack);
  const hasPins = isPinPossible && passwordOf === null;
  const [failure, setFailure] = useState<Failure | null>(null);

  const leave = async (): Promise<void> => {
    const left = await bridge.call('profile:leave', {});
    setFailure(left.ok ? null : left.failure);
  };

  return (
    <Entry>
      <div className={hasPins ? 'panel form form-wide' : 'panel form-narrow'}>
        <h1>{t(lockedEmail === null ? 'signIn.title' : 'cashiers.locked')}</h1>
        {profile !== null && (
          <p className="lead">
            {lockedEmail === null && `${t('signIn.to')} `}
            {name !== null && <strong>{name} · </strong>}
            <span className="mono">{hostOf(profile.platformUrl)}</span>
            {' · '}
            {t('header.company', { id: profile.companyId })}
          </p>
        )}
        {lockedEmail !== null && <p className="hint">{t('cashiers.goesOn', { email: lockedEmail })}</p>}
        {unsent.count > 0 && (
          <p className="notice">{t('signIn.unsent', { count: unsent.count, emails: unsent.emails.join(', ') })}</p>
        )}
        {cut !== null && hasPins && <ConnectionStatus />}
        {cut !== null && !hasPins && <p className="notice">{t(`signIn.${cut}.${canLook ? 'lookup' : 'alone'}`)}</p>}
        {hasPins ? (
          <Suspense fallback={null}>
            <CashierEntry onPassword={setPasswordOf} />
          </Suspense>
        ) : (
          <SignInForm key={passwordOf} {...(passwordOf === null || passwordOf === '' ? {} : { of: passwordOf })} />
        )}
        {passwordOf !== null && isPinPossible && (
          <Button variant="default" size="md" fullWidth onClick={() => setPasswordOf(null)}>
            {t('cashiers.withPin')}
          </Button>
        )}
        {canLook && <LookUpInstead />}
        <Button variant="subtle" size="md" fullWidth onClick={() => connect({ profile: kept })}>
          {t('signIn.leave')}
        </Button>
        {hasOthers && (
          <Button variant="subtle" size="md" fullWidth onClick={() => void leave()}>
            {t('signIn.otherProfile')}
          </Button>
        )}
        <FailureNotice failure={failure} />
      </div>
    </Entry>
  );
}
