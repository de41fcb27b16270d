import type { Handlers } from '../contract/bridge.ts';
import type { HubReading, HubReport, HubStanding, HubTill } from '../contract/hub.ts';
import { fail, mapResult, succeed } from '../domain/result.ts';
import { readHubAddress } from '../hub/address.ts';
import { isReclaimed, silentAfterMs, type HubDocument } from '../hub/document.ts';
import type { HubState } from '../hub/member.ts';
import type { Clock } from '../ports.ts';
import { usedOf } from '../rate-limit/lanes.ts';
import type { Profiles } from '../settings/profiles.ts';
import type { JoinedHub, SettingsStore } from '../settings/settings.ts';
import type { OpenStore } from './workspace/open-store.ts';
import type { HubMembership } from './hub-membership.ts';
import type { ProfileSignIns } from './profiles/sign-ins.ts';
import type { StateEvents } from './state-events.ts';
import type { StoreChanges } from './workspace/store-changes.ts';
import type { OpenHub } from './workspace/rate-limit.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface HubParts {
  readonly clock: Clock;
  readonly settings: SettingsStore;
  readonly profiles: Profiles;
  readonly membership: HubMembership;
  readonly store: OpenStore;
  readonly changes: StoreChanges;
  readonly profileSignIns: Pick<ProfileSignIns, 'resume'>;
  readonly quietly: StateEvents['quietly'];
}

const maxTills = 1000;
const passed: HubReport = { wrongPart: null, failure: null };

/** All members as they were when the document was written, this terminal with its slots of now first. */
function tillsOf({ members, loMs, hiMs }: HubDocument, { rateLimit, target }: Workspace, open: OpenHub): HubTill[] {
  const readers = open.texts.holders();
  const own = rateLimit.read();
  return Object.entries(members)
    .map(([id, member]): HubTill => {
      const { name, appVersion, share, held, writtenHiMs } = member;
      const isSelf = id === target.hub?.self.id;
      const isSilent = !isSelf && hiMs - writtenHiMs > silentAfterMs;
      const counting = isReclaimed(member, { loMs, hiMs }, open.member.windowMs()) ? 0 : usedOf(held);
      const history = isSelf ? own.history.map(({ used }) => usedOf(used)) : [...open.historyOf(id)];
      const [state, slots] = [isSilent ? 'silent' : 'here', isSelf ? usedOf(own.held) : counting] as const;
      return { id, name, appVersion, isSelf, state, slots, share, isReader: readers.has(id), history };
    })
    .toSorted(
      (one, other) =>
        Number(other.isSelf) - Number(one.isSelf) || one.name.localeCompare(other.name, undefined, { numeric: true }),
    )
    .slice(0, maxTills);
}

/** What this terminal may use now, and what later if nothing changes; times are uptimes. */
function limitsOf(
  { mode, own, share, growsMs, document }: HubState,
  /** What all who are here share. */
  sharedLimit: number,
  uptimeMs: number,
): {
  readonly mode: HubStanding['mode'];
  readonly limit: number;
  readonly later: { limit: number; from: number } | null;
} {
  const alone = Math.max(own, share);
  if (mode === 'alone') {
    return { mode, limit: alone, later: null };
  }
  if (mode === 'cutOff') {
    return { mode, limit: own, later: alone === own ? null : { limit: alone, from: growsMs } };
  }
  // A hub that has just been set up, or has lost something, lends nothing yet.
  const waitMs = document === null ? 0 : document.lendsFromMs - document.loMs;
  if (waitMs > 0) {
    return { mode: 'joining', limit: own, later: { limit: sharedLimit, from: uptimeMs + waitMs } };
  }
  return { mode, limit: mode === 'shared' ? sharedLimit : own, later: null };
}

/** How the open store takes part in its hub; null where it takes part in none. */
export function hubModeOf({ hub, rateLimit }: Workspace, clock: Clock): HubStanding['mode'] | null {
  return hub === null ? null : limitsOf(hub.member.state(), rateLimit.state().limit, clock.uptimeMs()).mode;
}

function standingOf(workspace: Workspace, open: OpenHub, clock: Clock): HubStanding {
  const state = open.member.state();
  const [now, uptimeMs] = [clock.now(), clock.uptimeMs()];
  const momentOf = (atMs: number): number => Math.round(now + atMs - uptimeMs);
  const { limit: wholeLimit } = workspace.rateLimit.state();
  const tills = state.document === null ? [] : tillsOf(state.document, workspace, open);
  const kept = tills.filter((till) => till.state === 'silent').reduce((sum, { share }) => sum + share, 0);
  const { mode, limit, later } = limitsOf(state, Math.max(0, wholeLimit - kept), uptimeMs);
  const { failure, heardMs, growsMs } = state;
  const sinceMs = mode === 'shared' || mode === 'joining' ? (open.sharedSinceMs() ?? heardMs) : heardMs;
  return {
    mode,
    failure,
    since: momentOf(mode === 'alone' ? growsMs : sinceMs),
    limit,
    later: later === null ? null : { limit: later.limit, from: momentOf(later.from) },
    kept,
    tills,
  };
}

function readingOf(
  { terminalName, host, port, database }: JoinedHub,
  open: Workspace | null,
  clock: Clock,
): HubReading['hub'] {
  const standing = open === null || open.hub === null ? null : standingOf(open, open.hub, clock);
  return { terminalName, host, port, database, isPractice: false, standing };
}

/** Null while no other till shares the practice store. */
function practiceReadingOf(store: OpenStore, clock: Clock): HubReading['hub'] {
  const [platform, open] = [store.practice(), store.workspace()];
  if (platform === null || open === null || open.hub === null) {
    return null;
  }
  const { hostname: host, port } = new URL(platform.platformUrl);
  const standing = standingOf(open, open.hub, clock);
  return standing.tills.some(({ isSelf }) => !isSelf)
    ? {
        terminalName: platform.tillName ?? '',
        host,
        port: Number(port),
        database: 'practice',
        isPractice: true,
        standing,
      }
    : null;
}

/** Answers the calls about the shop's hub. */
export function createHubHandlers({
  clock,
  settings,
  profiles,
  membership,
  store,
  changes,
  profileSignIns,
  quietly,
}: HubParts): Pick<Handlers, 'hub:join' | 'hub:leave' | 'hub:remove' | 'hub:test' | 'hub:read'> {
  const account = (): string => profiles.current()?.platformUrl ?? 'test';

  /** The open store takes part by the hub that is kept now, or no more. */
  async function reopen(): Promise<void> {
    const profile = profiles.current();
    if (store.workspace() !== null && store.practice() === null && profile !== null) {
      await quietly(() => profileSignIns.resume(profile));
    }
  }

  return {
    'hub:join': ({ address, name }) =>
      changes.inTurn(async () => {
        const read = readHubAddress(address);
        if (!read.ok) {
          return succeed({ wrongPart: read.failure, failure: null });
        }
        const failure = await membership.test(read.value, account());
        if (failure !== null) {
          return succeed({ wrongPart: null, failure });
        }
        const kept = await membership.keep(read.value, name, false);
        if (!kept.ok && kept.failure.kind === 'vaultUnavailable') {
          return succeed({ wrongPart: null, failure: 'keychain' as const });
        }
        await reopen();
        return mapResult(kept, () => passed);
      }),
    'hub:leave': () =>
      changes.inTurn(async () => {
        const kept = await membership.leave();
        await reopen();
        return mapResult(kept, () => ({}));
      }),
    'hub:remove': async ({ id }) => {
      const hub = store.workspace()?.hub ?? null;
      return hub === null
        ? fail({ kind: 'notReady' })
        : succeed({ wrongPart: null, failure: await hub.member.remove(id) });
    },
    'hub:test': async () => {
      if (settings.get().hub === null) {
        return fail({ kind: 'notFoundHere' });
      }
      const address = await membership.address();
      return succeed({
        wrongPart: null,
        failure: address === null ? 'keychain' : await membership.test(address, account()),
      });
    },
    'hub:read': () => {
      const { hub } = settings.get();
      const open = store.practice() === null ? store.workspace() : null;
      // Once a profile exists, the terminal's own hub is none of practice's.
      const isForeign = store.practice() !== null && profiles.all().length > 0;
      const own = hub === null || isForeign ? null : readingOf(hub, open, clock);
      return Promise.resolve(succeed({ hub: practiceReadingOf(store, clock) ?? own, readAt: clock.now() }));
    },
  };
}
