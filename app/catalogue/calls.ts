import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import { mapResult, succeed } from '../domain/result.ts';
import { exportStock } from './browse/browse-export.ts';
import type { Catalogue } from './catalogue.ts';
import type { LabelChoices } from './lookup/label-choices.ts';
import type { ProductPlace } from './repository/product-reader.ts';

interface Open {
  readonly catalogue: Catalogue;
  readonly labelChoices: LabelChoices;
  readonly watchList: { minimumOf(place: ProductPlace): number | null };
  /** Lets everything else have its turn. Answers whether to go on. */
  pause(): Promise<boolean>;
}

const nothing = succeed({});

/** The calls that answer a product with its coupon and its minimum, which the copy does not know. */
export type CardChannel = `lookup:${'find' | 'ask' | 'choose'}` | `product:${'read' | 'readMany' | 'refresh'}`;

/** One handler for each call that the copy answers without a product's coupon. */
export function createCatalogueHandlers(
  withOpen: WithOpen<Open>,
): HandlersOf<'stock' | 'catalogue' | 'labelChoice' | 'lookup' | 'product', CardChannel> {
  return {
    'lookup:search': ({ text, limit }) => withOpen((open) => succeed([...open.catalogue.search(text, limit)])),
    'lookup:findSimilar': ({ text }) =>
      withOpen(async (open) => mapResult(await open.catalogue.findSimilar(text), (hits) => [...hits])),
    'lookup:withdraw': ({ text }) =>
      withOpen((open) => {
        open.catalogue.withdraw(text);
        return nothing;
      }),
    'lookup:listRecent': () => withOpen((open) => succeed([...open.catalogue.recent()])),
    'product:readMovements': ({ stockId, productId, optionIds }) =>
      withOpen((open) => open.catalogue.readMovements(stockId, productId, optionIds)),
    'product:readBatches': ({ stockId, productId, optionIds }) =>
      withOpen((open) => open.catalogue.readBatches(stockId, productId, optionIds)),
    'product:readKept': ({ stockId, productId }) =>
      withOpen((open) => succeed(open.catalogue.readKept(stockId, productId))),
    'stock:browse': (request) =>
      withOpen(async (open) => {
        const page = await open.catalogue.page(request);
        return mapResult(page, (value) => ({
          ...value,
          rows: value.rows.map((row) => (row === null ? null : { ...row, minimum: open.watchList.minimumOf(row) })),
        }));
      }),
    'stock:export': (request) =>
      withOpen((open) => exportStock(open.catalogue, request, (place) => open.watchList.minimumOf(place))),
    'catalogue:readAge': () => withOpen((open) => open.catalogue.age(() => open.pause())),
    'catalogue:listFields': () => withOpen((open) => open.catalogue.listFields(() => open.pause())),
    'catalogue:copy': () =>
      withOpen((open) => {
        open.catalogue.copyAgain();
        return nothing;
      }),
    'labelChoice:list': () =>
      withOpen((open) =>
        succeed(
          open.labelChoices.list().map(({ layout, item, productId, at, email }) => {
            const { name, code } = open.catalogue.nameOf(productId) ?? { name: null, code: null };
            return { layout, item, productId, name, code, at, email };
          }),
        ),
      ),
    'labelChoice:forget': (item) =>
      withOpen((open) => {
        open.labelChoices.forget(item);
        return succeed({});
      }),
  };
}
