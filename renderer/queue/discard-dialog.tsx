import { Button, Modal } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useCallback, useState, type ReactElement } from 'react';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { useQueue, useWords } from '../stores/context.tsx';
import { nameOfUpdate } from './update-words.ts';

function discardText(update: QueuedUpdate, t: TFunction): string {
  const name = nameOfUpdate(update, t);
  return update.kind === 'restoreUser'
    ? t('queue.discardRestore', { name })
    : t(update.isEnabled ? 'queue.discardOn' : 'queue.discardOff', { name });
}

interface DiscardDialog {
  readonly ask: (update: QueuedUpdate) => void;
  readonly dialog: ReactElement;
  /** True until the question has gone from the screen, too. */
  readonly isCovered: boolean;
}

/** The dialog, and what opens it. */
export function useDiscardDialog(): DiscardDialog {
  const { t } = useWords();
  const discard = useQueue((store) => store.discard);
  const [doomed, setDoomed] = useState<QueuedUpdate | null>(null);
  const [isCovered, setCovered] = useState(false);
  const ask = useCallback((update: QueuedUpdate) => {
    setCovered(true);
    setDoomed(update);
  }, []);
  const dialog = (
    <Modal
      opened={doomed !== null}
      onClose={() => setDoomed(null)}
      onExitTransitionEnd={() => setCovered(false)}
      title={t('queue.discardTitle')}
      closeButtonProps={{ 'aria-label': t('form.close') }}
    >
      <div className="dialog">
        <p>{doomed !== null && discardText(doomed, t)}</p>
        <div className="form-actions">
          <Button size="lg" variant="default" data-autofocus onClick={() => setDoomed(null)}>
            {t('queue.keep')}
          </Button>
          <Button
            size="lg"
            color="red"
            onClick={() => {
              if (doomed !== null) {
                void discard(doomed.id);
              }
              setDoomed(null);
            }}
          >
            {t('queue.discard')}
          </Button>
        </div>
      </div>
    </Modal>
  );
  return { ask, dialog, isCovered };
}
