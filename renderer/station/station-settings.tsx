import { Button, Modal, NativeSelect, SegmentedControl } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { stationLimits } from '../../app/contract/limits/station.ts';
import type { StationChoice } from '../../app/contract/station.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingField } from '../ui/setting-field.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const fewChoices = [1, 2, 3, 5, 10, 20, 50, 100];

interface BeginProps {
  readonly begin: () => Promise<boolean>;
}

function Begin({ begin }: BeginProps): ReactElement {
  const { t } = useWords();
  const hasPin = useTerminal((state) => state.lock.hasPin);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="setting stack-2">
      <div>
        <Button disabled={!hasPin} onClick={() => setAsking(true)}>
          {t('station.settings.begin')}
        </Button>
      </div>
      {!hasPin && <p className="hint">{t('station.settings.needsPin')}</p>}
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={t('station.settings.beginTitle')} size={560}>
        <div className="form">
          <p>{t('station.settings.beginText')}</p>
          <p>{t('station.settings.leave')}</p>
          <div className="form-actions">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('ui.form.cancel')}
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                void begin();
              }}
            >
              {t('station.settings.begin')}
            </Button>
          </div>
        </div>
      </Modal>
    </div>
  );
}

/** Settings of the check station, and the button that opens it. */
export function StationSettings(): ReactElement {
  const { t, language } = useWords();
  const { value, failure, save } = useSetting('station', (state) => state.station);
  const choose = (change: Partial<StationChoice>): Promise<boolean> => save({ ...value, ...change });
  return (
    <SettingsPart
      title={t('station.settings.title')}
      lock="settings"
      about={[t(`station.settings.${value.stockWords}Help`), t('station.settings.greetingHelp')]}
    >
      <div className="setting stack-2">
        <p id="station-stock-words">{t('station.settings.stockWords')}</p>
        <SegmentedControl
          aria-labelledby="station-stock-words"
          className="choice"
          data={(['words', 'figures'] as const).map((one) => ({ value: one, label: t(`station.settings.${one}`) }))}
          value={value.stockWords}
          onChange={(stockWords) => void choose({ stockWords })}
        />
        <FailureNotice failure={failure('stockWords')} />
      </div>
      {value.stockWords === 'words' && (
        <NativeSelect
          label={t('station.settings.fewBelow')}
          value={String(value.fewBelow)}
          data={[...new Set([...fewChoices, value.fewBelow])]
            .toSorted((one, other) => one - other)
            .map((figure) => ({ value: String(figure), label: formatNumber(figure, language) }))}
          onChange={(event) => void choose({ fewBelow: Number(event.currentTarget.value) })}
        />
      )}
      <FailureNotice failure={failure('fewBelow')} />
      <SettingField
        label={t('station.settings.greeting')}
        maxLength={stationLimits.greeting}
        kept={value.greeting}
        save={(greeting) => choose({ greeting })}
        failure={failure('greeting')}
      />
      <Begin begin={() => choose({ isOn: true })} />
      <FailureNotice failure={failure('isOn')} />
    </SettingsPart>
  );
}
