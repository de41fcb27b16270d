import { join } from 'node:path';
import { openHub, type OpenHub } from '../../hub/open-hub.ts';
import { openRateLimit, type RateLimit } from '../../rate-limit/rate-limit.ts';
import type { RateLimitRules } from '../../rate-limit/rules.ts';
import { openSendLog } from '../../rate-limit/send-log.ts';
import { queueOptions } from './queue-migrations.ts';
import { openOrReplace, type OpenedDatabase } from '../../storage/recover.ts';
import type { StateEvents } from '../state-events.ts';
import type { ShopContext } from './context.ts';

/** queue.db and the rate limit, whose log lies in it. */
export interface OpenedRateLimit {
  readonly queueDatabase: OpenedDatabase;
  readonly rateLimit: RateLimit;
  /** Null where the terminal takes part in no hub. */
  readonly hub: OpenHub | null;
}

/** Opens queue.db and the rate limit. Throws StorageError when queue.db cannot be opened, but for damage, or used. */
export async function openOwnRateLimit(
  { ports, target, onAbort, onClose }: Pick<ShopContext, 'ports' | 'target' | 'onAbort' | 'onClose'>,
  notify: StateEvents['notify'],
): Promise<OpenedRateLimit> {
  const { clock } = ports;
  const { platform, account, directory, rateLimitRules } = target;
  const queueDatabase = await openOrReplace(join(directory, 'queue.db'), queueOptions, clock.now());
  const { database, replaced } = queueDatabase;
  onClose(() => database.close());
  // In a hub the record stands for all slots of this terminal: none is free here that still counts there (H17).
  const sendLog = openSendLog(database, platform, target.hub === undefined ? account : null);
  if (replaced !== null) {
    sendLog.fill(rateLimitRules().limit, clock.uptimeMs()); // B2
    notify('queueSetAside', replaced.slice(-500));
  }
  const hub = openHub(ports, database, target);
  const sharedRules = (): RateLimitRules => {
    const rules = rateLimitRules();
    return hub === null ? rules : { ...rules, windowMs: hub.member.windowMs() };
  };
  const rateLimit = openRateLimit(clock, sendLog, sharedRules, hub?.member.turns);
  hub?.member.start(rateLimit);
  // Whoever waits for the rate limit would else be waited for in turn.
  onAbort(() => rateLimit.close());
  onClose(async () => {
    rateLimit.close();
    await hub?.member.close(target.hub?.ending());
  });
  return { queueDatabase, rateLimit, hub };
}
