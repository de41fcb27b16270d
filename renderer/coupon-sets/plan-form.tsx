import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { CouponSet, PlanTimes } from '../../app/contract/coupon-sets.ts';
import { maxCouponPlans } from '../../app/contract/limits/coupon-sets.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatTypedDay, parseTypedMoment, readTime, withYear } from '../formats/typed-moments.ts';
import { localDay } from '../formats/times.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { PlanDay } from './plan-day.tsx';
import { nameOfWeekday, wordsOfTimes } from './plan-words.ts';
import { SetForm } from './set-form.tsx';

const fields = ['repeats', 'day', 'on', 'off'].map((name) => `couponSet.plan.${name}`);

/** A day can be chosen so long ahead. */
const daysAhead = 120;

/** The days from today on, as the machine's calendar has them. */
const daysFrom = (now: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => localDay(now, place));

/** Reads the typed plan; or answers what is wrong with it. */
function readTimes(
  repeats: PlanTimes['repeats'],
  day: string,
  onText: string,
  offText: string,
): PlanTimes | 'timeMissing' | 'timeWrong' | 'timesSame' {
  const [on, off] = [readTime(onText), readTime(offText)];
  if (on === undefined || off === undefined) {
    return 'timeWrong';
  }
  if (on === null && off === null) {
    return 'timeMissing';
  }
  return on === off ? 'timesSame' : { repeats, day, on, off };
}

/** When this terminal switches a set by itself. */
export function PlanForm({ set, close }: { readonly set: CouponSet; readonly close: () => void }): ReactElement {
  const { t, language } = useWords();
  const { bridge, drafts } = useStores();
  const email = useTerminal((state) => state.session.email);
  const [repeats, setRepeats] = useDraft('couponSet.plan.repeats', 'once');
  const now = useNow();
  const isWeekly = repeats === 'weekly';
  const days = daysFrom(now, daysAhead);
  const week = days.slice(0, 7);
  const [first = ''] = days;
  const last = days.at(-1) ?? first;
  const [typedDay, setTypedDay] = useDraft('couponSet.plan.day', formatTypedDay(first, language));
  const typedAtMs = parseTypedMoment(withYear(typedDay, first, language), language);
  const [chosenDay = ''] = typedAtMs === null ? [] : daysFrom(typedAtMs, 1);
  const day = isWeekly && !week.includes(chosenDay) ? first : chosenDay;
  const isDayWrong = !days.includes(day);
  const [on, setOn] = useDraft('couponSet.plan.on', '');
  const [off, setOff] = useDraft('couponSet.plan.off', '');
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const times = readTimes(isWeekly ? 'weekly' : 'once', day, on, off);
  const wrong = typeof times === 'string' ? times : null;
  const submit = async (): Promise<void> => {
    setAsked(true);
    if (typeof times === 'string' || isDayWrong) {
      return;
    }
    setBusy(true);
    const planned = await bridge.call('couponSet:plan', { setId: set.setId, times });
    setBusy(false);
    if (planned.ok) {
      drafts.getState().drop(fields);
      close();
    } else {
      setFailure(planned.failure);
    }
  };
  return (
    <SetForm words={t('couponSets.plan')} isBusy={isBusy} submit={submit} close={close}>
      <SegmentedControl
        className="choice"
        aria-label={t('couponSets.repeats')}
        data={(['once', 'weekly'] as const).map((value) => ({ value, label: t(`couponSets.repeat.${value}`) }))}
        value={repeats}
        onChange={setRepeats}
      />
      <div className="plan-fields stack-4">
        {isWeekly ? (
          <NativeSelect
            label={t('couponSets.day')}
            data={week.map((one) => ({ value: one, label: nameOfWeekday(one, language) }))}
            value={day}
            onChange={(event) => setTypedDay(formatTypedDay(event.currentTarget.value, language))}
          />
        ) : (
          <PlanDay
            typed={typedDay}
            type={setTypedDay}
            day={day}
            isWrong={isDayWrong && (isAsked || day !== '')}
            first={first}
            last={last}
          />
        )}
        {(
          [
            ['on', on, setOn],
            ['off', off, setOff],
          ] as const
        ).map(([which, text, setText]) => (
          <TextInput
            key={which}
            label={t(`couponSets.${which}`)}
            placeholder={which === 'on' ? '18:00' : '23:00'}
            error={isAsked && readTime(text) === undefined ? t('couponSets.wrong.timeWrong') : undefined}
            maxLength={10}
            onFocus={(event) => event.currentTarget.select()}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ))}
      </div>
      <p className="hint" role="status">
        {typeof times === 'string' || isDayWrong ? t('couponSets.leaveEmpty') : wordsOfTimes(times, t, language)}
      </p>
      {isAsked && wrong !== null && wrong !== 'timeWrong' && (
        <p className="notice" data-kind="warn" role="alert">
          {t(`couponSets.wrong.${wrong}`)}
        </p>
      )}
      <p className="hint">{t('couponSets.here', { email: email ?? '' })}</p>
      {failure?.kind === 'inputInvalid' || failure?.kind === 'plansFull' ? (
        <p className="notice" data-kind="warn" role="alert">
          {failure.kind === 'plansFull'
            ? t('couponSets.wrong.full', { max: formatNumber(maxCouponPlans, language) })
            : t('couponSets.wrong.over')}
        </p>
      ) : (
        <FailureNotice failure={failure} />
      )}
    </SetForm>
  );
}
