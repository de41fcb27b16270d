import { Button, Modal } from '@mantine/core';
import { useCallback, useState, type ReactElement, type ReactNode } from 'react';

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

interface QuestionProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** It has gone from the screen. */
  readonly onGone?: () => void;
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly keep: string;
  readonly remove: string;
  readonly act: () => void;
}

/** Asks once more before something is removed. */
export function Question({
  isOpen,
  close,
  onGone = () => undefined,
  title,
  children,
  keep,
  remove,
  act,
}: QuestionProps): ReactElement {
  return (
    <Modal opened={isOpen} onClose={close} onExitTransitionEnd={onGone} title={title}>
      <div className="dialog">
        {children}
        <div className="form-actions">
          <Button size="lg" variant="default" data-autofocus onClick={close}>
            {keep}
          </Button>
          <Button
            size="lg"
            color="red"
            onClick={() => {
              close();
              act();
            }}
          >
            {remove}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** The question before something is removed, and what opens it. */
export function useRemovalQuestion<Doomed>(
  words: RemovalWords<Doomed>,
  remove: (doomed: Doomed) => void,
): RemovalQuestion<Doomed> {
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
    <Question
      isOpen={isAsking}
      close={() => setAsking(false)}
      onGone={() => setCovered(false)}
      title={doomed !== null && words.title(doomed.one)}
      keep={words.keep}
      remove={words.remove}
      act={() => doomed !== null && remove(doomed.one)}
    >
      <p>{doomed !== null && words.text(doomed.one)}</p>
    </Question>
  );
  return { ask, dialog, isCovered };
}
