import { Button, Switch } from '@mantine/core';
import { useEffect, useId, useState, type ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { signals } from '../dom/sounds.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { soundPlayer } from '../ui/use-sound.ts';

export function SoundsForm(): ReactElement {
  const { t } = useWords();
  const { value: kept, failure, save } = useSetting('sounds', (state) => state.sounds);
  const [volume, setVolume] = useState(kept.volume);
  const labelId = useId();
  useEffect(() => setVolume(kept.volume), [kept.volume]);
  // Values that are only dragged over are not kept.
  const settle = (): void => {
    if (volume !== kept.volume) {
      void save({ ...kept, volume });
    }
  };
  return (
    <SettingsPart title={t('settings.sounds.title')} about={[t('settings.sounds.help')]}>
      <Switch
        label={t('settings.sounds.isOn')}
        checked={kept.isOn}
        onChange={(event) => void save({ ...kept, isOn: event.currentTarget.checked })}
      />
      <FailureNotice failure={failure('isOn')} />
      <div className="setting stack-2">
        <p id={labelId}>{t('settings.sounds.volume', { volume })}</p>
        <input
          className="volume"
          type="range"
          min={0}
          max={100}
          step={5}
          aria-labelledby={labelId}
          disabled={!kept.isOn}
          value={volume}
          onChange={(event) => setVolume(event.currentTarget.valueAsNumber)}
          onPointerUp={settle}
          onKeyUp={settle}
          onBlur={settle}
        />
        <FailureNotice failure={failure('volume')} />
      </div>
      <div className="setting stack-2">
        <p>{t('settings.sounds.try')}</p>
        <div className="trial-actions">
          {signals.map((signal) => (
            <Button
              key={signal}
              variant="default"
              disabled={!kept.isOn}
              onClick={() => soundPlayer.play(signal, volume)}
            >
              {t(`settings.sounds.signal.${signal}`)}
            </Button>
          ))}
        </div>
      </div>
    </SettingsPart>
  );
}
