import type { TFunction } from 'i18next';
import type { UpdateAttempt } from '../../app/contract/history.ts';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { refusesProduct } from '../formats/field-problems.ts';

/** The product by its name, or the user by their number. */
export function nameOfUpdate(update: QueuedUpdate, t: TFunction): string {
  return update.kind === 'restoreUser'
    ? t('queue.user', { id: update.userId })
    : (update.productName ?? t('coupons.nameless', { id: update.productId }));
}

/** The change that an update asks for, such as "switch on". */
export function wishOfUpdate(update: QueuedUpdate, t: TFunction): string {
  return update.kind === 'restoreUser' ? t('queue.restore') : t(update.isEnabled ? 'queue.turnOn' : 'queue.turnOff');
}

export function isProductGone({ kind, parkedBecause, failure }: QueuedUpdate): boolean {
  return kind === 'coupon' && parkedBecause === 'refused' && refusesProduct(failure);
}

/** The outcome of an attempt. */
export function outcomeOfAttempt({ outcome, failure, isReplayed }: UpdateAttempt, t: TFunction): string {
  const isDone = outcome === 'answered' && failure === null;
  const words =
    failure === null ? t(isDone ? 'queue.attempt.done' : `queue.attempt.${outcome}`) : t(`failure.${failure}.says`);
  return isReplayed === true ? `${words} ${t('queue.attempt.replayed')}` : words;
}
