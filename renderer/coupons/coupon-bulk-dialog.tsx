import type { ReactElement } from 'react';
import type { ManyCounted } from '../../app/contract/coupons.ts';
import { useBlockedBy, useCounted, useStores, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { BulkOutcome } from '../stores/bulk-store.ts';
import { BulkDialog } from '../ui/bulk-dialog.tsx';
import type { CouponAction } from './coupon-bulk.ts';

const whileBlocked = {
  offline: 'coupons.many.whenOffline',
  noAnswer: 'coupons.many.whenNoAnswer',
  notSignedIn: 'coupons.many.whenSignIn',
} as const;

function Counts({ action, counted }: { readonly action: CouponAction; readonly counted: ManyCounted }): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const blockedBy = useBlockedBy();
  const { willChange, unsure, already, needed, room } = counted;
  const isOn = action === 'on';
  if (needed > room) {
    return (
      <div className="notice" data-kind="warn">
        <p>
          <strong>{t('coupons.many.noRoom', { ...write(needed), room: formatNumber(room, language) })}</strong>
        </p>
        <p>{t('coupons.many.noRoomAdvice')}</p>
      </div>
    );
  }
  return (
    <>
      <ul className="many-counts">
        <li data-kind="change">
          {willChange === 0
            ? t(unsure === 0 ? 'coupons.many.noChange' : 'coupons.many.noKnownChange')
            : t(isOn ? 'coupons.many.willOn' : 'coupons.many.willOff', write(willChange))}
        </li>
        {unsure > 0 && <li>{t(isOn ? 'coupons.many.unsureOn' : 'coupons.many.unsureOff', write(unsure))}</li>}
        {already > 0 && <li>{t(isOn ? 'coupons.many.alreadyOn' : 'coupons.many.alreadyOff', write(already))}</li>}
      </ul>
      {willChange + unsure > 0 && (
        <p className="hint">{t(blockedBy === null ? 'coupons.many.when' : whileBlocked[blockedBy])}</p>
      )}
    </>
  );
}

function Outcome({ outcome }: { readonly outcome: BulkOutcome<unknown, CouponAction> }): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const isBlocked = useBlockedBy() !== null;
  const { action, count, sent, canUndo, failure } = outcome;
  const isUndone = action === 'undo';
  const isKnown = failure?.kind !== 'effectUnknown';
  return (
    <>
      {!isUndone && <p>{t(action === 'on' ? 'coupons.many.doneOn' : 'coupons.many.doneOff', write(count))}</p>}
      {!isUndone && failure === null && (isBlocked || canUndo) && (
        <p className="row-sub">{t(isBlocked ? 'coupons.many.waits' : 'coupons.many.leaves')}</p>
      )}
      {isUndone && (failure === null || count > 0) && <p>{t('coupons.many.takenBack', write(count))}</p>}
      {isUndone && sent > 0 && <p className="row-sub">{t('coupons.many.sent', write(sent))}</p>}
      {!isUndone && failure !== null && isKnown && <p>{t('coupons.many.rest')}</p>}
      {isUndone && failure !== null && count === 0 && isKnown && <p>{t('coupons.many.notTakenBack')}</p>}
      {failure !== null && (
        <p className="row-sub">
          {t(`failure.${failure.kind}.says`)} {t(`failure.${failure.kind}.advice`)}
        </p>
      )}
    </>
  );
}

/** Switching many coupons. */
export function CouponManyDialog(): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const { coupons } = useStores();
  return (
    <BulkDialog
      of="coupon"
      store={coupons.many}
      title={({ action, keys }) =>
        t(action === 'on' ? 'coupons.many.titleOn' : 'coupons.many.titleOff', write(keys.length))
      }
      counts={(action, counted) => <Counts action={action} counted={counted} />}
      doable={(_action, { willChange, unsure, needed, room }) => (needed > room ? 0 : willChange + unsure)}
      confirm={(action, doable) =>
        t(action === 'on' ? 'coupons.many.confirmOn' : 'coupons.many.confirmOff', {
          formatted: formatNumber(doable, language),
        })
      }
      working={() => t('coupons.many.working')}
      outcome={(outcome) => <Outcome outcome={outcome} />}
      isFailed={({ failure }) => failure !== null}
    />
  );
}
