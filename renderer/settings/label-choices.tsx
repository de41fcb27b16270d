import { Button } from '@mantine/core';
import { useCallback, useEffect, useState, type ReactElement } from 'react';
import type { LabelChoiceLine } from '../../app/contract/label-choices.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useMissed, useStores, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** The products that people chose for the labels of scales, each to be forgotten; nothing while there are none. */
export function LabelChoices(): ReactElement | null {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const now = useNow();
  const missed = useMissed();
  const [choices, setChoices] = useState<readonly LabelChoiceLine[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);

  const read = useCallback(async (): Promise<void> => {
    const listed = await bridge.call('labelChoice:list', {});
    setFailure(listed.ok ? null : listed.failure);
    if (listed.ok) {
      setChoices(listed.value);
    }
  }, [bridge]);
  useEffect(() => void read(), [read, missed]);

  const forget = async ({ layout, item }: LabelChoiceLine): Promise<void> => {
    const forgotten = await bridge.call('labelChoice:forget', { layout, item });
    if (forgotten.ok) {
      await read();
    } else {
      setFailure(forgotten.failure);
    }
  };

  if (choices.length === 0 && failure === null) {
    return null;
  }
  return (
    <SettingsPart title={t('settings.labelChoices.title')} about={[t('settings.labelChoices.lead')]}>
      <ol className="layouts stack-2" aria-label={t('settings.labelChoices.title')}>
        {choices.map((choice) => {
          const { layout, item, productId, name, code, at, email } = choice;
          const product = name ?? t('settings.labelChoices.gone', { id: productId });
          return (
            <li key={`${layout} ${item}`} className="line-wrap">
              <span className="layout-text">
                <span className="mono">{item}</span> → {product}
                {code !== null && <span className="mono"> {code}</span>}
                <span className="hint">
                  {' '}
                  {t('settings.labelChoices.by', { moment: formatMoment(at, Math.max(at, now), language), email })}
                </span>
              </span>
              <Button
                variant="default"
                aria-label={t('settings.labelChoices.forgetOf', { item, product })}
                onClick={() => void forget(choice)}
              >
                {t('settings.labelChoices.forget')}
              </Button>
            </li>
          );
        })}
      </ol>
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
