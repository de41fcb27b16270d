import type { ReactElement } from 'react';
import { rateLimitSettingRange as range } from '../../app/contract/limits/rate-limit.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FigureField } from '../ui/figure-field.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

export function RateLimitSetting(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('allowanceLimits', (state) => state.allowanceLimits);
  return (
    <SettingsPart title={t('shell.screen.rateLimit')} lock="settings" about={[t('settings.rateLimits.limit.help')]}>
      <FigureField
        label={t('settings.rateLimits.limit.label', { seconds: value.windowSeconds })}
        kept={value.limit}
        range={range.limit}
        wrong={t('settings.rateLimits.limit.wrong')}
        save={(limit) => save({ ...value, limit, reserve: Math.min(value.reserve, limit - 1) })}
        failure={failure('limit')}
      />
      <p>
        <a href="#rateLimit" className="target">
          {t('settings.rateLimits.see')}
        </a>
      </p>
    </SettingsPart>
  );
}
