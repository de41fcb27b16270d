import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { QuietHours } from '../../app/contract/catalogue-plan.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { LockSign } from '../ui/lock-sign.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
const fields = ['from', 'to'] as const satisfies readonly (keyof QuietHours)[];

/** Two hours of the day; each choice is kept at once. */
export function QuietHoursForm(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('quietHours', (state) => state.quietHours);
  return (
    <>
      <div className="form-row">
        {fields.map((field) => (
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
      <p className="hint">
        <LockSign kind="settings" /> {t('settings.quietHours.help')}
      </p>
      <FailureNotice failure={failure} />
    </>
  );
}
