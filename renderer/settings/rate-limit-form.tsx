import { useEffect, useState, type ReactElement } from 'react';
import type { AllowanceLimits as Limits } from '../../app/contract/rate-limit.ts';
import { allowanceLimitsRange as range } from '../../app/contract/limits.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { FiguresForm, readFigure } from '../ui/figures-form.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const fields = ['limit', 'windowSeconds', 'reserve'] as const satisfies readonly (keyof Limits)[];

/** Three numbers and a button. */
export function AllowanceLimits(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const [kept, setKept] = useState<Limits | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    void wall.call('allowance:read', {}).then((read) => {
      setKept(read.ok ? read.value.limits : null);
      setFailure(read.ok ? null : read.failure);
    });
  }, [wall]);

  return (
    <SettingsPart title={t('screen.allowance')} lock="settings">
      <FailureNotice failure={failure} />
      {kept !== null && (
        <>
          <FiguresForm
            fields={fields}
            kept={kept}
            read={(texts) => {
              const limit = readFigure(texts.limit, range.limit);
              const reserve = readFigure(texts.reserve, {
                min: range.reserve.min,
                max: limit === null ? range.reserve.max : limit - 1,
              });
              return { limit, windowSeconds: readFigure(texts.windowSeconds, range.windowSeconds), reserve };
            }}
            wordsOf={(field) => ({
              label: t(`settings.allowanceLimits.${field}.label`),
              help: t(`settings.allowanceLimits.${field}.help`),
              wrong: t(`settings.allowanceLimits.${field}.wrong`),
            })}
            save={async (limits) => {
              const saved = await wall.call('settings:update', { allowanceLimits: limits });
              setFailure(saved.ok ? null : saved.failure);
              if (saved.ok) {
                setKept(limits);
              }
              return saved.ok;
            }}
          />
          <p>
            <a href="#allowance" className="target">
              {t('settings.allowanceLimits.see')}
            </a>
          </p>
        </>
      )}
    </SettingsPart>
  );
}
