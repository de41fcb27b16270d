// Owns the renderer's one measurement of how long work has taken, for telling how long it will take still. Never tells the time of day.

/** Starts at nought; answers how many milliseconds have passed. */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}
