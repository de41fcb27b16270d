// Owns how one queued change is told: what, who, when, where it stands and why, and what a person may do. Never acts without
// a click, and never gives a change up without asking twice.
import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type { QueuedUpdate } from '../../app/contract/contract.ts';
import { useQueue, useWords } from '../context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../now.ts';
import { FailureText } from './failure-text.tsx';

interface UpdateRowProps {
  readonly update: QueuedUpdate;
  readonly askDiscard: (update: QueuedUpdate) => void;
}

/** One row of the queue. */
export function UpdateRow({ update, askDiscard }: UpdateRowProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const isBusy = useQueue((mirror) => mirror.busy.has(update.id));
  const retry = useQueue((mirror) => mirror.retry);
  const { standing, failure, parkedBecause } = update;
  const facts = [
    update.email,
    t('queue.made', { moment: formatMoment(update.createdAt, now, language) }),
    standing === 'delivered' ? t('queue.deliveredAt', { moment: formatMoment(update.changedAt, now, language) }) : null,
    update.attempts > 0 ? t('queue.attempts', { count: update.attempts }) : null,
  ].filter((fact) => fact !== null);
  return (
    <div className="row row-update" data-standing={standing}>
      <div className="row-main">
        <p className="row-title">
          {update.productName ?? t('coupon.nameless', { id: update.productId })}
          <span className="row-change" data-on={update.isEnabled}>
            {t(update.isEnabled ? 'queue.turnOn' : 'queue.turnOff')}
          </span>
        </p>
        <p className="row-sub">{facts.join(' · ')}</p>
        {standing === 'pending' && !update.isOwn && <p className="row-note">{t('queue.others', { email: update.email, company: update.companyId })}</p>}
        {standing === 'parked' && parkedBecause === 'conflict' && <p className="row-note">{t(update.theirs === true ? 'queue.conflictOn' : 'queue.conflictOff')}</p>}
        {standing === 'parked' && parkedBecause === 'damaged' && <p className="row-note">{t('queue.damaged')}</p>}
        {failure !== null && (standing === 'parked' || standing === 'pending' || standing === 'inFlight') && (
          <FailureText failure={failure} withReason={standing === 'parked'} />
        )}
      </div>
      <div className="row-side">
        <span className="standing-tag" data-standing={standing}>
          {t(`queue.standing.${standing}`)}
        </span>
        {(standing === 'parked' || standing === 'pending') && (
          <div className="row-actions">
            {standing === 'parked' && (
              <Button size="md" loading={isBusy} onClick={() => void retry(update.id)}>
                {t('queue.retry')}
              </Button>
            )}
            <Button size="md" variant="default" disabled={isBusy} onClick={() => askDiscard(update)}>
              {t('queue.discard')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
