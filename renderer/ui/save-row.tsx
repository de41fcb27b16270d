import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';

interface SaveRowProps {
  readonly isUnsaved: boolean;
  readonly isSaved: boolean;
}

export function SaveRow({ isUnsaved, isSaved }: SaveRowProps): ReactElement {
  const { t } = useWords();
  return (
    <div className="form-save">
      <Button type="submit" variant="default">
        {t('settings.save')}
      </Button>
      <span className="hint" role="status">
        {isUnsaved ? t('settings.notSaved') : isSaved && t('settings.saved')}
      </span>
    </div>
  );
}
