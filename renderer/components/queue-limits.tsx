// Owns the form for what a person chooses about the queue: how long history is kept, and from which age on an update asks. Never
// keeps either; the main process does.
import { Button, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { queueLimitsSchema, type QueueLimitsChoice } from '../../app/contract/history.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../context.tsx';
import { FailureNotice, SettingsPart } from './settings-part.tsx';

const fields = ['historyDays', 'askAfterHours'] as const satisfies readonly (keyof QueueLimitsChoice)[];
type Field = (typeof fields)[number];

/** Null when it is no number that is possible here. */
function readField(field: Field, text: string): number | null {
  const read = queueLimitsSchema.shape[field].safeParse(/^\d{1,5}$/.test(text.trim()) ? Number(text) : null);
  return read.success ? read.data : null;
}

/** Two numbers and a button. */
export function QueueLimits(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const kept = useTerminal((state) => state.queueLimits);
  const { drafts } = useStores();
  const typed = useStore(drafts, (draft): Readonly<Partial<Record<Field, string>>> => draft.typed);
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const texts = { historyDays: typed.historyDays ?? String(kept.historyDays), askAfterHours: typed.askAfterHours ?? String(kept.askAfterHours) };
  const read = { historyDays: readField('historyDays', texts.historyDays), askAfterHours: readField('askAfterHours', texts.askAfterHours) };
  const isUnsaved = fields.some((field) => (typed[field] ?? String(kept[field])).trim() !== String(kept[field]));

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const { historyDays, askAfterHours } = read;
    if (historyDays === null || askAfterHours === null) {
      const wrong = fields.find((field) => read[field] === null);
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
    const saved = await wall.call('settings:update', { queueLimits: { historyDays, askAfterHours } });
    setSaved(saved.ok);
    setFailure(saved.ok ? null : saved.failure);
    if (saved.ok) {
      drafts.getState().drop(fields);
    }
  };

  return (
    <SettingsPart title={t('settings.queueLimits')}>
      <form className="form" noValidate onSubmit={(event) => void save(event)}>
        {fields.map((field) => (
          <TextInput
            key={field}
            name={field}
            label={t(`settings.${field}.label`)}
            description={t(`settings.${field}.help`)}
            error={read[field] === null ? t(`settings.${field}.wrong`) : undefined}
            inputMode="numeric"
            autoComplete="off"
            value={texts[field]}
            onChange={(event) => {
              drafts.getState().type(field, event.currentTarget.value);
              setSaved(false);
            }}
          />
        ))}
        <div className="form-save">
          <Button type="submit" variant="default">
            {t('settings.save')}
          </Button>
          <span className="hint" role="status">
            {isUnsaved ? t('settings.notSaved') : isSaved && t('settings.saved')}
          </span>
        </div>
      </form>
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
