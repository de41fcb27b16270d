// Owns what a technician may set of the allowance: the platform's limit, its window, and what is kept for scans. Never keeps them; the
// main process does.
import { useEffect, useState, type ReactElement } from 'react';
import { allowanceLimitsSchema, type AllowanceLimits as Limits } from '../../app/contract/allowance.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../context.tsx';
import { FiguresForm, readFigure } from './figures-form.tsx';
import { FailureNotice } from './failure-text.tsx';
import { SettingsPart } from './settings-part.tsx';

const fields = ['limit', 'windowSeconds', 'reserve'] as const satisfies readonly (keyof Limits)[];
const mostPossible = 1000;

function readField(field: (typeof fields)[number], text: string): number | null {
  return allowanceLimitsSchema.shape[field].safeParse(readFigure(text)).data ?? null;
}

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
              const limit = readField('limit', texts.limit);
              const reserve = readField('reserve', texts.reserve);
              return { limit, windowSeconds: readField('windowSeconds', texts.windowSeconds), reserve: reserve !== null && reserve < (limit ?? mostPossible) ? reserve : null };
            }}
            wordsOf={(field) => ({
              label: t(`settings.allowanceLimits.${field}.label`),
              help: t(`settings.allowanceLimits.${field}.help`),
              wrong: t(`settings.allowanceLimits.${field}.wrong`),
            })}
            save={async (limits) => {
              const saved = await wall.call('settings:update', { allowanceLimits: limits });
              if (saved.ok) {
                setKept(limits);
              }
              return saved;
            }}
          />
          <p>
            <a href="#allowance" className="target">{t('settings.allowanceLimits.see')}</a>
          </p>
        </>
      )}
    </SettingsPart>
  );
}
