import { openHub, type OpenHub } from '../../hub/open-hub.ts';
import { join } from 'node:path';
import type { Ports } from '../../ports.ts';
import { openRateLimit, type RateLimit } from '../../rate-limit/rate-limit.ts';
import type { RateLimitRules } from '../../rate-limit/rules.ts';
import { openSendLog } from '../../rate-limit/send-log.ts';
import { queueMigrations } from '../../storage/queue-migrations.ts';
import { openOrReplace, type OpenedDatabase } from '../../storage/recover.ts';
import type { WorkspaceTarget } from './target.ts';

/** queue.db and the rate limit, whose log lies in it. */
export interface OpenedRateLimit {
  readonly queueDatabase: OpenedDatabase;
  readonly rateLimit: RateLimit;
  readonly hub: OpenHub | null;
  readonly close: () => Promise<void>;
}

type RateLimitPorts = Pick<Ports, 'clock' | 'random'>;

/** Opens queue.db and the rate limit. Throws StorageError when queue.db cannot be opened, but for damage, or used. */
export async function openOwnRateLimit(ports: RateLimitPorts, target: WorkspaceTarget): Promise<OpenedRateLimit> {
  const { clock } = ports;
  const { platform, directory, rateLimitRules } = target;
  const queueDatabase = await openOrReplace(
    join(directory, 'queue.db'),
    { kind: 'precious', migrations: queueMigrations, isFirstInFolder: true },
    clock.now(),
  );
  const { database, replaced } = queueDatabase;
  try {
    const sendLog = openSendLog(database, platform);
    if (replaced !== null) {
      sendLog.fill(rateLimitRules().limit, clock.uptimeMs()); // B2
    }
    const hub = openHub(ports, database, target);
    const sharedRules = (): RateLimitRules => {
      const rules = rateLimitRules();
      return hub === null ? rules : { ...rules, windowMs: hub.member.windowMs() };
    };
    const rateLimit = openRateLimit(clock, sendLog, sharedRules, hub?.member.turns);
    hub?.member.start(rateLimit);
    return {
      queueDatabase,
      rateLimit,
      hub,
      close: async () => {
        rateLimit.close();
        if (hub !== null) {
          await hub.member.close(target.hub?.hasLeft() === true ? 'leaving' : 'closing');
        }
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
