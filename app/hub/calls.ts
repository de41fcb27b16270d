import type { HandlersOf } from '../contract/bridge.ts';
import type { HubReading, HubReport, JoinedHub } from '../contract/hub.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Clock, PracticePlatform } from '../ports.ts';
import { readHubAddress } from './address.ts';
import type { HubSettings } from './file-address.ts';
import type { HubMembership } from './membership.ts';
import { stateOf, type OpenMember } from './hub-state.ts';

interface HubShop {
  /** Null while no shop is open. */
  readonly workspace: () => OpenMember | null;
  /** Null unless the practice store is open. */
  readonly practice: () => PracticePlatform | null;
}

export interface HubCallParts {
  readonly clock: Clock;
  readonly settings: HubSettings;
  readonly membership: HubMembership;
  readonly shop: HubShop;
  /** Which account a hub is tried with. */
  readonly account: () => string;
  readonly hasProfile: () => boolean;
  /** Goes up with whoever comes to the open shop. */
  readonly arrivals: () => number | null;
  /** Lets one change of shop happen at a time. */
  readonly inTurn: <Value>(action: () => Promise<Result<Value, Failure>>) => Promise<Result<Value, Failure>>;
  /** The open shop takes part by the hub that is kept now, or no more. */
  readonly reopen: () => Promise<void>;
}

const passed: HubReport = { wrongPart: null, failure: null };

function readingOf(
  { terminalName, host, port, database }: JoinedHub,
  fingerprint: string | null,
  open: OpenMember | null,
  clock: Clock,
): HubReading['hub'] {
  const state = open === null || open.hub === null ? null : stateOf(open, open.hub, clock);
  return { terminalName, host, port, database, isPractice: false, fingerprint, state };
}

/** Null while no other till shares the practice store. */
function practiceReadingOf(shop: HubShop, clock: Clock): HubReading['hub'] {
  const [platform, open] = [shop.practice(), shop.workspace()];
  if (platform === null || open === null || open.hub === null) {
    return null;
  }
  const { hostname: host, port } = new URL(platform.platformUrl);
  const state = stateOf(open, open.hub, clock);
  return state.tills.some(({ isSelf }) => !isSelf)
    ? {
        terminalName: platform.tillName ?? '',
        host,
        port: Number(port),
        database: 'practice',
        isPractice: true,
        fingerprint: null,
        state,
      }
    : null;
}

/** Answers the calls about the shop's hub. */
export function createHubHandlers({
  clock,
  settings,
  membership,
  shop,
  account,
  hasProfile,
  arrivals,
  inTurn,
  reopen,
}: HubCallParts): HandlersOf<'hub'> {
  let choices = 0;

  /** The shop is opened anew where it belongs now. */
  async function goOver(): Promise<void> {
    await reopen();
    await membership.endFormer();
  }

  return {
    'hub:join': async ({ address, name }) => {
      const read = readHubAddress(address);
      if (!read.ok) {
        return succeed({ wrongPart: read.failure, failure: null });
      }
      choices += 1;
      const [choice, open, before] = [choices, shop.workspace(), arrivals()];
      // In no turn: nobody's PIN waits for a hub that does not answer.
      const failure = await membership.test(read.value, account());
      if (failure !== null) {
        return succeed({ wrongPart: null, failure });
      }
      return inTurn(async () => {
        // Somebody has come, or chosen otherwise, meanwhile.
        if (choices !== choice || shop.workspace() !== open || arrivals() !== before) {
          return fail({ kind: 'cancelled' });
        }
        const kept = await membership.keep(read.value, name, 'hand');
        if (!kept.ok && kept.failure.kind === 'vaultUnavailable') {
          return succeed({ wrongPart: null, failure: 'keychain' as const });
        }
        if (kept.ok) await goOver();
        return mapResult(kept, () => passed);
      });
    },
    'hub:leave': () => {
      choices += 1;
      return inTurn(async () => {
        const kept = await membership.leave();
        if (kept.ok) await goOver();
        return mapResult(kept, () => ({}));
      });
    },
    'hub:remove': async ({ ids }) => {
      const hub = shop.workspace()?.hub ?? null;
      return hub === null
        ? fail({ kind: 'notReady' })
        : succeed({ wrongPart: null, failure: await hub.member.remove(ids) });
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
    'hub:read': async () => {
      const { hub } = settings.get();
      const fingerprint = hub === null ? null : ((await membership.address())?.fingerprint ?? null);
      const open = shop.practice() === null ? shop.workspace() : null;
      // Once a profile exists, the terminal's own hub is none of practice's.
      const isForeign = shop.practice() !== null && hasProfile();
      const own = hub === null || isForeign ? null : readingOf(hub, fingerprint, open, clock);
      return succeed({ hub: practiceReadingOf(shop, clock) ?? own, readAt: clock.now() });
    },
  };
}
