// Owns what a person chooses about the queue: how long history is kept, and from which age on an update asks. Never keeps either; the
// main process does.
import type { ReactElement } from 'react';
import { queueLimitsSchema } from '../../app/contract/history.ts';
import { useStores, useTerminal, useWords } from '../context.tsx';
import { FiguresForm, readFigure } from './figures-form.tsx';
import { SettingsPart } from './settings-part.tsx';

const fields = ['historyDays', 'askAfterHours'] as const;

function readField(field: (typeof fields)[number], text: string): number | null {
  return queueLimitsSchema.shape[field].safeParse(readFigure(text)).data ?? null;
}

/** Two numbers and a button. */
export function QueueLimits(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const kept = useTerminal((state) => state.queueLimits);
  return (
    <SettingsPart title={t('settings.queueLimits')} lock="settings">
      <FiguresForm
        fields={fields}
        kept={kept}
        read={({ historyDays, askAfterHours }) => ({ historyDays: readField('historyDays', historyDays), askAfterHours: readField('askAfterHours', askAfterHours) })}
        wordsOf={(field) => ({ label: t(`settings.${field}.label`), help: t(`settings.${field}.help`), wrong: t(`settings.${field}.wrong`) })}
        save={(queueLimits) => wall.call('settings:update', { queueLimits })}
      />
    </SettingsPart>
  );
}
