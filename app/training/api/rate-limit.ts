// The limit of API v3 §8: so many requests of one application in a minute, token requests included.
import type { Variants } from '../options/variants.ts';
import type { TrainingStore } from '../data/store.ts';

const windowMs = 60_000;

/** Takes note of an arrival; answers 0 when it may pass, else the whole seconds after which the next one may. */
export function countArrival(store: TrainingStore, clientId: string, now: number, variants: Variants): number {
  const { requestsPerMinute, minute, areRefusedCounted } = variants;
  // A minute of the clock begins with its first millisecond, which counts.
  const since = minute === 'fixed' ? now - (now % windowMs) - 1 : now - windowMs;
  const arrivals = store.listArrivals(clientId, since);
  const isAllowed = arrivals.length < requestsPerMinute;
  if (isAllowed || areRefusedCounted) {
    store.addArrival(clientId, now);
  }
  if (isAllowed) {
    return 0;
  }
  const freedBy = minute === 'fixed' ? since + 1 : (arrivals[arrivals.length - requestsPerMinute] ?? now);
  return Math.max(1, Math.ceil((freedBy + windowMs - now) / 1000));
}
