import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { maxUpdatesChosen } from '../../app/contract/limits/queue.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { choosableOf } from './queue-store.ts';
import { ChoiceBar } from '../ui/selection-bar.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';

export function QueueChoiceBar(): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const counts = useStore(queue.facts, (facts) => facts.counts);
  const { filter } = useStore(queue.list, (list) => list.filter);
  const { chosen, outside } = useStore(queue.choice);
  const ask = useStore(queue.many, (many) => many.ask);
  const isWorking = useStore(queue.many, (many) => many.work !== null);
  const isLocked = useIsLocked('discarding');
  // Nobody may act upon many before it is known how many of them are out of sight.
  const isAsleep = chosen.size === 0 || outside === null || isWorking;
  return (
    <ChoiceBar
      of="queue"
      choice={queue.choice}
      max={maxUpdatesChosen}
      hasRows={counts === null ? null : choosableOf(counts, filter) > 1}
      none={t('queue.chosen.none')}
    >
      <Button
        variant="default"
        leftSection={isLocked ? <LockSign kind="discarding" /> : undefined}
        disabled={isAsleep}
        onClick={() => void ask('discard', [...chosen], outside?.size ?? 0)}
      >
        {t('queue.many.discard')}
      </Button>
      <Button disabled={isAsleep} onClick={() => void ask('retry', [...chosen], outside?.size ?? 0)}>
        {t('queue.many.retry')}
      </Button>
    </ChoiceBar>
  );
}
