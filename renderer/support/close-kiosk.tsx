import { Button } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { useStores, useWords } from '../stores/context.tsx';
import { LockSign } from '../ui/lock-sign.tsx';

/** The button, which asks for the PIN where there is one. */
export function CloseKiosk(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  return (
    <div className="setting">
      <div>
        <Button
          variant="default"
          leftSection={<LockSign kind="closing" />}
          onClick={() => void bridge.call('device:quit', {})}
        >
          {t('device.quit')}
        </Button>
      </div>
      <p className="hint">{t('device.quitHint')}</p>
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
