import { join } from 'node:path';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { foldText } from '../../catalogue/search/words.ts';
import { createExpiring, type Expiring } from '../../expiring/expiring.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Connection } from '../../platform/connection.ts';
import type { Ports } from '../../ports.ts';
import type { Queue } from '../../queue/queue.ts';
import type { RateLimit } from '../../rate-limit/rate-limit.ts';
import type { Session } from '../../session/session.ts';
import type { WorkspaceTarget } from './target.ts';

interface ExpiringOver {
  readonly client: PlatformClient;
  readonly session: Session;
  readonly connection: Connection;
  readonly rateLimit: RateLimit;
  readonly queue: Queue;
  readonly catalogue: Catalogue;
}

/** What expires: what persons were told, and what is asked for at night from what the rate limit has left over. */
export function openExpiring(
  { clock, shell }: Ports,
  target: WorkspaceTarget,
  parts: ExpiringOver,
  pauseOpen: () => Promise<boolean>,
): Expiring {
  const { client, session, connection, rateLimit, queue, catalogue } = parts;
  return createExpiring({
    path: join(target.directory, 'batches.db'),
    shop: `${target.platform} ${target.companyId}`,
    stockIds: target.stockIds,
    clock,
    asking: target.expiryAsking,
    offsetMinutes: (at) => shell.offsetMinutes(at),
    circumstances: () => {
      const { phase, plan } = catalogue.state();
      const { waiting, held } = rateLimit.read();
      const { pending, inFlight } = queue.state();
      const isDue = plan.nextListing?.why === 'now' || (plan.nextChangesAt ?? Infinity) <= clock.now();
      return {
        isSafeMode: shell.isSafeMode === true,
        isSignedIn: session.user() !== null,
        isOnline: connection.way().state === 'open',
        isCopyAtRest: phase === 'complete' && !isDue,
        isBusy: held.person > 0 || pending + inFlight > 0 || waiting.some(({ isSpare }) => isSpare !== true),
        refusedForMs: rateLimit.state().refusedForMs,
      };
    },
    perMinute: () => ((rateLimit.state().limit / 2) * 60_000) / target.rateLimitRules().windowMs,
    ask: ({ stockId, productId }, whileWanted, onLeaving) =>
      client.listBatches({ stockId, productId }, { lane: 'catalogue', isSpare: true, whileWanted, onLeaving }),
    stocked: (after) => catalogue.stocked(after),
    countStocked: async () => {
      const counted = await catalogue.countStocked(pauseOpen);
      return counted.ok ? counted.value : null;
    },
    figureOf: (place) => catalogue.figure(place),
    fold: foldText,
    describe: (place) => catalogue.describe(place),
    pause: pauseOpen,
    log: (message, details) => {
      shell.log('info', `expiring: ${message}`, details);
    },
  });
}
