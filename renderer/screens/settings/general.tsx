// Owns the settings that any person at the till may want: language and colours, and what can be practised. Never shows a secret.
import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { LanguageChoice } from '../../components/language-choice.tsx';
import { PracticeSettings } from '../../components/practice-settings.tsx';
import { SettingsPart } from '../../components/settings-part.tsx';
import { useStores, useTerminal, useWords } from '../../context.tsx';

const themes = ['system', 'light', 'dark'] as const;

function Appearance(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const theme = useTerminal((state) => state.theme);
  return (
    <SettingsPart title={t('settings.appearance')}>
      <div className="setting">
        <p>{t('settings.language')}</p>
        <LanguageChoice withSystem />
      </div>
      <div className="setting">
        <p>{t('settings.theme')}</p>
        <SegmentedControl
          className="choice"
          aria-label={t('settings.theme')}
          data={themes.map((value) => ({ value, label: t(value === 'system' ? 'settings.system' : `settings.${value}`) }))}
          value={theme}
          onChange={(value) => void wall.call('settings:update', { theme: themes.find((one) => one === value) ?? 'system' })}
        />
      </div>
    </SettingsPart>
  );
}

export function GeneralSettings(): ReactElement {
  return (
    <>
      <PracticeSettings />
      <Appearance />
    </>
  );
}
