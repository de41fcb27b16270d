import { createCatalogueHandlers } from '../catalogue/calls.ts';
import { signedOut, type TerminalState } from '../contract/terminal-state.ts';
import { createCouponHandlers } from '../coupons/calls.ts';
import { createCouponSetHandlers } from '../coupons/set-calls.ts';
import { fail } from '../domain/result.ts';
import { createExpiringHandlers } from '../expiring/calls.ts';
import { createHubHandlers } from '../hub/calls.ts';
import { createHubMembership, type HubMembershipParts } from '../hub/membership.ts';
import type { Ports } from '../ports.ts';
import { createQueueHandlers } from '../queue/calls.ts';
import { createRateLimitHandlers } from '../rate-limit/calls.ts';
import { createClientSecret } from '../session/client-secret.ts';
import { createSignInMemory } from '../session/memory.ts';
import { createKeptCashiers } from '../settings/kept-cashiers.ts';
import type { Profiles } from '../settings/profiles.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { createStocktakeHandlers } from '../stocktakes/calls.ts';
import { createWatchListHandlers } from '../watch-list/calls.ts';
import { createOpenStore, type OpenStore } from './workspace/open-store.ts';
import { createCashiers, type Cashiers } from './cashiers/cashiers.ts';
import { createCardHandlers } from './workspace/calls.ts';
import { createPracticeHandlers } from './profiles/practice-calls.ts';
import { createProfileHandlers, type ProfileHandlers } from './profiles/calls.ts';
import { createProfileSignIns } from './profiles/sign-ins.ts';
import { createProvisioning } from './provisioning/provisioning.ts';
import type { SetUpStores } from './provisioning/set-up.ts';
import { createSignInHandlers } from './profiles/sign-in-calls.ts';
import type { StateEvents } from './state-events.ts';
import { createStoreChanges, type StoreChanges } from './workspace/store-changes.ts';
import { logReports } from './workspace/platform-log.ts';
import { profileStateOf, type ProfileState } from './profiles/state.ts';
import { phaseOf, standingAt, storeStateOf, type StoreStanding, type StoreState } from './workspace/store-state.ts';

export interface StoresParts extends Pick<HubMembershipParts, 'openHub'> {
  readonly ports: Ports;
  readonly settings: SettingsStore;
  readonly profiles: Profiles;
  readonly stateEvents: StateEvents;
}

export interface Stores extends SetUpStores {
  readonly store: OpenStore;
  readonly cashiers: Cashiers;
  readonly inTurn: StoreChanges['inTurn'];
  readonly handlers: ProfileHandlers['handlers'] &
    ReturnType<typeof createSignInHandlers> &
    ReturnType<typeof createHubHandlers> &
    ReturnType<typeof createPracticeHandlers> &
    ReturnType<typeof createOpenStoreHandlers>;
  /** What screens show of the open store and of the profiles. */
  state(): Pick<TerminalState, 'phase' | 'cashiers'> & ProfileState & StoreState;
  /** Who stands there, and at which store. */
  readonly standing: () => StoreStanding;
  /** Before anybody can sign in, so that no newer token is taken for one that was left. */
  removeLeftTokens(): Promise<void>;
  /** Opens the store that was open last, if any. Throws StorageError. */
  openLast(): Promise<unknown>;
  close(): Promise<void>;
}

/** The calls that the open store answers. */
function createOpenStoreHandlers(
  store: OpenStore,
  { ports: { clock }, settings }: Pick<StoresParts, 'ports' | 'settings'>,
  phase: () => TerminalState['phase'],
) {
  const { withWorkspace } = store;
  return {
    ...createCardHandlers(store, clock, () => phase() === 'ready'),
    ...createCatalogueHandlers(withWorkspace),
    ...createWatchListHandlers(withWorkspace),
    ...createCouponHandlers(withWorkspace),
    ...createCouponSetHandlers(withWorkspace),
    ...createQueueHandlers(withWorkspace),
    ...createStocktakeHandlers(withWorkspace, clock),
    ...createExpiringHandlers(withWorkspace),
    ...createRateLimitHandlers(withWorkspace, () => settings.get().allowanceLimits, clock),
  };
}

/** Begins with no store open. */
export function createStores(given: StoresParts): Stores {
  const { ports, settings, profiles, stateEvents, openHub } = given;
  const { clock, shell, vault } = ports;
  const { changed, notify, withdraw } = stateEvents;
  const signIns = createSignInMemory();
  const clientSecret = createClientSecret({
    vault,
    isInVault: (vaultName) => profiles.hasSecretInVault(vaultName),
    markInVault: (vaultName) => {
      profiles.noteSignIn(vaultName, { isSecretInVault: true });
    },
    onMissing: (kind) => {
      notify(kind, '');
    },
    // What a person has unlocked since is not told as locked.
    onAnswered: () => (['vaultLocked', 'vaultUnavailable'] as const).forEach(withdraw),
    onChange: changed,
  });
  const membership = createHubMembership({ ports, version: shell.version, settings, openHub });
  const keptCashiers = createKeptCashiers(settings);
  const kept = { ...given, vault, signIns, clientSecret, keptCashiers, membership };
  const store = createOpenStore({
    ...kept,
    keptUsers: (vaultName) => cashiers.keptUsers(vaultName),
    needsPassword: (email) => cashiers.needsPassword(email),
  });
  const cashiers: Cashiers = createCashiers({ ...given, kept: keptCashiers, store, changed });
  const changes = createStoreChanges(() => (cashiers.isLocked() ? 'signIn' : phaseOf(store)), changed);
  // Whatever is being tried: a till that is locked meanwhile is locked.
  const phase = (): TerminalState['phase'] => (cashiers.isLocked() ? 'signIn' : changes.phase());
  const profileSignIns = createProfileSignIns({ ...kept, store });
  const parts = { ...kept, store, cashiers, changes, profileSignIns };
  const { leave, handlers: profileHandlers } = createProfileHandlers({ ...parts, isTillLocked: cashiers.isLocked });
  const signInHandlers = createSignInHandlers({ ...parts, leave });

  return {
    store,
    cashiers,
    inTurn: changes.inTurn,
    handlers: {
      ...profileHandlers,
      ...signInHandlers,
      ...logReports({ ...profileHandlers, ...signInHandlers }, (...line) => shell.log(...line)),
      ...createHubHandlers({
        ...parts,
        clock,
        account: () => profiles.current()?.platformUrl ?? 'test',
        hasProfile: () => profiles.all().length > 0,
        inTurn: changes.inTurn,
        reopen: () => stateEvents.quietly(profileSignIns.reopen),
      }),
      ...createPracticeHandlers({ ...parts, shell, changed }),
      ...createOpenStoreHandlers(store, given, phase),
    },
    state: () => ({
      phase: phase(),
      ...profileStateOf(store, profiles, signIns, clientSecret),
      ...storeStateOf(store, ports),
      ...(cashiers.isLocked() ? { session: signedOut } : {}),
      cashiers: cashiers.state(),
    }),
    standing: () => standingAt(store, phase(), profiles.all().length, settings.get().lookupNeedsSignIn),
    removeLeftTokens: profileSignIns.removeLeft,
    openLast: () => {
      const { mode } = settings.get();
      const profile = profiles.current();
      if (mode === 'practice') {
        // The store opens at once, also when its sign-in must wait for the rate limit.
        return store.openPractice();
      }
      return mode === 'platform' && profile !== null ? profileSignIns.resume(profile) : Promise.resolve();
    },
    provision: createProvisioning(parts),
    beforeAnyStore: (change) =>
      changes.inTurn(() =>
        changes.phase() === 'firstRun' && profiles.all().length === 0
          ? stateEvents.quietly(change)
          : Promise.resolve(fail({ kind: 'notReady' })),
      ),
    close: () => {
      const changing = changes.end();
      store.end();
      cashiers.close();
      return changing.then(store.close);
    },
  };
}
