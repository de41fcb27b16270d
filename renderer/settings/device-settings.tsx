import { Button, Switch } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { DeviceState } from '../../app/contract/device.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useMissed, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatFullMoment, formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { CloseKiosk } from '../support/close-kiosk.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** Nothing where Tillside is not installed. */
export function DeviceSettings(): ReactElement | null {
  const { t, language } = useWords();
  const { bridge, settings } = useStores();
  const version = useTerminal((state) => state.version);
  const now = useNow();
  const missed = useMissed();
  const [device, setDevice] = useState<DeviceState | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  useEffect(() => {
    void bridge.call('device:read', {}).then((read) => {
      setDevice((before) => (read.ok ? read.value : before));
    });
  }, [bridge, missed]);
  if (device === null) {
    return null;
  }
  const { update, startsAtSignIn, isKiosk } = device;
  const check = async (): Promise<void> => {
    setChecking(true);
    const checked = await bridge.call('device:checkForUpdate', {});
    setChecking(false);
    setFailure(checked.ok ? null : checked.failure);
    if (checked.ok) {
      setDevice(checked.value);
    }
  };
  const startAtSignIn = async (isOn: boolean): Promise<void> => {
    const set = await settings.getState().keep(() => bridge.call('device:setStartsAtSignIn', { isOn }));
    setFailure(set.ok ? null : set.failure);
    const read = await bridge.call('device:read', {});
    setDevice(read.ok ? read.value : device);
  };
  return (
    <SettingsPart title={t('settings.device.title')} lock="settings">
      <dl className="facts">
        <dt>{t('settings.device.version')}</dt>
        <dd className="mono">{version}</dd>
        {update.checkedAt !== null && (
          <>
            <dt>{t('settings.device.checkedAt')}</dt>
            <dd>{formatMoment(update.checkedAt, now, language)}</dd>
          </>
        )}
      </dl>
      <p role="status" data-update={update.state}>
        {(update.state !== 'upToDate' || update.lastCheck === 'good') &&
          t(`settings.device.update.${update.state}`, { version: update.version ?? '' })}{' '}
        {update.lastCheck === 'failed' && t('settings.device.checkFailed')}
        {update.lastCheck === 'date' && t('settings.device.checkDate', { moment: formatFullMoment(now, language) })}
      </p>
      {update.state !== 'off' && (
        <div>
          <Button variant="default" loading={isChecking} onClick={() => void check()}>
            {t('settings.device.check')}
          </Button>
        </div>
      )}
      {startsAtSignIn === null ? (
        <p className="hint">{t('settings.device.noSignInStart')}</p>
      ) : (
        <div className="setting stack-2">
          <Switch
            label={
              <>
                {t('settings.device.startsAtSignIn')} <LockSign kind="settings" />
              </>
            }
            checked={startsAtSignIn}
            onChange={(event) => void startAtSignIn(event.currentTarget.checked)}
          />
        </div>
      )}
      {isKiosk && <CloseKiosk />}
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
