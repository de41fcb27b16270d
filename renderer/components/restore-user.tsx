// Owns the form that asks for a deleted user back (API v3 §4.8). Never waits for the platform: the queue carries it, and shows
// what became of it.
import { Button, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import { useStores, useWords } from '../context.tsx';
import { FailureNotice, SettingsPart } from './settings-part.tsx';

/** One number and a button. */
export function RestoreUser(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [asked, setAsked] = useState<Id | null>(null);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const ask = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const userId = parseId(text.trim());
    setWrong(userId === null);
    setAsked(null);
    setFailure(null);
    if (userId === null) {
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    setWorking(true);
    const kept = await wall.call('user:restore', { userId });
    setWorking(false);
    if (kept.ok) {
      setAsked(userId);
      setText('');
    } else {
      setFailure(kept.failure);
    }
  };

  return (
    <SettingsPart title={t('restore.title')}>
      <form className="form" noValidate onSubmit={(event) => void ask(event)}>
        <p className="hint">{t('restore.lead')}</p>
        <TextInput
          label={t('restore.userId')}
          error={isWrong ? t('restore.wrong') : undefined}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <div>
          <Button type="submit" variant="default" loading={isWorking}>
            {t('restore.button')}
          </Button>
        </div>
      </form>
      <div role="status">
        {asked !== null && (
          <p>
            {t('restore.asked', { id: asked })} <a href="#queue">{t('coupon.seeQueue')}</a>
          </p>
        )}
      </div>
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
