// Owns what is shown when the main process no longer answers, or a screen has fallen. Never pretends that anything else still
// works.
import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { WarningIcon } from '../components/icons.tsx';
import { PracticeBand } from '../components/practice-band.tsx';
import { useWords } from '../context.tsx';

/** Covers the page until trying again helps. */
export function Gone({ again }: { readonly again: () => void }): ReactElement {
  const { t } = useWords();
  return (
    <div className="gone" role="alertdialog" aria-modal="true" aria-labelledby="gone-title" aria-describedby="gone-text">
      <PracticeBand />
      <div className="panel gone-panel">
        <WarningIcon size={44} />
        <h1 id="gone-title">{t('gone.title')}</h1>
        <p id="gone-text">{t('gone.text')}</p>
        <Button size="lg" autoFocus onClick={again}>
          {t('gone.again')}
        </Button>
      </div>
    </div>
  );
}
