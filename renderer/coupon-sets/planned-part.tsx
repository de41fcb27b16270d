import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { PlannedMoment } from '../../app/contract/coupon-sets.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { CouponManyDialog } from '../coupons/coupon-bulk-dialog.tsx';
import { useNow } from '../dom/clock.ts';
import { useNewest } from '../dom/newest.ts';
import { useCounted, useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { formatPlanMoment } from './plan-words.ts';
import { usePlanned } from './use-coupon-sets.ts';
import './coupon-sets.css';

/** Calls from here, and what failed of them. */
function usePlannedCalls(readAgain: () => void) {
  const { bridge, coupons } = useStores();
  const [failure, setFailure] = useState<Failure | null>(null);
  const ask = useNewest();
  return {
    failure,
    toggleSkipped: async ({ planId, day, isEnabled, state }: PlannedMoment) => {
      const isSkipped = state !== 'skipped';
      const skipped = await bridge.call('couponSet:skip', { planId, day, isEnabled, isSkipped });
      setFailure(skipped.ok ? null : skipped.failure);
      readAgain();
    },
    leave: async ({ planId }: PlannedMoment) => {
      const left = await bridge.call('couponSet:leaveMissed', { planId });
      setFailure(left.ok ? null : left.failure);
      readAgain();
    },
    switchNow: async ({ setId, isEnabled }: PlannedMoment) => {
      const isNewest = ask();
      const found = await bridge.call('couponSet:read', { setId });
      if (!isNewest()) {
        return;
      }
      setFailure(found.ok ? null : found.failure);
      if (found.ok) {
        await coupons.many.getState().ask(isEnabled ? 'on' : 'off', found.value.productIds, 0);
      }
    },
  };
}

type Calls = ReturnType<typeof usePlannedCalls>;

/** All that one plan has missed, shown together; the last of it can be switched now. */
function Missed({ moments, calls }: { readonly moments: readonly PlannedMoment[]; readonly calls: Calls }) {
  const { t, language } = useWords();
  const now = useNow();
  const sign = useIsLocked('coupons') ? <LockSign kind="coupons" /> : undefined;
  const [last] = moments;
  if (last === undefined) {
    return null;
  }
  // A coupon that was to be switched on and off again needs nothing.
  const isOver = moments[1] !== undefined && moments[1].isEnabled !== last.isEnabled;
  const what = moments
    .toReversed()
    .map(
      ({ at, isEnabled }) =>
        `${formatPlanMoment(at, now, language)} ${t(isEnabled ? 'coupons.settingOn' : 'coupons.settingOff')}`,
    );
  return (
    <li className="planned-row" data-state="missed">
      <div>
        <p>
          <strong>{last.setName}</strong> {t('couponSets.missed', { what: what.join(', ') })}
        </p>
        <p className="row-sub">{t(`couponSets.why.${last.why ?? 'late'}`)}</p>
      </div>
      <div className="wrap">
        {!isOver && (
          <Button leftSection={sign} onClick={() => void calls.switchNow(last)}>
            {t(last.isEnabled ? 'couponSets.onNow' : 'couponSets.offNow')}
          </Button>
        )}
        <Button variant="default" onClick={() => void calls.leave(last)}>
          {t(isOver ? 'couponSets.seen' : 'couponSets.leave')}
        </Button>
      </div>
    </li>
  );
}

function Next({ moment, calls }: { readonly moment: PlannedMoment; readonly calls: Calls }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const write = useCounted();
  const { setName, isEnabled, at, state, why, count, email, repeats, isShared, clockAheadDays } = moment;
  const facts = [
    count === null ? t('couponSets.whenDue') : t('couponSets.products', write(count)),
    repeats === 'weekly' ? t('couponSets.repeat.weekly') : null,
    email,
    isShared ? t('couponSets.shared') : null,
    state === 'skipped' ? t('couponSets.skipped') : null,
  ].filter((fact) => fact !== null);
  const words = { name: setName, moment: formatPlanMoment(at, now, language) };
  return (
    <li className="planned-row" data-state={state}>
      <div>
        <p>
          <strong>
            {formatPlanMoment(at, now, language)} · {setName}
          </strong>{' '}
          <span className="row-change" data-on={isEnabled}>
            {t(isEnabled ? 'coupons.settingOn' : 'coupons.settingOff')}
          </span>
        </p>
        <p className="row-sub">{facts.join(' · ')}</p>
        {why !== null && (
          <p className="planned-warning">{t('couponSets.waits', { why: t(`couponSets.why.${why}`) })}</p>
        )}
        {clockAheadDays !== null && (
          <p className="planned-warning">{t('couponSets.clockAhead', write(clockAheadDays))}</p>
        )}
      </div>
      {why === null && (
        <Button
          variant="default"
          aria-label={t(state === 'skipped' ? 'couponSets.resumeOf' : 'couponSets.skipOf', words)}
          onClick={() => void calls.toggleSkipped(moment)}
        >
          {t(state === 'skipped' ? 'couponSets.resume' : 'couponSets.skip')}
        </Button>
      )}
    </li>
  );
}

/** Shows the plans' moments, missed and to come, above the queue; nothing where there is none. */
export function PlannedPart(): ReactElement | null {
  const { t } = useWords();
  const { value, readAgain } = usePlanned();
  const calls = usePlannedCalls(readAgain);
  if (value === null || value.next.length + value.missed.length === 0) {
    return null;
  }
  const missed = Map.groupBy(value.missed, ({ planId }) => planId);
  return (
    <>
      <section className="planned" aria-label={t('couponSets.planned')}>
        <h2>{t('couponSets.planned')}</h2>
        <FailureNotice failure={calls.failure} />
        <ul>
          {[...missed].map(([planId, moments]) => (
            <Missed key={planId} moments={moments} calls={calls} />
          ))}
          {value.next.map((moment) => (
            <Next key={`${moment.planId} ${moment.day} ${String(moment.isEnabled)}`} moment={moment} calls={calls} />
          ))}
        </ul>
      </section>
      <CouponManyDialog />
    </>
  );
}
