import { longestWindowMs, type AllowanceRules } from '../rate-limit/rules.ts';
import { pieceMs } from '../rate-limit/history.ts';
import type { AllowanceLimits, AllowanceReading } from '../contract/rate-limit.ts';
import { parseId } from '../domain/int64.ts';
import type { Clock } from '../ports.ts';
import type { Workspace } from './workspace.ts';

const mostTold = 50;
const longestSubject = 200;

/** The rules from what a technician set. */
export function rulesOf({ limit, windowSeconds, reserve }: AllowanceLimits): AllowanceRules {
  return { limit, windowMs: Math.min(longestWindowMs, windowSeconds * 1000), reserve };
}

/** What the screen of the allowance shows. Throws StorageError. */
export function readAllowance(
  { budget, catalogue }: Workspace,
  limits: AllowanceLimits,
  clock: Clock,
): AllowanceReading {
  const { limit, held, waiting, pausedUntilMs, history } = budget.read();
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
      .slice(0, mostTold)
      .map(({ lane, purpose, sinceMs }) => ({
        lane,
        purpose: purpose.kind,
        subject:
          (purpose.kind === 'balance' || purpose.kind === 'batches' ? nameOf(purpose.subject) : purpose.subject)?.slice(
            0,
            longestSubject,
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
