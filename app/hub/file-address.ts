import { createHash } from 'node:crypto';
import type { JoinedHub } from '../contract/hub.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import { isSamePlace, printHubAddress, type HubAddress } from './address.ts';
import { terminalRole } from './roles.ts';
import { keyIdOf } from './sealing.ts';

interface KeptHub {
  /** Null while this terminal has joined none. */
  readonly hub: JoinedHub | null;
  /** SHA-256 of the address that the provisioning file named last; null where none has named one. */
  readonly hubInFile: string | null;
}

export interface HubSettings {
  readonly get: () => KeptHub;
  readonly change: (change: Partial<KeptHub>) => Result<void, Failure>;
  /** Changes nothing where it fails. */
  readonly changeForGood: (change: Partial<KeptHub>) => Result<void, Failure>;
}

/** Whether this is an address as it was given to all tills. */
export const isShared = ({ user }: HubAddress): boolean => user.startsWith(terminalRole);

const digestOf = (hub: HubAddress): string => createHash('sha256').update(printHubAddress(hub)).digest('base64url');

/** Whether this names a key that the hub has left, as this terminal knows, which has followed it. */
const isLeft = (named: HubAddress, hub: JoinedHub): boolean =>
  isSamePlace(hub, named) && hub.formerKeys?.includes(keyIdOf(named.storeKey)) === true;

/**
 * Whether the provisioning file names what it named before, or a key that the hub has left. That is no news for a
 * terminal that has joined a hub: it has followed to another key since, or a person has chosen another address.
 */
export function isAsBefore(named: HubAddress, { hub, hubInFile }: KeptHub): boolean {
  return hub !== null && (hubInFile === digestOf(named) || isLeft(named, hub));
}

/** Whether this is the address of what was joined; `kept` is null where the keychain does not say. */
function isSameAddress(hub: HubAddress, joined: JoinedHub, kept: HubAddress | null): boolean {
  if (!isSamePlace(joined, hub)) {
    return false;
  }
  const { user, password } = hub;
  const asGiven = kept === null || isShared(kept) ? kept : { ...kept, user, password };
  return asGiven === null || printHubAddress(asGiven) === printHubAddress(hub);
}

/** What the hub means that a provisioning file names at each start; `address` is the one in the keychain, or null. */
export function createFileRule(settings: HubSettings, address: () => Promise<HubAddress | null>) {
  return {
    /**
     * Whether this terminal has joined the hub that a file names, by this name. A keychain that does not answer is taken
     * for the same.
     */
    isJoined: async (hub: HubAddress, terminalName: string): Promise<boolean> => {
      const { hub: before } = settings.get();
      if (before?.terminalName !== terminalName) return false;
      return isAsBefore(hub, settings.get()) || isSameAddress(hub, before, await address());
    },

    /** Whether a file names another hub, at another place, than the one that this terminal has joined. */
    isElsewhere: async (hub: HubAddress): Promise<boolean> => {
      const old = await address();
      const isOther = old !== null && !isSamePlace(old, hub) && old.storeKey !== hub.storeKey;
      return isOther && !isAsBefore(hub, settings.get());
    },

    /**
     * Whether the keychain does not say how to sign in to the hub that this terminal has joined, and a file does. By a
     * key that the hub has left nobody is let in; the keychain is asked again.
     */
    isMissing: async (hub: HubAddress): Promise<boolean> => {
      const { hub: joined } = settings.get();
      return joined !== null && isSamePlace(joined, hub) && !isLeft(hub, joined) && (await address()) === null;
    },

    /** Keeps which address the file names, once this terminal has taken it. */
    noteFile: (hub: HubAddress): void => {
      const hubInFile = digestOf(hub);
      if (settings.get().hubInFile !== hubInFile) settings.change({ hubInFile });
    },
  };
}
