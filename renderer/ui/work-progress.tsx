import { Button, Progress } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatWait } from '../formats/times.ts';
import { timeLeft } from '../formats/work.ts';
import { present } from '../dom/clock.ts';

interface WorkProgressProps {
  readonly words: string;
  readonly done: number;
  /** Null while it is being counted. */
  readonly of: number | null;
  /** Absent for what cannot be stopped. */
  readonly stop?: () => void;
}

/** The same over the foot of the screen, so that nothing moves for it. */
export function FloatingWork(props: WorkProgressProps): ReactElement {
  return (
    <div className="many-work panel">
      <WorkProgress {...props} />
    </div>
  );
}

/** The line and its bar; the time counts from when it is first drawn. */
export function WorkProgress({ words, done, of, stop }: WorkProgressProps): ReactElement {
  const { t, language } = useWords();
  const [startedAt] = useState(present);
  const share = of === null || of === 0 ? 0 : Math.min(1, done / of);
  const left = of === null ? null : timeLeft(done, of, present() - startedAt);
  return (
    <div className="work">
      <p className="work-words">
        <strong role="status">{words}</strong>
        <span>
          {of === null
            ? formatNumber(done, language)
            : t('ui.work.of', { done: formatNumber(done, language), of: formatNumber(of, language) })}
        </span>
        <span>{left !== null && t('ui.copy.left', { wait: formatWait(left, 0, language) })}</span>
      </p>
      <Progress value={share * 100} size="lg" radius="xl" aria-label={words} />
      {stop !== undefined && (
        <Button variant="default" onClick={stop}>
          {t('ui.work.stop')}
        </Button>
      )}
    </div>
  );
}
