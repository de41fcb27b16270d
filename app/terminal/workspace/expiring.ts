import { join } from 'node:path';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { createExpiring, type Expiring } from '../../expiring/expiring.ts';
import { areOthersBusy, doesCopyRest } from '../../expiring/night.ts';
import type { Queue } from '../../queue/queue.ts';
import type { RateLimit } from '../../rate-limit/rate-limit.ts';
import type { ShopContext } from './context.ts';
import type { PlatformAccess } from './platform-access.ts';

interface ExpiringOver extends Pick<PlatformAccess, 'client' | 'session' | 'connection' | 'platformClock'> {
  readonly rateLimit: RateLimit;
  readonly queue: Queue;
  readonly catalogue: Catalogue;
}

/** The expiring products, from answers that persons were shown and those asked for at night with spare slots. */
export function openExpiring(
  { ports: { clock, shell }, target, pause, offsetMinutes, logOf, onClose }: ShopContext,
  parts: ExpiringOver,
): Expiring {
  const { client, session, connection, platformClock, rateLimit, queue, catalogue } = parts;
  const expiring = createExpiring({
    path: join(target.directory, 'batches.db'),
    shop: `${target.platform} ${target.companyId}`,
    stockIds: target.stockIds,
    clock,
    aheadMs: () => platformClock()?.aheadMs ?? 0,
    asking: target.expiryAsking,
    offsetMinutes,
    circumstances: () => ({
      isSafeMode: shell.isSafeMode === true,
      isSignedIn: session.user() !== null,
      isOnline: connection.way().state === 'open',
      isCopyAtRest: doesCopyRest(catalogue.state(), clock.now()),
      isBusy: areOthersBusy(rateLimit.read(), queue.state()),
      refusedForMs: rateLimit.state().refusedForMs,
    }),
    perMinute: () => ((rateLimit.state().limit / 2) * 60_000) / target.rateLimitRules().windowMs,
    ask: async ({ stockId, productId }, whileWanted, onLeaving) => {
      const options = { lane: 'catalogue', isSpare: true, whileWanted, onLeaving } as const;
      const answer = await client.listBatches({ stockId, productId }, options);
      if (!answer.ok && answer.failure.kind === 'forbidden') {
        catalogue.noticeRefused(stockId);
      }
      return answer;
    },
    catalogue,
    pause,
    log: logOf('expiring'),
  });
  onClose(() => expiring.close());
  return expiring;
}
