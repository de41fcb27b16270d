import { Button, Modal } from '@mantine/core';
import { useCallback, useState, type ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';

interface RemovalWords<Doomed> {
  readonly title: (doomed: Doomed) => string;
  readonly text: (doomed: Doomed) => string;
  readonly keep: string;
  readonly remove: string;
}

export interface RemovalQuestion<Doomed> {
  readonly ask: (doomed: Doomed) => void;
  readonly dialog: ReactElement;
  /** True until the question has gone from the screen, too. */
  readonly isCovered: boolean;
}

/** The question before something is removed, and what opens it. */
export function useRemovalQuestion<Doomed>(
  words: RemovalWords<Doomed>,
  remove: (doomed: Doomed) => void,
): RemovalQuestion<Doomed> {
  const { t } = useWords();
  // Stays while the dialog closes: its words stand until it has gone.
  const [doomed, setDoomed] = useState<{ readonly one: Doomed } | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isCovered, setCovered] = useState(false);
  const ask = useCallback((one: Doomed) => {
    setCovered(true);
    setAsking(true);
    setDoomed({ one });
  }, []);
  const dialog = (
    <Modal
      opened={isAsking}
      onClose={() => setAsking(false)}
      onExitTransitionEnd={() => setCovered(false)}
      title={doomed !== null && words.title(doomed.one)}
      closeButtonProps={{ 'aria-label': t('ui.form.close') }}
    >
      <div className="dialog">
        <p>{doomed !== null && words.text(doomed.one)}</p>
        <div className="form-actions">
          <Button size="lg" variant="default" data-autofocus onClick={() => setAsking(false)}>
            {words.keep}
          </Button>
          <Button
            size="lg"
            color="red"
            onClick={() => {
              if (doomed !== null) {
                remove(doomed.one);
              }
              setAsking(false);
            }}
          >
            {words.remove}
          </Button>
        </div>
      </div>
    </Modal>
  );
  return { ask, dialog, isCovered };
}
