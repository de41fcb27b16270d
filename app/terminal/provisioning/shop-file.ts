import type { HandlersOf } from '../../contract/bridge.ts';
import { isSameProfile } from '../../contract/same-profile.ts';
import { chosenOf, defaultSettings, type ChosenSettings } from '../../contract/settings.ts';
import { fail, succeed } from '../../domain/result.ts';
import type { Shell } from '../../ports.ts';
import type { Profiles, StoredProfile } from '../../settings/profiles.ts';
import type { OpenSettings } from '../../settings/settings.ts';

export interface ShopFileParts {
  readonly shell: Pick<Shell, 'device' | 'machineFields' | 'shopFile'>;
  readonly settings: OpenSettings;
  readonly profiles: Profiles;
}

/** Refused by a terminal until somebody has filled it in. */
const secret = '';

function fieldsOf({ platformUrl, clientId, companyId, stockIds, name }: StoredProfile): object {
  return { platformUrl, clientId, clientSecret: secret, companyId, stockIds, name: name ?? undefined };
}

/**
 * The settings that were chosen otherwise than they come. Whoever opens another terminal has not seen its tour, and the
 * token for programs is this terminal's own.
 */
function chosenOtherwise(chosen: ChosenSettings): object | undefined {
  const { language: _language, isTourSeen: _isTourSeen, localApiTokenHash: _hash, ...others } = chosen;
  const given = Object.entries(others).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultSettings[name as keyof typeof others]),
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Answers the calls for a provisioning file that sets other terminals up as this one, and for the shop's read again. */
export function createShopFileHandlers({
  shell: { device, machineFields, shopFile },
  settings,
  profiles,
}: ShopFileParts): HandlersOf<'provisioning', 'provisioning:open'> {
  return {
    'provisioning:readAgain': async () => {
      await shopFile?.readAgain();
      return shopFile === undefined ? fail({ kind: 'notReady' }) : succeed({});
    },
    'provisioning:export': () => {
      const { language, lock, hub } = settings.get();
      const all = profiles.all();
      const first = profiles.current() ?? all[0];
      if (first === undefined) {
        return Promise.resolve(fail({ kind: 'notFoundHere' }));
      }
      // Settings of earlier versions may have a profile twice, and a file is refused for it.
      const others = all.filter(
        (one, at) => !isSameProfile(one, first) && all.findIndex((other) => isSameProfile(other, one)) === at,
      );
      const { kinds, opensForMinutes } = lock;
      // Several tills at one place would write over each other's status.
      const { statusFile: _statusFile, ...ofMachine } = machineFields ?? {};
      const document = {
        $schema: 'provisioning.schema.json',
        ...fieldsOf(first),
        otherProfiles: others.length === 0 ? undefined : others.map(fieldsOf),
        language: language ?? undefined,
        settings: chosenOtherwise(chosenOf(settings.get())),
        startsAtSignIn: device?.startsAtSignIn() ?? undefined,
        ...ofMachine,
        managerLock: lock.pinHash === null ? undefined : { pin: secret, kinds, opensForMinutes },
        hub: hub === null ? undefined : { address: secret },
      };
      return Promise.resolve(succeed({ name: 'tillside-shop.json', text: `${JSON.stringify(document, null, 2)}\n` }));
    },
  };
}
