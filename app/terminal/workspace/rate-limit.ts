import { join } from 'node:path';
import { createHubMember, type HubMember } from '../../hub/member.ts';
import { openHubMemory } from '../../hub/memory-store.ts';
import { createSharedTexts, type HubTexts } from '../../hub/shared-texts.ts';
import type { Ports } from '../../ports.ts';
import { createHistory, type RateLimitHistory } from '../../rate-limit/history.ts';
import { usedOf } from '../../rate-limit/lanes.ts';
import { openRateLimit, type RateLimit } from '../../rate-limit/rate-limit.ts';
import type { RateLimitRules } from '../../rate-limit/rules.ts';
import { openSendLog } from '../../rate-limit/send-log.ts';
import type { Database } from '../../storage/database.ts';
import { queueMigrations } from '../../storage/queue-migrations.ts';
import { openOrReplace, type OpenedDatabase } from '../../storage/recover.ts';
import type { WorkspaceTarget } from './target.ts';

/** A terminal's part in its shop's hub. */
export interface OpenHub {
  readonly member: HubMember;
  readonly texts: HubTexts;
  /** Since when, in uptime, the hub has answered each time; null when it did not answer the last time. */
  sharedSinceMs(): number | null;
  /** The slots of another till that counted at the fullest moment of each ten seconds, oldest first. */
  historyOf(id: string): readonly number[];
}

/** queue.db and the rate limit, whose log lies in it. */
export interface OpenedRateLimit {
  readonly queueDatabase: OpenedDatabase;
  readonly rateLimit: RateLimit;
  readonly hub: OpenHub | null;
  readonly close: () => Promise<void>;
}

type RateLimitPorts = Pick<Ports, 'clock' | 'random'>;

function openHub({ clock, random }: RateLimitPorts, database: Database, target: WorkspaceTarget): OpenHub | null {
  const { platform, hub, rateLimitRules } = target;
  if (hub === undefined) {
    return null;
  }
  let sharedSinceMs: number | null = null;
  const histories = new Map<string, RateLimitHistory>();
  const member = createHubMember({
    clock,
    random,
    ...hub,
    account: platform,
    windowMs: () => rateLimitRules().windowMs,
    store: openHubMemory(database, platform, hub.self.id),
    onChange: () => {
      const { failure, document } = member.state();
      const uptimeMs = clock.uptimeMs();
      sharedSinceMs = failure === null ? (sharedSinceMs ?? uptimeMs) : null;
      for (const [id, { held }] of failure === null ? Object.entries(document?.members ?? {}) : []) {
        const history = histories.get(id) ?? createHistory(uptimeMs);
        histories.set(id, history);
        history.note(uptimeMs, held, 0);
      }
    },
  });
  const { link, key, self } = hub;
  const texts = createSharedTexts({ clock, random, link, key, id: self.id, time: () => member.time() });
  return {
    member,
    texts,
    sharedSinceMs: () => sharedSinceMs,
    historyOf: (id) =>
      histories
        .get(id)
        ?.read(clock.uptimeMs())
        .map(({ used }) => usedOf(used)) ?? [],
  };
}

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
