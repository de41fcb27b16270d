import { neededFor } from '../../../app/hub/document.ts';
import { addLanes, usedOf, type ByLane } from '../../../app/rate-limit/lanes.ts';
import type { RateLimitReading } from '../../../app/rate-limit/rate-limit.ts';
import { nextInTurn } from '../../../app/rate-limit/scheduler.ts';
import type { World } from '../virtual-clock.ts';
import type { HubTerminal } from './hub-terminal.ts';

/** A stretch of time in which a person waited who might have gone, and none was granted a slot. */
export interface Idle {
  readonly forMs: number;
  readonly fromMs: number;
}

const lookEveryMs = 50;

/** Whether a person waits somewhere who might go if all tills were one (L1); what is kept for others' persons is not free. */
function mayPersonGo(terminals: readonly HubTerminal[], nowMs: number): boolean {
  // Reading each till's limit costs more than all else that a day computes.
  if (!terminals.some((terminal) => terminal.personsWaiting() > 0)) {
    return false;
  }
  const tills = terminals.flatMap((terminal) => {
    const reading = terminal.rateLimit()?.read();
    return reading === undefined ? [] : [{ reading, own: terminal.member()?.state().own ?? 0 }];
  });
  const readings: readonly RateLimitReading[] = tills.map(({ reading }) => reading);
  const waiting = readings.flatMap((reading) => reading.waiting).filter(({ lane }) => lane === 'person');
  if (waiting.length === 0 || readings.some(({ pausedUntilMs }) => pausedUntilMs !== null)) {
    return false;
  }
  const none: ByLane = { session: 0, person: 0, queue: 0, catalogue: 0 };
  const held = readings.map((reading) => reading.held).reduce(addLanes, none);
  const kept = tills.reduce((sum, { reading, own }) => sum + neededFor(reading.held, own) - usedOf(reading.held), 0);
  const limit = Math.min(...readings.map((reading) => reading.limit)) - kept;
  // Whatever else waits may go before; only what a person might take for certain counts.
  const background = readings.flatMap((reading) => reading.waiting).filter(({ lane }) => lane !== 'person');
  return (
    nextInTurn([...background, ...waiting], { limit, wholeLimit: limit, reserve: 0, held, nowMs })?.lane === 'person'
  );
}

/** Looks from now on for the longest time in which a person waited in vain. */
export function watchIdle(world: World, terminals: readonly HubTerminal[]) {
  let sinceMs: number | null = null;
  let grants = 0;
  let longest: Idle = { forMs: 0, fromMs: 0 };
  const look = (): void => {
    const nowMs = world.nowMs();
    const grantsNow = terminals.reduce((sum, terminal) => sum + terminal.grants(), 0);
    const fromMs = grantsNow === grants ? (sinceMs ?? nowMs) : nowMs;
    grants = grantsNow;
    sinceMs = mayPersonGo(terminals, nowMs) ? fromMs : null;
    const forMs = sinceMs === null ? 0 : nowMs - sinceMs;
    longest = sinceMs !== null && forMs > longest.forMs ? { forMs, fromMs: sinceMs } : longest;
    world.after(lookEveryMs, look);
  };
  look();
  return { longest: (): Idle => longest };
}
