import { TextInput } from '@mantine/core';
import { useRef, type ReactElement } from 'react';
import { formatTypedDay } from '../formats/typed-moments.ts';
import { useWords } from '../stores/context.tsx';
import { CalendarIcon } from '../ui/icons.tsx';
import { formatPlanDay } from './plan-words.ts';

interface PlanDayProps {
  readonly typed: string;
  readonly type: (typed: string) => void;
  /** What was typed; empty where it is no day. */
  readonly day: string;
  readonly isWrong: boolean;
  readonly first: string;
  readonly last: string;
}

/** A day as the page's language writes it. A browser's own field of dates has the order of the system's language. */
export function PlanDay({ typed, type, day, isWrong, first, last }: PlanDayProps): ReactElement {
  const { t, language } = useWords();
  const calendar = useRef<HTMLInputElement>(null);
  const [from, to] = [formatTypedDay(first, language), formatTypedDay(last, language)];
  return (
    <TextInput
      label={t('couponSets.day')}
      description={day === '' ? undefined : formatPlanDay(day, language)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={isWrong ? t('couponSets.wrong.dayWrong', { from, to }) : undefined}
      placeholder={from}
      // With room behind a whole day: what is typed there is refused in words, not dropped by the field.
      maxLength={2 * from.length}
      onFocus={(event) => event.currentTarget.select()}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={
        <>
          <input
            ref={calendar}
            className="plan-calendar"
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            min={first}
            max={last}
            value={day}
            onChange={(event) => type(formatTypedDay(event.currentTarget.value, language))}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={t('couponSets.calendar')}
            onClick={() => calendar.current?.showPicker()}
          >
            <CalendarIcon size={20} />
          </button>
        </>
      }
    />
  );
}
