// Owns what is shown when the main process no longer answers. Never pretends that anything else still works.
import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { WarningIcon } from '../components/icons.tsx';
import { useStores, useWords } from '../context.tsx';

/** Covers the page until an answer comes. */
export function Gone(): ReactElement {
  const { t } = useWords();
  const { readTerminal } = useStores();
  return (
    <div className="gone" role="alertdialog" aria-modal="true" aria-labelledby="gone-title" aria-describedby="gone-text">
      <div className="panel gone-panel">
        <WarningIcon size={44} />
        <h1 id="gone-title">{t('gone.title')}</h1>
        <p id="gone-text">{t('gone.text')}</p>
        <Button size="lg" autoFocus onClick={() => void readTerminal()}>
          {t('gone.again')}
        </Button>
      </div>
    </div>
  );
}
