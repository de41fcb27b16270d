import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** Two hours of the day; each choice is kept at once. */
export function QuietHoursForm(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('quietHours', (state) => state.quietHours);
  return (
    <>
      <div className="form-row">
        {(['from', 'to'] as const).map((field) => (
          <NativeSelect
            key={field}
            name={`quiet-${field}`}
            label={t(`settings.quietHours.${field}`)}
            data={hours}
            value={String(value[field])}
            onChange={(event) => void save({ ...value, [field]: Number(event.currentTarget.value) })}
          />
        ))}
      </div>
      <FailureNotice failure={failure()} />
    </>
  );
}
