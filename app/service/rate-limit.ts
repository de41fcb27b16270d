// The limit of API v3 §8: so many requests of one application in a minute, token requests included.
import type { Ledger } from './ports.ts';
import type { Readings } from './readings.ts';

const windowMs = 60_000;
/** An arrival so long after now is of a clock that was wrong. */
export const maxAheadMs = 60_000;

/** Counts arrivals in memory: of those who have proved nothing, who must not keep the ledger from tills. */
export function countInMemory(): Pick<Ledger, 'admit'> {
  let arrivals: readonly number[] = [];
  return {
    admit: ({ now, since, limit, isRefusalCounted }) => {
      const counting = arrivals.filter((at) => at > since && at <= now + maxAheadMs);
      const inTheWay = counting.at(-limit) ?? null;
      arrivals = inTheWay === null || isRefusalCounted ? [...counting, now].slice(-limit) : counting;
      return inTheWay;
    },
  };
}

/** Takes note of an arrival; answers 0 when it may pass, else the whole seconds after which the next one may. */
export async function countArrival(
  ledger: Pick<Ledger, 'admit'>,
  clientId: string,
  now: number,
  { requestsPerMinute, minute, areRefusedCounted }: Readings,
): Promise<number> {
  // A minute of the clock begins with its first millisecond, which counts.
  const since = minute === 'fixed' ? now - (now % windowMs) - 1 : now - windowMs;
  const admission = { clientId, now, since, limit: requestsPerMinute, isRefusalCounted: areRefusedCounted };
  const inTheWay = await ledger.admit(admission);
  if (inTheWay === null) {
    return 0;
  }
  const freedBy = minute === 'fixed' ? since + 1 : inTheWay;
  return Math.max(1, Math.ceil((freedBy + windowMs - now) / 1000));
}
