import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Profile } from '../../contract/profiles.ts';
import { fail, mapResult, succeed } from '../../domain/result.ts';
import { createPracticeLink } from '../../hub/practice-link.ts';
import { createTokenKeys } from '../../platform/token-keys.ts';
import type { Http, PracticePlatform } from '../../ports.ts';
import { limitsOf } from '../../queue/repository.ts';
import { refreshTokenName } from '../../session/entries.ts';
import { noVault, vaultUnder } from '../../session/vaults.ts';
import type { StoredProfile } from '../../settings/profiles.ts';
import type { SettingsDocument } from '../../settings/settings.ts';
import { rulesOf } from '../../rate-limit/rules.ts';
import type { TerminalContext, WorkspaceTarget } from './context.ts';

export interface TargetParts extends TerminalContext {
  /** Whose kept sign-ins under this name may be used, whoever is at the screen. */
  readonly keptUsers: (vaultName: string) => readonly string[];
  /** Whether this user, signed in at the open shop, must give the password before anything of theirs is sent. */
  readonly needsPassword: (email: string) => boolean;
}

/** The fields that name a platform, a company and its stocks, and nothing else. */
export function placeOf({ platformUrl, clientId, companyId, stockIds }: Profile | PracticePlatform): Profile {
  return { platformUrl, clientId, companyId, stockIds: [...stockIds] };
}

/** A number, for a name could be made to mean another machine. */
const loopbackHost = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An Http that sends nothing to any address but loopback's: what names another fails with `addressNotSecure`. */
export function onlyLoopback(http: Http): Http {
  return {
    send: (request) => {
      const url = URL.parse(request.url);
      return url !== null && url.protocol === 'http:' && loopbackHost.test(url.hostname)
        ? http.send(request)
        : Promise.resolve(
            fail({ kind: 'addressNotSecure', message: 'the practice store speaks to this machine alone' }),
          );
    },
  };
}

/** Of a client at its platform; a digest, for other tills and a copied file need not read which. */
function clientOf({ platformUrl, clientId }: Pick<Profile, 'platformUrl' | 'clientId'>): string {
  return createHash('sha256').update(`${platformUrl}\n${clientId}`).digest('base64url').slice(0, 22);
}

/** The name of a profile's copy of the listing; the first is as it was before there were several. */
function catalogueFileOf(id: number): string {
  return id === 1 ? 'catalogue.db' : `catalogue-${id}.db`;
}

/** The targets of all shops; what outlives a shop is made once, here. */
export function createTargets({
  ports,
  settings,
  profiles,
  keptCashiers,
  keptUsers,
  needsPassword,
  signIns,
  clientSecret,
  membership,
  stateEvents: { notify },
}: TargetParts) {
  const directory = join(ports.shell.dataDirectory, 'store');
  // The same for every shop.
  const shared = { tokenKeys: createTokenKeys(() => ports.random.uuid()), steadyOffsets: new Map() };

  /** A profile obeys the terminal's settings, also where it is tried out beside practice. */
  const obeying = (chosen: SettingsDocument) =>
    ({
      queueLimits: () => limitsOf(chosen.get().queueLimits),
      planGraceMinutes: () => chosen.get().planGraceMinutes,
      rateLimitRules: () => rulesOf(chosen.get().allowanceLimits),
      quietHours: () => chosen.get().quietHours,
      expiryAsking: () => ({ ...chosen.get().quietHours, ...chosen.get().expiryAsking }),
      scaleLayouts: () => chosen.scaleLayouts(),
      shownFields: () => chosen.get().shownFields,
    }) satisfies Partial<WorkspaceTarget>;

  /** Another one for each run of the practice platform, whose hub is in memory. */
  function practiceHubOf({ controlUrl, tillName }: PracticePlatform, directoryHere: string): WorkspaceTarget['hub'] {
    if (tillName === undefined) {
      return undefined;
    }
    const digest = (text: string) => createHash('sha256').update(`${controlUrl}\n${text}`).digest();
    return {
      link: createPracticeLink(onlyLoopback(ports.http), ports.clock, controlUrl),
      key: digest(''),
      self: { id: digest(directoryHere).toString('base64url'), name: tillName, appVersion: ports.shell.version },
      place: controlUrl,
      ending: () => 'leaving',
      onTwin: () => undefined,
    };
  }

  return {
    ofProfile: (profile: StoredProfile): WorkspaceTarget => ({
      ...placeOf(profile),
      ...shared,
      ...obeying(settings.terminal),
      hub: membership.target(),
      platform: profile.platformUrl,
      account: settings.terminal.get().rateLimitAccount === 'client' ? clientOf(profile) : null,
      client: clientOf(profile),
      hasOtherCompany: () =>
        profiles.all().some((one) => one.platformUrl === profile.platformUrl && one.companyId !== profile.companyId),
      directory,
      catalogueFile: catalogueFileOf(profile.id),
      proving: (requestToken) => clientSecret.proving(profile.vaultName, requestToken),
      session: {
        vault: vaultUnder(ports.vault, profile.vaultName),
        slot: signIns.slot(profile.vaultName),
        client: async () => {
          const secret = await clientSecret.load(profile.vaultName);
          if (!secret.ok && !profiles.hasSecretInVault(profile.vaultName)) {
            // No keychain is at fault: none was given one to keep.
            return fail({ kind: 'signInNeeded' });
          }
          return mapResult(secret, (clientSecretText) => ({
            clientId: profile.clientId,
            clientSecret: clientSecretText,
          }));
        },
        saveMark: (session) => {
          const { vaultName } = profile;
          const isShared = (one: typeof session): boolean =>
            one !== null && keptCashiers.find(vaultName, one.email) === null;
          // A new token takes the place of one that was left; else that is still to be removed, whatever ends first.
          if (isShared(session)) {
            return profiles.noteSignIn(vaultName, { session, isTokenLeft: undefined });
          }
          const isLeft = isShared(profiles.sessionOf(vaultName));
          return profiles.noteSignIn(vaultName, { session, ...(isLeft ? { isTokenLeft: true } : {}) });
        },
        onTokenLeft: (name) => {
          if (name === refreshTokenName) {
            profiles.noteSignIn(profile.vaultName, { isTokenLeft: true });
          }
          notify('vaultUnavailable', '');
        },
        isKept: (email) => keptCashiers.find(profile.vaultName, email) !== null,
        keptUsers: () => keptUsers(profile.vaultName),
        needsPassword,
        onOver: (email) => {
          const kept = keptCashiers.find(profile.vaultName, email);
          if (kept !== null) {
            keptCashiers.keep({ ...kept, signedInAt: null });
          }
        },
      },
    }),
    ofPractice: (platform: PracticePlatform, practiceDirectory: string): WorkspaceTarget => ({
      ...placeOf(platform),
      ...shared,
      ...obeying(settings),
      // Nobody practises at night.
      expiryAsking: () => ({ ...settings.get().expiryAsking, from: 0, to: 0 }),
      platform: 'practice',
      account: null,
      client: 'practice',
      hasOtherCompany: () => false,
      hub: practiceHubOf(platform, practiceDirectory),
      directory: practiceDirectory,
      catalogueFile: catalogueFileOf(1),
      session: {
        vault: noVault,
        client: () => Promise.resolve(succeed({ clientId: platform.clientId, clientSecret: platform.clientSecret })),
        saveMark: () => succeed(undefined),
      },
    }),
    /** The file of a profile's copy of the listing. */
    copyOf: (profileId: number) => join(directory, catalogueFileOf(profileId)),
  };
}
