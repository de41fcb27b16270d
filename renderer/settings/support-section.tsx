import type { ReactElement } from 'react';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { Diagnostics } from '../support/diagnostics.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { SaveText } from '../ui/save-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import type { SectionProps } from './section-props.ts';
import { PlatformCheck } from './platform-check.tsx';
import { QueueLimits } from './queue-form.tsx';
import { RateLimitSetting } from './rate-limit-form.tsx';

/** This terminal's set-up as a file for others. */
function ShopFile(): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const hasProfile = useTerminal((state) => state.profiles.length > 0);
  return hasProfile ? (
    <SettingsPart title={t('support.shopFile.title')} about={[t('support.shopFile.text')]}>
      <SaveText
        read={() => bridge.call('provisioning:export', {})}
        label={t('support.shopFile.save')}
        variant="default"
        sign={<LockSign kind="provisioning" />}
      />
    </SettingsPart>
  ) : null;
}

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
          <ShopFile />
          <QueueLimits />
          <RateLimitSetting />
          <Users />
        </>
      )}
    </>
  );
}
