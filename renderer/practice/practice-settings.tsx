import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { PracticeNetwork } from './practice-banner.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** Nothing in a real store. */
export function PracticeSettings(): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const isPractice = useTerminal((state) => state.practice !== null);
  const hasPanel = useTerminal((state) => state.practice?.hasPanel === true);
  const [failure, setFailure] = useState<Failure | null>(null);

  const openPanel = async (): Promise<void> => {
    const panel = await bridge.call('practice:openPanel', {});
    setFailure(panel.ok ? null : panel.failure);
    if (panel.ok && panel.value.url !== null) {
      window.open(panel.value.url, '_blank', 'noopener,noreferrer');
    }
  };

  return isPractice ? (
    <SettingsPart title={t('practice.name')}>
      <p>
        {t('practice.about')} {hasPanel && t('practice.aboutPanel')}
      </p>
      <div className="buttons practice-actions">
        <PracticeNetwork className="practice-network" />
        {hasPanel && (
          // Each press opens a browser: a double click is one.
          <Button variant="default" onClick={({ detail }) => (detail > 1 ? undefined : void openPanel())}>
            {t('practice.panel')}
          </Button>
        )}
      </div>
      <FailureNotice failure={failure} />
    </SettingsPart>
  ) : null;
}
