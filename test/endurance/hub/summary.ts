import type { HubReport } from './run.ts';

/** A line for each violation, and one of totals. */
export function summarizeHub({ faults, requests, maxInWindow, switches, waits, violations }: HubReport): string {
  const inOrder = waits.toSorted((one, other) => one - other);
  const at = (part: number): string => ((inOrder[Math.floor(part * (inOrder.length - 1))] ?? 0) / 1_000).toFixed(2);
  const what = Object.entries(faults).map(([kind, count]) => `${kind} ${count}`);
  return [
    ...violations,
    `${what.join(', ')}; ${requests} requests, at most ${maxInWindow} in 60 s, ${switches} switches; afterwards ${waits.length} persons waited ${at(0.5)} s in the median, ${at(1)} s at most: ${violations.length === 0 ? 'all hold' : `${violations.length} FAILED`}`,
  ].join('\n');
}
