import { useEffect, useState, type ReactElement } from 'react';
import type { QueuedUpdate, UpdateStatus } from '../../app/contract/queue.ts';
import type { UpdateAttempt } from '../../app/contract/history.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { formatFullMoment } from '../formats/times.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { shownStatus } from './queue-store.ts';
import { outcomeOfAttempt } from './update-words.ts';

/** The outcome of an attempt in words, with the platform's own code behind it. */
function AttemptLine({ attempt }: { readonly attempt: UpdateAttempt }): ReactElement {
  const { t, language } = useWords();
  const isDone = attempt.outcome === 'answered' && attempt.failure === null;
  const technical = [attempt.status === null ? null : `HTTP ${attempt.status}`, attempt.code].filter(
    (part) => part !== null,
  );
  return (
    <li data-done={isDone}>
      <p>
        <span className="attempt-time">{formatFullMoment(attempt.sentAt, language)}</span>{' '}
        {outcomeOfAttempt(attempt, t)}
      </p>
      <p className="attempt-technical mono">
        {technical.map((part) => `${part} · `)}
        {t('queue.attempt.key')} {attempt.key}
      </p>
    </li>
  );
}

/** Why an update that nobody sent stands so. */
const noAttempts: Readonly<Partial<Record<UpdateStatus, 'needless' | 'never'>>> = {
  delivered: 'needless',
  superseded: 'never',
  discarded: 'never',
};

function Attempts({ update }: { readonly update: QueuedUpdate }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [attempts, setAttempts] = useState<readonly UpdateAttempt[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { id, status, changedAt, attempts: count } = update;
  useEffect(() => {
    let isWanted = true;
    void bridge.call('queue:history', { updateId: id }).then((answer) => {
      if (isWanted) {
        setAttempts(answer.ok ? answer.value : null);
        setFailure(answer.ok ? null : answer.failure);
      }
    });
    return () => {
      isWanted = false;
    };
  }, [bridge, id, status, changedAt, count]);
  if (failure !== null) {
    return <FailureText failure={failure} />;
  }
  if (attempts === null) {
    return <p>{t('ui.list.reading')}</p>;
  }
  return attempts.length === 0 ? (
    <p>{t(`queue.attempt.${noAttempts[status] ?? 'none'}`)}</p>
  ) : (
    <ol className="attempts">
      {attempts.map((attempt) => (
        <AttemptLine key={`${attempt.key} ${attempt.sentAt}`} attempt={attempt} />
      ))}
    </ol>
  );
}

/** The fold and what lies in it. */
export function UpdateHistory({ update }: { readonly update: QueuedUpdate }): ReactElement {
  const { t, language } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="row-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('queue.history')}</summary>
      {isOpen && (
        <>
          <dl className="facts">
            <dt>{t('queue.fact.madeAt')}</dt>
            <dd>{formatFullMoment(update.createdAt, language)}</dd>
            <dt>{t('queue.fact.madeBy')}</dt>
            <dd>{t('queue.fact.userOfCompany', { email: update.email, company: update.companyId })}</dd>
            <dt>{t(`queue.status.${shownStatus(update)}`)}</dt>
            <dd>{formatFullMoment(update.changedAt, language)}</dd>
          </dl>
          <Attempts update={update} />
        </>
      )}
    </details>
  );
}
