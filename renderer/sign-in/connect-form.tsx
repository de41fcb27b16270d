import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { ConnectionReportList, Testing } from '../connection/connection-report.tsx';
import { FailureText } from '../ui/failure-text.tsx';
import { useNavigation, useStores, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { useFocusedAnswer } from '../dom/focus.ts';
import { problemAt, withoutProblemsAt } from '../formats/field-problems.ts';
import { checkConnectForm, type ConnectField, type ConnectFields, type FieldReason } from './connect-form-check.ts';

/** What the platform may call each input in a validation (API v3 §2 "Token request", §4). */
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

const draftFields = ['name', 'platformUrl', 'clientId', 'companyId', 'stockIds'] as const;

/** Five fields, a name and a button, over the open store, if there is one. */
export function ConnectForm(): ReactElement {
  const { t } = useWords();
  const { bridge, drafts, readTerminal } = useStores();
  const { connecting, connect: open, go } = useNavigation((navigation) => navigation);
  const profile = connecting?.profile ?? null;
  // What is typed for one connection is no draft for another.
  const draft = `connect.${profile?.profileId ?? 'new'}`;
  const [name, setName] = useDraft(`${draft}.name`, profile?.name ?? '');
  const [platformUrl, setPlatformUrl] = useDraft(`${draft}.platformUrl`, profile?.platformUrl ?? '');
  const [clientId, setClientId] = useDraft(`${draft}.clientId`, profile?.clientId ?? '');
  const [companyId, setCompanyId] = useDraft(`${draft}.companyId`, profile?.companyId ?? '');
  const [stockIds, setStockIds] = useDraft(`${draft}.stockIds`, profile?.stockIds.join(', ') ?? '');
  // A secret is never a draft.
  const [clientSecret, setClientSecret] = useState('');
  const fields: ConnectFields = { platformUrl, clientId, clientSecret, companyId, stockIds };
  const setField: Readonly<Record<ConnectField, (text: string) => void>> = {
    platformUrl: setPlatformUrl,
    clientId: setClientId,
    clientSecret: setClientSecret,
    companyId: setCompanyId,
    stockIds: setStockIds,
  };
  const [reasons, setReasons] = useState<Readonly<Partial<Record<ConnectField, FieldReason>>>>({});
  const [isChanged, setChanged] = useState<readonly ConnectField[]>([]);
  const [isWorking, setWorking] = useState(false);
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const answer = useFocusedAnswer(report ?? failure);

  const connect = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const check = checkConnectForm(fields);
    setReasons(check.ok ? {} : check.reasons);
    setReport(null);
    setFailure(null);
    setChanged([]);
    if (!check.ok) {
      const first = order.find((field) => check.reasons[field] !== undefined);
      // The reasons make the form taller: it comes into sight where it then is.
      requestAnimationFrame(() => {
        const field = form.querySelector<HTMLInputElement>(`[name="${first}"]`);
        field?.focus({ preventScroll: true });
        field?.scrollIntoView({ block: 'center' });
      });
      return;
    }
    setWorking(true);
    const given = name.trim();
    const connected = await bridge.call('profile:connect', {
      ...check.input,
      name: given === '' ? null : given,
      ...(profile === null ? {} : { profileId: profile.profileId }),
    });
    if (connected.ok && connected.value.passed) {
      await readTerminal();
      drafts.getState().drop(draftFields.map((field) => `${draft}.${field}`));
      go('lookup');
      open(null);
      return;
    }
    setWorking(false);
    setReport(connected.ok ? connected.value : null);
    setFailure(connected.ok ? null : connected.failure);
  };

  const failedStep = report?.steps.find((step) => step.outcome === 'failed');
  const told = failure ?? failedStep?.failure ?? null;
  /** What the platform, or the trial, says of an input until it is changed. */
  const refusalOf = (field: ConnectField): string | undefined => {
    if (isChanged.includes(field)) {
      return undefined;
    }
    const words = problemAt(told, platformNames[field]);
    if (words !== null) {
      return t('failure.atField', { words });
    }
    const isWrongAddress = field === 'platformUrl' && (failedStep?.step === 'address' || failedStep?.step === 'tls');
    return isWrongAddress ? t('connect.refused') : undefined;
  };

  const input = (field: ConnectField) => ({
    name: field,
    inputWrapperOrder,
    label: t(`connect.${field}.label`),
    description: t(`connect.${field}.help`),
    error: reasons[field] === undefined ? refusalOf(field) : t(`connect.reason.${reasons[field]}`),
    value: fields[field],
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
      <h1>{t('connect.title')}</h1>
      <p className="lead">{t('connect.lead')}</p>
      <div className="form-pair">
        <TextInput {...input('platformUrl')} inputMode="url" placeholder="https://" autoFocus={profile === null} />
        <TextInput
          inputWrapperOrder={inputWrapperOrder}
          label={t('profiles.name')}
          description={t('profiles.nameHelp')}
          value={name}
          maxLength={60}
          autoComplete="off"
          disabled={isWorking}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div className="form-pair">
        <TextInput {...input('clientId')} />
        <PasswordInput
          {...input('clientSecret')}
          autoFocus={profile !== null}
          visibilityToggleButtonProps={{ 'aria-label': t('form.reveal') }}
        />
      </div>
      <div className="form-pair">
        <TextInput {...input('companyId')} inputMode="numeric" />
        <TextInput {...input('stockIds')} />
      </div>
      <div className="form-actions">
        <Button type="button" size="lg" variant="default" onClick={() => open(null)} disabled={isWorking}>
          {t('form.back')}
        </Button>
        <Button type="submit" size="lg" loading={isWorking}>
          {t('connect.continue')}
        </Button>
      </div>
      {isWorking && <Testing />}
      <div ref={answer} tabIndex={-1} className="told">
        {report !== null && (
          <div role="alert">
            <h2>{t('report.failed')}</h2>
            <ConnectionReportList report={report} />
          </div>
        )}
        {failure !== null && (
          <div className="notice" data-kind="bad" role="alert">
            <FailureText failure={withoutProblemsAt(failure, Object.values(platformNames).flat())} withReason />
          </div>
        )}
      </div>
    </form>
  );
}
