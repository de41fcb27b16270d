import type { JoinedHub } from '../contract/hub.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { isSamePlace, printHubAddress, readHubAddress, type HubAddress } from './address.ts';
import { createFileRule, isAsBefore, isShared, type HubSettings } from './file-address.ts';
import { createLazyLink } from './lazy-link.ts';
import type { HubFailure, HubLink } from './link.ts';
import type { ExchangeFailure } from './hub-exchange.ts';
import { createSealedDocument, type SealedDocumentPorts } from './sealed-document.ts';
import { keyIdOf, openNextKey } from './sealing.ts';
import type { Ports, Timer } from '../ports.ts';
import type { HubTarget } from './open-hub.ts';

/** The entry's name in the keychain. */
export const hubAddressName = 'hub-address';
/** A keychain that did not answer is asked again after this long. */
const keychainRetryMs = 60_000;
/** A hub that did not answer is told after this long that this terminal has left it. */
const endAgainMs = 60_000;
/** So many of the keys that the hub has left are told from another hub's. */
const maxFormerKeys = 20;

export interface HubMembershipParts {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'vault'>;
  /** The app's, which the other tills are shown. */
  readonly version: string;
  readonly settings: HubSettings;
  /** Absent where no hub can be reached. */
  readonly openHub?: ((address: HubAddress) => HubLink) | undefined;
}

export type HubMembership = ReturnType<typeof createHubMembership>;

async function nextKeyOf({ storeKey }: HubAddress, link: HubLink): Promise<string | null> {
  const sealed = (await link.findNextKey?.(keyIdOf(storeKey))) ?? null;
  return sealed === null ? null : openNextKey(storeKey, sealed);
}

const keyOf = ({ storeKey }: HubAddress): Uint8Array => Buffer.from(storeKey, 'base64url');

function endingOf(hub: JoinedHub, now: JoinedHub | null): ReturnType<HubTarget['ending']> {
  if (now?.terminalId !== hub.terminalId) {
    return 'leaving';
  }
  return isSamePlace(now, hub) ? 'closing' : 'moving';
}

/** What the settings say of this hub; `old` is the address kept so far. */
function joinedAt(
  hub: HubAddress,
  terminalName: string,
  by: 'hand' | 'file',
  before: JoinedHub | null,
  old: HubAddress | null,
  newId: () => string,
): JoinedHub {
  // As the same terminal, what it remembers of the hub before counts at this one, too (H8). At another hub it is that
  // only if it tells the one before that it moves, which a start by a file does not.
  const isSameShop = before !== null && (old === null ? isSamePlace(before, hub) : old.storeKey === hub.storeKey);
  const terminalId = before !== null && (by === 'hand' || isSameShop) ? before.terminalId : newId();
  const { host, port, database } = hub;
  const followed = before !== null && isSamePlace(before, hub) ? before.formerKeys : undefined;
  const formerKeys = followed?.filter((id) => id !== keyIdOf(hub.storeKey));
  return { terminalId, terminalName, host, port, database, ...(formerKeys === undefined ? {} : { formerKeys }) };
}

/** Notes that the hub has left this key, before the next one is kept: a file that names it is an old one. */
function noteLeftKey(settings: HubSettings, { storeKey }: HubAddress): void {
  const { hub } = settings.get();
  if (hub === null) return;
  const keys = new Set(hub.formerKeys).add(keyIdOf(storeKey));
  settings.change({ hub: { ...hub, formerKeys: [...keys].slice(-maxFormerKeys) } });
}

/**
 * What the keychain has is of another hub where a run was cut off before the settings said which one it had joined: then,
 * as where there is none, null.
 */
async function readInVault(vault: Ports['vault'], hub: JoinedHub): Promise<HubAddress | null> {
  const stored = await vault.read(hubAddressName);
  const read = stored.ok && stored.value !== null ? readHubAddress(stored.value) : null;
  return read?.ok === true && isSamePlace(read.value, hub) ? read.value : null;
}

async function keepInVault(vault: Ports['vault'], one: HubAddress | null): Promise<void> {
  await (one === null ? vault.remove(hubAddressName) : vault.write(hubAddressName, printHubAddress(one)));
}

async function testHub(
  link: HubLink | undefined,
  ports: Omit<SealedDocumentPorts, 'link'>,
): Promise<ExchangeFailure | null> {
  if (link === undefined) {
    return 'failed';
  }
  const read = await createSealedDocument({ ...ports, link }).read();
  await link.close();
  if (!read.ok) {
    return read.failure;
  }
  return read.value.document === 'unreadable' ? 'otherKey' : null;
}

/** The sign-ins of this terminal's own that it has left for another address or none. */
function createFormerSignIns(
  clock: Ports['clock'],
  openHub: HubMembershipParts['openHub'],
  now: () => HubAddress | null,
) {
  let left: HubAddress[] = [];
  let again: Timer | null = null;

  function isOver(one: HubAddress): boolean {
    const known = now();
    return !isShared(one) && (one.user !== known?.user || !isSamePlace(one, known));
  }

  /**
   * Ends each at its hub. Where that does not answer it tries again, until this run ends: nothing of a hub that was left
   * is kept.
   */
  async function end(): Promise<void> {
    const asked = left;
    left = [];
    for (const one of asked) {
      if (isOver(one) && (await openHub?.(one).endSignIn?.()) === false) left.push(one);
    }
    again?.cancel();
    again = left.length === 0 ? null : clock.after(endAgainMs, () => void end());
  }

  return { add: (one: HubAddress) => void left.push(one), end };
}

/** Which hub this terminal has joined: the place in the settings, the whole address in the keychain. */
export function createHubMembership({ ports, version, settings, openHub }: HubMembershipParts) {
  const { clock, random, vault } = ports;
  let known: HubAddress | null = null;
  let missedMs: number | null = null;
  let twinListener: (terminalId: string) => void = () => undefined;
  const former = createFormerSignIns(clock, openHub, () => known);

  /** From this run's memory or the keychain; null when neither has it. */
  async function address(): Promise<HubAddress | null> {
    if (known !== null || (missedMs !== null && clock.uptimeMs() - missedMs < keychainRetryMs)) {
      return known;
    }
    const { hub } = settings.get();
    known = hub === null ? null : await readInVault(vault, hub);
    missedMs = known === null ? clock.uptimeMs() : null;
    return known;
  }

  function replace(next: HubAddress | null): void {
    if (known !== null) former.add(known);
    known = next;
  }

  /**
   * By a sign-in of this terminal's own where the hub has one: without it, this one alone is shut out. Who is refused with
   * that looks for the shop's next key.
   */
  async function openAsSelf(
    found: HubAddress,
    { terminalId, terminalName }: JoinedHub,
    connect: (hub: HubAddress) => HubLink,
    isRefused: boolean,
  ): Promise<{ readonly link: HubLink; readonly as: HubAddress }> {
    const link = connect(found);
    const signIn = isShared(found) ? ((await link.makeSignIn?.(terminalName)) ?? null) : null;
    const nextKey = isRefused && !isShared(found) ? await nextKeyOf(found, link) : null;
    const isCurrent = (): boolean => known === found && settings.get().hub?.terminalId === terminalId;
    if (signIn === null && nextKey === null) {
      return { link, as: found };
    }
    const { user, password } = signIn ?? found;
    const own = { ...found, user, password, storeKey: nextKey ?? found.storeKey };
    if (nextKey !== null && isCurrent()) noteLeftKey(settings, found);
    // The hub learns of a key that it is kept once that is so: from then on it lets the one before in no more.
    const isKept =
      isCurrent() && (await vault.write(hubAddressName, printHubAddress(own))).ok && (await signIn?.arrive()) !== false;
    if (!isKept || !isCurrent()) {
      // Another hub has been joined meanwhile, or this one left.
      if (signIn !== null) {
        former.add(own);
        await former.end();
      }
      await keepInVault(vault, known);
      return { link, as: found };
    }
    known = own;
    await link.close();
    return { link: connect(own), as: own };
  }

  return {
    address,
    endFormer: former.end,

    /** How a shop that is opened now takes part; undefined where this terminal has joined no hub. */
    target: (): HubTarget | undefined => {
      const { hub } = settings.get();
      if (hub === null) {
        return undefined;
      }
      const ending = (): ReturnType<HubTarget['ending']> => endingOf(hub, settings.get().hub);
      // Filled with the address, before the first call of the link: nothing is sealed or opened sooner.
      const key = new Uint8Array(32);
      const open = async (isRefused: boolean): Promise<Result<HubLink, HubFailure>> => {
        const found = await address();
        // Since this terminal has left, what is kept is the address of another hub, which is not told of this one.
        if (found === null || openHub === undefined || ending() !== 'closing') {
          return fail({ kind: found === null ? 'keychain' : 'failed' });
        }
        const { link, as } = await openAsSelf(found, hub, openHub, isRefused);
        key.set(keyOf(as));
        return succeed(link);
      };
      const self = { id: hub.terminalId, name: hub.terminalName, appVersion: version };
      const place = `${hub.host}:${hub.port}/${hub.database}`;
      const onTwin = (): void => twinListener(hub.terminalId);
      return { link: createLazyLink(open), key, self, place, ending, onTwin };
    },
    /** Calls back, perhaps more than once, when another terminal takes part by this one's id (H16). */
    whenTwin: (listener: (terminalId: string) => void): void => {
      twinListener = listener;
    },

    ...createFileRule(settings, address),

    /** Asks the hub for the account's document and opens it; null when both can be done. */
    test: (hub: HubAddress, account: string) => testHub(openHub?.(hub), { random, account, key: keyOf(hub) }),

    /**
     * Keeps the hub. Fails, and keeps nothing, with `vaultUnavailable` when the keychain does not take the address, and
     * with the failure of the settings' file. What a file names is then known until this run ends.
     */
    keep: async (named: HubAddress, terminalName: string, by: 'hand' | 'file'): Promise<Result<void, Failure>> => {
      const before = settings.get();
      const old = await address();
      // A file may give another name alone, or an address that the keychain does not say just now.
      const stays = by === 'file' && isAsBefore(named, before) ? before.hub : null;
      const hub = old !== null && stays !== null ? old : named;
      const joined =
        stays === null
          ? joinedAt(named, terminalName, by, before.hub, old, () => random.uuid())
          : { ...stays, terminalName };
      // A keychain that was silent may hold another one.
      const written = stays === null ? await vault.write(hubAddressName, printHubAddress(named)) : succeed(undefined);
      if (!written.ok && by === 'hand') return written;
      const kept = by === 'hand' ? settings.changeForGood({ hub: joined }) : settings.change({ hub: joined });
      if (!kept.ok && by === 'hand') {
        await keepInVault(vault, old);
        return kept;
      }
      if (stays === null || isSamePlace(stays, hub)) replace(hub);
      // By hand, a shop is open that has still to say that it leaves.
      if (by === 'file') void former.end();
      return kept;
    },

    /** Forgets the hub. Fails, and forgets nothing, with the failure of the settings' file. */
    leave: async (): Promise<Result<void, Failure>> => {
      await address();
      const kept = settings.changeForGood({ hub: null });
      if (!kept.ok) return kept;
      replace(null);
      await keepInVault(vault, null);
      return kept;
    },
  };
}
