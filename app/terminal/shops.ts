import { createCatalogueHandlers } from '../catalogue/calls.ts';
import { signedOut, type SessionState, type TerminalState } from '../contract/terminal-state.ts';
import { createCouponHandlers } from '../coupons/calls.ts';
import { createCouponSetHandlers } from '../coupons/set-calls.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { createExpiringHandlers } from '../expiring/calls.ts';
import { createHubHandlers } from '../hub/calls.ts';
import { createHubMove, leaveTwin } from '../hub/move.ts';
import { createHubMembership, type HubMembershipParts } from '../hub/membership.ts';
import { createQueueHandlers } from '../queue/calls.ts';
import { createRateLimitHandlers } from '../rate-limit/calls.ts';
import { createClientSecret } from '../session/client-secret.ts';
import { createSignInMemory } from '../session/memory.ts';
import { createKeptCashiers } from '../settings/kept-cashiers.ts';
import { createShopListsHandlers } from '../shop-lists/calls.ts';
import { createStocktakeHandlers } from '../stocktakes/calls.ts';
import { createWatchListHandlers } from '../watch-list/calls.ts';
import type { TerminalContext } from './workspace/context.ts';
import { createOpenShop, type OpenShop } from './workspace/open-shop.ts';
import { createCashiers, type Cashiers } from './cashiers/cashiers.ts';
import { createCardHandlers } from './cards/calls.ts';
import { createShownCards, type ShownCards } from './cards/shown-cards.ts';
import { createPracticeHandlers } from './profiles/practice-calls.ts';
import { createProfileHandlers } from './profiles/calls.ts';
import { createProfileSignIns } from './profiles/sign-ins.ts';
import { createProvisioning } from './provisioning/provisioning.ts';
import { createSignInHandlers } from './profiles/sign-in-calls.ts';
import { createPlatformCheckHandlers } from './workspace/platform-check.ts';
import { createShopChanges } from './workspace/shop-changes.ts';
import { profileStateOf, type ProfileState } from './profiles/state.ts';
import { accessFactsOf, phaseOf, shopStateOf, type AccessFacts, type ShopState } from './workspace/shop-state.ts';

export interface ShopsParts
  extends
    Pick<TerminalContext, 'ports' | 'settings' | 'profiles' | 'stateEvents'>,
    Pick<HubMembershipParts, 'openHub'> {}

export type Shops = ReturnType<typeof createShops>;

function createTerminalContext({ openHub, ...given }: ShopsParts): TerminalContext {
  const { ports, settings, profiles, stateEvents } = given;
  return {
    ...given,
    signIns: createSignInMemory(),
    clientSecret: createClientSecret({
      vault: ports.vault,
      isInVault: (vaultName) => profiles.hasSecretInVault(vaultName),
      markInVault: (vaultName) => profiles.noteSecretInVault(vaultName),
      onMissing: (kind) => {
        stateEvents.notify(kind, '');
      },
      // A keychain that a person has unlocked since is no longer reported as locked.
      onAnswered: () => (['vaultLocked', 'vaultMoved', 'vaultUnavailable'] as const).forEach(stateEvents.withdraw),
      onChange: stateEvents.changed,
    }),
    membership: createHubMembership({ ports, version: ports.shell.version, settings, openHub }),
    keptCashiers: createKeptCashiers(settings),
  };
}

function createOpenShopHandlers(
  shop: OpenShop,
  cards: ShownCards,
  { ports: { clock }, settings }: Pick<ShopsParts, 'ports' | 'settings'>,
  phase: () => TerminalState['phase'],
) {
  const { withWorkspace } = shop;
  return {
    ...createCardHandlers(withWorkspace, cards, clock, () => phase() === 'ready'),
    ...createCatalogueHandlers(withWorkspace),
    ...createWatchListHandlers(withWorkspace),
    ...createCouponHandlers(withWorkspace),
    ...createCouponSetHandlers(withWorkspace),
    ...createShopListsHandlers(withWorkspace),
    ...createQueueHandlers(withWorkspace),
    ...createStocktakeHandlers(withWorkspace, clock),
    ...createExpiringHandlers(withWorkspace),
    ...createPlatformCheckHandlers(withWorkspace),
    ...createRateLimitHandlers(withWorkspace, () => settings.get().allowanceLimits, clock),
  };
}

/** What a locked till tells of the sign-in: only whether it has ended. */
const behindLock = ({ session: { state } }: ShopState): SessionState =>
  state === 'ended' ? { ...signedOut, state } : signedOut;

/** Begins with no shop open. */
export function createShops(given: ShopsParts) {
  const { ports, settings, profiles, stateEvents } = given;
  const { clock } = ports;
  const { changed } = stateEvents;
  const context = createTerminalContext(given);
  const shop = createOpenShop({
    ...context,
    keptUsers: (vaultName) => cashiers.keptUsers(vaultName),
    needsPassword: (email) => cashiers.needsPassword(email),
  });
  const cashiers: Cashiers = createCashiers({
    ...given,
    kept: context.keptCashiers,
    shop,
    isTrying: () => changes.isSigningIn(),
    onCome: () => changes.releasePhase(),
    changed: () => {
      if (cashiers.isLocked()) shop.workspace()?.platformCheck.stop();
      changed();
    },
  });
  const changes = createShopChanges(() => (cashiers.isLocked() ? 'signIn' : phaseOf(shop)), changed);
  // Whatever is being tried: a till that is locked meanwhile is locked.
  const phase = (): TerminalState['phase'] => (cashiers.isLocked() ? 'signIn' : changes.phase());
  const cards = createShownCards(shop.workspace, () => stateEvents.cardsChanged());
  const ofShops = { ...context, shop, changes };
  const profileSignIns = createProfileSignIns(ofShops);
  const parts = { ...ofShops, cashiers, profileSignIns };
  const ofHub = {
    ...parts,
    clock,
    inTurn: changes.inTurn,
    reopen: (): Promise<void> => stateEvents.quietly(profileSignIns.reopen),
  };
  leaveTwin(ofHub, ports);
  const { leave, handlers: profileHandlers } = createProfileHandlers(parts);

  return {
    shop,
    /** Calls back with each card that a screen may still show and that has changed. Throws StorageError. */
    emitChangedCards: cards.emitChanged,
    cashiers,
    inTurn: changes.inTurn,
    /** The open shop is opened anew, if it is a profile's. Throws StorageError. */
    reopen: async (): Promise<void> => {
      await changes.inTurn(async () => {
        await ofHub.reopen();
        return succeed(undefined);
      });
    },
    handlers: {
      ...profileHandlers,
      ...createSignInHandlers({ ...parts, leave }),
      ...createHubHandlers({
        ...ofHub,
        account: () => profiles.current()?.platformUrl ?? 'test',
        hasProfile: () => profiles.all().length > 0,
        arrivals: () => shop.workspace()?.session.arrivals() ?? null,
      }),
      ...createPracticeHandlers(ofShops),
      ...createOpenShopHandlers(shop, cards, given, phase),
    },
    /** The state of the open shop and of the profiles for screens. */
    state: (): Pick<TerminalState, 'phase' | 'cashiers'> & ProfileState & ShopState => {
      const open = shopStateOf(shop, ports);
      return {
        phase: phase(),
        ...profileStateOf(ofShops),
        ...open,
        ...(cashiers.isLocked() ? { session: behindLock(open) } : {}),
        cashiers: cashiers.state(),
      };
    },
    /** Who stands there, and at which shop. */
    accessFacts: (): AccessFacts =>
      accessFactsOf(shop, phase(), profiles.all().length, settings.get().lookupNeedsSignIn),
    /** Before anybody can sign in, so that no newer token is taken for one that was left. */
    removeLeftTokens: profileSignIns.removeLeft,
    /** Opens the shop that was open last, if any. Throws StorageError. */
    openLast: async (): Promise<void> => {
      const { mode } = settings.get();
      const profile = profiles.current();
      if (mode === 'practice') {
        // The shop opens at once, also when its sign-in must wait for the rate limit.
        await shop.openPractice();
      } else if (mode === 'platform' && profile !== null) {
        await profileSignIns.resume(profile);
      }
    },
    provision: createProvisioning({ ...parts, moveHub: createHubMove(ofHub) }),
    /** In its turn; fails with `notReady` where a shop is open or has been set up. */
    beforeAnyShop: <Value>(change: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> =>
      changes.inTurn(() =>
        changes.phase() === 'firstRun' && profiles.all().length === 0
          ? stateEvents.quietly(change)
          : Promise.resolve(fail({ kind: 'notReady' })),
      ),
    close: (): Promise<void> => {
      const changing = changes.end();
      shop.end();
      cashiers.close();
      return changing.then(shop.close);
    },
  };
}
