import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { WarningIcon } from '../ui/icons.tsx';
import { PracticeBand } from '../practice/practice-banner.tsx';
import { useStores, useWords } from '../stores/context.tsx';

interface GoneProps {
  readonly again: () => Promise<void> | void;
  readonly isShutOut?: boolean;
}

/**
 * Covers the page until trying again helps; `isShutOut` when a Tillside answers that was started anew and does not know
 * this page.
 */
export function Gone({ again, isShutOut = false }: GoneProps): ReactElement {
  const { t } = useWords();
  // In a browser it has another address after each start, which this page cannot learn.
  const isInBrowser = useStore(useStores().terminal, ({ state }) => state?.host === 'browser');
  const goneText = isInBrowser ? 'shell.gone.inBrowser' : 'shell.gone.text';
  const [tries, setTries] = useState(0);
  const [isTrying, setTrying] = useState(false);
  const tryAgain = async (): Promise<void> => {
    setTrying(true);
    await again();
    setTrying(false);
    setTries((before) => before + 1);
  };
  return (
    <div
      className="gone"
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="gone-title"
      aria-describedby="gone-text"
    >
      <PracticeBand />
      <div className="panel gone-panel stack-4">
        <WarningIcon size={44} />
        <h1 id="gone-title">{t(isShutOut ? 'shell.gone.shutOut.title' : 'shell.gone.title')}</h1>
        <p id="gone-text">{t(isShutOut ? 'shell.gone.shutOut.text' : goneText)}</p>
        <Button size="lg" autoFocus aria-disabled={isTrying} onClick={() => void (isTrying ? undefined : tryAgain())}>
          {t('shell.gone.again')}
        </Button>
        <p className="hint" role="status">
          {isTrying
            ? t('shell.gone.trying')
            : tries > 0 && t(isShutOut ? 'shell.gone.stillShutOut' : 'shell.gone.still', { count: tries })}
        </p>
      </div>
    </div>
  );
}
