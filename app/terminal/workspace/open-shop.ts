import { join } from 'node:path';
import { openConnectionTrial, type ConnectionTrial } from './connection-trial.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { Ports, PracticePlatform } from '../../ports.ts';
import type { StoredProfile } from '../../settings/profiles.ts';
import { unlessStorageFails } from '../../storage/database.ts';
import { deleteDatabase } from '../../storage/recover.ts';
import type { DiskState } from '../../storage/disk-watch.ts';
import type { StateEvents } from '../state-events.ts';
import type { WorkspaceTarget } from './context.ts';
import { createTargets, onlyLoopback, type TargetParts } from './targets.ts';
import type { PlanMade } from '../../coupons/planner.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export interface OpenShop {
  /** Null while no shop is open. */
  readonly workspace: () => Workspace | null;
  /** Null unless the practice store is open. */
  readonly practice: () => PracticePlatform | null;
  /** Fails with `notReady` while no shop is open. */
  readonly withWorkspace: <Value>(
    action: (open: Workspace) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
  ) => Promise<Result<Value, Failure>>;
  /**
   * Which stay at a sign-in's shops this is, counted in this run: another one begins when practice is opened, or the
   * shop of another platform's or client's sign-in than the one before.
   */
  readonly stay: () => number;
  /** In the place of what is open. Its sign-in is tried by itself until it succeeds. Throws StorageError. */
  openPractice(): Promise<{ readonly signedIn: Promise<Result<void, Failure>> }>;
  /** In the place of what is open. Throws StorageError. */
  readonly openPlatform: (profile: StoredProfile) => Promise<Workspace>;
  /** Tries a connection beside what is open, which goes on answering. Throws StorageError. */
  readonly tryOut: <Value>(
    profile: StoredProfile,
    action: (trial: ConnectionTrial) => Promise<Value>,
  ) => Promise<Value>;
  readonly close: () => Promise<void>;
  /** Calls back with what a plan of the open shop has made. To be called once. */
  onPlanMade(listener: (made: PlanMade) => void): void;
  /** Deletes the copy of a profile that is not open, where the disk lets it. */
  deleteCopy(profileId: number): void;
  /** Abandons what is under way in the open shop, and in any that is still being opened: the end has come. */
  end(): void;
}

const practiceRetryMs = 3_000;

/** What a shop says of itself; what was set aside, and the keychain, are this machine's matter whichever is open. */
const noticesOfShop = ['catalogueRebuilt', 'planMissed', 'couponsOfNoCompany', 'companyRefused'] as const;

/** Tells a person how the disk is, in the place of what was told before. */
function createDiskReport({ notify, withdraw }: Pick<StateEvents, 'notify' | 'withdraw'>): (state: DiskState) => void {
  return (state) => {
    withdraw('storageFull');
    withdraw('storageRefused');
    if (state !== 'fine') {
      notify(state === 'full' ? 'storageFull' : 'storageRefused', '');
    }
  };
}

/** Counts the stays at a sign-in's shops; `vaultName` is null for practice. */
function createStays() {
  let [number, last]: [number, string | null] = [0, null];
  return {
    number: (): number => number,
    begin: (vaultName: string | null): void => {
      number += vaultName === null || vaultName !== last ? 1 : 0;
      last = vaultName;
    },
  };
}

/** Begins with none open. */
export function createOpenShop(parts: TargetParts): OpenShop {
  const { ports, settings, profiles, stateEvents } = parts;
  const targets = createTargets(parts);
  const { clock, shell } = ports;
  const { changed, notify } = stateEvents;
  const reportDisk = createDiskReport(stateEvents);
  let workspace: Workspace | null = null;
  let practice: PracticePlatform | null = null;
  const stays = createStays();
  let planMade: (made: PlanMade) => void = () => undefined;
  const ending = new AbortController();

  async function open(theirPorts: Ports, target: WorkspaceTarget): Promise<Workspace> {
    const opened = await openWorkspace(theirPorts, target, {
      onChange: changed,
      onCardsChange: () => stateEvents.cardsChanged(),
      onDisk: reportDisk,
      onPlanMade: (made) => planMade(made),
      notify,
    });
    workspace = opened;
    if (practice !== null) {
      settings.beginPractice();
    }
    if (ending.signal.aborted) {
      // The end came while it was being opened: whoever waits in it must not be waited for.
      opened.abort();
    }
    return opened;
  }

  async function close(): Promise<void> {
    const closing = workspace;
    workspace = null;
    settings.endPractice();
    // The refusal of one shop says nothing of the next one, which looks for itself.
    reportDisk('fine');
    // Whoever opens another shop does not wait until the rate limit of this one is free.
    closing?.abort();
    await closing?.close();
    // mutant: what one shop has told stands at the next one
    noticesOfShop.forEach(stateEvents.withdraw);
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
    stay: stays.number,
    withWorkspace: (action) => Promise.resolve(workspace === null ? fail({ kind: 'notReady' }) : action(workspace)),
    openPractice: async () => {
      await close();
      const practiceDirectory = join(shell.dataDirectory, 'practice');
      const platform = await shell.startPractice(practiceDirectory);
      practice = platform;
      stays.begin(null);
      const opened = await open(
        { ...ports, http: platform.through?.(onlyLoopback(ports.http)) ?? onlyLoopback(ports.http) },
        targets.ofPractice(platform, practiceDirectory),
      );
      settings.change({ mode: 'practice' });
      changed();
      return { signedIn: signInToPractice(opened, platform) };
    },
    openPlatform: async (profile) => {
      await close();
      stays.begin(profile.vaultName);
      const opened = await open(ports, targets.ofProfile(profile));
      changed();
      return opened;
    },
    tryOut: async (profile, action) => {
      const sharesSignIn = profiles.current()?.vaultName === profile.vaultName;
      const trial = await openConnectionTrial(
        ports,
        targets.ofProfile(profile),
        workspace === null || practice !== null ? null : { workspace, sharesSignIn },
        ending.signal,
        notify,
      );
      try {
        return await action(trial);
      } finally {
        await trial.close();
      }
    },
    close,
    onPlanMade: (listener) => {
      planMade = listener;
    },
    // Of one that stays, another profile under its number takes nothing: it begins anew.
    deleteCopy: (profileId) => unlessStorageFails(() => deleteDatabase(targets.copyOf(profileId))),
    end: () => {
      ending.abort();
      workspace?.abort();
    },
  };
}
