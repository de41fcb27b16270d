import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ReactElement,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import { isNetworkFailure, type Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { ConnectionReportList } from '../connection/connection-report.tsx';
import { useConnectionTrial } from '../connection/use-connection-trial.ts';
import { problemAt, withoutProblemsAt } from '../formats/field-problems.ts';
import { fieldRefused, type ConnectField } from './connect-form-check.ts';
import { emailDraft } from './email-draft.ts';
import { FailureText } from '../ui/failure-text.tsx';

type Field = 'email' | 'password' | 'clientSecret';
type Wrong = 'missing' | 'tooLong';

/** The platform's name for each input (API v3 §2 "Token request"). */
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
  clientSecret: 'signIn.connect.reason.missing',
} as const;

/** As the contract takes them. */
const longest: Readonly<Record<Field, number>> = { email: 320, password: 1000, clientSecret: 1000 };

/** Undefined when it can be sent. */
function wrongOf(text: string, longestText: number): Wrong | undefined {
  if (text === '') {
    return 'missing';
  }
  return text.length > longestText ? 'tooLong' : undefined;
}

/**
 * RFC 6749 §5.2 and the fields that are named tell a wrong client from a wrong user; else API v3 §5 rule 6 leaves both
 * in doubt.
 */
function refusedOf(failure: Failure): 'client' | 'user' | null {
  if (failure.code === 'invalid_client' || problemAt(failure, clientNames) !== null) {
    return 'client';
  }
  return failure.code === 'invalid_grant' || problemAt(failure, userNames) !== null ? 'user' : null;
}

/** Where nothing was answered, nothing is wrong with what was typed; and whoever signs in has changed nothing yet. */
function wordsOf(
  failure: Failure,
  isClientGood: boolean,
  t: TFunction,
): { readonly says: string; readonly advice: string } | undefined {
  const { kind } = failure;
  switch (kind) {
    case 'credentialsRejected': {
      const refused = refusedOf(failure) ?? (isClientGood ? 'user' : null);
      const of =
        refused === null ? ('failure.credentialsRejected' as const) : (`connection.report.wrong.${refused}` as const);
      return { says: t(`${of}.says`), advice: t(`${of}.advice`) };
    }
    case 'notFound':
    case 'refused':
      // The token endpoint is not there: nothing that was typed here is wrong, but the address (API v3 §4.1).
      return { says: t('signIn.notHere.says'), advice: t('signIn.notHere.advice') };
    case 'unreachable':
    case 'timedOut':
      return { says: t(`failure.${kind}.says`), advice: t('signIn.notReached') };
    default:
      return undefined;
  }
}

/** Why somebody could not sign in; what is said at one of the fields `placed` is left out. */
function Refused({ failure, placed }: { readonly failure: Failure; readonly placed: readonly string[] }): ReactElement {
  const { t } = useWords();
  // Others sign in by the same client, or whoever is back was signed in by it.
  const isClientGood = useTerminal(
    ({ cashiers, isSecretNeeded, session }) =>
      !isSecretNeeded && (session.state === 'ended' || cashiers.users.some(({ canComeBack }) => canComeBack)),
  );
  const box = useRef<HTMLDivElement>(null);
  // The platform's own words are its end, and the keyboard stays in the form above.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  return (
    <div ref={box} className="notice" data-kind="bad" role="alert">
      <FailureText failure={withoutProblemsAt(failure, placed)} withReason words={wordsOf(failure, isClientGood, t)} />
    </div>
  );
}

function Failed({ report }: { readonly report: ConnectionReport }): ReactElement {
  const { t } = useWords();
  return (
    <div className="notice" data-kind="bad" role="alert">
      <p className="failure-says">{t('connection.report.failed')}</p>
      <ConnectionReportList report={report} />
    </div>
  );
}

interface SignInFormProps {
  /** Whose e-mail is typed already; empty for nobody's. Unless given, that of whoever is most likely at the till. */
  readonly of?: string;
  readonly onSignedIn?: () => void;
  /** Below the form. */
  readonly children?: ReactNode;
  /** Behind all; before what went wrong once that may be the connection, for it may fill the screen. */
  readonly otherWays?: (refused: ConnectField | null) => ReactNode;
}

const onlyOf = <One,>([one, ...others]: readonly One[]): One | null => (others.length === 0 ? (one ?? null) : null);

/** Calls `onSignedIn` when the platform has accepted the sign-in. */
export function SignInForm({ of, onSignedIn, children, otherWays }: SignInFormProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  // Nobody else's changes wait, or nobody else has a PIN: whoever that is, is most likely at the till again.
  const known = useTerminal(
    ({ session, queue, cashiers }) =>
      of ?? session.email ?? onlyOf(queue.ofOthers.emails) ?? onlyOf(cashiers.users)?.email ?? '',
  );
  // That it has ended is said by whoever opens this; the refusal that ended it is no answer to what is typed here.
  const earlier = useTerminal(({ session }) => (session.state === 'ended' ? null : session.failure));
  const isSecretNeeded = useTerminal((state) => state.isSecretNeeded);
  // What was typed for somebody else is not for whoever takes a tile of their own.
  const [email, setEmail] = useDraft(emailDraft(of), known);
  const [password, setPassword] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const values: Readonly<Record<Field, string>> = { email, password, clientSecret };
  const setters = { email: setEmail, password: setPassword, clientSecret: setClientSecret };
  const [wrong, setWrong] = useState<Readonly<Partial<Record<Field, Wrong>>>>({});
  const { isWorking, report, failure, run } = useConnectionTrial();
  const shown = failure ?? (report === null ? earlier : null);
  // The platform does not tell a wrong password from a wrong secret; the one that was given may well be right.
  const isSecretDoubted = isSecretNeeded && shown?.kind === 'credentialsRejected' && shown.code !== 'invalid_client';

  const whereSecretIs = earlier?.kind === 'vaultLocked' ? 'signIn.secretInKeychain' : 'signIn.secretNeeded';
  const secretWords = isSecretDoubted ? 'signIn.secretDoubted' : whereSecretIs;

  const errorAt = (field: Field): string | undefined => {
    const why = wrong[field];
    if (why !== undefined) {
      return why === 'tooLong' ? t('signIn.tooLong', { max: longest[field] }) : t(missingWords[field]);
    }
    const words = problemAt(failure, platformNames[field]);
    return words === null ? undefined : t('failure.atField', { words });
  };
  const input = (field: Field) => ({
    name: field,
    value: values[field],
    error: errorAt(field),
    disabled: isWorking,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setters[field](event.currentTarget.value),
  });

  const signIn = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = { ...values, email: email.trim() };
    const isSecretWanted = isSecretNeeded && !(isSecretDoubted && clientSecret === '');
    const asked: readonly Field[] = isSecretWanted ? ['email', 'password', 'clientSecret'] : ['email', 'password'];
    const found = Object.fromEntries(asked.map((field) => [field, wrongOf(given[field], longest[field])]));
    setWrong(found);
    const first = asked.find((field) => found[field] !== undefined);
    if (first !== undefined) {
      form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const answer = await run(async () => {
      const signedIn = await bridge.call('session:signIn', {
        email: given.email,
        password,
        ...(isSecretNeeded && clientSecret !== '' ? { clientSecret } : {}),
      });
      if (signedIn.ok || !(isNetworkFailure(signedIn.failure) || refusedOf(signedIn.failure) === 'client')) {
        setPassword('');
      }
      if (signedIn.ok && signedIn.value.passed) {
        onSignedIn?.();
      }
      return signedIn;
    });
    if (!answer.ok || !answer.value.passed) {
      const isOfClient = !answer.ok && refusedOf(answer.failure) === 'client';
      const secret = isOfClient ? form.querySelector<HTMLInputElement>('[name="clientSecret"]') : null;
      const field = secret ?? form.querySelector<HTMLInputElement>('[name="password"]');
      field?.focus({ preventScroll: true });
    }
  };

  const tried = isSecretNeeded ? Object.values(platformNames).flat() : userNames;
  // An earlier attempt's refusal is shown at no field.
  const placed = failure === null ? [] : tried;
  const isDoubted = report?.passed === false || (shown !== null && !isNetworkFailure(shown));
  return (
    <form className="form" noValidate onSubmit={(event) => void signIn(event)}>
      <TextInput
        {...input('email')}
        type="email"
        label={t('signIn.email')}
        autoComplete="username"
        autoFocus={known === ''}
        data-autofocus={known === '' ? true : undefined}
      />
      <PasswordInput
        {...input('password')}
        label={t('signIn.password')}
        autoComplete="current-password"
        autoFocus={known !== ''}
        data-autofocus={known !== '' ? true : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('ui.form.reveal') }}
      />
      {isSecretNeeded && (
        <PasswordInput
          {...input('clientSecret')}
          label={t('signIn.connect.clientSecret.label')}
          description={t(secretWords)}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('ui.form.reveal') }}
        />
      )}
      {/* Before what went wrong, which may be long: it stays in sight. */}
      <Button type="submit" size="lg" fullWidth loading={isWorking}>
        {t('signIn.button')}
      </Button>
      {isDoubted && otherWays?.(fieldRefused(report, shown))}
      {report?.passed === false && <Failed report={report} />}
      {shown !== null && !isWorking && <Refused failure={shown} placed={placed} />}
      {children}
      {!isDoubted && otherWays?.(null)}
    </form>
  );
}
