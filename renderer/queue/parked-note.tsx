import type { ReactElement } from 'react';
import type { CouponUpdate, QueuedUpdate } from '../../app/contract/queue.ts';
import { useWords } from '../stores/context.tsx';
import { ageInWords, formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { isProductGone, nameOfUpdate } from './update-words.ts';

function Conflict({ update }: { readonly update: CouponUpdate }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const word = (isEnabled: boolean): string => t(isEnabled ? 'coupons.settingOn' : 'coupons.settingOff');
  return (
    <div className="stack-2">
      <p className="row-note">{t('queue.conflict.says', { moment: formatMoment(update.changedAt, now, language) })}</p>
      <dl className="conflict-values wrap">
        <div>
          <dt className="hint">{t('queue.conflict.mine')}</dt>
          <dd data-on={update.isEnabled}>{word(update.isEnabled)}</dd>
        </div>
        <div>
          <dt className="hint">{t('queue.conflict.theirs')}</dt>
          <dd data-on={update.theirs === true}>{word(update.theirs === true)}</dd>
        </div>
      </dl>
    </div>
  );
}

/** Why it waits, for each reason. */
export function ParkedNote({ update }: { readonly update: QueuedUpdate }): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const { failure, parkedBecause } = update;
  switch (parkedBecause) {
    case 'conflict':
      return update.kind === 'coupon' ? <Conflict update={update} /> : null;
    case 'damaged':
      return <p className="row-note">{t('queue.damaged')}</p>;
    case 'old':
      return <p className="row-note">{t('queue.old', { age: ageInWords(update.createdAt, now, t, language) })}</p>;
    case 'maybeDone':
      return (
        <div className="row-note" data-kind="calm">
          <p>{t('queue.maybeDone.says')}</p>
          <p className="row-sub">{t('queue.maybeDone.advice')}</p>
        </div>
      );
    default:
      break;
  }
  if (failure === null) {
    return null;
  }
  if (isProductGone(update)) {
    const says = t('queue.productGone.says', { name: nameOfUpdate(update, t) });
    return <FailureText failure={failure} words={{ says, advice: t('queue.productGone.advice') }} />;
  }
  // Meanings of the platform's refusals for a restoration, API v3 §4.8.
  const { kind } = failure;
  const isKnown =
    update.kind === 'restoreUser' &&
    (kind === 'badRequest' || kind === 'notFound' || kind === 'forbidden' || kind === 'unprocessable');
  const words = isKnown
    ? { says: t(`queue.restoreRefused.${kind}.says`), advice: t(`queue.restoreRefused.${kind}.advice`) }
    : undefined;
  return <FailureText failure={failure} withReason words={words} />;
}
