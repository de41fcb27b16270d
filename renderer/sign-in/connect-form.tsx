import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { fitText } from '../../app/domain/visible-text.ts';
import type { KeptProfile } from '../../app/contract/profiles.ts';
import { ConnectionReportList, Testing } from '../connection/connection-report.tsx';
import { useConnectionTrial, type ConnectionTrial } from '../connection/use-connection-trial.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { useNavigation, useStores, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { useFocusedAnswer } from '../dom/focus.ts';
import { problemAt, withoutProblemsAt } from '../formats/field-problems.ts';
import { emailDraft } from './email-draft.ts';
import { Entry } from './entry.tsx';
import {
  checkConnectForm,
  fieldRefused,
  type ConnectField,
  type ConnectFields,
  type FieldReason,
} from './connect-form-check.ts';

/** Names that the platform may call each input by in a validation (API v3 §2 "Token request", §4). */
const platformNames: Readonly<Record<ConnectField, readonly string[]>> = {
  platformUrl: [],
  clientId: ['client_id'],
  clientSecret: ['client_secret'],
  companyId: ['Service-Company-Id', 'company_id'],
  stockIds: ['stockId', 'stock_ids'],
};

/** So that two fields stand level, however long the words about them are. */
const inputWrapperOrder = ['label' as const, 'input' as const, 'description' as const, 'error' as const];

const order: readonly ConnectField[] = ['platformUrl', 'clientId', 'clientSecret', 'companyId', 'stockIds'];

/** Why a secret that was not typed could not be had. */
const secretFailures = new Set<Failure['kind']>(['vaultLocked', 'vaultMoved', 'vaultUnavailable']);

const draftFields = ['name', 'platformUrl', 'clientId', 'companyId', 'stockIds'] as const;

/** The typed fields, and those kept of the profile that is changed. */
function useFields(profile: KeptProfile | null) {
  const { drafts } = useStores();
  // Text typed for one connection is no draft for another.
  const draft = `connect.${profile?.profileId ?? 'new'}`;
  const [name, setName] = useDraft(`${draft}.name`, profile?.name ?? '');
  const [platformUrl, setPlatformUrl] = useDraft(`${draft}.platformUrl`, profile?.platformUrl ?? '');
  const [clientId, setClientId] = useDraft(`${draft}.clientId`, profile?.clientId ?? '');
  const [companyId, setCompanyId] = useDraft(`${draft}.companyId`, profile?.companyId ?? '');
  const [stockIds, setStockIds] = useDraft(`${draft}.stockIds`, profile?.stockIds.join(', ') ?? '');
  // A secret is never a draft.
  const [clientSecret, setClientSecret] = useState('');
  const setField: Readonly<Record<ConnectField | 'name', (text: string) => void>> = {
    name: setName,
    platformUrl: setPlatformUrl,
    clientId: setClientId,
    clientSecret: setClientSecret,
    companyId: setCompanyId,
    stockIds: setStockIds,
  };
  return {
    name,
    fields: { platformUrl, clientId, clientSecret, companyId, stockIds } satisfies ConnectFields,
    setField,
    dropDrafts: () => drafts.getState().drop(draftFields.map((field) => `${draft}.${field}`)),
  };
}

type Refused = Pick<ConnectionTrial, 'report' | 'failure'>;

/** The platform's, or the trial's, refusal of an input. */
function refusalAt(field: ConnectField, { report, failure }: Refused, t: TFunction): string | undefined {
  const failedStep = report?.steps.find((step) => step.outcome === 'failed');
  const words = problemAt(failure ?? failedStep?.failure ?? null, platformNames[field]);
  if (words !== null) {
    return t('failure.atField', { words });
  }
  const isWrongAddress = field === 'platformUrl' && (failedStep?.step === 'address' || failedStep?.step === 'tls');
  return isWrongAddress ? t('signIn.connect.refused') : undefined;
}

/** The reasons make the form taller: the field comes into sight where it then is. */
function focusField(form: ParentNode, name: ConnectField | 'password' | undefined): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
  });
}

/** Why the connection was refused, without what stands at the inputs. */
function Refusal({ report, failure }: Refused): ReactElement {
  const { t } = useWords();
  const answer = useFocusedAnswer(report ?? failure);
  const isBehindPin = failure?.kind === 'signInNeeded';
  const words = { says: t('failure.signInNeeded.says'), advice: t('signIn.connect.signInFirst') };
  return (
    <div ref={answer} tabIndex={-1} className="answer-place">
      {report?.passed === false && (
        <div role="alert">
          <h2>{t('connection.report.failed')}</h2>
          <ConnectionReportList report={report} />
        </div>
      )}
      {failure !== null && (
        <div className="notice" data-kind="bad" role="alert">
          <FailureText
            failure={withoutProblemsAt(failure, Object.values(platformNames).flat())}
            words={isBehindPin ? words : undefined}
            withReason
          />
        </div>
      )}
    </div>
  );
}

/** Five fields, a name and a button, over the open store, if there is one. */
function ConnectForm(): ReactElement {
  const { t } = useWords();
  const { bridge, readTerminal, drafts } = useStores();
  const { connecting, connect: open, go } = useNavigation((navigation) => navigation);
  const profile = connecting?.profile ?? null;
  const first = connecting?.refused ?? (profile === null ? 'platformUrl' : 'clientSecret');
  const { name, fields, setField, dropDrafts } = useFields(profile);
  const [reasons, setReasons] = useState<Readonly<Partial<Record<ConnectField, FieldReason>>>>({});
  const [isChanged, setChanged] = useState<readonly ConnectField[]>([]);
  const { isWorking, report, failure, run, forget } = useConnectionTrial();

  const connect = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const check = checkConnectForm(fields, profile);
    setReasons(check.ok ? {} : check.reasons);
    forget();
    setChanged([]);
    if (!check.ok) {
      focusField(
        form,
        order.find((field) => check.reasons[field] !== undefined),
      );
      return;
    }
    const given = fitText(name, 60);
    const email = drafts.getState().typed[emailDraft()];
    const tried = await run(async () => {
      const connected = await bridge.call('profile:connect', {
        ...check.input,
        name: given,
        ...(profile === null ? {} : { profileId: profile.profileId }),
      });
      if (connected.ok && connected.value.passed) {
        await readTerminal();
        dropDrafts();
        // Whoever corrects a connection typed it for the same shop.
        if (profile !== null && email !== undefined && email !== '') {
          drafts.getState().type(emailDraft(), email);
          // The sign-in was there before it, with the keyboard in the e-mail.
          focusField(document, 'password');
        }
        go('lookup');
        open(null);
      }
      return connected;
    });
    if (!tried.ok && check.input.clientSecret === undefined && secretFailures.has(tried.failure.kind)) {
      setReasons({ clientSecret: 'missing' });
      focusField(form, 'clientSecret');
    }
    // Why it was refused stays in sight.
    const refused = fieldRefused(tried.ok ? tried.value : null);
    form.querySelector<HTMLInputElement>(`[name="${refused}"]`)?.focus({ preventScroll: true });
  };

  const errorAt = (field: ConnectField): string | undefined => {
    const reason = reasons[field];
    if (reason !== undefined) {
      return t(`signIn.connect.reason.${reason}`);
    }
    // A refusal of an input holds until it is changed.
    return isChanged.includes(field) ? undefined : refusalAt(field, { report, failure }, t);
  };
  const input = (field: ConnectField) => ({
    name: field,
    inputWrapperOrder,
    label: t(`signIn.connect.${field}.label`),
    description: t(`signIn.connect.${field}.help`),
    error: errorAt(field),
    value: fields[field],
    autoFocus: field === first,
    autoComplete: 'off',
    spellCheck: false,
    disabled: isWorking,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setField[field](value);
      setReasons((before) => ({ ...before, [field]: undefined }));
      setChanged((before) => [...before, field]);
    },
  });

  return (
    <form className="panel form form-wide" noValidate onSubmit={(event) => void connect(event)}>
      <h1>{t('signIn.connect.title')}</h1>
      <p className="lead">{t('signIn.connect.lead')}</p>
      <div className="form-pair stack-4">
        <TextInput {...input('platformUrl')} inputMode="url" placeholder="https://" />
        <TextInput {...input('clientId')} />
      </div>
      <div className="form-pair stack-4">
        <PasswordInput
          {...input('clientSecret')}
          description={t(profile === null ? 'signIn.connect.clientSecret.help' : 'signIn.connect.clientSecret.kept')}
          visibilityToggleButtonProps={{ 'aria-label': t('ui.form.reveal') }}
        />
        <TextInput {...input('companyId')} inputMode="numeric" />
      </div>
      <div className="form-pair stack-4">
        <TextInput {...input('stockIds')} />
        <TextInput
          inputWrapperOrder={inputWrapperOrder}
          label={t('settings.profiles.name')}
          description={t('settings.profiles.nameHelp')}
          value={name}
          maxLength={60}
          disabled={isWorking}
          onChange={(event) => setField.name(event.currentTarget.value)}
        />
      </div>
      <div className="form-actions">
        <Button type="button" size="lg" variant="default" onClick={() => open(null)} disabled={isWorking}>
          {t('ui.form.back')}
        </Button>
        <Button type="submit" size="lg" loading={isWorking}>
          {t('signIn.connect.continue')}
        </Button>
      </div>
      {isWorking && <Testing />}
      <Refusal report={report} failure={failure} />
    </form>
  );
}

/** The screen of the form. */
export function Connect(): ReactElement {
  return (
    <Entry>
      <ConnectForm />
    </Entry>
  );
}
