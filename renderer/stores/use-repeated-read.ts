import { useEffect, useState } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { useStores } from './context.tsx';
import { later } from '../dom/clock.ts';

/**
 * The last answer of `read`, asked anew `everyMs` after each answer; null before the first. `read` is the same one at
 * every drawing.
 */
export function useReadRepeatedly<Reading>(
  read: (bridge: Bridge) => Promise<Result<Reading, Failure>>,
  everyMs: number,
): Result<Reading, Failure> | null {
  const { bridge } = useStores();
  const [reading, setReading] = useState<Result<Reading, Failure> | null>(null);
  useEffect(() => {
    let isOver = false;
    let cancel = (): void => undefined;
    const readNow = async (): Promise<void> => {
      const answer = await read(bridge);
      if (!isOver) {
        setReading(answer);
        cancel = later(everyMs, () => void readNow());
      }
    };
    void readNow();
    return () => {
      isOver = true;
      cancel();
    };
  }, [bridge, read, everyMs]);
  return reading;
}
