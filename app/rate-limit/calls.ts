import { pieceMs } from './history.ts';
import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import type { RateLimitSetting, RateLimitReading } from '../contract/rate-limit.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { succeed } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import type { RateLimit } from './rate-limit.ts';

const maxListed = 50;
const maxSubjectLength = 200;

/** The rate limit of an open store, and the copy that knows the names of what is asked for. */
interface RateLimitInUse {
  readonly rateLimit: Pick<RateLimit, 'read'>;
  readonly catalogue: { nameOf(productId: Id): { readonly name: string } | null };
}

/** The reading that the screen of the rate limit shows. Throws StorageError. */
export function readRateLimit(
  { rateLimit, catalogue }: RateLimitInUse,
  limits: RateLimitSetting,
  clock: Clock,
): RateLimitReading {
  const { limit, held, waiting, pausedUntilMs, history } = rateLimit.read();
  const [now, uptimeMs] = [clock.now(), clock.uptimeMs()];
  const momentOf = (atMs: number): number => Math.round(now + atMs - uptimeMs);
  const nameOf = (subject: string | null): string | null => {
    const productId = subject === null ? null : parseId(subject);
    return (productId === null ? null : catalogue.nameOf(productId)?.name) ?? subject;
  };
  return {
    limits,
    limit,
    used: held,
    waiting: waiting
      .slice(0, maxListed)
      .map(({ lane, purpose, sinceMs }) => ({
        lane,
        purpose: purpose.kind,
        subject:
          (purpose.kind === 'balance' || purpose.kind === 'batches' ? nameOf(purpose.subject) : purpose.subject)?.slice(
            0,
            maxSubjectLength,
          ) ?? null,
        since: momentOf(sinceMs),
      })),
    waitingCount: waiting.length,
    pausedUntil: pausedUntilMs === null ? null : momentOf(pausedUntilMs),
    history: [...history],
    pieceSeconds: pieceMs / 1000,
    readAt: now,
  };
}

/** Answers the call about the rate limit; `limits` are what a technician set. */
export function createRateLimitHandlers(
  withOpen: WithOpen<RateLimitInUse>,
  limits: () => RateLimitSetting,
  clock: Clock,
): HandlersOf<'rateLimit'> {
  return { 'rateLimit:read': () => withOpen((open) => succeed(readRateLimit(open, limits(), clock))) };
}
