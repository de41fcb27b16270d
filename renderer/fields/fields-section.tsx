import { Button } from '@mantine/core';
import { useCallback, useEffect, useState, type ReactElement } from 'react';
import type { ListedFields, ProductField } from '../../app/contract/fields.ts';
import { shownFieldLimits, usualFields } from '../../app/contract/limits/fields.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { ShownFields } from '../ui/shown-fields.tsx';
import { ChosenFields } from './chosen-fields.tsx';
import { withField, type Chosen } from './chosen.ts';
import { FoundFields } from './listed-fields.tsx';

/** The copy's fields, read when the section is opened and when somebody asks again; null meanwhile. */
function useListedFields(): readonly [Result<ListedFields, Failure> | null, () => void] {
  const { bridge } = useStores();
  const [reading, setReading] = useState<Result<ListedFields, Failure> | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOver = false;
    void bridge.call('catalogue:listFields', {}).then((answer) => {
      if (!isOver) {
        setReading(answer);
      }
    });
    return () => {
      isOver = true;
    };
  }, [bridge, round]);
  const readAgain = useCallback(() => {
    setReading(null);
    setRound((before) => before + 1);
  }, []);
  return [reading, readAgain];
}

/** A card as it will be, with values that the copy has. */
function Preview({ chosen, listed }: { readonly chosen: Chosen; readonly listed: ListedFields }): ReactElement {
  const { t } = useWords();
  const fields = chosen.flatMap(({ path, name, on }): ProductField[] => {
    const [sample] = listed.fields.find((one) => one.path === path)?.samples ?? [];
    return sample === undefined ? [] : [{ ...sample, name, on }];
  });
  const isEmpty = !fields.some(({ on }) => on.includes('card'));
  return (
    <section className="stack-2" aria-label={t('fields.preview.title')}>
      <h3>{t('fields.preview.title')}</h3>
      <div className="field-preview-card">
        <p className="card-name">{t('fields.preview.product')}</p>
        {isEmpty ? <p className="hint">{t('fields.preview.nothing')}</p> : <ShownFields fields={fields} place="card" />}
      </div>
    </section>
  );
}

/** Which fields of the platform's listing stand where, and what there is to choose from. */
export function FieldSettings(): ReactElement {
  const { t } = useWords();
  const { value: chosen, failure, save } = useSetting('shownFields', (state) => state.shownFields);
  const [reading, readAgain] = useListedFields();
  const listed = reading?.ok === true ? reading.value : null;
  const change = (next: Chosen): void => void save([...next]);
  // What stands there as long as nothing is chosen does not go with the first choice.
  const usual = usualFields.flatMap((name): Chosen => {
    const field = listed?.fields.find((one) => one.usual === name);
    return field === undefined
      ? []
      : [{ path: field.path, name: t(`lookup.card.usual.${name}`), on: ['card', 'station'] }];
  });
  return (
    <div className="field-settings">
      <SettingsPart title={t('fields.chosen.title')} lock="settings" about={[t('fields.chosen.rooms')]}>
        {chosen.length === 0 ? (
          <p className="hint">{t('fields.chosen.empty')}</p>
        ) : (
          <ChosenFields chosen={chosen} listed={listed} change={change} />
        )}
        {chosen.length > 0 && listed !== null && <Preview chosen={chosen} listed={listed} />}
        <FailureNotice failure={failure()} />
      </SettingsPart>
      <SettingsPart title={t('fields.listed.title')}>
        {reading === null && (
          <p className="hint" role="status">
            {t('fields.reading')}
          </p>
        )}
        {reading?.ok === false && <FailureNotice failure={reading.failure} />}
        {listed?.counted === 0 && <p className="hint">{t('fields.notCopied')}</p>}
        {listed !== null && listed.counted > 0 && (
          <FoundFields
            listed={listed}
            isChosen={(path) => chosen.some((one) => one.path === path)}
            hasRoom={chosen.length < shownFieldLimits.fields}
            choose={(field) => change(withField(chosen.length === 0 ? usual : chosen, field))}
          />
        )}
        {chosen.length >= shownFieldLimits.fields && <p className="hint">{t('fields.full')}</p>}
        <div>
          <Button variant="default" onClick={readAgain}>
            {t('fields.readAgain')}
          </Button>
        </div>
      </SettingsPart>
    </div>
  );
}
