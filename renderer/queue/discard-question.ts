import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { useQueue, useWords } from '../stores/context.tsx';
import { useRemovalQuestion, type RemovalQuestion } from '../ui/removal-question.tsx';
import { nameOfUpdate } from './update-words.ts';

/** The question before a waiting change is discarded. */
export function useDiscardQuestion(): RemovalQuestion<QueuedUpdate> {
  const { t } = useWords();
  const discard = useQueue((store) => store.discard);
  return useRemovalQuestion(
    {
      title: () => t('queue.discardTitle'),
      text: (update) => {
        const name = nameOfUpdate(update, t);
        return update.kind === 'restoreUser'
          ? t('queue.discardRestore', { name })
          : t(update.isEnabled ? 'queue.discardOn' : 'queue.discardOff', { name });
      },
      keep: t('queue.keep'),
      remove: t('queue.discard'),
    },
    ({ id }) => void discard(id),
  );
}
