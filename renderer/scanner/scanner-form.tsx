import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import {
  maxMarkLength,
  scannerKeyboards,
  scannerLimits,
  scannerTerminators,
  shortestSilenceMs,
  slowestPaceMs,
  defaultScanner,
} from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FiguresForm, readFigure } from '../ui/figures-form.tsx';
import { useSettingWords } from './scanner-trial.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const figures = ['charactersAtLeast', 'meanGapMs', 'silenceMs'] as const;
type Figure = (typeof figures)[number];
const marks = ['prefix', 'suffix'] as const;
const isMark = (text: string): boolean => /^[!-~]*$/.test(text) && text.length <= maxMarkLength;

function readFigures(texts: Readonly<Record<Figure, string>>): Record<Figure, number | null> {
  const within = (field: Figure, narrower: { readonly min?: number; readonly max?: number } = {}): number | null =>
    readFigure(texts[field], { ...scannerLimits[field], ...narrower });
  const charactersAtLeast = within('charactersAtLeast');
  const meanGapMs = within('meanGapMs', charactersAtLeast === null ? {} : { max: slowestPaceMs(charactersAtLeast) });
  return {
    charactersAtLeast,
    meanGapMs,
    silenceMs: within('silenceMs', meanGapMs === null ? {} : { min: shortestSilenceMs(meanGapMs) }),
  };
}

/** Texts that the scanner sends around each code, and their fields. */
function useMarks(kept: ScannerSettings) {
  const { t } = useWords();
  const { drafts } = useStores();
  const typed = useStore(drafts, (draft) => draft.typed);
  const texts = { prefix: typed['prefix'] ?? kept.prefix, suffix: typed['suffix'] ?? kept.suffix };
  const part = (
    <>
      <div className="form-row">
        {marks.map((mark) => (
          <TextInput
            key={mark}
            name={mark}
            label={t(`scanner.field.${mark}`)}
            error={isMark(texts[mark]) ? undefined : t('scanner.wrong.mark', { count: maxMarkLength })}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={texts[mark]}
            onChange={(event) => drafts.getState().type(mark, event.currentTarget.value)}
          />
        ))}
      </div>
    </>
  );
  return {
    texts,
    names: marks,
    isUnsaved: marks.some((mark) => texts[mark] !== kept[mark]),
    wrong: marks.find((mark) => !isMark(texts[mark])),
    part,
  };
}

/** Every setting of the scanner, and the way back to the defaults. */
export function ScannerForm(): ReactElement {
  const { t } = useWords();
  const { drafts } = useStores();
  const settingWords = useSettingWords();
  const { value: kept, failure, save } = useSetting('scanner', (state) => state.scanner);
  const around = useMarks(kept);
  // The settings that the defaults replaced, to be brought back.
  const [replaced, setReplaced] = useState<ScannerSettings | null>(null);
  const isDefault = JSON.stringify(kept) === JSON.stringify(defaultScanner);
  const update = (scanner: ScannerSettings): Promise<boolean> => {
    setReplaced(null);
    return save(scanner);
  };
  const takeDefaults = async (): Promise<void> => {
    if (await update(defaultScanner)) {
      drafts.getState().drop([...figures, ...marks]);
      setReplaced(kept);
    }
  };
  return (
    <SettingsPart
      title={t('scanner.title')}
      lock="settings"
      about={[
        t('scanner.lead'),
        t('scanner.help.marks'),
        ...figures.map((field) => `${t(`scanner.field.${field}`)}: ${t(`scanner.help.${field}`)}`),
      ]}
    >
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
      <FiguresForm
        fields={figures}
        kept={kept}
        read={readFigures}
        wordsOf={(field) => ({ label: t(`scanner.field.${field}`), wrong: t(`scanner.wrong.${field}`) })}
        save={(read) => update({ ...kept, ...around.texts, ...read })}
        above={around}
      />
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
              {t('settings.scales.undo')}
            </Button>
          </p>
        )}
      </div>
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
