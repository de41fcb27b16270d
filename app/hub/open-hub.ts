import type { Ports } from '../ports.ts';
import { createHistory, type RateLimitHistory } from '../rate-limit/history.ts';
import { usedOf } from '../rate-limit/lanes.ts';
import type { RateLimitRules } from '../rate-limit/rules.ts';
import type { Database } from '../storage/database.ts';
import { createHubMember, type HubMember, type HubPorts } from './member.ts';
import { openHubMemory } from './memory.ts';
import { createSharedTexts, type HubTexts } from './shared-texts.ts';

/** With what a shop takes part in the shop's hub. */
export interface HubTarget extends Pick<HubPorts, 'link' | 'key' | 'self' | 'onTwin'> {
  /** Which hub it is. */
  readonly place: string;
  /** How this membership ends where its shop is closed now: as the terminal, or because it has left or joined another. */
  ending(): NonNullable<Parameters<HubMember['close']>[0]>;
}

/** Of a shop that is opened. */
interface HubPlace {
  readonly platform: string;
  /** Null where all that is sent to the platform counts together. */
  readonly account: string | null;
  /** Absent where the terminal has joined no hub. */
  readonly hub?: HubTarget | undefined;
  readonly rateLimitRules: () => RateLimitRules;
}

/** A terminal's part in its shop's hub. */
export interface OpenHub {
  readonly member: HubMember;
  readonly texts: HubTexts;
  /** Since when, in uptime, the hub has answered each time and lost nothing; null when it did not answer the last time. */
  sharedSinceMs(): number | null;
  /** The slots of another till that counted at the fullest moment of each ten seconds, oldest first. */
  historyOf(id: string): readonly number[];
}

/** Takes part in the hub; null where there is none. */
export function openHub(
  { clock, random }: Pick<Ports, 'clock' | 'random'>,
  database: Database,
  { platform, account, hub, rateLimitRules }: HubPlace,
): OpenHub | null {
  if (hub === undefined) {
    return null;
  }
  let sharedSinceMs: number | null = null;
  let epoch: string | undefined;
  const histories = new Map<string, RateLimitHistory>();
  const member = createHubMember({
    clock,
    random,
    ...hub,
    account: platform,
    countsAt: account,
    windowMs: () => rateLimitRules().windowMs,
    repository: openHubMemory(database, platform, hub.self.id, hub.place),
    onChange: () => {
      const { failure, document } = member.state();
      const uptimeMs = clock.uptimeMs();
      const isSame = document?.epoch === epoch;
      epoch = document?.epoch;
      sharedSinceMs = failure === null ? ((isSame ? sharedSinceMs : null) ?? uptimeMs) : null;
      const members = failure === null ? (document?.members ?? {}) : {};
      // Whoever has the key may name others each time.
      for (const id of failure === null ? histories.keys() : []) {
        if (!Object.hasOwn(members, id)) histories.delete(id);
      }
      for (const [id, { held }] of Object.entries(members)) {
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
