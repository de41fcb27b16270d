import { join } from 'node:path';
import { rulesOf } from './rate-limit.ts';
import { openConnectionTrial, type ConnectionTrial } from './connection-trial.ts';
import type { Profile } from '../contract/profiles.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Http, Ports, PracticePlatform } from '../ports.ts';
import type { Profiles, StoredProfile } from '../settings/profiles.ts';
import { limitsOf } from '../queue/limits.ts';
import type { SteadyOffsets } from '../queue/steady-time.ts';
import type { ClientSecret } from '../session/client-secret.ts';
import { createTokenKeys } from '../platform/token-keys.ts';
import type { SignInMemory } from '../session/memory.ts';
import { noVault, vaultUnder } from '../session/vaults.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { deleteDatabase } from '../storage/recover.ts';
import { createShownCards, type ShownCards } from './shown-cards.ts';
import type { StateEvents } from './state-events.ts';
import { openWorkspace, type Workspace, type WorkspaceTarget } from './workspace.ts';

export interface OpenStoreParts {
  readonly ports: Ports;
  readonly settings: SettingsStore;
  readonly profiles: Profiles;
  readonly signIns: SignInMemory;
  readonly clientSecret: ClientSecret;
  readonly stateEvents: StateEvents;
}

export interface OpenStore {
  /** Null while no store is open. */
  readonly workspace: () => Workspace | null;
  /** Null unless the practice store is open. */
  readonly practice: () => PracticePlatform | null;
  /** Fails with `notReady` while no store is open. */
  readonly withWorkspace: <Value>(
    action: (open: Workspace) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
  ) => Promise<Result<Value, Failure>>;
  /** Forgotten when the store is closed. */
  readonly cards: ShownCards;
  /**
   * In the place of what is open. Its sign-in is the app's own affair, and is tried until it succeeds. Throws
   * StorageError.
   */
  openPractice(): Promise<{ readonly signedIn: Promise<Result<void, Failure>> }>;
  /** In the place of what is open. Throws StorageError. */
  readonly openPlatform: (profile: StoredProfile) => Promise<Workspace>;
  /** Tries a connection beside what is open, which goes on answering. Throws StorageError. */
  readonly tryOut: <Value>(
    profile: StoredProfile,
    action: (trial: ConnectionTrial) => Promise<Value>,
  ) => Promise<Value>;
  readonly close: () => Promise<void>;
  /** Deletes the copy of a profile that is not open. */
  deleteCopy(profileId: number): void;
  /** Abandons what is under way in the open store, and in any that is still being opened: the end has come. */
  end(): void;
}

const practiceRetryMs = 3_000;

/** What names a platform, a company and its stocks, and nothing else. */
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

/** The name of a profile's copy of the listing; the first is as it was before there were several. */
function catalogueFileOf(id: number): string {
  return id === 1 ? 'catalogue.db' : `catalogue-${id}.db`;
}

/** Begins with none open. */
export function createOpenStore({
  ports,
  settings,
  profiles,
  signIns,
  clientSecret,
  stateEvents,
}: OpenStoreParts): OpenStore {
  const { clock, shell, vault } = ports;
  const directory = join(shell.dataDirectory, 'store');
  const cards = createShownCards();
  const tokenKeys = createTokenKeys(() => ports.random.uuid());
  const steadyOffsets: SteadyOffsets = new Map();
  const { changed, notify } = stateEvents;
  let workspace: Workspace | null = null;
  let practice: PracticePlatform | null = null;
  const ending = new AbortController();

  const chosen: Pick<WorkspaceTarget, 'queueLimits' | 'rateLimitRules' | 'quietHours' | 'scaleLayouts'> = {
    queueLimits: () => limitsOf(settings.get().queueLimits),
    rateLimitRules: () => rulesOf(settings.get().allowanceLimits),
    quietHours: () => settings.get().quietHours,
    scaleLayouts: () => settings.scaleLayouts(),
  };

  async function open(theirPorts: Ports, target: WorkspaceTarget): Promise<Workspace> {
    const opened = await openWorkspace(theirPorts, target, {
      onChange: changed,
      onCardsChange: () => stateEvents.cardsChanged(),
      onRebuilt: () => {
        notify('catalogueRebuilt', '');
      },
    });
    workspace = opened;
    if (opened.queueSetAside !== null) {
      notify('queueSetAside', opened.queueSetAside.slice(-500));
    }
    if (ending.signal.aborted) {
      // The end came while it was being opened: whoever waits in it must not be waited for.
      opened.abort();
    }
    return opened;
  }

  function targetOf(profile: StoredProfile): WorkspaceTarget {
    return {
      ...placeOf(profile),
      ...chosen,
      platform: profile.platformUrl,
      directory,
      catalogueFile: catalogueFileOf(profile.id),
      vault: vaultUnder(vault, profile.vaultName),
      tokenKeys,
      steadyOffsets,
      signInSlot: signIns.slot(profile.vaultName),
      client: async () => {
        const secret = await clientSecret.load(profile.vaultName);
        return mapResult(secret, (clientSecretText) => ({
          clientId: profile.clientId,
          clientSecret: clientSecretText,
        }));
      },
      proving: (requestToken) => clientSecret.proving(profile.vaultName, requestToken),
      saveMark: (session) => {
        // A new token has taken the place of one that was left.
        profiles.noteSignIn(profile.vaultName, session === null ? { session } : { session, isTokenLeft: undefined });
      },
      onTokenLeft: () => {
        profiles.noteSignIn(profile.vaultName, { isTokenLeft: true });
        notify('vaultUnavailable', '');
      },
    };
  }

  async function close(): Promise<void> {
    const closing = workspace;
    workspace = null;
    cards.forget();
    // Whoever opens another store does not wait until the rate limit of this one is free.
    closing?.abort();
    await closing?.close();
    await practice?.close();
    practice = null;
  }

  async function signInToPractice(opened: Workspace, platform: PracticePlatform): Promise<Result<void, Failure>> {
    const signedIn = await opened.session.signIn(platform.email, platform.password);
    if (!signedIn.ok && workspace === opened) {
      clock.after(practiceRetryMs, () => void signInToPractice(opened, platform));
    }
    return signedIn;
  }

  return {
    workspace: () => workspace,
    practice: () => practice,
    withWorkspace: (action) => Promise.resolve(workspace === null ? fail({ kind: 'notReady' }) : action(workspace)),
    cards,
    openPractice: async () => {
      await close();
      const practiceDirectory = join(shell.dataDirectory, 'practice');
      const platform = await shell.startPractice(practiceDirectory);
      practice = platform;
      const opened = await open(
        { ...ports, http: onlyLoopback(ports.http) },
        {
          ...placeOf(platform),
          ...chosen,
          platform: 'practice',
          directory: practiceDirectory,
          catalogueFile: catalogueFileOf(1),
          vault: noVault,
          tokenKeys,
          steadyOffsets,
          client: () => Promise.resolve(succeed({ clientId: platform.clientId, clientSecret: platform.clientSecret })),
          saveMark: () => undefined,
        },
      );
      settings.change({ mode: 'practice' });
      changed();
      return { signedIn: signInToPractice(opened, platform) };
    },
    openPlatform: async (profile) => {
      await close();
      const opened = await open(ports, targetOf(profile));
      changed();
      return opened;
    },
    tryOut: async (profile, action) => {
      const sharesSignIn = profiles.current()?.vaultName === profile.vaultName;
      const trial = await openConnectionTrial(
        ports,
        targetOf(profile),
        workspace === null || practice !== null ? null : { workspace, sharesSignIn },
        ending.signal,
      );
      try {
        return await action(trial);
      } finally {
        trial.close();
      }
    },
    close,
    deleteCopy: (profileId) => deleteDatabase(join(directory, catalogueFileOf(profileId))),
    end: () => {
      ending.abort();
      workspace?.abort();
    },
  };
}
