import { Button } from '@mantine/core';
import { useId, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { CopyAge } from './catalogue-age.tsx';
import { CopyLine, CopyPlan, CopyProgress, useIsResting } from '../ui/sync-progress.tsx';
import { ExpiryAskingForm } from './expiry-asking.tsx';
import { QuietHoursForm } from './quiet-hours.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';

export function StockSettings(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const isCopying = useTerminal((state) => state.catalogue.phase === 'copying');
  const isResting = useIsResting();
  const whyId = useId();
  const [failure, setFailure] = useState<Failure | null>(null);
  const copy = async (): Promise<void> => {
    const started = await bridge.call('catalogue:copy', {});
    setFailure(started.ok ? null : started.failure);
  };
  return (
    <>
      <SettingsPart
        title={t('settings.catalogue')}
        lock="settings"
        about={[t('settings.copyHint'), t('settings.quietHours.help')]}
      >
        <CopyProgress />
        <CopyLine />
        <CopyPlan />
        <CopyAge />
        <QuietHoursForm />
        {(isCopying || isResting) && (
          <p className="hint" id={whyId}>
            {t(isCopying ? 'settings.copyRuns' : 'settings.copyRests')}
          </p>
        )}
        <div>
          {/* It only looks disabled: one that is would lose the focus. */}
          <Button
            variant="default"
            {...(isCopying ? { 'data-disabled': true } : {})}
            aria-disabled={isCopying}
            aria-describedby={isCopying || isResting ? whyId : undefined}
            onClick={() => void (isCopying ? undefined : copy())}
          >
            {t('settings.copy')}
          </Button>
        </div>
        <FailureNotice failure={failure} />
      </SettingsPart>
      <ExpiryAskingForm />
    </>
  );
}
