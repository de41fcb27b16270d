// Owns the one place where the stores are made and joined to the wall's events. Never holds state of its own.
import type { StoreApi } from 'zustand/vanilla';
import type { Bridge } from '../../app/contract/wall.ts';
import { askingForPin } from '../asking-wall.ts';
import { openWall, type Wall } from '../bridge.ts';
import { isDialogOpen } from '../dialogs.ts';
import { groupByProduct } from '../formats/products.ts';
import { later, present } from '../now.ts';
import { createAuditList, type AuditMirror } from './audit.ts';
import { createCouponStores, type CouponStores } from './coupons.ts';
import { createDraftStore, type Drafts } from './drafts.ts';
import { createDetailsStore, type DetailsMirror } from './details.ts';
import { createExpiryStore, mayAskUnasked, type ExpiryMirror } from './expiry.ts';
import { createShortcutActions, type ShortcutActions } from './shortcut-actions.ts';
import { createTourStore, type Tour } from './tour.ts';
import { createLookupStore, type LookupMirror } from './lookup.ts';
import { openKeptDrafts, type DraftPlace } from './kept-drafts.ts';
import { createNavigationStore, type Navigation } from './navigation.ts';
import { createPinStore, type PinMirror } from './pin.ts';
import { createQueueStores, type QueueStores } from './queue.ts';
import { createRestorationStore, type RestorationMirror } from './restoration.ts';
import { createScannerTrialStore, type ScannerTrialMirror } from './scanner-trial.ts';
import { createScansStore, type ScansMirror } from './scans.ts';
import { createStockStore, type StockMirror } from './stock.ts';
import { createTerminalStore, type TerminalMirror } from './terminal.ts';

export interface Stores {
  readonly wall: Wall;
  readonly pin: StoreApi<PinMirror>;
  readonly audit: AuditMirror;
  readonly terminal: StoreApi<TerminalMirror>;
  readonly lookup: StoreApi<LookupMirror>;
  readonly details: StoreApi<DetailsMirror>;
  readonly expiry: StoreApi<ExpiryMirror>;
  readonly tour: StoreApi<Tour>;
  readonly shortcuts: ShortcutActions;
  readonly coupons: CouponStores;
  readonly queue: QueueStores;
  readonly restoration: StoreApi<RestorationMirror>;
  readonly stock: StoreApi<StockMirror>;
  readonly navigation: StoreApi<Navigation>;
  readonly drafts: StoreApi<Drafts>;
  readonly scans: StoreApi<ScansMirror>;
  readonly scannerTrial: StoreApi<ScannerTrialMirror>;
  /** Reads the terminal's state; also the way back after the main process had gone. */
  readonly readTerminal: () => Promise<void>;
}

/** Joins all stores to the host's bridge; `page` is the address bar, and `place` where drafts outlive the page. */
export function openStores(bridge: Bridge, page: { readonly fragment: string; readonly show: (fragment: string) => void }, place: DraftPlace): Stores {
  const terminal = createTerminalStore();
  const bareWall = openWall(bridge, (isShutOut) => terminal.getState().lose(isShutOut));
  const audit = createAuditList(bareWall);
  const pin = createPinStore((digits) => bareWall.call('lock:unlock', { pin: digits }));
  const wall = askingForPin(bareWall, (rule) => pin.getState().ask(rule));
  const isOffline = (): boolean => terminal.getState().state?.connection.state === 'offline';
  const lookup = createLookupStore(wall, isOffline, later);
  const details = createDetailsStore(wall, isOffline);
  // For what nobody has asked for, most of the allowance must be free, and nothing else be asked about the product.
  const hasRoom = (): boolean => {
    const { state } = terminal.getState();
    return mayAskUnasked(state) && details.getState().productId === null;
  };
  const expiry = createExpiryStore(wall, hasRoom, later, present);
  const coupons = createCouponStores(wall, (productId, coupon) => lookup.getState().takeCoupon(productId, coupon), later);
  const queue = createQueueStores(wall, later);
  const restoration = createRestorationStore(wall);
  const stock = createStockStore(wall, later);
  const drafts = createDraftStore();
  const keptDrafts = openKeptDrafts(place, { lookup, stock, coupons, queue, drafts });
  const navigation = createNavigationStore(page.fragment, page.show);

  const scannerTrial = createScannerTrialStore(wall, () => terminal.getState().state?.scanner, later);
  const scans = createScansStore({
    isReady: () => terminal.getState().state?.phase === 'ready',
    isDialogOpen,
    isHome: () => navigation.getState().screen === 'lookup',
    show: (text) => {
      navigation.getState().go('lookup');
      void lookup.getState().find(text, 'scan');
    },
    note: (text) => void lookup.getState().note(text),
  });

  wall.subscribe({
    'terminal:changed': (state) => terminal.getState().take(state),
    'product:changed': (card) => lookup.getState().takeCard(card),
    'coupon:manyProgressed': (progress) => coupons.many.getState().takeProgress(progress),
    'queue:changed': ({ revision }) => {
      queue.mirror.getState().takeRevision(revision);
      coupons.list.getState().readAgain();
      void restoration.getState().readAgain();
    },
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
      void expiry.getState().show(answer?.kind === 'found' ? (groupByProduct(answer.cards, stockIds, chosenStockId)[0]?.first ?? null) : null);
    }
  });
  details.subscribe(({ stockId, productId, batches: { whole } }, before) => {
    if (whole !== null && whole !== before.batches.whole && stockId !== null && productId !== null) {
      expiry.getState().take({ stockId, productId }, whole);
    }
  });

  // What could not be asked while the network was away is asked when it is back; what is on the screen is shown to a person.
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
    const next = state === null ? '' : [state.phase, state.mode, state.profileId, state.profile?.companyId, state.session.email].join(' ');
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
      if (state?.phase === 'ready') {
        void lookup.getState().readRecent();
      }
    }
  });

  const readCardsAgain = async (): Promise<void> => {
    const { answer } = lookup.getState();
    for (const { stockId, productId } of answer?.kind === 'found' ? answer.cards : []) {
      const read = await wall.call('product:read', { stockId, productId });
      if (read.ok) {
        lookup.getState().takeCard(read.value);
      }
    }
  };

  // What was kept while the way was cut is known to the lists again, not to what this page remembers.
  terminal.subscribe((now, before) => {
    if (before.isGone && !now.isGone) {
      void readCardsAgain();
      coupons.list.getState().readAgain();
      queue.list.getState().readAgain();
      queue.restorations.list.getState().readAgain();
      void restoration.getState().readAgain();
    }
  });

  let copied = '';
  terminal.subscribe(({ state }) => {
    const next = state === null ? '' : [state.catalogue.copied, ...state.catalogue.stocks.map((one) => one.completeAsOf)].join(' ');
    if (next !== copied) {
      copied = next;
      stock.getState().noticeCopy();
      void lookup.getState().noticeCopy();
    }
  });

  return {
    wall,
    pin,
    audit,
    terminal,
    lookup,
    details,
    expiry,
    tour: createTourStore(wall),
    shortcuts: createShortcutActions(),
    coupons,
    queue,
    restoration,
    stock,
    navigation,
    drafts,
    scans,
    scannerTrial,
    async readTerminal() {
      const read = await wall.call('terminal:read', {});
      if (read.ok) {
        terminal.getState().take(read.value);
      } else if (!terminal.getState().isGone) {
        // Without a snapshot there is nothing to show: that must be said, never a blank page.
        terminal.getState().lose(false);
      }
    },
  };
}
