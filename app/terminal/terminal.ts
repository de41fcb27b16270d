import { join } from 'node:path';
import { readRateLimit } from './rate-limit.ts';
import { createCompanion } from './companion-handlers.ts';
import type { Language } from '../contract/basics.ts';
import { chosenOf } from '../contract/settings.ts';
import { noPlan } from '../contract/catalogue-plan.ts';
import { canLookUp, type Access } from '../contract/sign-in-rules.ts';
import type { ConnectionReport } from '../contract/connection.ts';
import type { TerminalState } from '../contract/terminal-state.ts';
import type { EventListener, Handlers } from '../contract/bridge.ts';
import { createDeviceHandlers } from './device-handlers.ts';
import type { Failure } from '../domain/failure.ts';
import { languageOf } from '../domain/language.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { createOpenStore, placeOf } from './active-store.ts';
import { openManagerLock } from './manager-lock.ts';
import { forAddress, testAddress, testStocks, withScopes } from '../platform/connection-test.ts';
import type { Ports, PracticePlatform } from '../ports.ts';
import { createPracticeHandlers, practiceStateOf } from './practice.ts';
import { createProfileHandlers, keptProfilesOf, type Provision } from './profile-handlers.ts';
import { createProfiles } from '../settings/profiles.ts';
import { createClientSecret } from '../session/client-secret.ts';
import { createSignInMemory } from '../session/memory.ts';
import { refreshTokenName } from '../session/session.ts';
import { vaultUnder } from '../session/vaults.ts';
import { createScannerDevice } from './scanner-device-handlers.ts';
import { openSettings } from '../settings/settings.ts';
import { createShownCards } from './shown-cards.ts';
import { createSupportHandlers } from './support.ts';
import { createTelling } from './state-events.ts';
import type { Workspace } from './workspace.ts';
import { createWorkspaceHandlers } from './handlers.ts';

/** A running terminal, behind which all business lies. */
export interface Terminal {
  readonly handlers: Handlers;
  /** Calls back with every event until the answered function is called. */
  subscribe(listener: EventListener): () => void;
  /** Ends all work and closes the databases. */
  close(): Promise<void>;
}

const nothing = succeed({});

export interface TerminalOptions {
  readonly provision?: Provision;
  readonly forgetPin?: boolean;
  /** Where settings that could not be read now lie; a person is told. */
  readonly settingsSetAside?: string | null;
}

/**
 * Opens the terminal in the data directory of its shell. Throws StorageError when a database cannot be opened at all.
 */
export async function openTerminal(ports: Ports, options: TerminalOptions = {}): Promise<Terminal> {
  const { clock, shell, vault } = ports;
  const settings = openSettings(ports.settingsFile);
  const profiles = createProfiles(settings);
  const signIns = createSignInMemory();
  const cards = createShownCards();
  let isClosed = false;
  const storeDirectory = join(shell.dataDirectory, 'store');
  // While a connection or a user is being tried, the screen that asked for it stays: it must show the report if the
  // trial fails.
  let heldPhase: TerminalState['phase'] | null = null;
  // One change of store at a time.
  let changing: Promise<unknown> = Promise.resolve();

  function language(): Language {
    return settings.get().language ?? languageOf(shell.systemLanguage);
  }

  const stateEvents = createTelling({
    clock,
    log: (level, message, details) => shell.log(level, message, details),
    snapshot,
    listVersions: () => {
      const workspace = store.workspace();
      return { store: workspace, ...(workspace?.listVersions() ?? { queue: '', coupons: '' }) };
    },
    changedCards: (tell) => {
      const workspace = store.workspace();
      if (workspace !== null) {
        cards.tellChanged(workspace, tell);
      }
    },
  });
  const { changed, notify, quietly, withdraw } = stateEvents;

  const companion = createCompanion({
    desktop: shell.desktop,
    choice: () => settings.get().companion,
    notify,
    withdraw,
  });

  const scannerDevice = createScannerDevice({
    devices: shell.scannerDevices,
    choice: () => settings.get().scannerDevice,
    changed,
    read: stateEvents.scanRead,
  });

  const clientSecret = createClientSecret({
    vault,
    isInVault: (vaultName) => profiles.hasSecretInVault(vaultName),
    markInVault: (vaultName, isSecretInVault) => {
      profiles.noteSignIn(vaultName, { isSecretInVault });
    },
    onMissing: (kind) => {
      notify(kind, '');
    },
    onChange: changed,
  });
  const store = createOpenStore({
    ports,
    settings,
    profiles,
    signIns,
    clientSecret,
    cards,
    stateEvents,
    directory: storeDirectory,
  });
  const isPractice = (): boolean => store.practice() !== null;
  const practiceAtWork = (): { readonly platform: PracticePlatform; readonly workspace: Workspace } | null => {
    const [platform, workspace] = [store.practice(), store.workspace()];
    return platform === null || workspace === null ? null : { platform, workspace };
  };

  // In the list of who did what, before anything is done.
  const managerLock = await openManagerLock({
    ports,
    settings,
    profiles,
    open: store.workspace,
    isPractice,
    notify,
    changed,
  });

  function phase(): TerminalState['phase'] {
    const workspace = store.workspace();
    return workspace === null
      ? 'firstRun'
      : workspace.session.state().state === 'signedOut' && !isPractice()
        ? 'signIn'
        : 'ready';
  }

  function access(): Access {
    if ((heldPhase ?? phase()) !== 'signIn') {
      return 'all';
    }
    const copied = store.workspace()?.catalogue.state().copied ?? 0;
    return canLookUp({ phase: 'signIn', lookupNeedsSignIn: settings.get().lookupNeedsSignIn, catalogue: { copied } })
      ? 'lookup'
      : 'none';
  }

  function snapshot({ revision, notices } = stateEvents.told()): TerminalState {
    const { mode, language: chosen } = settings.get();
    const [workspace, practice] = [store.workspace(), store.practice()];
    const profile = profiles.current();
    const isReal = workspace !== null && practice === null;
    const { limit, used, pausedForMs } = workspace?.rateLimit.state() ?? { limit: 0, used: 0, pausedForMs: 0 };
    const session = workspace?.session.state() ?? { state: 'signedOut', email: null, keptIn: null, failure: null };
    return {
      ...chosenOf(settings.get()),
      revision,
      version: shell.version,
      host: shell.host,
      phase: heldPhase ?? phase(),
      mode: workspace === null ? null : mode,
      practice: workspace === null ? null : practiceStateOf(practice, shell),
      profile: practice === null ? (profile === null ? null : placeOf(profile)) : placeOf(practice),
      profileId: practice === null ? (profile?.id ?? null) : null,
      profiles: keptProfilesOf(profiles, signIns, isReal ? workspace : null),
      isSecretNeeded: isReal && !clientSecret.isGood(profile?.vaultName ?? ''),
      language: language(),
      languageChosen: chosen !== null,
      session: practice === null ? session : { ...session, keptIn: null },
      connection: workspace?.connection.state() ?? { state: 'unknown', since: clock.now(), failure: null },
      catalogue: workspace?.catalogue.state() ?? {
        phase: 'idle',
        stocks: [],
        copied: 0,
        total: null,
        completeAt: null,
        plan: noPlan,
        failure: null,
      },
      queue: workspace?.queue.state() ?? {
        pending: 0,
        inFlight: 0,
        parked: 0,
        delivered: 0,
        heldBy: null,
        nextTryAt: null,
        ofOthers: { count: 0, emails: [], parked: 0 },
      },
      scannerDevice: scannerDevice.state(),
      companion: companion.state(),
      rateLimit: { limit, used, pausedUntil: pausedForMs > 0 ? Math.round(clock.now() + pausedForMs) : null },
      lock: managerLock.state(),
      isSafeMode: shell.isSafeMode === true,
      notices,
    };
  }

  // What was queued up before the end is not begun after it.
  function alone<Value>(action: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> {
    const mine = changing.then(() => (isClosed ? fail({ kind: 'cancelled' as const }) : action()));
    changing = mine.catch(() => undefined);
    return mine;
  }

  async function trying<Value>(open: () => Promise<Value>): Promise<Value> {
    heldPhase = phase();
    try {
      return await open();
    } finally {
      heldPhase = null;
      changed();
    }
  }

  /** Before anybody can sign in, so that no newer token is taken for one that was left. */
  async function removeLeftTokens(): Promise<void> {
    for (const vaultName of profiles.withTokenLeft()) {
      const removed = await vaultUnder(vault, vaultName).remove(refreshTokenName);
      if (removed.ok) {
        profiles.noteSignIn(vaultName, { isTokenLeft: undefined });
      }
    }
  }

  async function start(): Promise<void> {
    if (options.forgetPin === true) {
      managerLock.forgetPin();
    }
    if (typeof options.settingsSetAside === 'string') {
      notify('settingsSetAside', options.settingsSetAside.slice(-500));
    }
    companion.hold();
    scannerDevice.use();
    await removeLeftTokens();
    const { mode } = settings.get();
    const profile = profiles.current();
    if (options.provision !== undefined) {
      // A file that stays would undo what was just asked for.
      if (options.provision.managerLock !== undefined && options.forgetPin !== true) {
        await managerLock.provision(options.provision.managerLock);
      }
      await profileRoom.provision(options.provision, (place, fields) => {
        managerLock.noteProvisioned(place, [...fields, ...(shell.device?.provisioned ?? [])]);
      });
    } else if (mode === 'practice') {
      // The store opens at once, also when its sign-in must wait for the rate limit.
      await store.openPractice();
    } else if (mode === 'platform' && profile !== null) {
      await profileRoom.resume(profile);
    }
  }

  async function signIn(
    open: Workspace,
    email: string,
    password: string,
    secret: string | undefined,
  ): Promise<Result<ConnectionReport, Failure>> {
    if (secret !== undefined && !isPractice()) {
      await clientSecret.offer(profiles.current()?.vaultName ?? open.target.platformUrl, secret);
    }
    const signedIn = await open.session.signIn(email, password);
    if (!signedIn.ok) {
      return signedIn;
    }
    const report = forAddress(
      open.target.platformUrl,
      await testStocks(open.client, open.session, open.target.stockIds),
    );
    const failed = report.steps.find((step) => step.outcome === 'failed');
    if (failed !== undefined && failed.step !== 'address' && failed.step !== 'tls') {
      await open.session.signOut();
      return succeed(report);
    }
    // Trouble on the way is no reason to refuse a sign-in that the platform has granted.
    return succeed({ ...report, passed: true });
  }

  async function signOut(open: Workspace): Promise<void> {
    await open.session.signOut();
    if (isPractice()) {
      await profileRoom.leave();
    }
  }

  function withWorkspace<Value>(
    action: (open: Workspace) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
  ): Promise<Result<Value, Failure>> {
    const open = store.workspace();
    return Promise.resolve(open === null ? fail({ kind: 'notReady' }) : action(open));
  }

  const profileRoom = createProfileHandlers({
    profiles,
    settings,
    clientSecret,
    signIns,
    vault,
    directory: storeDirectory,
    openPlatform: store.openPlatform,
    closeWorkspace: store.close,
    open: store.workspace,
    isPractice,
    alone,
    trying,
    tryOut: store.tryOut,
    quietly,
    changed,
  });

  const handlers: Handlers = {
    'terminal:read': () => Promise.resolve(succeed(snapshot())),
    'notice:dismiss': ({ id }) => {
      stateEvents.dismiss(id);
      return Promise.resolve(nothing);
    },
    'settings:update': (chosen) => {
      const kept = settings.change(chosen);
      companion.hold();
      scannerDevice.use();
      store.workspace()?.rateLimit.reconsider();
      changed();
      return Promise.resolve(kept.ok ? nothing : kept);
    },
    'practice:start': () =>
      alone(async () => {
        const started = await trying(async () => (await store.openPractice()).signedIn);
        return started.ok ? nothing : started;
      }),
    'profile:test': () =>
      withWorkspace(async (open) => {
        const report = await testAddress(open.exchange, open.rateLimit);
        const whole =
          report.passed && open.session.user() !== null
            ? await testStocks(open.client, open.session, open.target.stockIds)
            : report;
        return succeed(
          forAddress(open.target.platformUrl, report.passed ? await withScopes(whole, open.client) : whole),
        );
      }),
    'session:signIn': ({ email, password, clientSecret: secret }) =>
      withWorkspace((open) =>
        alone(() => {
          if (store.workspace() !== open) {
            // Another store is open by now: this user and secret were meant for the one before.
            return Promise.resolve(fail({ kind: 'cancelled' as const }));
          }
          const attempt = (): Promise<Result<ConnectionReport, Failure>> =>
            signIn(open, email.trim(), password, secret);
          // One whose sign-in has ended goes on scanning meanwhile.
          return open.session.state().state === 'signedOut' ? trying(attempt) : attempt();
        }),
      ),
    'session:signOut': () =>
      withWorkspace((open) =>
        alone(async () => {
          await signOut(open);
          // Another store may be open by now, under the same sign-in.
          const now = store.workspace();
          if (now !== null && now !== open && now.target.platform === open.target.platform) {
            await signOut(now);
          }
          return nothing;
        }),
      ),
    ...companion.handlers,
    ...scannerDevice.handlers,
    ...createDeviceHandlers(shell.device),
    ...profileRoom.handlers,
    ...managerLock.handlers,
    ...createSupportHandlers({ ports, settings, profiles, snapshot, open: store.workspace }),
    ...createPracticeHandlers({ shell, changed, open: practiceAtWork }),
    ...createWorkspaceHandlers({
      withWorkspace,
      show: (open, product) => cards.show(open, product),
      readRateLimit: (open) => readRateLimit(open, settings.get().allowanceLimits, clock),
    }),
  };

  try {
    await start();
  } catch (error) {
    // Whoever tries again must find the list free.
    managerLock.close();
    throw error;
  }

  return {
    handlers: managerLock.guard(handlers, access),
    subscribe: (listener) => stateEvents.subscribe(listener),
    close: () => {
      isClosed = true;
      stateEvents.close();
      store.end();
      return changing.then(store.close).finally(() => managerLock.close());
    },
  };
}
