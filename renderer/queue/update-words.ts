import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { useWords } from '../stores/context.tsx';

type Translate = ReturnType<typeof useWords>['t'];

/** The product by its name, or the user by their number. */
export function nameOfUpdate(update: QueuedUpdate, t: Translate): string {
  return update.kind === 'restoreUser'
    ? t('queue.user', { id: update.userId })
    : (update.productName ?? t('coupon.nameless', { id: update.productId }));
}

/** What it asks for, such as "switch on". */
export function wishOfUpdate(update: QueuedUpdate, t: Translate): string {
  return update.kind === 'restoreUser' ? t('queue.restore') : t(update.isEnabled ? 'queue.turnOn' : 'queue.turnOff');
}
