import { useEffect, useState, type ReactElement } from 'react';
import type { QueueDay as Day } from '../../app/contract/queue.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { later } from '../dom/clock.ts';
import { QueueDayPlot, QueueDayTable } from './queue-day-plot.tsx';

const everyMs = 30_000;

/** The last day, read anew now and then; null until it came. */
function useDay(): Day | null {
  const { bridge } = useStores();
  const [day, setDay] = useState<Day | null>(null);
  useEffect(() => {
    let isOver = false;
    let cancel = (): void => undefined;
    const read = async (): Promise<void> => {
      const answer = await bridge.call('queue:readDay', {});
      if (!isOver) {
        setDay((before) => (answer.ok ? answer.value : before));
        cancel = later(everyMs, () => void read());
      }
    };
    void read();
    return () => {
      isOver = true;
      cancel();
    };
  }, [bridge]);
  return day;
}

function DayParts(): ReactElement {
  const { t } = useWords();
  const day = useDay();
  return day === null ? (
    <p>{t('ui.list.reading')}</p>
  ) : (
    <>
      <QueueDayPlot day={day} />
      <QueueDayTable day={day} />
    </>
  );
}

/** What entered and left the queue, hour by hour; read only while it is open. */
export function QueueDay(): ReactElement {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('support.queueDay.title')}</summary>
      {isOpen && <DayParts />}
    </details>
  );
}
