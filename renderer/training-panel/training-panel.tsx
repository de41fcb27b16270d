import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PanelAction, PanelState } from '../../app/contract/training-panel.ts';
import { useWords } from '../stores/context.tsx';
import { Mark } from '../ui/icons.tsx';
import { languageChoices } from '../ui/language-choice.tsx';
import { OptionField } from './option-field.tsx';
import { usePlatform, type Platform } from './use-platform.ts';

interface PartProps {
  readonly state: PanelState;
  readonly send: Platform['send'];
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className="panel control-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const conditionGroups = {
  network: ['isNetworkDown', 'latencyMs', 'answerLatencyMs', 'lossPercent'],
  platform: ['tooManyPercent', 'serverErrorPercent', 'doServerErrorsTakeEffect'],
  others: ['movementsPerMinute', 'productChangesPerMinute', 'couponChangesPerMinute'],
} as const;

function Conditions({ state, send }: PartProps): ReactElement[] {
  const { t } = useWords();
  return Object.entries(conditionGroups).map(([group, names]) => (
    <Part key={group} title={t(`trainingPanel.${group}`)}>
      {names.map((name) => {
        const option = state.conditionTable[name];
        return (
          option !== undefined && (
            <OptionField
              key={name}
              label={t(`trainingPanel.condition.${name}`)}
              option={option}
              value={state.conditions[name]}
              send={(value) => send({ conditions: { [name]: value } })}
            />
          )
        );
      })}
    </Part>
  ));
}

function SignIns({ send }: Pick<PartProps, 'send'>): ReactElement {
  const { t } = useWords();
  return (
    <Part title={t('trainingPanel.signIn')}>
      <div className="control-buttons wrap">
        {(['expireAccessTokens', 'revokeRefreshTokens'] as const).map((action) => (
          <Button key={action} variant="default" onClick={() => void send({ actions: [{ do: action }] })}>
            {t(`trainingPanel.${action}`)}
          </Button>
        ))}
      </div>
    </Part>
  );
}

function ByHand({ state, send }: PartProps): ReactElement {
  const { t } = useWords();
  const [product, setProduct] = useState(state.firstProductId ?? '');
  const [stockId, setStockId] = useState(state.stocks[0]?.id ?? '');
  const [quantity, setQuantity] = useState('0');
  const productId = product.trim();
  const actions: Readonly<Record<string, PanelAction>> = {
    setQuantity: { do: 'changeBalance', productId, stockId, amount: Number(quantity) },
    couponOn: { do: 'changeCoupon', productId, isEnabled: true },
    couponOff: { do: 'changeCoupon', productId, isEnabled: false },
    takeAway: { do: 'removeProduct', productId, isRemoved: true },
    bringBack: { do: 'removeProduct', productId, isRemoved: false },
  };
  return (
    <Part title={t('trainingPanel.byHand')}>
      <div className="control-fields stack-3">
        <TextInput
          size="md"
          label={t('trainingPanel.product')}
          inputMode="numeric"
          value={product}
          onChange={(event) => setProduct(event.currentTarget.value)}
        />
        <TextInput
          size="md"
          label={t('trainingPanel.quantity')}
          type="number"
          step="any"
          value={quantity}
          onChange={(event) => setQuantity(event.currentTarget.value)}
        />
        <NativeSelect
          size="md"
          label={t('trainingPanel.stock')}
          data={state.stocks.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
          value={stockId}
          onChange={(event) => setStockId(event.currentTarget.value)}
        />
      </div>
      <div className="control-buttons wrap">
        {Object.entries(actions).map(([name, action]) => (
          <Button key={name} variant="default" onClick={() => void send({ actions: [action] })}>
            {t(`trainingPanel.${name}`)}
          </Button>
        ))}
      </div>
    </Part>
  );
}

function SecondTill({ address }: { readonly address: string }): ReactElement {
  const { t } = useWords();
  return (
    <Part title={t('trainingPanel.secondTill')}>
      <p>{t('trainingPanel.secondTillText')}</p>
      <pre className="control-command">{`--data-dir second-till --training-of ${address}`}</pre>
    </Part>
  );
}

function Users({ state, send }: PartProps): ReactElement {
  const { t } = useWords();
  return (
    <Part title={t('trainingPanel.users')}>
      <ul className="control-users">
        {state.users.map(({ id, email, isActive, canBeDeleted }) => (
          <li key={id}>
            <span>
              {id} · {email} · {t(isActive ? 'trainingPanel.active' : 'trainingPanel.deleted')}
            </span>
            {canBeDeleted && isActive && (
              <Button variant="default" onClick={() => void send({ actions: [{ do: 'deleteUser', userId: id }] })}>
                {t('trainingPanel.deleteAgain')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Requests as programs write them: folded, for whoever asks. */
function Arrivals({ state }: Pick<PartProps, 'state'>): ReactElement {
  const { t, language } = useWords();
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });
  const newest = state.arrivals.toReversed();
  return (
    <details className="panel control-part">
      <summary>{t('trainingPanel.arrived')}</summary>
      {newest.length === 0 ? (
        <p>{t('trainingPanel.nothingArrived')}</p>
      ) : (
        <div className="control-arrivals" role="region" aria-label={t('trainingPanel.arrived')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('trainingPanel.at')}</th>
                <th>{t('trainingPanel.request')}</th>
                <th>{t('trainingPanel.answer')}</th>
                <th>{t('trainingPanel.note')}</th>
              </tr>
            </thead>
            <tbody>
              {newest.map(({ at, method, path, query, status, isReplayed, fault, idempotencyKey }, index) => (
                <tr key={state.arrivalCount - index}>
                  <td>{time.format(at)}</td>
                  <td>
                    {method} {path}
                    {query}
                  </td>
                  <td data-kind={status === null || status >= 400 ? 'bad' : undefined}>
                    {status ?? t('trainingPanel.lostOnTheWay')}
                  </td>
                  <td>
                    {[isReplayed && t('trainingPanel.replayed'), fault, idempotencyKey].filter(Boolean).join(' · ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function Integrators({ state, send }: PartProps): ReactElement {
  const { t } = useWords();
  const { platformUrl, applications, companies, stocks, users } = state;
  return (
    <details className="panel control-part control-integrators">
      <summary>{t('trainingPanel.integrators')}</summary>
      <p>{t('trainingPanel.integratorsText')}</p>
      <p>
        <a href="/openapi.json">{t('trainingPanel.description')}</a>
      </p>
      {Object.entries(state.variantTable).map(([name, option]) => (
        <OptionField
          key={name}
          label={name}
          description={<span lang="en">{option.says}</span>}
          option={option}
          value={state.variants[name]}
          send={(value) => send({ variants: { [name]: value } })}
        />
      ))}
      <h2>{t('trainingPanel.credentials')}</h2>
      <pre>{JSON.stringify({ platformUrl, applications, companies, stocks, users }, null, 2)}</pre>
    </details>
  );
}

/** Shows the outcome of the last change. */
function Outcome({ outcome }: Pick<Platform, 'outcome'>): ReactElement {
  const { t } = useWords();
  const refusal = outcome?.ok === false && outcome.failure.kind === 'refused' ? outcome.failure.message : null;
  return (
    <p className="control-outcome" role="status" data-kind={refusal === null ? undefined : 'bad'}>
      {refusal ?? (outcome === null ? '' : t('trainingPanel.done'))}
    </p>
  );
}

/** The control panel of the training platform that serves this page. */
export function TrainingPanel({ apiKey }: { readonly apiKey: string }): ReactElement {
  const { i18n } = useTranslation();
  const { t, language } = useWords();
  const { state, ended, outcome, send } = usePlatform(apiKey);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = t('trainingPanel.title');
  }, [language, t]);
  if (ended !== null) {
    return (
      <main className="control-ended">
        <p className="notice" data-kind="bad" role="alert">
          {t(`trainingPanel.${ended}`)}
        </p>
      </main>
    );
  }
  return (
    <div className="control-page" data-network={state?.conditions['isNetworkDown'] === true ? 'down' : 'up'}>
      <aside className="practice-band">
        <p>{t('trainingPanel.subtitle')}</p>
      </aside>
      <header className="control-head">
        <Mark size={36} />
        <h1>{t('trainingPanel.title')}</h1>
        <Outcome outcome={outcome} />
        <SegmentedControl
          className="choice"
          aria-label={t('trainingPanel.language')}
          data={languageChoices}
          value={language}
          onChange={(chosen) => void i18n.changeLanguage(chosen)}
        />
        <Button variant="default" onClick={() => void send({ actions: [{ do: 'reset' }] })}>
          {t('trainingPanel.reset')}
        </Button>
      </header>
      {state !== null && (
        <main className="control-parts stack-4">
          <div>
            <Conditions state={state} send={send} />
          </div>
          <div>
            <Arrivals state={state} />
            <SignIns send={send} />
            <ByHand state={state} send={send} />
            <Users state={state} send={send} />
            <SecondTill address={`${state.platformUrl}/control/#${apiKey}`} />
          </div>
          <Integrators state={state} send={send} />
        </main>
      )}
    </div>
  );
}
