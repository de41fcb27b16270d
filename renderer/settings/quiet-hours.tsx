import { NativeSelect } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { QuietHours } from '../../app/contract/catalogue-plan.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
const fields = ['from', 'to'] as const satisfies readonly (keyof QuietHours)[];

/** Two hours of the day; each choice is kept at once. */
export function QuietHoursForm(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const kept = useTerminal((state) => state.quietHours);
  const [failure, setFailure] = useState<Failure | null>(null);
  const choose = async (change: Partial<QuietHours>): Promise<void> => {
    const saved = await wall.call('settings:update', { quietHours: { ...kept, ...change } });
    setFailure(saved.ok ? null : saved.failure);
  };
  return (
    <>
      <div className="form-row">
        {fields.map((field) => (
          <NativeSelect
            key={field}
            name={`quiet-${field}`}
            label={t(`settings.quietHours.${field}`)}
            data={hours}
            value={String(kept[field])}
            onChange={(event) => void choose({ [field]: Number(event.currentTarget.value) })}
          />
        ))}
      </div>
      <p className="hint">
        <LockSign kind="settings" /> {t('settings.quietHours.help')}
      </p>
      <FailureNotice failure={failure} />
    </>
  );
}
