import { useEffect, useRef, useState } from 'react';
import type { WatchedMinimum } from '../../app/contract/watch-list.ts';
import { useStores } from '../stores/context.tsx';
import { setMinima, type MinimaSet } from './set-minima.ts';

/** Setting minimums from a dialog: how far it is, and what stops it. Whoever closes the dialog stops it. */
export function useSetMinima(): {
  /** Null while nothing is being set. */
  readonly work: { readonly done: number; readonly of: number } | null;
  readonly set: (minima: readonly WatchedMinimum[]) => Promise<MinimaSet>;
  readonly stop: () => void;
} {
  const { bridge, stock } = useStores();
  const [work, setWork] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    work,
    set: async (minima) => {
      const controller = new AbortController();
      running.current = controller;
      const show = (done: number): void => setWork({ done, of: minima.length });
      show(0);
      const outcome = await setMinima(bridge, minima, show, controller.signal);
      setWork(null);
      stock.getState().readAgain();
      return outcome;
    },
    stop: () => running.current?.abort(),
  };
}
