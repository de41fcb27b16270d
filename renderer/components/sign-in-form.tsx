// Owns the form for e-mail and password. Never tries again by itself, and forgets the password after each try.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../context.tsx';
import { FailureText } from './failure-text.tsx';

/** Calls `onSignedIn` when the platform has accepted the sign-in. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn?: () => void }): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const known = useTerminal((state) => state.session.email);
  const earlier = useTerminal((state) => state.session.failure);
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState({ email: false, password: false });
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const shown = failure ?? earlier;

  const signIn = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const lacks = { email: email.trim() === '', password: password === '' };
    setMissing(lacks);
    if (lacks.email || lacks.password) {
      form.querySelector<HTMLInputElement>(lacks.email ? '[name="email"]' : '[name="password"]')?.focus();
      return;
    }
    setWorking(true);
    setFailure(null);
    const answer = await wall.call('session:signIn', { email: email.trim(), password });
    setWorking(false);
    setPassword('');
    if (answer.ok) {
      onSignedIn?.();
    } else {
      setFailure(answer.failure);
    }
  };

  return (
    <form className="form" noValidate onSubmit={(event) => void signIn(event)}>
      <TextInput
        name="email"
        type="email"
        label={t('signIn.email')}
        autoComplete="username"
        value={email}
        error={missing.email && t('signIn.emailMissing')}
        disabled={isWorking}
        autoFocus={known === null}
        data-autofocus={known === null ? true : undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        name="password"
        label={t('signIn.password')}
        autoComplete="current-password"
        value={password}
        error={missing.password && t('signIn.passwordMissing')}
        disabled={isWorking}
        autoFocus={known !== null}
        data-autofocus={known !== null ? true : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('form.reveal') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {shown !== null && !isWorking && (
        <div className="notice" data-kind="bad" role="alert">
          <FailureText failure={shown} withReason />
        </div>
      )}
      <Button type="submit" size="lg" fullWidth loading={isWorking}>
        {t('signIn.button')}
      </Button>
    </form>
  );
}
