import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import type { QueueCounts } from '../../app/contract/queue.ts';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { countOf, filterNames, type QueueFilter } from './queue-store.ts';

interface QueueFilterChoiceProps {
  /** Null before they are known. */
  readonly counts: QueueCounts | null;
  readonly value: QueueFilter;
  readonly choose: (filter: QueueFilter) => void;
}

export function QueueFilterChoice({ counts, value: current, choose }: QueueFilterChoiceProps): ReactElement {
  const { t, language } = useWords();
  const hasReplaced = current === 'replaced' || (counts !== null && counts.superseded > 0);
  return (
    <SegmentedControl
      className="choice"
      aria-label={t('ui.list.filter')}
      data={filterNames
        .filter((value) => value !== 'replaced' || hasReplaced)
        .map((value) => ({
          value,
          label: (
            <>
              <span>{t(`queue.filter.${value}`)}</span>{' '}
              {counts !== null && countOf(counts, value) > 0 && (
                <span className="filter-count">{formatNumber(countOf(counts, value), language)}</span>
              )}
            </>
          ),
        }))}
      value={current}
      onChange={choose}
    />
  );
}
