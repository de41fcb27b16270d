import { Button, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import {
  maxLayouts,
  readLayout,
  readLayouts,
  readScaleLabel,
  defaultLayouts,
  type LayoutFault,
} from '../../app/domain/codes/scale-label.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { formatFigure } from '../formats/scale-layouts.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const LayoutLearning = lazyPart(async () => (await import('./layout-learning.tsx')).LayoutLearning);

/** Of a scale label's barcode, an EAN-13. */
const digits = 13;

/** Shows a label's meaning by each layout that it fits. */
function Trial({ layouts }: { readonly layouts: readonly string[] }): ReactElement {
  const { t, language } = useWords();
  const [text, setText] = useState('');
  // Some scanners put the symbology before it: "]E0" (AIM).
  const typed = text.trim().replace(/^\][A-Za-z]\d/, '');
  const { readings, isMisread } = readScaleLabel(typed, readLayouts(layouts));
  return (
    <div>
      <TextInput
        label={t('settings.scales.try.label')}
        description={t('settings.scales.try.help')}
        inputMode="numeric"
        maxLength={40}
        data-takes-scans
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div role="status">
        {readings.length > 0 ? (
          <ol className="layout-readings">
            {readings.map((reading) => (
              <li key={reading.layout.text}>
                <span className="mono">{reading.layout.text}</span>:{' '}
                {t(`settings.scales.says.${reading.layout.figure}`, {
                  item: reading.item,
                  amount: formatFigure(reading.amount, reading.layout.figure, language),
                })}
              </li>
            ))}
          </ol>
        ) : (
          typed !== '' && (
            <p className="hint">
              {/^\d{1,12}$/.test(typed)
                ? t('settings.scales.try.more', { count: digits - typed.length })
                : t(isMisread ? 'lookup.miss.unreadable.figureVerifier' : 'settings.scales.try.none')}
            </p>
          )
        )}
      </div>
    </div>
  );
}

interface LayoutsProps {
  readonly kept: readonly string[];
  readonly keep: (layouts: string[]) => void;
}

/** The layouts that are kept, in the order in which they are tried. */
function Layouts({ kept, keep }: LayoutsProps): ReactElement {
  const { t } = useWords();
  const moveUp = (place: number): void => {
    const moved = kept[place];
    if (moved !== undefined) {
      keep(kept.toSpliced(place, 1).toSpliced(place - 1, 0, moved));
    }
  };

  return (
    <ol className="layouts stack-2" aria-label={t('settings.scales.title')}>
      {kept.map((text, place) => {
        const layout = readLayout(text);
        return (
          <li key={text} className="line-wrap">
            <span className="layout-text">
              <span className="mono">{text}</span>
              {typeof layout !== 'string' && (
                <span className="hint">
                  {' '}
                  {t(`settings.scales.figure.${layout.figure}`, { count: layout.places.split('C').length - 1 })}
                </span>
              )}
            </span>
            <Button
              variant="default"
              disabled={place === 0}
              aria-label={t('settings.scales.upOf', { layout: text })}
              onClick={() => moveUp(place)}
            >
              {t('settings.scales.up')}
            </Button>
            <Button
              variant="default"
              aria-label={t('settings.scales.removeOf', { layout: text })}
              onClick={() => keep(kept.toSpliced(place, 1))}
            >
              {t('settings.scales.remove')}
            </Button>
          </li>
        );
      })}
    </ol>
  );
}

/** The list, what is added to it, and the way back to the defaults. */
export function ScaleLayouts(): ReactElement {
  const { t } = useWords();
  const { value: kept, failure, save } = useSetting('scaleLayouts', (state) => state.scaleLayouts);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<LayoutFault | 'twice' | 'tooMany' | null>(null);
  const [isLearning, setLearning] = useState(false);
  // The replaced layouts, to be brought back.
  const [replaced, setReplaced] = useState<readonly string[] | null>(null);

  const keep = async (scaleLayouts: string[]): Promise<void> => {
    setReplaced(null);
    await save(scaleLayouts);
  };

  const isDefault = kept.join() === defaultLayouts.join();
  const replaceBy = async (layouts: readonly string[]): Promise<void> => {
    const before = kept;
    await keep([...layouts]);
    setReplaced(layouts !== defaultLayouts && before.every((text) => layouts.includes(text)) ? null : before);
  };

  const add = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const layout = readLayout(typed);
    if (typeof layout === 'string') {
      setWrong(layout);
    } else if (kept.includes(layout.text) || kept.length >= maxLayouts) {
      setWrong(kept.includes(layout.text) ? 'twice' : 'tooMany');
    } else {
      setWrong(null);
      setTyped('');
      void keep([...kept, layout.text]);
    }
  };

  return (
    <SettingsPart title={t('settings.scales.title')} lock="settings" about={[t('settings.scales.add.help')]}>
      {kept.length === 0 && <p className="hint">{t('settings.scales.empty')}</p>}
      <Layouts kept={kept} keep={(layouts) => void keep(layouts)} />
      <form className="form" noValidate onSubmit={add}>
        <TextInput
          label={t('settings.scales.add.label')}
          error={wrong === null ? undefined : t(`settings.scales.wrong.${wrong}`)}
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(null);
          }}
        />
        <div className="wrap">
          <Button type="submit" variant="default">
            {t('settings.scales.add.button')}
          </Button>
          <Button variant="subtle" disabled={isDefault} onClick={() => void replaceBy(defaultLayouts)}>
            {t('settings.scales.defaults')}
          </Button>
        </div>
        <div role="status">
          {replaced !== null && (
            <p className="notice layout-line">
              {t('settings.scales.replaced', { count: replaced.length })}
              <Button variant="default" onClick={() => void keep([...replaced])}>
                {t('ui.form.undo')}
              </Button>
            </p>
          )}
        </div>
      </form>
      <Trial layouts={kept} />
      <div>
        <Button variant="default" aria-expanded={isLearning} onClick={() => setLearning(!isLearning)}>
          {t(isLearning ? 'ui.form.close' : 'settings.scales.learn.open')}
        </Button>
      </div>
      {isLearning && <LayoutLearning kept={kept} take={(layouts) => void replaceBy(layouts.slice(0, maxLayouts))} />}
      <FailureNotice failure={failure()} />
    </SettingsPart>
  );
}
