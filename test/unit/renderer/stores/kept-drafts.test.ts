// The proof that what was typed comes back to whom typed it, in a new page, and to nobody else; and that a place that
// cannot be used, or holds something else, is no reason to fail.
import { expect, test } from 'vitest';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import { createCouponStores } from '../../../../renderer/coupons/coupons-store.ts';
import { createDraftStore } from '../../../../renderer/stores/drafts.ts';
import { openKeptDrafts, type DraftPlace, type DraftStores } from '../../../../renderer/stores/kept-drafts.ts';
import { createLookupStore } from '../../../../renderer/lookup/lookup-store.ts';
import { createQueueStores } from '../../../../renderer/queue/queue-store.ts';
import { createStockStore } from '../../../../renderer/stock/stock-store.ts';
import { createHeldBridge } from './held-bridge.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

function createPlace(): DraftPlace & { text: string | null } {
  return {
    text: null,
    read() {
      return this.text;
    },
    write(text) {
      this.text = text;
    },
  };
}

/** The stores of one page. */
function openPage(): DraftStores {
  const { bridge } = createHeldBridge();
  const never = (): (() => void) => () => undefined;
  return {
    lookup: createLookupStore(makeLastingStore, {
      bridge,
      cannotAsk: () => false,
      stockIds: () => [],
      dialogs: { isOpen: () => false, closed: () => Promise.resolve() },
      later: never,
      onBadge: () => undefined,
    }),
    stock: createStockStore(makeLastingStore, bridge, never),
    coupons: createCouponStores(makeLastingStore, bridge, () => () => undefined, never),
    queue: createQueueStores(makeLastingStore, bridge, never),
    drafts: createDraftStore(makeLastingStore),
  };
}

function typeEverything(page: DraftStores): void {
  page.lookup.getState().type('café');
  page.stock.getState().show('zero');
  page.stock.getState().choose({ orderBy: 'asOf', direction: 'desc', term: 'água' });
  page.stock.getState().show('expiring');
  page.coupons.list.getState().choose({ ...page.coupons.list.getState().filter, filter: 'waiting', term: 'x' });
  page.queue.list.getState().choose({ filter: 'parked', term: 'ana@' });
  page.drafts.getState().type('restore.userId', '703');
}

function seen({ lookup, stock, coupons, queue, drafts }: DraftStores): unknown {
  return {
    text: lookup.getState().text,
    shown: stock.getState().shown,
    query: stock.getState().query,
    filter: coupons.list.getState().filter,
    queue: queue.list.getState().filter,
    typed: drafts.getState().typed,
  };
}

test('the same person finds everything in a new page; another one nothing, and nothing of it stays', () => {
  const place = createPlace();
  const first = openPage();
  openKeptDrafts(place, first).take('ana');
  typeEverything(first);
  const after = openPage();
  openKeptDrafts(place, after).take('ana');
  expect(seen(after)).toEqual(seen(first));

  const others = openPage();
  openKeptDrafts(place, others).take('rui');
  expect(seen(others)).toEqual(seen(openPage()));
  expect(place.text).not.toContain('café');
});

test('only the first to be here gets what was kept; whoever comes next in the same page does not', () => {
  const place = createPlace();
  const first = openPage();
  openKeptDrafts(place, first).take('ana');
  typeEverything(first);
  const page = openPage();
  const kept = openKeptDrafts(place, page);
  kept.take('');
  kept.take('ana');
  expect(seen(page)).toEqual(seen(openPage()));
});

test.each([
  '',
  'null',
  '[]',
  '{"whose":"ana"}',
  '{"whose":"ana","parts":{"lookup":5,"stock":{"amount":"all of it"},"coupons":null,"queue":"toString","typed":[1],"__proto__":{"x":1},"constructor":"y"}}',
  '{',
])('what makes no sense (%j) restores nothing', (text) => {
  const place = createPlace();
  place.text = text;
  const page = openPage();
  openKeptDrafts(place, page).take('ana');
  expect(seen(page)).toEqual(seen(openPage()));
});

test('a place that throws, or is too small, costs nothing but the draft', () => {
  const page = openPage();
  const fails = (): never => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  openKeptDrafts({ read: fails, write: fails }, page).take('ana');
  typeEverything(page);
  const place = createPlace();
  const huge = openPage();
  openKeptDrafts(place, huge).take('ana');
  huge.drafts.getState().type('restore.userId', 'x'.repeat(200_000));
  expect(place.text).toBe('');
});

test.each([
  [{ list: 'all', amount: 'negative' }, 'negative', { list: 'all', amount: 'negative' }],
  [{ list: 'below', amount: 'zero' }, 'below', { list: 'below', amount: 'all' }],
  [{ list: 'all', amount: 'positive' }, 'all', { list: 'all', amount: 'all' }],
])('what an earlier page asked of the stock (%j) becomes the view %s', (asked, view, asks) => {
  const place = createPlace();
  const stock = { ...everyProduct, ...asked, orderBy: 'code', term: 'pro' };
  place.text = JSON.stringify({ whose: 'ana', parts: { stock } });
  const page = openPage();
  openKeptDrafts(place, page).take('ana');
  expect(page.stock.getState()).toMatchObject({ shown: view, query: { ...stock, ...asks } });
});
