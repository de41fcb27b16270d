import { couponOf, isCouponSet, toCard, withCards } from './cards.ts';
import { exportStock } from '../../catalogue/browse/browse-export.ts';
import type { CatalogueAnswer } from '../../catalogue/lookup/answers.ts';
import type { ProductPlace } from '../../catalogue/store/product-reader.ts';
import type { RateLimitReading } from '../../contract/rate-limit.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { ProductCard } from '../../contract/products.ts';
import type { Handlers } from '../../contract/bridge.ts';
import { fail, mapResult, succeed } from '../../domain/result.ts';
import type { OpenStore } from './open-store.ts';
import type { Workspace } from './workspace.ts';

type WorkspaceChannel = Exclude<
  Extract<
    keyof Handlers,
    `${'lookup' | 'product' | 'coupon' | 'stock' | 'watchList' | 'catalogue' | 'rateLimit'}:${string}`
  >,
  'lookup:choose'
>;

const nothing = succeed({});

function cardAt(open: Workspace, { stockId, productId }: ProductPlace): ProductCard | null {
  const product = open.catalogue.read(stockId, productId);
  return product === null ? null : toCard(open, product);
}

/** One handler for each of these channels; a missing one does not compile. */
export function createWorkspaceHandlers(
  { withWorkspace, cards }: OpenStore,
  readRateLimit: (open: Workspace) => RateLimitReading,
): Pick<Handlers, WorkspaceChannel> {
  function withCoupons(open: Workspace, answer: CatalogueAnswer): LookupAnswer {
    return withCards(answer, (product) => cards.show(open, product));
  }

  return {
    'lookup:find': ({ text, source, isAgain, isChoosing }) =>
      withWorkspace((open) => {
        if (isChoosing === true) {
          return succeed(withCoupons(open, open.catalogue.findChoices(text)));
        }
        if (source === 'program') {
          return succeed(withCards(open.catalogue.peek(text), (product) => toCard(open, product)));
        }
        const { find, findAgain } = open.catalogue;
        return succeed(withCoupons(open, isAgain === true ? findAgain(text, source) : find(text, source)));
      }),
    'lookup:ask': ({ text }) =>
      withWorkspace(async (open) => {
        return mapResult(await open.catalogue.ask(text), (answer) => withCoupons(open, answer));
      }),
    'lookup:search': ({ text, limit }) => withWorkspace((open) => succeed([...open.catalogue.search(text, limit)])),
    'lookup:findSimilar': ({ text }) =>
      withWorkspace(async (open) => mapResult(await open.catalogue.findSimilar(text), (hits) => [...hits])),
    'lookup:withdraw': ({ text }) =>
      withWorkspace((open) => {
        open.catalogue.withdraw(text);
        return nothing;
      }),
    'lookup:listRecent': () => withWorkspace((open) => succeed([...open.catalogue.recent()])),
    'product:read': ({ stockId, productId, isOpened, text }) =>
      withWorkspace((open) => {
        const product = open.catalogue.read(stockId, productId);
        if (product !== null && isOpened === true) {
          open.catalogue.noteOpened(product, text);
        }
        return product === null ? fail({ kind: 'notFoundHere' }) : succeed(cards.show(open, product));
      }),
    'product:readMany': ({ places }) => withWorkspace((open) => succeed(places.map((place) => cardAt(open, place)))),
    'product:refresh': ({ stockId, productId }) =>
      withWorkspace(async (open) => {
        return mapResult(await open.catalogue.refresh(stockId, productId), (product) => cards.show(open, product));
      }),
    'product:readMovements': ({ stockId, productId, optionIds }) =>
      withWorkspace((open) => open.catalogue.readMovements(stockId, productId, optionIds)),
    'product:readBatches': ({ stockId, productId, optionIds }) =>
      withWorkspace((open) => open.catalogue.readBatches(stockId, productId, optionIds)),
    'product:readKept': ({ stockId, productId }) =>
      withWorkspace((open) => succeed(open.catalogue.readKept(stockId, productId))),
    'coupon:switch': ({ productId, isEnabled, source }) =>
      withWorkspace((open) => {
        if (source === 'program' && open.catalogue.nameOf(productId) === null) {
          return fail({ kind: 'notFoundHere' });
        }
        if (source === 'program' && isCouponSet(open, productId, isEnabled)) {
          return succeed(couponOf(open, productId));
        }
        const kept = open.queue.enqueue(productId, isEnabled, couponOf(open, productId).isEnabled);
        return mapResult(kept, () => couponOf(open, productId));
      }),
    'coupon:list': ({ offset, limit, ...query }) =>
      withWorkspace(async (open) => {
        const page = await open.couponList.page(query, offset, limit);
        return mapResult(page, (value) => ({ ...value, rows: [...value.rows] }));
      }),
    'coupon:listIds': ({ offset, limit, ...query }) =>
      withWorkspace(async (open) => {
        const page = await open.couponList.ids(query, offset, limit);
        return mapResult(page, (value) => ({ ...value, productIds: [...value.productIds] }));
      }),
    'coupon:countMany': ({ productIds, isEnabled }) =>
      withWorkspace((open) => open.couponMany.count(productIds, isEnabled)),
    'coupon:switchMany': (slice) => withWorkspace((open) => open.couponMany.switchSlice(slice)),
    'coupon:undoMany': ({ updateIds, isLast }) => withWorkspace((open) => open.couponMany.takeBack(updateIds, isLast)),
    'coupon:refresh': () =>
      withWorkspace(async (open) => {
        const read = await open.readCoupons('person');
        return read.ok ? nothing : read;
      }),
    'stock:browse': (request) =>
      withWorkspace(async (open) => {
        const page = await open.catalogue.page(request);
        return mapResult(page, (value) => ({
          ...value,
          rows: value.rows.map((row) => (row === null ? null : { ...row, minimum: open.watchList.minimumOf(row) })),
        }));
      }),
    'stock:export': (request) =>
      withWorkspace((open) => exportStock(open.catalogue, request, (place) => open.watchList.minimumOf(place))),
    'watchList:set': ({ minima }) => withWorkspace((open) => succeed({ kept: open.watchList.set(minima) })),
    'watchList:match': ({ stockId, codes }) =>
      withWorkspace(async (open) => {
        const found = await open.catalogue.match(stockId, codes);
        return mapResult(found, (matches) => ({
          matches: matches.map((hits) =>
            hits.map(({ productId, code, name, unit }) => ({
              productId,
              code,
              name,
              unit,
              minimum: open.watchList.minimumOf({ stockId, productId }),
            })),
          ),
        }));
      }),
    'rateLimit:read': () => withWorkspace((open) => succeed(readRateLimit(open))),
    'catalogue:readAge': () => withWorkspace((open) => open.catalogue.age(() => open.pause())),
    'catalogue:listFields': () => withWorkspace((open) => open.catalogue.listFields(() => open.pause())),
    'catalogue:copy': () =>
      withWorkspace((open) => {
        open.catalogue.copyAgain();
        return nothing;
      }),
  };
}
