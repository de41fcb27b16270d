import { Button, Checkbox } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { isNetworkFailure, type Failure } from '../../app/domain/failure.ts';
import { useQueue, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { isProductGone, nameOfUpdate, wishOfUpdate } from './update-words.ts';
import { useNow } from '../dom/clock.ts';
import { isOpenUpdate, shownStatus } from './queue-store.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { ParkedNote } from './parked-note.tsx';
import { UpdateHistory } from './update-history.tsx';

interface UpdateRowProps {
  readonly update: QueuedUpdate;
  /** Where it stands in a list whose rows can be chosen. */
  readonly place?: number;
}

/** The box that chooses it, or the room for one. */
function Tick({ update, place }: { readonly update: QueuedUpdate; readonly place: number }): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const isChosen = useStore(queue.choice, ({ chosen }) => chosen.has(update.id));
  const { toggle, extendTo } = queue.choice.getState();
  return (
    // As large as a finger.
    <label className="row-tick">
      {isOpenUpdate(update) && (
        <Checkbox
          checked={isChosen}
          aria-label={t('queue.chosen.choose', { name: nameOfUpdate(update, t) })}
          onChange={(event) => {
            const { shiftKey } = event.nativeEvent as MouseEvent;
            if (shiftKey) {
              void extendTo(place);
            } else {
              toggle(place);
            }
          }}
        />
      )}
    </label>
  );
}

/** True where the words about it advise to discard it: the same number would be refused again. */
function isAdvisedAgainst(update: QueuedUpdate): boolean {
  const { kind, parkedBecause, failure } = update;
  return (
    isProductGone(update) ||
    (kind === 'restoreUser' &&
      parkedBecause === 'refused' &&
      (failure?.kind === 'unprocessable' || failure?.kind === 'notFound'))
  );
}

function Actions({ update }: Pick<UpdateRowProps, 'update'>): ReactElement | null {
  const { t } = useWords();
  const isBusy = useQueue((store) => store.busy.has(update.id));
  const retry = useQueue((store) => store.retry);
  const discard = useQueue((store) => store.discard);
  const isLocked = useIsLocked('discarding');
  const areCouponsLocked = useIsLocked('coupons');
  const { status, parkedBecause } = update;
  if (status !== 'parked' && status !== 'pending') {
    return null;
  }
  const isConflict = parkedBecause === 'conflict' && update.kind === 'coupon';
  // A press leads to different outcomes: of two settings, which then holds; an unsent one is not sent "again".
  const retryWords = isConflict
    ? t(`queue.conflict.keepMine.${update.isEnabled ? 'on' : 'off'}`)
    : t(parkedBecause === 'old' ? 'queue.send' : 'queue.retry');
  const discardWords = isConflict
    ? t(`queue.conflict.keepTheirs.${update.theirs === true ? 'on' : 'off'}`)
    : t('queue.discard');
  const isRetryable = status === 'parked' && parkedBecause !== 'damaged';
  const isDiscardAdvised = isRetryable && isAdvisedAgainst(update);
  const retryButton = isRetryable && (
    <Button
      leftSection={isConflict && areCouponsLocked ? <LockSign kind="coupons" /> : undefined}
      variant={isDiscardAdvised ? 'default' : 'filled'}
      loading={isBusy}
      onClick={() => void retry(update.id)}
    >
      {retryWords}
    </Button>
  );
  const discardButton = (
    <Button
      leftSection={isLocked ? <LockSign kind="discarding" /> : undefined}
      variant={isDiscardAdvised ? 'filled' : 'default'}
      disabled={isBusy}
      onClick={() => void discard(update.id)}
    >
      {discardWords}
    </Button>
  );
  return (
    <div className="row-actions">
      {isDiscardAdvised ? discardButton : retryButton}
      {isDiscardAdvised ? retryButton : discardButton}
    </div>
  );
}

/** Speaks of the connection as it was then, not of the change. */
const isOfConnection = (failure: Failure): boolean =>
  isNetworkFailure(failure) || failure.kind === 'platformFailed' || failure.kind === 'unauthorized';

/** One row of the queue. */
export function UpdateRow({ update, place }: UpdateRowProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const { status, failure } = update;
  const heldBy = useTerminal((state) => state.queue.heldBy);
  const shown = shownStatus(update);
  // The notice above the list says it once for all.
  const isOnBanner = heldBy === 'offline' || heldBy === 'noAnswer' || heldBy === 'signIn';
  const isShownAbove = isOnBanner && failure !== null && isOfConnection(failure);
  const facts = [
    update.isOwn ? null : update.email,
    update.kind === 'coupon' && update.plan !== undefined ? t('couponSets.byPlan', { name: update.plan }) : null,
    t('queue.made', { moment: formatMoment(update.createdAt, now, language) }),
    status === 'delivered' ? t('queue.deliveredAt', { moment: formatMoment(update.changedAt, now, language) }) : null,
  ].filter((fact) => fact !== null);
  return (
    <div
      className="row row-update"
      data-status={status}
      data-because={update.parkedBecause ?? undefined}
      data-ticks={place !== undefined}
    >
      {place !== undefined && <Tick update={update} place={place} />}
      <div className="row-main">
        <p className="row-title">
          {nameOfUpdate(update, t)}
          <span className="row-change" data-on={update.kind === 'restoreUser' || update.isEnabled}>
            {wishOfUpdate(update, t)}
          </span>
        </p>
        <p className="row-sub">{facts.join(' · ')}</p>
        <UpdateHistory update={update} />
        {(status === 'pending' || status === 'inFlight') && !update.isOwn && (
          <p className="row-note">
            {t(`queue.others.${update.waitsFor ?? 'kept'}`, { email: update.email, company: update.companyId })}
          </p>
        )}
        {status === 'parked' && !update.isOwn && (
          <p className="row-note">
            {t(`queue.othersParked.${update.waitsFor ?? 'kept'}`, { email: update.email, company: update.companyId })}
          </p>
        )}
        {status === 'parked' && <ParkedNote update={update} />}
        {shown === 'tried' && <p className="row-note">{t('queue.tried')}</p>}
        {failure !== null && !isShownAbove && (status === 'pending' || status === 'inFlight') && (
          <FailureText failure={failure} />
        )}
      </div>
      <div className="row-side">
        <span className="status-tag" data-status={status}>
          {t(`queue.status.${shown}`)}
        </span>
        <Actions update={update} />
      </div>
    </div>
  );
}
