import { useEffect, useState, useSyncExternalStore } from 'react';
import { isToCome } from '../../app/domain/date-time.ts';

const tickMs = 5_000;
/** Ages in minutes are all that is left to change on a screen that nobody has touched for a while. */
const restTickMs = 30_000;
const restAfterMs = 120_000;
const uses = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

let now = Date.now();
let usedAtMs = performance.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isResting = false;

function begin(): void {
  clearTimeout(timer);
  if (document.visibilityState === 'hidden') {
    return;
  }
  isResting = performance.now() - usedAtMs > restAfterMs;
  timer = setTimeout(tick, isResting ? restTickMs : tickMs);
}

function tick(): void {
  now = Date.now();
  begin();
  listeners.forEach((listener) => listener());
}

function onUse(): void {
  usedAtMs = performance.now();
  // Also after a clock that was set, and a machine that slept: a scan's answer is not drawn by the time before.
  if (isResting || Math.abs(Date.now() - now) > restTickMs + tickMs) {
    tick();
  }
}

/**
 * Calls back every five seconds, every thirty when nobody has touched the screen for two minutes, until told to end.
 * While the page is hidden it does not, and at once when it is shown again.
 */
export function onTick(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    uses.forEach((use) => window.addEventListener(use, onUse, { capture: true, passive: true }));
    document.addEventListener('visibilitychange', tick);
    begin();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      uses.forEach((use) => window.removeEventListener(use, onUse, { capture: true }));
      document.removeEventListener('visibilitychange', tick);
      clearTimeout(timer);
    }
  };
}

/**
 * The present, in milliseconds since 1970; renders again with every tick; at least as late as `atLeast`.
 */
export function useNow(atLeast = 0): number {
  return Math.max(
    useSyncExternalStore(onTick, () => now),
    atLeast,
  );
}

/** Calls back when another day has begun by this machine's calendar: what was read of a list by days is yesterday's. */
export function useNewDay(callback: () => void): void {
  useEffect(() => {
    let day = new Date(present()).toDateString();
    return onTick(() => {
      const today = new Date(now).toDateString();
      if (today !== day) {
        day = today;
        callback();
      }
    });
  }, [callback]);
}

/** The present, for what draws nothing. */
export const present = (): number => Date.now();

/** Whether a clock has told this moment that was set back since, and nobody knows its age. */
export const isAhead = (atMs: number, nowMs = present()): boolean => isToCome(atMs, nowMs);

/** The present on the clock of the events' time stamps, in milliseconds. */
export const pageNow = (): number => performance.now();

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
