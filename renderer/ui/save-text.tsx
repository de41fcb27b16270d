import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { saveFile } from '../dom/save-file.ts';
import { useWords } from '../stores/context.tsx';
import { FailureNotice } from './failure-text.tsx';

interface SaveTextProps {
  readonly read: () => Promise<Result<{ readonly name: string; readonly text: string }, Failure>>;
  readonly label: string;
  readonly variant?: 'filled' | 'default';
  /** The file's; JSON unless told. */
  readonly type?: string;
  /** Before the words of the button. */
  readonly sign?: ReactElement;
  /** Another button of the same row. */
  readonly beside?: ReactElement;
}

/** A button that has one text read and hands it over as a file. */
export function SaveText({
  read,
  label,
  variant = 'filled',
  type = 'application/json',
  sign,
  beside,
}: SaveTextProps): ReactElement {
  const { t } = useWords();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    const answer = await read();
    setSaving(false);
    setSaved(answer.ok);
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) {
      saveFile(answer.value.name, type, [answer.value.text]);
    }
  };
  return (
    <>
      <div className="buttons">
        <Button variant={variant} leftSection={sign} loading={isSaving} onClick={() => void save()}>
          {label}
        </Button>
        {beside}
      </div>
      <p role="status">{isSaved ? t('support.bundle.saved') : ''}</p>
      <FailureNotice failure={failure} />
    </>
  );
}
