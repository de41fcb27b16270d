import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { rateLimitAccounts, rateLimitSettingRange as range } from '../../app/contract/limits/rate-limit.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { FigureField } from '../ui/figure-field.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** What shares the limit. */
function AccountChoice(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('rateLimitAccount', (state) => state.rateLimitAccount);
  return (
    <div className="setting stack-2">
      <p>{t('settings.rateLimits.account.label')}</p>
      <SegmentedControl
        className="choice"
        aria-label={t('settings.rateLimits.account.label')}
        data={rateLimitAccounts.map((account) => ({
          value: account,
          label: t(`settings.rateLimits.account.${account}`),
        }))}
        value={value}
        onChange={(account) => void save(account)}
      />
      <FailureNotice failure={failure()} />
    </div>
  );
}

export function RateLimitSetting(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('allowanceLimits', (state) => state.allowanceLimits);
  return (
    <SettingsPart
      title={t('shell.screen.rateLimit')}
      lock="settings"
      about={[t('settings.rateLimits.limit.help'), t('settings.rateLimits.account.help')]}
    >
      <FigureField
        label={t('settings.rateLimits.limit.label', { seconds: value.windowSeconds })}
        kept={value.limit}
        range={range.limit}
        wrong={t('settings.rateLimits.limit.wrong')}
        save={(limit) => save({ ...value, limit, reserve: Math.min(value.reserve, limit - 1) })}
        failure={failure('limit')}
      />
      <AccountChoice />
      <p>
        <a href="#rateLimit" className="target">
          {t('settings.rateLimits.see')}
        </a>
      </p>
    </SettingsPart>
  );
}
