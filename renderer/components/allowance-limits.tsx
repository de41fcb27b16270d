// Owns the form for the platform's limit, its window, and what is kept for scans. Never keeps them; the main process does.
import { Button, TextInput } from '@mantine/core';
import { useEffect, useState, type ReactElement, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { allowanceLimitsSchema, type AllowanceLimits as Limits } from '../../app/contract/allowance.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../context.tsx';
import { FailureNotice, SettingsPart } from './settings-part.tsx';

const fields = ['limit', 'windowSeconds', 'reserve'] as const satisfies readonly (keyof Limits)[];
type Field = (typeof fields)[number];

/** Null when it is no number that is possible here. */
function readField(field: Field, text: string): number | null {
  const read = allowanceLimitsSchema.shape[field].safeParse(/^\d{1,5}$/.test(text.trim()) ? Number(text) : null);
  return read.success ? read.data : null;
}

/** Three numbers and a button. */
export function AllowanceLimits(): ReactElement | null {
  const { t } = useWords();
  const { wall } = useStores();
  const [kept, setKept] = useState<Limits | null>(null);
  const { drafts } = useStores();
  const typed = useStore(drafts, (draft): Readonly<Partial<Record<Field, string>>> => draft.typed);
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    void wall.call('allowance:read', {}).then((read) => {
      setKept(read.ok ? read.value.limits : null);
      setFailure(read.ok ? null : read.failure);
    });
  }, [wall]);

  if (kept === null) {
    return <SettingsPart title={t('screen.allowance')}>{failure !== null && <FailureNotice failure={failure} />}</SettingsPart>;
  }
  const textOf = (field: Field): string => typed[field] ?? String(kept[field]);
  const limit = readField('limit', textOf('limit'));
  const reserve = readField('reserve', textOf('reserve'));
  const read = { limit, windowSeconds: readField('windowSeconds', textOf('windowSeconds')), reserve: reserve !== null && reserve < (limit ?? 1000) ? reserve : null };
  const isUnsaved = fields.some((field) => (typed[field] ?? String(kept[field])).trim() !== String(kept[field]));

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const wanted = allowanceLimitsSchema.safeParse(read);
    if (!wanted.success) {
      const wrong = fields.find((field) => read[field] === null);
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
    const saved = await wall.call('settings:update', { allowanceLimits: wanted.data });
    setSaved(saved.ok);
    setFailure(saved.ok ? null : saved.failure);
    if (saved.ok) {
      setKept(wanted.data);
      drafts.getState().drop(fields);
    }
  };

  return (
    <SettingsPart title={t('screen.allowance')}>
      <form className="form" noValidate onSubmit={(event) => void save(event)}>
        {fields.map((field) => (
          <TextInput
            key={field}
            name={field}
            label={t(`settings.allowanceLimits.${field}.label`)}
            description={t(`settings.allowanceLimits.${field}.help`)}
            error={read[field] === null ? t(`settings.allowanceLimits.${field}.wrong`) : undefined}
            inputMode="numeric"
            autoComplete="off"
            value={textOf(field)}
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
      <p>
        <a href="#allowance" className="target">{t('settings.allowanceLimits.see')}</a>
      </p>
    </SettingsPart>
  );
}
