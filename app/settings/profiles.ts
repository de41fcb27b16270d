//   P1  A profile's number stands for one platform and company for as long as it is kept, for its copy of the listing
//       lies under it.
//   P2  Profiles of the same platform and client share the keychain's entries, and so their sign-in; others never do.
//   P3  The entries of a profile from before there were several are named after its platform alone, and stay where they
//       are.
import { z } from 'zod';
import { maxProfiles } from '../contract/limits/profiles.ts';
import { profileIdSchema, profileNameSchema, profileSchema, type Profile } from '../contract/profiles.ts';
import { isSamePlace, isSameProfile } from '../contract/same-profile.ts';
import type { Failure } from '../domain/failure.ts';
import { isObject } from '../domain/loose-json.ts';
import type { Result } from '../domain/result.ts';

const storedProfileSchema = profileSchema
  .extend({
    id: profileIdSchema,
    name: profileNameSchema.catch(null),
    /** The name of its entries in the keychain. */
    vaultName: z.string().min(1).max(2600),
  })
  // So here and below: a newer version may have written one field more.
  .strip();
export type StoredProfile = z.infer<typeof storedProfileSchema>;
/** What of a profile names its entries in the keychain. */
const entriesSchema = storedProfileSchema.pick({ vaultName: true, platformUrl: true, clientId: true });

const signInSchema = z.object({
  vaultName: z.string().min(1).max(2600),
  /** Who is signed in, when the keychain holds their token. */
  session: z
    .object({ email: z.string().min(1).max(320) })
    .nullable()
    .catch(null),
  /** Whether the keychain must hold the client secret. */
  isSecretInVault: z.boolean().catch(false),
  /** The keychain holds a token of somebody who has signed out: it is to be removed at the next start. */
  isTokenLeft: z.boolean().optional().catch(undefined),
});
type SignIn = z.infer<typeof signInSchema>;

/** Of so many removed profiles what the keychain has not removed is known; it may refuse for long. */
const maxLeft = 100;

/** The part of the settings document that this file owns. */
export interface ProfileSettings {
  readonly profiles: readonly StoredProfile[];
  /** What is listed among them and was not read: a newer version's, or an altered one. It is written as it came. */
  readonly unreadProfiles: readonly unknown[];
  /** The one that is open, or was last. */
  readonly profileId: number | null;
  readonly signIns: readonly SignIn[];
}

const documentSchema = z.object({
  // What is no list may be one that was altered.
  profiles: z.array(z.unknown()).catch(({ value }) => [value]),
  profileId: profileIdSchema.nullable().catch(null),
  signIns: z.array(z.unknown()).catch([]),
});

/** A document of version 1, which has one profile at most. */
const oldDocumentSchema = z.object({
  profile: profileSchema.nullable().catch(null),
  isSecretInVault: signInSchema.shape.isSecretInVault,
  session: signInSchema.shape.session,
});

function readOld(document: unknown): ProfileSettings {
  const { profile, isSecretInVault, session } = oldDocumentSchema.parse(document);
  if (profile === null) {
    return { profiles: [], unreadProfiles: [], profileId: null, signIns: [] };
  }
  const vaultName = profile.platformUrl; // P3
  return {
    profiles: [{ id: 1, name: null, vaultName, ...profile }],
    unreadProfiles: [],
    profileId: 1,
    signIns: [{ vaultName, session, isSecretInVault }],
  };
}

/** Reads the profiles of a settings document of either version; one that makes no sense never costs the others. */
export function readProfiles(document: unknown): ProfileSettings {
  const object = isObject(document) ? document : {};
  if (!('profiles' in object)) {
    return readOld(object);
  }
  const { profiles: listed, profileId, signIns } = documentSchema.parse(object);
  const profiles: StoredProfile[] = [];
  const unreadProfiles: unknown[] = [];
  for (const one of listed) {
    const { data } = storedProfileSchema.safeParse(one);
    if (data === undefined || profiles.length === maxProfiles || profiles.some(({ id }) => id === data.id)) {
      unreadProfiles.push(one);
    } else {
      profiles.push(data);
    }
  }
  const { used = [], left = [] } = Object.groupBy(
    signIns.flatMap((one) => signInSchema.safeParse(one).data ?? []),
    ({ vaultName }) => (profiles.some((one) => one.vaultName === vaultName) ? 'used' : 'left'),
  );
  return {
    profiles,
    unreadProfiles,
    profileId: profiles.some(({ id }) => id === profileId) ? profileId : null,
    signIns: [...left.slice(-maxLeft), ...used],
  };
}

export interface Profiles {
  all(): readonly StoredProfile[];
  find(id: number): StoredProfile | null;
  /** The one that is open, or was last. */
  current(): StoredProfile | null;
  /**
   * As it would be kept, which `keep` then does: in the place of `replacedId`, or of the one with the same platform,
   * company and stocks. Null when there are as many as can be.
   */
  draft(
    wanted: Profile & { readonly name?: string | null | undefined },
    replacedId: number | null,
  ): StoredProfile | null;
  /**
   * Which of the kept ones each of these is, in their order: the one with its stocks; else the only one left that shares
   * a stock with it alone; else, where one of each is left of a platform and company, that one. Null for one that is new.
   * To be asked of all of a file before any of them is kept.
   */
  matching(wanted: readonly Profile[]): readonly (StoredProfile | null)[];
  /** Keeps it and makes it the present one. */
  keep(profile: StoredProfile, replacedId: number | null): Result<void, Failure>;
  makeCurrent(id: number): Result<void, Failure>;
  rename(id: number, name: string | null): Result<void, Failure>;
  /** Stays where that is not kept, for its copy and secrets go with it. */
  remove(id: number): Result<void, Failure>;
  sessionOf(vaultName: string): SignIn['session'];
  hasSecretInVault(vaultName: string): boolean;
  noteSignIn(vaultName: string, change: Partial<Pick<SignIn, 'session' | 'isTokenLeft'>>): Result<void, Failure>;
  /** The keychain has the secret of this name; false where that is not kept. */
  noteSecretInVault(vaultName: string): boolean;
  /** Names under which the keychain holds a token that it ought to have removed. */
  withTokenLeft(): readonly string[];
  /** Whether a profile has its entries in the keychain under this name, or one that was not read may have them. */
  usesVault(vaultName: string): boolean;
  /** This name belongs to no profile that was not read: a person sets up another one under it. */
  release(vaultName: string): void;
  /**
   * Names of entries in the keychain that no profile uses. Who was signed in by them is forgotten by their being asked for,
   * and none of them is named where that is not kept: the next start would find the profiles that used them.
   */
  takeUnused(): readonly string[];
  /** The keychain has nothing left under this name. */
  forgetSignIn(vaultName: string): void;
}

const sharesStock = (one: Profile, other: Profile): boolean =>
  isSamePlace(one, other) && one.stockIds.some((stockId) => other.stockIds.includes(stockId));

/** Whose entries a listed profile has, and by which name, as P2 and P3 make it; none where one of them was altered. */
function entriesOf(listed: unknown): readonly Pick<StoredProfile, 'vaultName' | 'platformUrl' | 'clientId'>[] {
  const { data } = entriesSchema.safeParse(listed);
  return data !== undefined && [data.platformUrl, `${data.platformUrl} ${data.clientId}`].includes(data.vaultName)
    ? [data]
    : [];
}

const entriesIn = ({ profiles, unreadProfiles }: ProfileSettings) => [
  ...profiles,
  ...unreadProfiles.flatMap(entriesOf),
];

/**
 * The names that profiles may have which were not read: all there are where one of them cannot be told. One that a profile
 * has which was read is that one's alone, and goes with it: nobody sees the other, by which it would stay.
 */
function namesOfUnread({ profiles, unreadProfiles, signIns }: ProfileSettings): readonly string[] {
  const isUntold = [...profiles, ...unreadProfiles].some((one) => entriesOf(one).length === 0);
  const names = (isUntold ? signIns : unreadProfiles.flatMap(entriesOf)).map(({ vaultName }) => vaultName);
  return names.filter((name) => !profiles.some(({ vaultName }) => vaultName === name));
}

/** The profiles over a settings document. */
export function createProfiles(settings: {
  readonly get: () => ProfileSettings;
  readonly change: (change: Partial<ProfileSettings>) => Result<void, Failure>;
  readonly changeForGood: (change: Partial<ProfileSettings>) => Result<void, Failure>;
}): Profiles {
  const all = (): readonly StoredProfile[] => settings.get().profiles;
  const find = (id: number): StoredProfile | null => all().find((profile) => profile.id === id) ?? null;
  const same = (wanted: Profile): StoredProfile | null => all().find((one) => isSameProfile(one, wanted)) ?? null;
  const ofUnread = new Set(namesOfUnread(settings.get()));
  const usesVault = (vaultName: string): boolean =>
    ofUnread.has(vaultName) || all().some((profile) => profile.vaultName === vaultName);
  const signInOf = (vaultName: string): SignIn =>
    settings.get().signIns.find((one) => one.vaultName === vaultName) ?? {
      vaultName,
      session: null,
      isSecretInVault: false,
    };

  const signInsWith = (vaultName: string, change: Partial<SignIn>): readonly SignIn[] => [
    ...settings.get().signIns.filter((one) => one.vaultName !== vaultName),
    { ...signInOf(vaultName), ...change },
  ];

  /** P2 */
  function vaultNameFor({ platformUrl, clientId }: Profile): string {
    const ofPlatform = entriesIn(settings.get()).filter((one) => one.platformUrl === platformUrl);
    const shared = ofPlatform.find((profile) => profile.clientId === clientId);
    return (
      shared?.vaultName ??
      (ofPlatform.some(({ vaultName }) => vaultName === platformUrl) ? `${platformUrl} ${clientId}` : platformUrl)
    );
  }

  return {
    all,
    find,
    current: () => find(settings.get().profileId ?? 0),
    draft: (wanted, replacedId) => {
      const replaced = replacedId === null ? same(wanted) : find(replacedId);
      const { platformUrl, clientId, companyId, stockIds } = wanted;
      const name = wanted.name === undefined ? (replaced?.name ?? null) : wanted.name;
      const facts = {
        name,
        platformUrl,
        clientId,
        companyId,
        stockIds: [...stockIds],
        vaultName: vaultNameFor(wanted),
      };
      if (replaced !== null && isSamePlace(replaced, wanted)) {
        return { id: replaced.id, ...facts };
      }
      const ids = Array.from({ length: maxProfiles + 1 }, (_, place) => place + 1).filter((id) => find(id) === null);
      const taken = settings.get().unreadProfiles.map((one) => (isObject(one) ? one['id'] : null));
      const free = ids.find((id) => !taken.includes(id)) ?? ids[0]; // P1
      return free === undefined || (replaced === null && all().length >= maxProfiles) ? null : { id: free, ...facts };
    },
    matching: (wanted) => {
      const found = wanted.map(same);
      for (const fits of [sharesStock, isSamePlace]) {
        const left = all().filter((kept) => !found.includes(kept));
        const fitting = wanted.map((one, at) => (found[at] === null ? left.filter((kept) => fits(kept, one)) : []));
        for (const [at, [only, ...more]] of fitting.entries()) {
          if (only !== undefined && more.length === 0 && fitting.flat().filter((kept) => kept === only).length === 1) {
            found[at] = only;
          }
        }
      }
      return found;
    },
    keep: (profile, replacedId) => {
      ofUnread.delete(profile.vaultName);
      const place = all().findIndex(({ id }) => id === profile.id || id === replacedId);
      const profiles =
        place === -1
          ? [...all(), profile]
          : all()
              .with(place, profile)
              .filter(({ id }, at) => at === place || (id !== profile.id && id !== replacedId));
      return settings.change({ profiles, profileId: profile.id });
    },
    makeCurrent: (profileId) => settings.change({ profileId }),
    rename: (id, name) =>
      settings.changeForGood({
        profiles: all().map((profile) => (profile.id === id ? { ...profile, name } : profile)),
      }),
    remove: (id) => {
      const { profileId } = settings.get();
      return settings.changeForGood({
        profiles: all().filter((profile) => profile.id !== id),
        profileId: profileId === id ? null : profileId,
      });
    },
    sessionOf: (vaultName) => signInOf(vaultName).session,
    hasSecretInVault: (vaultName) => signInOf(vaultName).isSecretInVault,
    noteSignIn: (vaultName, change) => settings.change({ signIns: signInsWith(vaultName, change) }),
    noteSecretInVault: (vaultName) =>
      settings.changeForGood({ signIns: signInsWith(vaultName, { isSecretInVault: true }) }).ok,
    withTokenLeft: () =>
      settings.get().signIns.flatMap(({ vaultName, isTokenLeft }) => (isTokenLeft === true ? [vaultName] : [])),
    usesVault,
    release: (vaultName) => {
      ofUnread.delete(vaultName);
    },
    takeUnused: () => {
      const { signIns } = settings.get();
      const unused = signIns.filter(({ vaultName }) => !usesVault(vaultName));
      const left = signIns.map((one) =>
        unused.includes(one)
          ? { vaultName: one.vaultName, session: null, isSecretInVault: false, isTokenLeft: true }
          : one,
      );
      const isKept = unused.length > 0 && settings.changeForGood({ signIns: left }).ok;
      return isKept ? unused.map(({ vaultName }) => vaultName) : [];
    },
    forgetSignIn: (vaultName) => {
      settings.change({ signIns: settings.get().signIns.filter((one) => one.vaultName !== vaultName) });
    },
  };
}
