import { Button, Modal } from '@mantine/core';
import { useCallback, useState, type ReactElement } from 'react';
import type { Stocktake } from '../../app/contract/stocktakes.ts';
import { useCounted, useStocktakes, useWords } from '../stores/context.tsx';
import { countedLines } from './line-words.ts';

interface DeleteDialog {
  readonly ask: (stocktake: Stocktake) => void;
  readonly dialog: ReactElement;
  /** True until the question has gone from the screen, too. */
  readonly isCovered: boolean;
}

/** The question before a count is deleted, and what opens it. */
export function useDeleteDialog(): DeleteDialog {
  const { t } = useWords();
  const counted = useCounted();
  const remove = useStocktakes((store) => store.remove);
  const [doomed, setDoomed] = useState<Stocktake | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isCovered, setCovered] = useState(false);
  const ask = useCallback((stocktake: Stocktake) => {
    setCovered(true);
    setAsking(true);
    setDoomed(stocktake);
  }, []);
  const dialog = (
    <Modal
      opened={isAsking}
      onClose={() => setAsking(false)}
      onExitTransitionEnd={() => setCovered(false)}
      title={t('stocktakes.deleteTitle', { name: doomed?.name ?? '' })}
      closeButtonProps={{ 'aria-label': t('form.close') }}
    >
      <div className="dialog">
        <p>{doomed !== null && t('stocktakes.deleteText', counted(countedLines(doomed)))}</p>
        <div className="form-actions">
          <Button size="lg" variant="default" data-autofocus onClick={() => setAsking(false)}>
            {t('stocktakes.keep')}
          </Button>
          <Button
            size="lg"
            color="red"
            onClick={() => {
              if (doomed !== null) {
                void remove(doomed.id);
              }
              setAsking(false);
            }}
          >
            {t('stocktakes.delete')}
          </Button>
        </div>
      </div>
    </Modal>
  );
  return { ask, dialog, isCovered };
}
