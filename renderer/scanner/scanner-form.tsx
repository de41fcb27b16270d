import { Button, NativeSelect } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import {
  maxMarkLength,
  scannerKeyboards,
  scannerTerminators,
  defaultScanner,
} from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { SettingField } from '../ui/setting-field.tsx';
import { useSettingWords } from './scanner-trial.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const marks = ['prefix', 'suffix'] as const;
const isMark = (text: string): boolean => /^[!-~]*$/.test(text) && text.length <= maxMarkLength;

/** What a scanner sends beside the code, and the way back to the defaults; its pace is taken from a trial. */
export function ScannerForm(): ReactElement {
  const { t } = useWords();
  const settingWords = useSettingWords();
  const { value: kept, failure, save } = useSetting('scanner', (state) => state.scanner);
  // The settings that the defaults replaced, to be brought back.
  const [replaced, setReplaced] = useState<ScannerSettings | null>(null);
  const isDefault = JSON.stringify(kept) === JSON.stringify(defaultScanner);
  const update = (scanner: ScannerSettings): Promise<boolean> => {
    setReplaced(null);
    return save(scanner);
  };
  const takeDefaults = async (): Promise<void> => {
    if (await update(defaultScanner)) {
      setReplaced(kept);
    }
  };
  return (
    <SettingsPart title={t('scanner.title')} lock="settings" about={[t('scanner.lead'), t('scanner.help.marks')]}>
      <div className="form-row">
        <NativeSelect
          label={t('scanner.field.terminator')}
          data={scannerTerminators.map((value) => ({ value, label: settingWords('terminator', value) }))}
          value={kept.terminator}
          onChange={(event) =>
            void update({
              ...kept,
              terminator: scannerTerminators.find((one) => one === event.currentTarget.value) ?? kept.terminator,
            })
          }
        />
        <NativeSelect
          label={t('scanner.field.keyboard')}
          data={scannerKeyboards.map((value) => ({ value, label: settingWords('keyboard', value) }))}
          value={kept.keyboard}
          onChange={(event) =>
            void update({
              ...kept,
              keyboard: scannerKeyboards.find((one) => one === event.currentTarget.value) ?? kept.keyboard,
            })
          }
        />
      </div>
      <FailureNotice failure={failure('terminator') ?? failure('keyboard')} />
      <div className="form-row">
        {marks.map((mark) => (
          <SettingField
            key={mark}
            label={t(`scanner.field.${mark}`)}
            kept={kept[mark]}
            wrong={(text) => (isMark(text.trim()) ? undefined : t('scanner.wrong.mark', { count: maxMarkLength }))}
            save={(text) => update({ ...kept, [mark]: text })}
            failure={failure(mark)}
          />
        ))}
      </div>
      <div>
        <Button variant="subtle" disabled={isDefault} onClick={() => void takeDefaults()}>
          {t('scanner.defaults')}
        </Button>
      </div>
      <div role="status">
        {replaced !== null && (
          <p className="notice layout-line">
            {t('scanner.replaced')}
            <Button variant="default" onClick={() => void update(replaced)}>
              {t('ui.form.undo')}
            </Button>
          </p>
        )}
      </div>
    </SettingsPart>
  );
}
