import { Switch } from '@mantine/core';
import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { HoursFields } from './hours-fields.tsx';

/** Whether batches are asked for at night, and between which hours; each choice is kept at once. */
export function ExpiryAskingForm(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('expiryAsking', (state) => state.expiryAsking);
  return (
    <SettingsPart
      title={t('settings.expiryAsking.title')}
      lock="settings"
      about={[t('settings.expiryAsking.help'), t('settings.expiryAsking.list')]}
    >
      <div className="setting stack-2">
        <Switch
          label={t('settings.expiryAsking.label')}
          checked={value.isOn}
          onChange={(event) => void save({ ...value, isOn: event.currentTarget.checked })}
        />
      </div>
      {value.isOn && (
        <HoursFields
          name="asking"
          labels={{ from: t('settings.expiryAsking.from'), to: t('settings.quietHours.to') }}
          value={value}
          save={(field, hour) => void save({ ...value, [field]: hour })}
        />
      )}
      <FailureNotice failure={failure()} />
    </SettingsPart>
  );
}
