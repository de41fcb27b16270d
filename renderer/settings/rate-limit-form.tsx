import type { ReactElement } from 'react';
import { rateLimitSettingRange as range } from '../../app/contract/limits/rate-limit.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FigureFields, readFigure } from '../ui/figure-fields.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const fields = ['limit', 'windowSeconds', 'reserve'] as const;

export function RateLimitSetting(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('allowanceLimits', (state) => state.allowanceLimits);
  return (
    <SettingsPart title={t('shell.screen.rateLimit')} lock="settings" about={[t('settings.rateLimits.limit.help')]}>
      <FigureFields
        fields={fields}
        kept={value}
        read={(texts) => {
          const limit = readFigure(texts.limit, range.limit);
          const reserve = readFigure(texts.reserve, {
            min: range.reserve.min,
            max: limit === null ? range.reserve.max : limit - 1,
          });
          return { limit, windowSeconds: readFigure(texts.windowSeconds, range.windowSeconds), reserve };
        }}
        wordsOf={(field) => ({
          label: t(`settings.rateLimits.${field}.label`),
          wrong: t(`settings.rateLimits.${field}.wrong`),
        })}
        save={save}
        failure={failure}
      />
      <p>
        <a href="#rateLimit" className="target">
          {t('settings.rateLimits.see')}
        </a>
      </p>
    </SettingsPart>
  );
}
