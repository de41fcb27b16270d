// Owns the sign-in screen: who is at the till, at which company, and the way back to the connection. Never signs in by itself.
import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { FailureNotice } from '../components/failure-text.tsx';
import { SignInForm } from '../components/sign-in-form.tsx';
import { useNavigation, useStores, useTerminal, useWords } from '../context.tsx';
import { hostOf } from '../formats/profiles.ts';
import { Entry } from './entry.tsx';

/** E-mail and password, for the profile that is set up. */
export function SignIn(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const profile = useTerminal((state) => state.profile);
  const kept = useTerminal((state) => state.profiles.find(({ profileId }) => profileId === state.profileId) ?? null);
  const name = kept?.name ?? null;
  const hasOthers = useTerminal((state) => state.profiles.length > 1);
  // While nobody is signed in, every change that waits is somebody else's.
  const unsent = useTerminal((state) => state.queue.ofOthers);
  const isPractice = useTerminal((state) => state.mode === 'practice');
  const rememberLeft = useNavigation((navigation) => navigation.rememberLeft);
  const [failure, setFailure] = useState<Failure | null>(null);

  const leave = async (toChangeIt: boolean): Promise<void> => {
    rememberLeft(isPractice || !toChangeIt ? null : kept);
    const left = await wall.call('profile:leave', {});
    setFailure(left.ok ? null : left.failure);
  };

  return (
    <Entry>
      <div className="panel form-narrow">
        <h1>{t('signIn.title')}</h1>
        {profile !== null && (
          <p className="lead">
            {t('signIn.to')} {name !== null && <strong>{name} · </strong>}
            <span className="mono">{hostOf(profile.platformUrl)}</span>
            {' · '}
            {t('header.company', { id: profile.companyId })}
          </p>
        )}
        {unsent.count > 0 && <p className="notice">{t('signIn.unsent', { count: unsent.count, emails: unsent.emails.join(', ') })}</p>}
        <SignInForm />
        <Button variant="subtle" size="md" fullWidth onClick={() => void leave(true)}>
          {t('signIn.leave')}
        </Button>
        {hasOthers && (
          <Button variant="subtle" size="md" fullWidth onClick={() => void leave(false)}>
            {t('signIn.otherProfile')}
          </Button>
        )}
        <FailureNotice failure={failure} />
      </div>
    </Entry>
  );
}
