import { maxTills, type HubState, type HubTill } from '../contract/hub.ts';
import { lastMomentMs } from '../domain/date-time.ts';
import type { Clock } from '../ports.ts';
import { usedOf } from '../rate-limit/lanes.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { isReclaimed, othersTogether, silentAfterMs, type HubDocument } from './document.ts';
import type { MemberState } from './member.ts';
import type { HubTarget, OpenHub } from './open-hub.ts';

/** The part of an open shop that decides how it takes part. */
export interface OpenMember {
  readonly target: { readonly hub?: HubTarget | undefined };
  readonly rateLimit: RateLimit;
  /** Null where it takes part in no hub. */
  readonly hub: OpenHub | null;
}

/** All members as they were when the document was written, this terminal with its slots of now first. */
function tillsOf(document: HubDocument, { rateLimit, target }: OpenMember, open: OpenHub, uptimeMs: number): HubTill[] {
  const { members, loMs, hiMs } = document;
  const together = new Set(othersTogether(document, target.hub?.self.id ?? '').map(([id]) => id));
  const readers = open.texts.holders();
  const own = rateLimit.read();
  // Whoever has just come takes all others for silent until they write (H5); a person is told so once they had the time.
  const notHere = uptimeMs - (open.sharedSinceMs() ?? -Infinity) > silentAfterMs ? 'silent' : 'unheard';
  return Object.entries(members)
    .map(([id, member]): HubTill => {
      const { name, appVersion, share, held, writtenHiMs } = member;
      const isSelf = id === target.hub?.self.id;
      const isSilent = !isSelf && hiMs - writtenHiMs > silentAfterMs;
      const counting = isReclaimed(member, { loMs, hiMs }, open.member.windowMs()) ? 0 : usedOf(held);
      const history = isSelf ? own.history.map(({ used }) => usedOf(used)) : [...open.historyOf(id)];
      const [state, slots] = [isSilent ? notHere : 'here', isSelf ? usedOf(own.held) : counting] as const;
      const [countsBy, hasOwnLimit] = [
        member.countsAt === null ? 'platform' : 'client',
        !isSelf && !together.has(id),
      ] as const;
      return {
        id,
        name,
        appVersion,
        isSelf,
        state,
        slots,
        share,
        countsBy,
        hasOwnLimit,
        isReader: readers.has(id),
        history,
      };
    })
    .toSorted(
      (one, other) =>
        Number(other.isSelf) - Number(one.isSelf) || one.name.localeCompare(other.name, undefined, { numeric: true }),
    )
    .slice(0, maxTills);
}

/** The limit of this terminal now, and the later one if nothing changes; times are uptimes. */
function limitsOf(
  { mode, own, share, growsMs, document }: MemberState,
  /** The limit that all who are here share. */
  sharedLimit: number,
  uptimeMs: number,
): { readonly mode: HubState['mode']; readonly limit: number; readonly later: { limit: number; from: number } | null } {
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

/** How the open shop takes part in its hub; null where it takes part in none. */
export function hubModeOf({ hub, rateLimit }: OpenMember, clock: Clock): HubState['mode'] | null {
  return hub === null ? null : limitsOf(hub.member.state(), rateLimit.state().limit, clock.uptimeMs()).mode;
}

export function stateOf(workspace: OpenMember, open: OpenHub, clock: Clock): HubState {
  const state = open.member.state();
  const [now, uptimeMs] = [clock.now(), clock.uptimeMs()];
  const momentOf = (atMs: number): number => Math.min(Math.round(now + atMs - uptimeMs), lastMomentMs);
  const { limit: wholeLimit } = workspace.rateLimit.state();
  const tills = state.document === null ? [] : tillsOf(state.document, workspace, open, uptimeMs);
  const keptFor = (...states: HubTill['state'][]): number =>
    tills.filter((till) => states.includes(till.state) && !till.hasOwnLimit).reduce((sum, { share }) => sum + share, 0);
  const { mode, limit, later } = limitsOf(state, Math.max(0, wholeLimit - keptFor('silent', 'unheard')), uptimeMs);
  const { failure, heardMs, growsMs } = state;
  const sinceMs = mode === 'shared' || mode === 'joining' ? (open.sharedSinceMs() ?? heardMs) : heardMs;
  return {
    mode,
    failure,
    since: momentOf(mode === 'alone' ? growsMs : sinceMs),
    limit,
    later: later === null ? null : { limit: later.limit, from: momentOf(later.from) },
    kept: keptFor('silent'),
    tills,
  };
}
