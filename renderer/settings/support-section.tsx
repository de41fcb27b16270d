import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { Diagnostics } from '../support/diagnostics.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import type { SectionProps } from './section-props.ts';
import { PlatformCheck } from './platform-check.tsx';
import { QueueLimits } from './queue-form.tsx';
import { RateLimitSetting } from './rate-limit-form.tsx';

/** The way to the office's own task at this till. */
function Users(): ReactElement {
  const { t } = useWords();
  return (
    <SettingsPart title={t('shell.screen.users')} lock="users">
      <p>
        <a href="#users" className="target" aria-keyshortcuts={ariaKeysOf('users')}>
          {t('users.restore.title')}
        </a>
      </p>
    </SettingsPart>
  );
}

/** A cashier saves the file for support and sees how the terminal stands; the rest is the manager's. */
export function SupportSettings({ isShowingAll }: SectionProps): ReactElement {
  return (
    <>
      <Diagnostics isWorkspaceOpen />
      {isShowingAll && (
        <>
          <PlatformCheck />
          <QueueLimits />
          <RateLimitSetting />
          <Users />
        </>
      )}
    </>
  );
}
