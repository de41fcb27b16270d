// What a store does when another one changes.
import { canLookUp } from '../../app/contract/sign-in-rules.ts';
import { groupByProduct } from '../formats/products.ts';
import type { KeptDrafts } from './kept-drafts.ts';
import type { Stores } from './stores.ts';

/** Reads again whatever lists updates and coupons. */
export function readListsAgain({ coupons, queue, restoration }: Stores): void {
  coupons.list.getState().readAgain();
  queue.list.getState().readAgain();
  queue.restorations.list.getState().readAgain();
  void restoration.getState().readAgain();
}

/** The details and the batches that expire soon are those of the answer that is shown. */
export function followAnswer({ lookup, details, expiry, terminal }: Stores): void {
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
      void expiry.getState().show(groupByProduct(cards, stockIds, chosenStockId)[0]?.first ?? null);
    }
  });
  details.subscribe(({ stockId, productId, batches: { whole } }, before) => {
    if (whole !== null && whole !== before.batches.whole && stockId !== null && productId !== null) {
      expiry.getState().take({ stockId, productId }, whole);
    }
  });
}

/** What could not be asked while the network was away is asked when it is back; so is what is shown. */
export function askWhenOnline({ terminal, lookup, details }: Stores): void {
  terminal.subscribe(({ state }, { state: before }) => {
    if (before?.connection.state === 'offline' && state?.connection.state === 'online') {
      void lookup.getState().askAgain();
      if (details.getState().productId !== null) {
        void details.getState().readAgain();
      }
    }
  });
}

/** What one person looked up, or another profile's lists, must not stand before the next one. */
export function forgetForNext(stores: Stores, keptDrafts: KeptDrafts): void {
  const { terminal, pin, lookup, scans, coupons, restoration, queue, stock, drafts, navigation } = stores;
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
}

/** What changed while the main process was gone is in the lists and the copy, not in what this page remembers. */
export function readAfterReturn(stores: Stores): void {
  const { bridge, lookup, terminal, pin } = stores;
  const readCardsAgain = async (): Promise<void> => {
    const { answer } = lookup.getState();
    for (const { stockId, productId } of answer?.kind === 'found' ? answer.cards : []) {
      const read = await bridge.call('product:read', { stockId, productId });
      if (read.ok) {
        lookup.getState().takeCard(read.value);
      }
    }
  };
  terminal.subscribe(({ isGone }, before) => {
    // A question that nobody can answer any more must not keep calls waiting.
    if (isGone && pin.getState().asked !== null) {
      pin.getState().giveUp();
    }
    if (before.isGone && !isGone) {
      void readCardsAgain();
      readListsAgain(stores);
    }
  });
}

/** The copy has grown, or is complete. */
export function followCopy({ terminal, coupons, queue, stock, lookup }: Stores): void {
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
}
