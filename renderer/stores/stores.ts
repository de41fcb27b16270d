import type { StoreApi } from 'zustand/vanilla';
import { canLookUp } from '../../app/contract/access.ts';
import type { HostBridge } from '../../app/contract/bridge.ts';
import type { HeldKind } from '../../app/contract/lock.ts';
import { shopShownBy, shownForOf } from '../../app/contract/shown-for.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { createBadgeStore, type BadgeStore } from '../cashiers/badge-store.ts';
import { createEarlyPin } from '../cashiers/early-pin.ts';
import { askingForPin } from '../lock/pin-retry.ts';
import { openBridge, type Bridge } from '../bridge/bridge.ts';
import { afterDialogs, isDialogOpen } from '../dom/dialogs.ts';
import { groupCards } from '../formats/products.ts';
import { blockedByOf } from '../formats/blocked-by.ts';
import { later, pageNow, present } from '../dom/clock.ts';
import { createAnswerKeys } from './answer-keys.ts';
import { createAuditStores } from '../lock/audit-store.ts';
import { createCouponStores } from '../coupons/coupons-store.ts';
import { createDraftStore, type Drafts } from './drafts.ts';
import { createDetailsStore } from '../lookup/details-store.ts';
import { createExpiryStore, mayAskUnasked } from '../lookup/expiry-store.ts';
import { createShortcutActions } from './shortcut-actions.ts';
import { createLinkStore } from '../shell/link-store.ts';
import { createTourStore } from '../shell/tour-store.ts';
import { createLookupStore, type LookupPorts, type LookupStore } from '../lookup/lookup-store.ts';
import { openKeptDrafts, type DraftPlace, type KeptDrafts } from './kept-drafts.ts';
import { createPersonStores, type MakeStore, type PersonStores } from './make-store.ts';
import { createNavigationStore, isHome } from './navigation.ts';
import { createPinStore, type PinStore } from '../lock/pin-store.ts';
import { createQueueStores } from '../queue/queue-store.ts';
import { createRestorationStore } from '../users/restoration-store.ts';
import { createScannerLearner } from '../scanner/scanner-profile.ts';
import { createScannerTrialStore } from '../scanner/scanner-trial-store.ts';
import { createScansStore, type ScanPorts } from '../scanner/scans-store.ts';
import { createStockStore } from '../stock/stock-store.ts';
import { createStocktakeStores } from '../stocktakes/stocktakes-store.ts';
import { createSettingsStore } from './settings.ts';
import { createTerminalStore, type TerminalStore } from './terminal.ts';

export type Stores = ReturnType<typeof openStores>;

/** Reads again whatever is shown, the stock table in a moment: changes of it were missed. */
function readShownAgain({ terminal, lookup, coupons, queue, restoration, stock, stocktakes }: Stores): void {
  terminal.setState(({ missed }) => ({ missed: missed + 1 }));
  void lookup.getState().readAgain();
  coupons.list.getState().readAgain();
  queue.list.getState().readAgain();
  queue.restorations.list.getState().readAgain();
  void restoration.getState().readAgain();
  // A page that hears of nothing comes here every second while the copy grows.
  stock.getState().noticeCopy();
  stocktakes.store.getState().readAgain();
}

/** The details, the batches that expire soon and what a PIN is asked for are of the answer that is shown. */
function followAnswer({ lookup, details, expiry, terminal }: Stores): void {
  // The next scan takes the place of the product whose details were open.
  lookup.subscribe((now, before) => {
    if (now.sequence !== before.sequence) {
      details.getState().close();
    }
  });
  lookup.subscribe(({ answer, chosenStockId }, before) => {
    if (answer !== before.answer || chosenStockId !== before.chosenStockId) {
      const stockIds = terminal.getState().state?.profile?.stockIds ?? [];
      const cards = answer?.kind === 'found' ? answer.cards : [];
      void expiry.getState().show(groupCards(cards, stockIds, chosenStockId)?.first ?? null);
    }
  });
  details.subscribe(({ stockId, productId, batches: { whole } }, before) => {
    if (whole !== null && whole !== before.batches.whole && stockId !== null && productId !== null) {
      expiry.getState().take({ stockId, productId }, whole);
    }
  });
}

/** Asks again, when the platform can be reached, for all that could not be asked before, and for what is shown. */
function askWhenOnline({ terminal, lookup, details }: Stores): void {
  terminal.subscribe(({ state }, { state: before }) => {
    const wasBlocked = before !== null && blockedByOf(before) !== null && before.phase === 'ready';
    if (wasBlocked && state?.connection.state === 'online' && blockedByOf(state) === null) {
      void lookup.getState().askAgain();
      if (details.getState().productId !== null) {
        void details.getState().readAgain();
      }
    }
  });
}

/** A scan that was refused because its shop was being opened anew is asked again once that is there. */
function askRefusedScan({ lookup }: Stores, state: TerminalState): void {
  const { failure, answered, newest, isTypedOver, unanswered, find } = lookup.getState();
  const isRefused = failure?.kind === 'notReady' && answered === newest().sequence && !isTypedOver();
  // A shop that is away shows no stocks.
  const isBack = canLookUp(state) && state.catalogue.stocks.length > 0;
  const text = isRefused && isBack ? unanswered() : null;
  if (text !== null) {
    void find(text, 'scan');
  }
}

/** Who is at which screen of which store: whatever a person typed, chose or was shown is kept under it. */
export function whoseOf({ phase, ...state }: TerminalState): string {
  // While a sign-in is tried, what was typed for it stays.
  return `${phase} ${shownForOf(phase === 'signIn' ? { ...state, session: { email: null } } : state)}`;
}

/** What somebody was shown and was typing when the till was locked, or the platform ended their sign-in. */
interface Left {
  readonly whose: string;
  readonly typed: Drafts['typed'];
  /** Null while another lookup was to take its place. */
  readonly shown: LookupStore | null;
}

/** For whose it was alone; a product only where nothing was looked up since. */
function giveBack({ drafts, lookup }: Stores, { typed, shown }: Left, isLookedUpSince: boolean): void {
  Object.entries(typed).forEach(([field, text]) => drafts.getState().type(field, text));
  if (shown !== null && !isLookedUpSince) {
    lookup.getState().bringBack(shown);
  }
}

/** Begins anew for whoever comes: the lookup is the screen, and what was left at it is back for whose it was. */
function beginForNext(stores: Stores, people: PersonStores, keptDrafts: KeptDrafts): void {
  const { terminal, lookup, scans, drafts, navigation } = stores;
  /** The store before, and whether somebody was at work in it; null for none. */
  let before: { readonly place: string; readonly phase: TerminalState['phase'] } | null = null;
  let left: Left | null = null;
  /** The newest lookup when the page was last as nobody had used it. */
  let clearedAt = 0;
  terminal.subscribe(({ state }) => {
    const whose = people.whose();
    const next = state === null ? '' : whoseOf(state);
    if (state === null || next === whose) {
      if (state !== null) askRefusedScan(stores, state);
      return;
    }
    const place = shopShownBy(state);
    // Somebody comes to this store's screen; what was looked up while it was nobody's is for whoever comes.
    const comes = state.phase === 'ready' && before?.place === place && before.phase !== 'firstRun';
    const isNobodys = comes && before?.phase === 'signIn';
    // A scan that the store before had no time to answer is for this one.
    const unanswered = before === null || before.place === place ? null : lookup.getState().unanswered();
    before = { place, phase: state.phase };
    if (state.cashiers.lockedEmail !== null || state.session.state === 'ended') {
      const shown = lookup.getState();
      const isNewest = shown.answered === shown.newest().sequence;
      left ??= { whose, typed: drafts.getState().typed, shown: isNewest ? shown : null };
    }
    people.take(next, isNobodys);
    if (!isNobodys) {
      clearedAt = lookup.getState().newest().sequence;
    }
    keptDrafts.take(next);
    if (left !== null && state.phase === 'ready') {
      if (left.whose === next) {
        giveBack(stores, left, lookup.getState().newest().sequence !== clearedAt);
      }
      left = null;
    }
    navigation.getState().connect(null);
    navigation.getState().showHelp(null);
    if (comes) {
      navigation.getState().forgetSection();
      navigation.getState().go('lookup');
      navigation.getState().letCome(null);
    }
    if (isNobodys) {
      void lookup.getState().readAgain().then(lookup.getState().askAgain);
      scans.getState().showUnseen();
    }
    if (canLookUp(state)) {
      void lookup.getState().readRecent();
    }
    if (unanswered !== null) {
      scans.getState().receive(unanswered);
    }
  });
}

/** Reads the lists and the copy again: changes made while the main process was gone are there, not in this page. */
function readAfterReturn(stores: Stores): void {
  const { terminal, pin, stock } = stores;
  terminal.subscribe(({ isGone }, before) => {
    // A question that nobody can answer any more must not keep calls waiting.
    if (isGone && pin.getState().asked !== null) {
      pin.getState().giveUp();
    }
    if (before.isGone && !isGone) {
      readShownAgain(stores);
      stock.getState().readAgain();
    }
  });
}

/** Which list of minimums the table shows, if any. */
function minimaListed(stock: Stores['stock']): 'below' | 'watched' | null {
  const { list } = stock.getState().query;
  return list === 'below' || list === 'watched' ? list : null;
}

/** Settings or minimums have changed. */
function readCouponsAgain({ coupons, lookup, stock }: Stores): void {
  coupons.list.getState().readAgain();
  void lookup.getState().readAgain();
  // As many may be below or watched as before.
  if (minimaListed(stock) !== null) {
    stock.getState().noticeCopy();
  }
}

/** The copy has grown, is complete, or says something else of the watch list; a count has changed; or the list of who did what is longer. */
function followLists(stores: Stores): void {
  const { terminal, audit, coupons, queue, stock, stocktakes, lookup } = stores;
  let copied = '';
  let named = '';
  terminal.subscribe(({ state }, { state: before }) => {
    if (state?.lock.newestEntry !== before?.lock.newestEntry) {
      audit.list.getState().readAgain();
    }
    if (state?.stocktakeChanges !== before?.stocktakeChanges) {
      stocktakes.store.getState().readAgain();
    }
    const list = minimaListed(stock);
    if (list !== null && state?.watchList?.[list] !== before?.watchList?.[list]) {
      stock.getState().noticeCopy();
    }
    const complete = state?.catalogue.stocks.map((one) => one.completeAsOf) ?? [];
    const next = state === null ? '' : [state.catalogue.changes, ...complete].join(' ');
    // The lists' names come with the copy: they are read again now and then as it grows.
    const nextNamed = state === null ? '' : [Math.floor(state.catalogue.copied / 500), ...complete].join(' ');
    if (nextNamed !== named) {
      named = nextNamed;
      coupons.list.getState().readAgain();
      queue.list.getState().readAgain();
    }
    if (next !== copied) {
      copied = next;
      stock.getState().noticeCopy();
      void lookup.getState().noticeCopy();
    }
  });
}

/** Whether scans are answered, or wait for somebody to sign in. */
function answeringOf(terminal: StoreApi<TerminalStore>): Pick<ScanPorts, 'isReady' | 'awaitsSignIn'> {
  const stateNow = (): TerminalState | null => terminal.getState().state;
  return {
    isReady: () => {
      const state = stateNow();
      return state !== null && canLookUp(state);
    },
    awaitsSignIn: () => stateNow()?.phase === 'signIn',
  };
}

/** The keys of what was asked last, and the counts, whose scans they wait for as well. */
function openAnswering(make: MakeStore, bridge: Bridge, lookup: StoreApi<LookupStore>, badge: StoreApi<BadgeStore>) {
  const shortcuts = createShortcutActions();
  const stocktakes = createStocktakeStores(make, bridge, later);
  const answerKeys = createAnswerKeys({
    make,
    places: {
      lookup: {
        asked: () => lookup.getState().newest().sequence,
        answered: () => lookup.getState().answered,
        arrivedAtMs: () => lookup.getState().newest().arrivedAtMs,
      },
      stocktakes: {
        asked: () => stocktakes.store.getState().asked(),
        answered: () => stocktakes.store.getState().answered,
        arrivedAtMs: () => 0,
      },
    },
    run: shortcuts.run,
    isDialogOpen,
    isBadgeRead: () => badge.getState().isReading,
    later,
    nowMs: pageNow,
  });
  return { shortcuts, stocktakes, answerKeys };
}

/** The shop, and the person in it, that the page shows now; `known`: when it is known who that is about to be. */
function shownOn(terminal: StoreApi<TerminalStore>, known: BadgeStore['untilRead']) {
  const read = (name: (state: TerminalState) => string) => (): string | undefined => {
    const { state } = terminal.getState();
    return state === null ? undefined : name(state);
  };
  return { shop: read(shopShownBy), person: read(shownForOf), known };
}

interface PageLookupParts extends Pick<LookupPorts, 'bridge' | 'cannotAsk'> {
  readonly make: MakeStore;
  readonly terminal: StoreApi<TerminalStore>;
  readonly pin: StoreApi<PinStore>;
  readonly badge: StoreApi<BadgeStore>;
}

/** The lookup of a page on which dialogs open. */
function openPageLookup({ make, terminal, pin, badge, ...ports }: PageLookupParts): StoreApi<LookupStore> {
  // The dialog for a PIN is drawn a little after it is asked for.
  const isOpen = (): boolean => pin.getState().asked !== null || isDialogOpen();
  return createLookupStore(make, {
    ...ports,
    stockIds: () => terminal.getState().state?.profile?.stockIds ?? [],
    dialogs: { isOpen, closed: () => new Promise((resolve) => void afterDialogs(resolve, isOpen)) },
    later,
    onBadge: () => badge.getState().say({ outcome: 'typed' }),
  });
}

function openPin(make: MakeStore, bridge: Bridge, terminal: StoreApi<TerminalStore>): StoreApi<PinStore> {
  const lockAgain = async (opened: HeldKind): Promise<void> => {
    const { ok } = await bridge.call('lock:lockNow', { opened });
    if (!ok && terminal.getState().isGone) {
      const stop = terminal.subscribe(({ isGone }) => {
        if (!isGone) {
          stop();
          void lockAgain(opened);
        }
      });
    }
  };
  return createPinStore(
    make,
    (pin, opens) => bridge.call('lock:unlock', { pin, opens }),
    (opened) => void lockAgain(opened),
  );
}

/** Joins all stores to the host; `page` is the address bar, and `place` where drafts outlive the page. */
export function openStores(
  host: HostBridge,
  page: { readonly fragment: string; readonly show: (fragment: string) => void },
  place: DraftPlace,
) {
  const people = createPersonStores();
  const { make } = people;
  const terminal = createTerminalStore();
  const shown = shownOn(terminal, () => badge.getState().untilRead());
  const plainBridge = openBridge(host, (isShutOut) => terminal.getState().lose(isShutOut), shown);
  const audit = createAuditStores(make, plainBridge);
  const pin = openPin(make, plainBridge, terminal);
  const bridge = askingForPin(plainBridge, (rule, purpose) => pin.getState().ask(rule, purpose), people.whose);
  const cannotAsk = (): boolean => {
    const { state } = terminal.getState();
    return state !== null && blockedByOf(state) !== null;
  };
  const badge = createBadgeStore(plainBridge, later);
  const lookup = openPageLookup({ make, bridge, terminal, pin, badge, cannotAsk });
  const details = createDetailsStore(make, bridge, cannotAsk);
  // For what nobody has asked for, most of the rate limit must be free, and nothing else be asked about the product.
  const hasRoom = (): boolean => {
    const { state } = terminal.getState();
    return mayAskUnasked(state) && details.getState().productId === null;
  };
  const expiry = createExpiryStore(make, bridge, hasRoom, later, present);
  const { beginSwitch } = lookup.getState();
  const coupons = createCouponStores(make, bridge, beginSwitch, later);
  const queue = createQueueStores(make, bridge, later);
  const restoration = createRestorationStore(make, bridge);
  const stock = createStockStore(make, bridge, later);
  const drafts = createDraftStore(make);
  const keptDrafts = openKeptDrafts(place, { lookup, stock, coupons, queue, drafts });
  const navigation = createNavigationStore(page.fragment, page.show);

  const scannerTrial = createScannerTrialStore(make, bridge, () => terminal.getState().state?.scanner, later);
  const goHome = (): void => {
    navigation.getState().go('lookup');
    navigation.getState().lookUp(true);
  };
  const scans = createScansStore(make, {
    takeBadge: (text) => void badge.getState().scan(text),
    ...answeringOf(terminal),
    isDialogOpen,
    isHome: () => isHome(navigation.getState()),
    show: (text, arrivedAtMs) => {
      goHome();
      void lookup.getState().find(text, 'scan', arrivedAtMs);
    },
    note: (text) => void lookup.getState().note(text),
    withdraw: (text) => lookup.getState().withdraw(text),
    showPieces: () => {
      goHome();
      lookup.getState().showPieces();
    },
  });

  const stores = {
    make,
    /** The stores of screens that are read late, by what has made them. */
    late: new Map<unknown, unknown>(),
    bridge,
    badge,
    earlyPin: createEarlyPin(pageNow),
    pin,
    audit,
    terminal,
    settings: createSettingsStore(make, bridge, terminal),
    lookup,
    details,
    expiry,
    tour: createTourStore(bridge),
    links: createLinkStore(make),
    ...openAnswering(make, bridge, lookup, badge),
    coupons,
    queue,
    restoration,
    stock,
    navigation,
    drafts,
    scans,
    scannerTrial,
    scannerLearner: createScannerLearner(),
    /** Reads the terminal's state; also the way back after the main process had gone. */
    readTerminal: async (): Promise<void> => {
      const read = await bridge.call('terminal:read', {});
      if (read.ok) {
        take(read.value, revision());
      } else if (!terminal.getState().isGone) {
        // Without a snapshot there is nothing to show: that must be said, never a blank page.
        terminal.getState().lose(false);
      }
    },
  };

  // A snapshot beyond the one expected: the events before it were lost on a broken way.
  const take = (state: TerminalState, expected: number): void => {
    // After it had gone all is read again anyway.
    const { isGone } = terminal.getState();
    terminal.getState().take(state);
    if (!isGone && state.revision > expected) {
      readShownAgain(stores);
    }
  };
  const revision = (): number => terminal.getState().state?.revision ?? Infinity;
  bridge.subscribe({
    'terminal:changed': (state) => take(state, revision() + 1),
    'link:opened': (link) =>
      link.kind === 'lookup'
        ? stores.scans.getState().follow(link.code, pageNow())
        : stores.links.getState().open(link),
    'product:changed': (card) => lookup.getState().takeCard(card),
    'queue:changed': (change) => {
      queue.store.getState().takeRevision(change.revision);
      void restoration.getState().readAgain();
    },
    'coupon:changed': () => readCouponsAgain(stores),
  });
  followAnswer(stores);
  askWhenOnline(stores);
  beginForNext(stores, people, keptDrafts);
  readAfterReturn(stores);
  followLists(stores);
  return stores;
}
