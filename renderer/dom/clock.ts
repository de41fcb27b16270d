import { useEffect, useState, useSyncExternalStore } from 'react';

const tickMs = 5_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present, in milliseconds since 1970; renders again every five seconds, and at least as late as `atLeast`. */
export function useNow(atLeast = 0): number {
  return Math.max(
    useSyncExternalStore(subscribe, () => now),
    atLeast,
  );
}

/** The present, for what draws nothing. */
export const present = (): number => Date.now();

const countdownMs = 250;

/** Whole seconds until a moment in milliseconds since 1970, counting down; null when there is none or it is past. */
export function useSecondsUntil(untilMs: number | null): number | null {
  const [atMs, setAt] = useState(() => Date.now());
  useEffect(() => {
    if (untilMs === null) {
      return undefined;
    }
    setAt(Date.now());
    const counting = setInterval(() => setAt(Date.now()), countdownMs);
    return () => clearInterval(counting);
  }, [untilMs]);
  return untilMs === null || untilMs <= atMs ? null : Math.ceil((untilMs - atMs) / 1000);
}

/** Calls back once after so many milliseconds, unless the answered function is called first. */
export type Later = (delayMs: number, callback: () => void) => () => void;

export const later: Later = (delayMs, callback) => {
  const waiting = setTimeout(callback, delayMs);
  return () => clearTimeout(waiting);
};
