import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { maxUpdatesChosen } from '../../app/contract/limits.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { choosableOf, hiddenBy } from './queue-store.ts';
import { ChoiceBar } from '../ui/selection-bar.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';

/** Why nothing is chosen. */
function noneOf(of: Readonly<Record<'openCount' | 'underWay' | 'hidden', number>>) {
  if (of.openCount > 0 || of.underWay > 0) {
    return of.openCount > 0 ? 'none' : 'underWay';
  }
  return of.hidden > 0 ? 'nothingFound' : 'nothing';
}

export function QueueChoiceBar(): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const counts = useStore(queue.facts, (facts) => facts.counts);
  const { filter, total } = useStore(queue.list);
  const { open: openCount, underWay } = counts === null ? { open: 0, underWay: 0 } : choosableOf(counts, filter.filter);
  const hidden = useTerminal((state) => hiddenBy(filter.term, counts, state.queue));
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
      total={total}
      hasRows={openCount > 0}
      none={t(`queue.chosen.${noneOf({ openCount, underWay, hidden })}`)}
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
