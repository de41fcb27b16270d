import { Modal } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { QueueDay as Day } from '../../app/contract/queue.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { later } from '../dom/clock.ts';
import { dayBox, DayColumns, QueueDayPlot, QueueDayTable } from './queue-day-plot.tsx';

const everyMs = 30_000;
/** Many changes in a row are one reading. */
const settlesMs = 300;

/** The last day, read anew now and then and after changes; null until it came. */
function useDay(): Day | null {
  const { bridge, queue } = useStores();
  const [day, setDay] = useState<Day | null>(null);
  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isDue = false;
    let cancel = (): void => undefined;
    const readIn = (delayMs: number): void => {
      cancel();
      cancel = later(delayMs, () => void read());
    };
    const read = async (): Promise<void> => {
      isReading = true;
      isDue = false;
      const answer = await bridge.call('queue:readDay', {});
      if (!isOver) {
        isReading = false;
        setDay((before) => (answer.ok ? answer.value : before));
        readIn(isDue ? settlesMs : everyMs);
      }
    };
    // One reading is under way at most; what changes meanwhile asks for the next.
    const stop = queue.facts.subscribe(({ counts }, before) => {
      if (before.counts !== null && JSON.stringify(counts) !== JSON.stringify(before.counts)) {
        if (!isReading && !isDue) {
          readIn(settlesMs);
        }
        isDue = true;
      }
    });
    void read();
    return () => {
      isOver = true;
      stop();
      cancel();
    };
  }, [bridge, queue.facts]);
  return day;
}

/** The button with the small picture, and the large one behind it. */
export function QueueDay(): ReactElement {
  const { t, language } = useWords();
  const day = useDay();
  const [isOpen, setOpen] = useState(false);
  const sum = (what: 'added' | 'delivered'): { count: number; formatted: string } => {
    const count = day?.hours.reduce((total, hour) => total + hour[what], 0) ?? 0;
    return { count, formatted: formatNumber(count, language) };
  };
  return (
    <>
      <button type="button" className="day-button" disabled={day === null} onClick={() => setOpen(true)}>
        <span className="day-words">
          <strong>{t('queue.day.title')}</strong>
          {day !== null && (
            <span>
              {[t('queue.day.shortAdded', sum('added')), t('queue.day.shortDelivered', sum('delivered'))].join(' · ')}
            </span>
          )}
        </span>
        <svg className="day-picture" viewBox={dayBox} preserveAspectRatio="none" aria-hidden>
          {day !== null && <DayColumns hours={day.hours} isSmall />}
        </svg>
      </button>
      <Modal opened={isOpen && day !== null} onClose={() => setOpen(false)} size={760} title={t('queue.day.title')}>
        {day !== null && (
          <div className="dialog">
            <QueueDayPlot day={day} />
            <QueueDayTable day={day} />
          </div>
        )}
      </Modal>
    </>
  );
}
