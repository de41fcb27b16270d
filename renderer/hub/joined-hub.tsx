import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { HubReading, HubReport, HubState, HubTill } from '../../app/contract/hub.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useConnectionTrial } from '../connection/use-connection-trial.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment } from '../formats/times.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { Question } from '../ui/removal-question.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { HubTrialAnswer } from './hub-report.tsx';

/** The limit of this terminal's requests, in words. */
function wordsOfLimit({ limit, later, mode }: HubState): 'hub.limit' | 'hub.limitLater' | 'hub.limitNone' {
  if (later !== null) {
    return 'hub.limitLater';
  }
  return limit === 0 && mode !== 'shared' ? 'hub.limitNone' : 'hub.limit';
}

/** How this terminal takes part now, and why not where it does not. */
function HubStateView({ state, readAt }: { readonly state: HubState; readonly readAt: number }): ReactElement {
  const { t, language } = useWords();
  const { mode, failure, since, limit, later, kept, tills } = state;
  const moment = formatMoment(since, readAt, language);
  const isMixed = tills.some(({ countsBy }) => countsBy === 'client');
  const together = isMixed ? tills.filter(({ countsBy }) => countsBy === 'platform').map(({ name }) => name) : [];
  const others = tills.filter((till) => !till.isSelf && till.state === 'here').length;
  const isJoining = mode === 'shared' && others === 0 && tills.some((till) => till.state === 'unheard');
  const figures = {
    limit: formatNumber(limit, language),
    later: formatNumber(later?.limit ?? 0, language),
    from: later === null ? '' : formatMoment(later.from, readAt, language),
  };
  return (
    <div role="status" className="hub-state stack-2" data-mode={mode}>
      <p className="hub-mode">
        {mode === 'shared' && others > 0
          ? t('hub.sharedWith', { count: others, moment })
          : t(`hub.mode.${isJoining ? 'joining' : mode}`, { moment })}
      </p>
      <p>{t(wordsOfLimit(state), figures)}</p>
      {kept > 0 && mode === 'shared' && <p>{t('hub.kept', { kept: formatNumber(kept, language) })}</p>}
      {together.length > 0 && <p>{t('hub.countedTogether', { names: together.join(', ') })}</p>}
      {failure !== null && (
        <div className="notice" data-kind="warn">
          <p>{t(`hub.failure.${failure}`)}</p>
          <div className="failure-more">
            <HelpLink sentence={t(`hub.failure.${failure}`)} />
          </div>
        </div>
      )}
    </div>
  );
}

const pieces = 60;
const plotHeight = 24;

/** The slots of a till in the last ten minutes, a column for each ten seconds. */
function TillPlot({ history, top }: { readonly history: readonly number[]; readonly top: number }): ReactElement {
  const { t, language } = useWords();
  const max = formatNumber(Math.max(0, ...history), language);
  return (
    <svg
      className="till-plot"
      role="img"
      aria-label={t('hub.plot', { max })}
      viewBox={`0 0 ${pieces} ${plotHeight}`}
      preserveAspectRatio="none"
    >
      {history.map((used, place) => {
        const size = (used / top) * plotHeight;
        // A column is what it is by its place.
        return <rect key={place} x={pieces - history.length + place} y={plotHeight - size} width={0.8} height={size} />;
      })}
    </svg>
  );
}

interface TillsProps {
  readonly tills: readonly HubTill[];
  readonly onRemove: (tills: readonly HubTill[]) => void;
}

function Tills({ tills, onRemove }: TillsProps): ReactElement {
  const { t, language } = useWords();
  const top = Math.max(1, ...tills.flatMap(({ history }) => history));
  const self = tills.find(({ isSelf }) => isSelf);
  const removable = tills.filter(({ state, share }) => state === 'silent' && share > 0);
  return (
    <SettingsPart title={t('hub.tills')} about={[t('hub.shareHelp')]}>
      {self !== undefined &&
        tills.some(({ isSelf, name, state }) => !isSelf && state === 'here' && name === self.name) && (
          <p className="notice" data-kind="warn">
            {t('hub.sameName', { name: self.name })}
          </p>
        )}
      {tills.length === 0 ? (
        <p className="hint">{t('hub.noTills')}</p>
      ) : (
        <table className="hub-tills">
          <thead>
            <tr>
              {(['till', 'version', 'state', 'slots', 'history', 'share'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`hub.column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tills.map((till) => {
              const { id, name, appVersion, isSelf, hasOwnLimit, isReader, state, slots, share, history } = till;
              return (
                <tr key={id}>
                  <th scope="row">
                    {name} {isSelf && <span className="hint">{t('hub.self')}</span>}
                    {hasOwnLimit && <span className="hint">{t('hub.ownLimit')}</span>}
                  </th>
                  <td>{appVersion}</td>
                  <td>
                    {t(`hub.state.${isReader && state === 'here' ? 'reading' : state}`)}{' '}
                    {removable.includes(till) && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('hub.removeTill', { name })}
                        onClick={() => onRemove([till])}
                      >
                        {t('hub.remove')}
                      </Button>
                    )}
                  </td>
                  <td>{formatNumber(slots, language)}</td>
                  <td>
                    <TillPlot history={history} top={top} />
                  </td>
                  <td>{formatNumber(share, language)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {removable.length > 1 && (
        <div className="buttons">
          <Button variant="default" onClick={() => onRemove(removable)}>
            {t('hub.removeAll', { tills: formatNumber(removable.length, language) })}
          </Button>
        </div>
      )}
    </SettingsPart>
  );
}

/** A question that a person must confirm. */
interface Asked {
  readonly about: 'leave' | 'remove' | 'removeAll';
  /** Of one till, or how many there are. */
  readonly name: string;
  readonly act: () => Promise<void>;
}

interface JoinedHubProps {
  readonly hub: NonNullable<HubReading['hub']>;
  readonly readAt: number;
  readonly onLeft: () => void;
  /** Somebody wants it to join another one. */
  readonly onMove: () => void;
}

export function JoinedHub({ hub, readAt, onLeft, onMove }: JoinedHubProps): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const { terminalName, host, port, database, isPractice, fingerprint, state } = hub;
  const trial = useConnectionTrial<HubReport>();
  const isAnswered = state?.failure === null;
  const [wasAnswered, setWasAnswered] = useState(isAnswered);
  const removal = useConnectionTrial<HubReport>();
  const [question, setQuestion] = useState<Asked | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ask = (asked: Asked): void => {
    setQuestion(asked);
    setAsking(true);
  };
  const test = (): void => {
    setWasAnswered(isAnswered);
    void trial.run(() => bridge.call('hub:test', {}));
  };
  const leave = async (): Promise<void> => {
    const left = await bridge.call('hub:leave', {});
    setFailure(left.ok ? null : left.failure);
    if (left.ok) {
      onLeft();
    }
  };
  const askToRemove = (tills: readonly HubTill[]): void => {
    const [about, name] =
      tills.length === 1
        ? (['remove', tills[0]?.name ?? ''] as const)
        : (['removeAll', formatNumber(tills.length, language)] as const);
    const ids = tills.map(({ id }) => id);
    ask({
      about,
      name,
      act: async () => {
        await removal.run(() => bridge.call('hub:remove', { ids }));
      },
    });
  };
  return (
    <>
      <SettingsPart title={t('hub.title')} lock="settings">
        {state === null ? <p>{t('hub.away')}</p> : <HubStateView state={state} readAt={readAt} />}
        <dl className="facts">
          <dt>{t('hub.till')}</dt>
          <dd className="anywhere">{terminalName}</dd>
          {!isPractice && (
            <>
              <dt>{t('hub.place')}</dt>
              <dd className="mono anywhere">
                {host}:{port}
              </dd>
              <dt>{t('hub.database')}</dt>
              <dd className="mono anywhere">{database}</dd>
              {fingerprint !== null && (
                <>
                  <dt>{t('hub.fingerprint')}</dt>
                  {/* As openssl prints it. */}
                  <dd className="mono anywhere">{fingerprint.toUpperCase().match(/../g)?.join(':')}</dd>
                </>
              )}
            </>
          )}
        </dl>
        {isPractice ? (
          <p>{t('hub.practice')}</p>
        ) : (
          <div className="buttons">
            <Button variant="default" loading={trial.isWorking} onClick={test}>
              {t('hub.test')}
            </Button>
            <Button variant="default" onClick={onMove}>
              {t('hub.move')}
            </Button>
            <Button variant="default" onClick={() => ask({ about: 'leave', name: terminalName, act: leave })}>
              {t('hub.leave')}
            </Button>
          </div>
        )}
        {/* Since the hub came or went, the answer of a test is an old one. */}
        {isAnswered === wasAnswered && <HubTrialAnswer trial={trial} />}
        <FailureNotice failure={failure} />
      </SettingsPart>
      {state !== null && <Tills tills={state.tills} onRemove={askToRemove} />}
      {removal.report?.failure !== null && <HubTrialAnswer trial={removal} />}
      {question !== null && (
        <Question
          isOpen={isAsking}
          close={() => setAsking(false)}
          title={t(`hub.question.${question.about}.title`, { name: question.name })}
          keep={t(`hub.question.${question.about}.keep`)}
          remove={t(question.about === 'leave' ? 'hub.leave' : 'hub.remove')}
          act={() => void question.act()}
        >
          <p>{t(`hub.question.${question.about}.text`)}</p>
        </Question>
      )}
    </>
  );
}
