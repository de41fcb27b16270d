// Owns the bar above the queue's list: how many are chosen, all or none, and what can be done with all of them. Never does it without the
// question that counts first.
import { Button, Checkbox } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { mostUpdatesChosen } from '../../app/contract/queue-rows.ts';
import { useStores, useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { choosableOf, hiddenBy } from '../stores/queue.ts';
import { ChoiceOutside } from './choice-outside.tsx';
import { LockSign, useIsLocked } from './lock-sign.tsx';

/** Always there, so that nothing moves when the first one is chosen. */
export function QueueChoiceBar(): ReactElement {
  const { t, language } = useWords();
  const { queue } = useStores();
  const counts = useStore(queue.facts, (facts) => facts.counts);
  const filter = useStore(queue.list, (list) => list.filter);
  const { open: openCount, underWay } = counts === null ? { open: 0, underWay: 0 } : choosableOf(counts, filter.filter);
  const hidden = useTerminal((state) => hiddenBy(filter.term, counts, state.queue));
  const none = openCount > 0 ? 'none' : underWay > 0 ? 'underWay' : hidden > 0 ? 'nothingFound' : 'nothing';
  const { chosen, outside, isAll, isTooMany, failure, chooseAll, clear, keepShown } = useStore(queue.choice);
  const ask = useStore(queue.many, (many) => many.ask);
  const isWorking = useStore(queue.many, (many) => many.work !== null);
  const isLocked = useIsLocked('discarding');
  const count = chosen.size;
  // Nobody may act upon many before it is known how many of them are out of sight.
  const isAsleep = count === 0 || outside === null || isWorking;
  const words = isTooMany
    ? t('queue.chosen.tooMany', { most: formatNumber(mostUpdatesChosen, language) })
    : failure !== null
      ? `${t(`failure.${failure.kind}.says`)} ${t(`failure.${failure.kind}.advice`)}`
      : count > 0
        ? t('queue.chosen.some', { count, formatted: formatNumber(count, language) })
        : t(`queue.chosen.${none}`);
  return (
    <>
      <div className="choice-bar" role="toolbar" aria-label={t('queue.chosen.bar')} data-some={count > 0}>
        <Checkbox
          className="choice-all"
          size="md"
          label={t('queue.chosen.all')}
          disabled={openCount === 0 && count === 0}
          checked={isAll && count > 0}
          indeterminate={!isAll && count > 0}
          onChange={() => (isAll ? clear() : void chooseAll())}
        />
        <p className="choice-count" role="status" data-wrong={isTooMany || failure !== null}>
          {words}
        </p>
        <Button variant="default" disabled={count === 0} onClick={clear}>
          {t('queue.chosen.clear')}
        </Button>
        <Button variant="default" leftSection={isLocked ? <LockSign kind="discarding" /> : undefined} disabled={isAsleep} onClick={() => void ask('discard', [...chosen], outside?.size ?? 0)}>
          {t('queue.many.discard')}
        </Button>
        <Button disabled={isAsleep} onClick={() => void ask('retry', [...chosen], outside?.size ?? 0)}>
          {t('queue.many.retry')}
        </Button>
      </div>
      <ChoiceOutside of="queue" count={outside?.size ?? 0} keepShown={keepShown} />
    </>
  );
}
