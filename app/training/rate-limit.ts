// Owns the limit of API v3 §8: so many requests of one application in any 60 seconds, token requests included. Never
// counts a request that it refused, so that a caller who waits as told gets through.
import type { TrainingStore } from './store.ts';

const windowMs = 60_000;

/** Takes note of an arrival; answers 0 when it may pass, else the whole seconds after which the next one may. */
export function countArrival(store: TrainingStore, clientId: string, now: number, requestsPerMinute: number): number {
  const arrivals = store.listArrivals(clientId, now - windowMs);
  if (arrivals.length < requestsPerMinute) {
    store.addArrival(clientId, now);
    return 0;
  }
  const freedBy = arrivals[arrivals.length - requestsPerMinute] ?? now;
  return Math.max(1, Math.ceil((freedBy + windowMs - now) / 1000));
}
