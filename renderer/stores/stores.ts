import type { StoreApi } from 'zustand/vanilla';
import { canLookUp } from '../../app/contract/sign-in-rules.ts';
import type { HostBridge } from '../../app/contract/bridge.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { askingForPin } from '../lock/pin-retry.ts';
import { openBridge, type Bridge } from '../bridge/bridge.ts';
import { isDialogOpen } from '../dom/dialogs.ts';
import { blockedByOf } from '../formats/blocked-by.ts';
import { groupByProduct } from '../formats/products.ts';
import { later, present } from '../dom/clock.ts';
import { createAuditList, type AuditStore } from '../lock/audit-store.ts';
import { createCouponStores, type CouponStores } from '../coupons/coupons-store.ts';
import { createDraftStore, type Drafts } from './drafts.ts';
import { createDetailsStore, type DetailsStore } from '../lookup/details-store.ts';
import { createExpiryStore, mayAskUnasked, type ExpiryStore } from '../lookup/expiry-store.ts';
import { createShortcutActions, type ShortcutActions } from './shortcut-actions.ts';
import { createTourStore, type Tour } from '../shell/tour-store.ts';
import { createLookupStore, type LookupStore } from '../lookup/lookup-store.ts';
import { openKeptDrafts, type DraftPlace } from './kept-drafts.ts';
import { createNavigationStore, isHome, type Navigation } from './navigation.ts';
import { createPinStore, type PinStore } from '../lock/pin-store.ts';
import { createQueueStores, type QueueStores } from '../queue/queue-store.ts';
import { createRestorationStore, type RestorationStore } from '../users/restoration-store.ts';
import { createScannerLearner, type ScannerLearner } from '../scanner/scanner-profile.ts';
import { createScannerTrialStore, type ScannerTrialStore } from '../scanner/scanner-trial-store.ts';
import { createScansStore, type ScansStore } from '../scanner/scans-store.ts';
import { createStockStore, type StockStore } from '../stock/stock-store.ts';
import { createSettingsStore, type SettingsStore } from './settings.ts';
import { createTerminalStore, type TerminalStore } from './terminal.ts';

export interface Stores {
  readonly bridge: Bridge;
  readonly pin: StoreApi<PinStore>;
  readonly audit: AuditStore;
  readonly terminal: StoreApi<TerminalStore>;
  readonly settings: StoreApi<SettingsStore>;
  readonly lookup: StoreApi<LookupStore>;
  readonly details: StoreApi<DetailsStore>;
  readonly expiry: StoreApi<ExpiryStore>;
  readonly tour: StoreApi<Tour>;
  readonly shortcuts: ShortcutActions;
  readonly coupons: CouponStores;
  readonly queue: QueueStores;
  readonly restoration: StoreApi<RestorationStore>;
  readonly stock: StoreApi<StockStore>;
  readonly navigation: StoreApi<Navigation>;
  readonly drafts: StoreApi<Drafts>;
  readonly scans: StoreApi<ScansStore>;
  readonly scannerTrial: StoreApi<ScannerTrialStore>;
  readonly scannerLearner: ScannerLearner;
  /** Reads the terminal's state; also the way back after the main process had gone. */
  readonly readTerminal: () => Promise<void>;
}

/** Joins all stores to the host's host; `page` is the address bar, and `place` where drafts outlive the page. */
export function openStores(
  host: HostBridge,
  page: { readonly fragment: string; readonly show: (fragment: string) => void },
  place: DraftPlace,
): Stores {
  const terminal = createTerminalStore();
  const bareWall = openBridge(host, (isShutOut) => terminal.getState().lose(isShutOut));
  const audit = createAuditList(bareWall);
  const pin = createPinStore((digits) => bareWall.call('lock:unlock', { pin: digits }));
  const bridge = askingForPin(bareWall, (rule) => pin.getState().ask(rule));
  const cannotAsk = (): boolean => {
    const { state } = terminal.getState();
    return state !== null && blockedByOf(state) !== null;
  };
  const lookup = createLookupStore(bridge, cannotAsk, later);
  const details = createDetailsStore(bridge, cannotAsk);
  // For what nobody has asked for, most of the rate limit must be free, and nothing else be asked about the product.
  const hasRoom = (): boolean => {
    const { state } = terminal.getState();
    return mayAskUnasked(state) && details.getState().productId === null;
  };
  const expiry = createExpiryStore(bridge, hasRoom, later, present);
  const coupons = createCouponStores(
    bridge,
    (productId, coupon) => lookup.getState().takeCoupon(productId, coupon),
    later,
  );
  const queue = createQueueStores(bridge, later);
  const restoration = createRestorationStore(bridge);
  const stock = createStockStore(bridge, later);
  const drafts = createDraftStore();
  const keptDrafts = openKeptDrafts(place, { lookup, stock, coupons, queue, drafts });
  const navigation = createNavigationStore(page.fragment, page.show);

  const scannerTrial = createScannerTrialStore(bridge, () => terminal.getState().state?.scanner, later);
  const goHome = (): void => {
    navigation.getState().go('lookup');
    navigation.getState().lookUp(true);
  };
  const scans = createScansStore({
    isReady: () => {
      const { state } = terminal.getState();
      return state !== null && canLookUp(state);
    },
    isDialogOpen,
    isHome: () => isHome(navigation.getState()),
    show: (text) => {
      goHome();
      void lookup.getState().find(text, 'scan');
    },
    note: (text) => void lookup.getState().note(text),
    withdraw: (text) => lookup.getState().withdraw(text),
    showPieces: () => {
      goHome();
      lookup.getState().showPieces();
    },
  });

  const readListsAgain = (): void => {
    coupons.list.getState().readAgain();
    queue.list.getState().readAgain();
    queue.restorations.list.getState().readAgain();
    void restoration.getState().readAgain();
  };

  // A snapshot beyond the one expected: the events before it were lost on a broken way.
  const take = (state: TerminalState, expected: number): void => {
    terminal.getState().take(state);
    if (state.revision > expected) {
      readListsAgain();
    }
  };
  const revision = (): number => terminal.getState().state?.revision ?? Infinity;

  bridge.subscribe({
    'terminal:changed': (state) => take(state, revision() + 1),
    'product:changed': (card) => lookup.getState().takeCard(card),
    'queue:changed': (change) => {
      queue.store.getState().takeRevision(change.revision);
      void restoration.getState().readAgain();
    },
    'coupon:changed': () => coupons.list.getState().readAgain(),
  });

  // The next scan takes the place of the product whose details were open.
  lookup.subscribe((now, before) => {
    if (now.sequence !== before.sequence) {
      details.getState().close();
    }
  });

  lookup.subscribe(({ answer, chosenStockId }, before) => {
    if (answer !== before.answer || chosenStockId !== before.chosenStockId) {
      const stockIds = terminal.getState().state?.profile?.stockIds ?? [];
      void expiry
        .getState()
        .show(
          answer?.kind === 'found' ? (groupByProduct(answer.cards, stockIds, chosenStockId)[0]?.first ?? null) : null,
        );
    }
  });
  details.subscribe(({ stockId, productId, batches: { whole } }, before) => {
    if (whole !== null && whole !== before.batches.whole && stockId !== null && productId !== null) {
      expiry.getState().take({ stockId, productId }, whole);
    }
  });

  // What could not be asked while the network was away is asked when it is back; what is on the screen is shown to a
  // person.
  terminal.subscribe(({ state }, { state: before }) => {
    if (before?.connection.state === 'offline' && state?.connection.state === 'online') {
      void lookup.getState().askAgain();
      if (details.getState().productId !== null) {
        void details.getState().readAgain();
      }
    }
  });

  terminal.subscribe(({ state }, { state: before }) => {
    if (state?.lock.newestEntry !== before?.lock.newestEntry) {
      audit.getState().readAgain();
    }
  });

  // A question that nobody can answer any more must not keep calls waiting.
  terminal.subscribe(({ isGone }) => {
    if (isGone && pin.getState().asked !== null) {
      pin.getState().giveUp();
    }
  });

  // What one person looked up, or another profile's lists, must not stand before the next one.
  let whose = '';
  terminal.subscribe(({ state }) => {
    const next =
      state === null
        ? ''
        : [state.phase, state.mode, state.profileId, state.profile?.companyId, state.session.email].join(' ');
    if (next !== whose) {
      whose = next;
      pin.getState().giveUp();
      lookup.getState().clear();
      scans.getState().forget();
      coupons.reset();
      restoration.getState().forget();
      queue.reset();
      stock.getState().reset();
      drafts.getState().drop();
      keptDrafts.take(next);
      navigation.getState().connect(null);
      if (state !== null && canLookUp(state)) {
        void lookup.getState().readRecent();
      }
    }
  });

  const readCardsAgain = async (): Promise<void> => {
    const { answer } = lookup.getState();
    for (const { stockId, productId } of answer?.kind === 'found' ? answer.cards : []) {
      const read = await bridge.call('product:read', { stockId, productId });
      if (read.ok) {
        lookup.getState().takeCard(read.value);
      }
    }
  };

  // What was kept while the way was cut is known to the lists again, not to what this page remembers.
  terminal.subscribe((now, before) => {
    if (before.isGone && !now.isGone) {
      void readCardsAgain();
      readListsAgain();
    }
  });

  let copied = '';
  let named = '';
  terminal.subscribe(({ state }) => {
    const complete = state?.catalogue.stocks.map((one) => one.completeAsOf) ?? [];
    const next = state === null ? '' : [state.catalogue.copied, ...complete].join(' ');
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

  return {
    bridge,
    pin,
    audit,
    terminal,
    settings: createSettingsStore(bridge, terminal),
    lookup,
    details,
    expiry,
    tour: createTourStore(bridge),
    shortcuts: createShortcutActions(),
    coupons,
    queue,
    restoration,
    stock,
    navigation,
    drafts,
    scans,
    scannerTrial,
    scannerLearner: createScannerLearner(),
    async readTerminal() {
      const read = await bridge.call('terminal:read', {});
      if (read.ok) {
        take(read.value, revision());
      } else if (!terminal.getState().isGone) {
        // Without a snapshot there is nothing to show: that must be said, never a blank page.
        terminal.getState().lose(false);
      }
    },
  };
}
