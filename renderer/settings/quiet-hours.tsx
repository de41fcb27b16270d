import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { HoursFields } from './hours-fields.tsx';

/** Two hours of the day; each choice is kept at once. */
export function QuietHoursForm(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('quietHours', (state) => state.quietHours);
  return (
    <>
      <HoursFields
        name="quiet"
        labels={{ from: t('settings.quietHours.from'), to: t('settings.quietHours.to') }}
        value={value}
        save={(field, hour) => void save({ ...value, [field]: hour })}
      />
      <FailureNotice failure={failure()} />
    </>
  );
}
