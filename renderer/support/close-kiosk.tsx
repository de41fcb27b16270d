import { Button } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LockSign } from '../ui/lock-sign.tsx';

/** The button, which asks for the PIN where there is one. */
export function CloseKiosk(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [failure, setFailure] = useState<Failure | null>(null);
  const quit = async (): Promise<void> => {
    const asked = await bridge.call('device:quit', {});
    setFailure(asked.ok ? null : asked.failure);
  };
  return (
    <div className="setting stack-2">
      <div>
        <Button variant="default" leftSection={<LockSign kind="closing" />} onClick={() => void quit()}>
          {t('settings.device.quit')}
        </Button>
      </div>
      <p className="hint">{t('settings.device.quitHint')}</p>
      <FailureNotice failure={failure} />
    </div>
  );
}

/** The same where nothing else tells of the machine. */
export function CloseKioskIfAny(): ReactElement | null {
  const { bridge } = useStores();
  const [isKiosk, setKiosk] = useState(false);
  useEffect(() => {
    void bridge.call('device:read', {}).then((read) => {
      setKiosk(read.ok && read.value.isKiosk);
    });
  }, [bridge]);
  return isKiosk ? <CloseKiosk /> : null;
}
