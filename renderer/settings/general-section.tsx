import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { textSizes } from '../../app/contract/limits/look.ts';
import { OwnBadge } from '../cashiers/own-badge.tsx';
import { OwnPin } from '../cashiers/own-pin.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LanguageChoice } from '../ui/language-choice.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { SoundsForm } from './sounds-form.tsx';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { useHasTextSizeKeys, useTextSize } from '../stores/use-text-size.ts';
import { keysOf } from '../stores/shortcuts.ts';
import { KeyCaps } from '../ui/keys.tsx';

const themes = ['system', 'light', 'dark'] as const;

function Appearance(): ReactElement {
  const { t } = useWords();
  const { value: theme, failure, save } = useSetting('theme', (state) => state.theme);
  const { value: textSize, failure: textSizeFailure, save: saveTextSize } = useTextSize();
  const hasKeys = useHasTextSizeKeys();
  return (
    <SettingsPart title={t('settings.appearance')}>
      <div className="setting stack-2">
        <p>{t('settings.language')}</p>
        <LanguageChoice withSystem />
      </div>
      <div className="setting stack-2">
        <p>{t('settings.theme')}</p>
        <SegmentedControl
          className="choice"
          aria-label={t('settings.theme')}
          data={themes.map((value) => ({
            value,
            label: t(value === 'system' ? 'settings.system' : `settings.${value}`),
          }))}
          value={theme}
          onChange={(value) => void save(value)}
        />
        <FailureNotice failure={failure()} />
      </div>
      <div className="setting stack-2">
        <p>
          {t('settings.textSize.title')} {hasKeys && <KeyCaps keys={[...keysOf('largerText'), '−']} />}
        </p>
        <SegmentedControl
          className="choice"
          aria-label={t('settings.textSize.title')}
          data={textSizes.map((value) => ({ value, label: t(`settings.textSize.${value}`) }))}
          value={textSize}
          onChange={(value) => void saveTextSize(value)}
        />
        <FailureNotice failure={textSizeFailure()} />
      </div>
    </SettingsPart>
  );
}

/** What a person chooses for their own eyes, ears and hands. */
export function GeneralSettings(): ReactElement {
  return (
    <>
      <Appearance />
      <OwnPin />
      <OwnBadge />
      <SoundsForm />
    </>
  );
}
