import { Switch } from '@mantine/core';
import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** Whether batches are asked for in the quiet hours. */
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
          onChange={(event) => void save({ isOn: event.currentTarget.checked })}
        />
      </div>
      <FailureNotice failure={failure()} />
    </SettingsPart>
  );
}
