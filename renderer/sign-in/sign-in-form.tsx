import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import { isNetworkFailure, type Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { ConnectionReportList } from '../connection/connection-report.tsx';
import { problemAt, withoutProblemsAt } from '../formats/field-problems.ts';
import { FailureText } from '../ui/failure-text.tsx';

type Field = 'email' | 'password' | 'clientSecret';
type Wrong = 'missing' | 'tooLong';

/** What the platform calls each input (API v3 §2 "Token request"). */
const platformNames: Readonly<Record<Field, readonly string[]>> = {
  email: ['username', 'email'],
  password: ['password'],
  clientSecret: ['client_secret'],
};
const clientNames = ['client_id', 'client_secret'];
const userNames = [...platformNames.email, ...platformNames.password];

const missingWords = {
  email: 'signIn.emailMissing',
  password: 'signIn.passwordMissing',
  clientSecret: 'connect.reason.missing',
} as const;

/** As the contract takes them. */
const longest: Readonly<Record<Field, number>> = { email: 320, password: 1000, clientSecret: 1000 };

/** Calls `onSignedIn` when the platform has accepted the sign-in. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn?: () => void }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  // Nobody else's changes wait: whose they are is most likely at the till again.
  const known = useTerminal(
    ({ session, queue }) =>
      session.email ?? (queue.ofOthers.emails.length === 1 ? queue.ofOthers.emails[0] : undefined) ?? null,
  );
  // That it has ended is said by whoever opens this; the refusal that ended it is no answer to what is typed here.
  const earlier = useTerminal(({ session }) => (session.state === 'ended' ? null : session.failure));
  const isSecretNeeded = useTerminal((state) => state.isSecretNeeded);
  const [email, setEmail] = useDraft('signIn.email', known ?? '');
  const [password, setPassword] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const [wrong, setWrong] = useState<Readonly<Partial<Record<Field, Wrong>>>>({});
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const shown = failure ?? (report === null ? earlier : null);
  // The platform does not tell a wrong password from a wrong secret; the one that was given may well be right.
  const isSecretDoubted = isSecretNeeded && shown?.kind === 'credentialsRejected';

  const refusalOf = (field: Field): string | undefined => {
    const words = isWorking ? null : problemAt(failure, platformNames[field]);
    return words === null ? undefined : t('failure.atField', { words });
  };
  const wrongAt = (field: Field): string | undefined =>
    wrong[field] === 'tooLong'
      ? t('signIn.tooLong', { most: longest[field] })
      : wrong[field] === 'missing'
        ? t(missingWords[field])
        : undefined;
  // RFC 6749 §5.2 and the fields that are named tell a wrong client from a wrong user; else API v3 §5 rule 6 leaves
  // both in doubt. Where nothing was answered, nothing is wrong with what was typed; and whoever signs in has changed
  // nothing yet.
  const toldOf = (told: Failure): { readonly says: string; readonly advice: string } | undefined => {
    const { code, kind } = told;
    const refused =
      code === 'invalid_client' || problemAt(told, clientNames) !== null
        ? 'client'
        : code === 'invalid_grant' || problemAt(told, userNames) !== null
          ? 'user'
          : null;
    return kind === 'credentialsRejected'
      ? refused === null
        ? { says: t('failure.credentialsRejected.says'), advice: t('failure.credentialsRejected.advice') }
        : { says: t(`report.wrong.${refused}.says`), advice: t(`report.wrong.${refused}.advice`) }
      : kind === 'notFound' || kind === 'refused'
        ? // What grants tokens is not there: nothing that was typed here is wrong, but the address (API v3 §4.1).
          { says: t('signIn.notHere.says'), advice: t('signIn.notHere.advice') }
        : kind === 'unreachable' || kind === 'timedOut'
          ? { says: t(`failure.${kind}.says`), advice: t('signIn.notReached') }
          : undefined;
  };
  const placed = isSecretNeeded ? Object.values(platformNames).flat() : userNames;

  const signIn = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed: [Field, string][] = [
      ['email', email.trim()],
      ['password', password],
      ...(isSecretNeeded && !(isSecretDoubted && clientSecret === '')
        ? [['clientSecret', clientSecret] satisfies [Field, string]]
        : []),
    ];
    const found = typed.flatMap(([field, text]): [Field, Wrong][] =>
      text === '' ? [[field, 'missing']] : text.length > longest[field] ? [[field, 'tooLong']] : [],
    );
    setWrong(Object.fromEntries(found));
    if (found[0] !== undefined) {
      form.querySelector<HTMLInputElement>(`[name="${found[0][0]}"]`)?.focus();
      return;
    }
    setWorking(true);
    setFailure(null);
    setReport(null);
    const answer = await bridge.call('session:signIn', {
      email: email.trim(),
      password,
      ...(isSecretNeeded && clientSecret !== '' ? { clientSecret } : {}),
    });
    setWorking(false);
    if (answer.ok || !isNetworkFailure(answer.failure)) {
      setPassword('');
    }
    if (answer.ok && answer.value.passed) {
      onSignedIn?.();
    } else {
      setReport(answer.ok ? answer.value : null);
      setFailure(answer.ok ? null : answer.failure);
      // The field is enabled again by the next rendering only.
      requestAnimationFrame(() =>
        form.querySelector<HTMLInputElement>('[name="password"]')?.focus({ preventScroll: true }),
      );
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
        error={wrongAt('email') ?? refusalOf('email')}
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
        error={wrongAt('password') ?? refusalOf('password')}
        disabled={isWorking}
        autoFocus={known !== null}
        data-autofocus={known !== null ? true : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('form.reveal') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {isSecretNeeded && (
        <PasswordInput
          name="clientSecret"
          label={t('connect.clientSecret.label')}
          description={t(isSecretDoubted ? 'signIn.secretDoubted' : 'signIn.secretNeeded')}
          autoComplete="off"
          value={clientSecret}
          error={wrongAt('clientSecret') ?? refusalOf('clientSecret')}
          disabled={isWorking}
          visibilityToggleButtonProps={{ 'aria-label': t('form.reveal') }}
          onChange={(event) => setClientSecret(event.currentTarget.value)}
        />
      )}
      {/* Before what went wrong, which may be long: it stays in sight. */}
      <Button type="submit" size="lg" fullWidth loading={isWorking}>
        {t('signIn.button')}
      </Button>
      {report !== null && (
        <div className="notice" data-kind="bad" role="alert">
          <p className="failure-says">{t('report.failed')}</p>
          <ConnectionReportList report={report} />
        </div>
      )}
      {shown !== null && !isWorking && (
        <div className="notice" data-kind="bad" role="alert">
          <FailureText
            failure={withoutProblemsAt(shown, failure === null ? [] : placed)}
            withReason
            told={toldOf(shown)}
          />
        </div>
      )}
    </form>
  );
}
