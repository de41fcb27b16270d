import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Elsewhere } from '../queue/elsewhere.tsx';
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

const LockScreen = lazyPart(async () => (await import('../cashiers/lock-screen.tsx')).LockScreen);

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
    <div className="stack-2">
      <Button variant="default" size="lg" fullWidth leftSection={<ScanIcon size={22} />} onClick={begin}>
        {t('signIn.lookUp.button')}
      </Button>
      <p className="hint">
        {moment === null
          ? t('signIn.lookUp.begun')
          : t('signIn.lookUp.hint', { moment: formatMoment(moment, now, language) })}
      </p>
    </div>
  );
}

/** Why this screen came by itself, and whoever cannot send now: their changes wait. */
function Unsent(): ReactElement | null {
  const { t } = useWords();
  const hasEnded = useTerminal(({ session }) => session.state === 'ended');
  // While nobody is signed in, every change that waits for this company is somebody else's.
  const unsent = useTerminal((state) => state.queue.ofOthers);
  return (
    <>
      {hasEnded && (
        <p className="notice" role="status">
          {t('signIn.ended')}
        </p>
      )}
      {unsent.count > 0 && (
        <p className="notice">{t('signIn.unsent', { count: unsent.count, emails: unsent.emails.join(', ') })}</p>
      )}
    </>
  );
}

/** Another connection, and another profile where there is one. */
function OtherWays({ refused = null }: { readonly refused?: string | null }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const kept = useTerminal((state) => state.profiles.find(({ profileId }) => profileId === state.profileId) ?? null);
  const hasOthers = useTerminal((state) => state.profiles.length > 1);
  const connect = useNavigation((navigation) => navigation.connect);
  const [failure, setFailure] = useState<Failure | null>(null);
  const leave = async (): Promise<void> => {
    const left = await bridge.call('profile:leave', {});
    setFailure(left.ok ? null : left.failure);
  };
  return (
    <>
      <Button variant="subtle" fullWidth onClick={() => connect({ profile: kept, refused })}>
        {t('signIn.leave')}
      </Button>
      {hasOthers && (
        <Button variant="subtle" fullWidth onClick={() => void leave()}>
          {t('signIn.otherProfile')}
        </Button>
      )}
      <FailureNotice failure={failure} />
    </>
  );
}

/** Where one signs in: the profile's name, and its company. */
function usePlace(): string | null {
  const { t } = useWords();
  const profile = useTerminal((state) => state.profile);
  const name = useTerminal(
    (state) => state.profiles.find(({ profileId }) => profileId === state.profileId)?.name ?? null,
  );
  const company = profile === null ? null : t('shell.header.company', { id: profile.companyId });
  return name === null || company === null ? company : `${name} \u00b7 ${company}`;
}

/** The way in for cashiers who have a PIN here, all on one screen. */
function SignInByPin(): ReactElement {
  const canLook = useTerminal(canLookUp);
  const place = usePlace();
  const cut = useCut();
  return (
    <Entry
      forTechnician={<OtherWays />}
      place={
        <>
          <p className="entry-place">{place}</p>
          {cut !== null && <ConnectionStatus />}
        </>
      }
    >
      <LockScreen>
        <Unsent />
        {canLook && <LookUpInstead />}
      </LockScreen>
    </Entry>
  );
}

/** For the profile that is set up: the names of who has a PIN here, else e-mail and password. */
export function SignIn(): ReactElement {
  const { t } = useWords();
  const profile = useTerminal((state) => state.profile);
  const name = useTerminal(
    (state) => state.profiles.find(({ profileId }) => profileId === state.profileId)?.name ?? null,
  );
  const canLook = useTerminal(canLookUp);
  const cut = useCut();
  const isPinPossible = useTerminal(({ cashiers }) => cashiers.users.some(({ canComeBack }) => canComeBack));

  if (isPinPossible) {
    return <SignInByPin />;
  }
  return (
    <Entry>
      <div className="panel form-narrow stack-4">
        <h1>{t('signIn.title')}</h1>
        {profile !== null && (
          <p className="lead">
            {t('signIn.to')} {name !== null && <strong>{name} · </strong>}
            <span className="mono">{hostOf(profile.platformUrl)}</span>
            {' · '}
            {t('shell.header.company', { id: profile.companyId })}
          </p>
        )}
        <Unsent />
        <Elsewhere />
        {cut !== null && <p className="notice">{t(`signIn.${cut}.${canLook ? 'lookup' : 'alone'}`)}</p>}
        <SignInForm otherWays={(refused) => <OtherWays refused={refused} />}>{canLook && <LookUpInstead />}</SignInForm>
      </div>
    </Entry>
  );
}
