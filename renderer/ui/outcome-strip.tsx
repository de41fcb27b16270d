import { Button } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../stores/context.tsx';
import { CrossIcon } from './icons.tsx';

interface OutcomeStripProps {
  readonly isFailed: boolean;
  /** Paragraphs. */
  readonly children: ReactNode;
  /** Null when it cannot be taken back any more. */
  readonly undo: (() => Promise<void>) | null;
  readonly isUndoing?: boolean;
  readonly forget: () => void;
}

export function OutcomeStrip({ isFailed, children, undo, isUndoing = false, forget }: OutcomeStripProps): ReactElement {
  const { t } = useWords();
  return (
    <div className="many-outcome" role="status" data-failed={isFailed}>
      <div className="many-words">{children}</div>
      {undo !== null && (
        <Button variant="white" loading={isUndoing} onClick={() => void undo()}>
          {t('ui.form.undo')}
        </Button>
      )}
      <button type="button" className="icon-button" aria-label={t('ui.form.close')} onClick={forget}>
        <CrossIcon size={20} />
      </button>
    </div>
  );
}
