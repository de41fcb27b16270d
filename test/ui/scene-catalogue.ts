// The copy, the lookup, the stock table and the watch list of scenes: the real ones over a catalogue.db of each scene, and
// over a platform that has the same products.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCatalogueHandlers } from '../../app/catalogue/calls.ts';
import { openCatalogue, type Catalogue } from '../../app/catalogue/catalogue.ts';
import type { ProductPlace } from '../../app/catalogue/repository/product-reader.ts';
import { openCatalogueRepository, type CatalogueRepository } from '../../app/catalogue/repository/repository.ts';
import { noProgress } from '../../app/catalogue/sync/progress.ts';
import type { WithOpen } from '../../app/contract/bridge.ts';
import type { CatalogueState } from '../../app/contract/terminal-state.ts';
import type { WatchedMinimum } from '../../app/contract/watch-list.ts';
import { readLayouts } from '../../app/domain/codes/scale-label.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, mapResult, succeed } from '../../app/domain/result.ts';
import { createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import type { PlatformClient } from '../../app/platform/client.ts';
import type { ListedElement } from '../../app/platform/listing/listed-element.ts';
import type { Clock } from '../../app/ports.ts';
import { createCardHandlers } from '../../app/terminal/cards/calls.ts';
import { createShownCards } from '../../app/terminal/cards/shown-cards.ts';
import type { Workspace } from '../../app/terminal/workspace/workspace.ts';
import { createWatchListHandlers } from '../../app/watch-list/calls.ts';
import { openWatchList } from '../../app/watch-list/watch-list.ts';
import { listed } from '../support/listed.ts';
import type { SceneTerminal } from './fake-answers.ts';
import type { Scene } from './fake-bridge.ts';
import { batchesOf, exampleOf, listingOf, maxWritten, type SceneProduct } from './scene-copy.ts';
import type { ScenePart } from './scene-queue.ts';

const fingerprint = 'https://shop.example.com 4821';
const stockNames: Readonly<Record<string, string>> = { 11: 'Loja', 12: 'Depósito' };
const noProduct = { id: null, name: null, sku: null, unit: null };
const unknownFigure = { amount: null, asOf: null, source: null };
const dayMs = 86_400_000;

const elementOf = ({ productId, listing }: Pick<SceneProduct, 'productId' | 'listing'>): readonly ListedElement[] =>
  listed([{ id: Number(productId), ...listing }]);

/** As a platform answers that has the same products. */
function scriptedPlatform(products: readonly SceneProduct[], { batches, state }: Scene): PlatformClient {
  const refused = () => Promise.resolve(fail({ kind: 'unreachable' } as const));
  const readBalance: PlatformClient['readBalance'] = ({ stockId, productId, movementType = 'all', optionIds = [] }) => {
    const { listing } = products.find((one) => one.stockId === stockId && one.productId === productId) ?? {};
    const options = (listing?.balance_options ?? [])
      .map(({ name, balance: all }, place) => ({
        name,
        ids: [String(500 + place) as Id],
        amount: { in: all + 6, out: -6, all }[movementType],
      }))
      .filter(({ ids }) => optionIds.length === 0 || ids.some((one) => optionIds.includes(one)));
    const left = listing?.balance ?? 17;
    const balance =
      options.length === 0
        ? { in: left + 12, out: -12, all: left }[movementType]
        : options.reduce((sum, { amount }) => sum + amount, 0);
    const stock = { id: stockId, name: stockNames[stockId] ?? null };
    return Promise.resolve(succeed({ stock, product: { ...noProduct, id: productId }, balance, options }));
  };
  return {
    listStockProducts: ({ stockId, term = '' }) => {
      const elements = products
        .filter(({ listing: { code, barcodes = [] } }) => [code, ...barcodes].includes(term))
        .flatMap((one) => (one.stockId === stockId ? elementOf(one) : []));
      if (state.catalogue.unreadable > 0) elements.push(...listed([{}]));
      const page = { currentPage: 1, lastPage: 1, perPage: 50, total: elements.length, platformTime: null };
      return Promise.resolve(succeed({ elements, ...page }));
    },
    readBalance,
    readFigures: async (query, options) =>
      mapResult(await readBalance(query, options), (balance) => ({ kind: 'balance', balance })),
    listBatches: ({ productId }) => Promise.resolve(succeed(batchesOf(productId, batches))),
    listCouponSettings: refused,
    listSettingsOfUnnamedCompany: refused,
    listScopes: refused,
    write: refused,
  };
}

/** Those of which the terminal tells. */
const stockIdsOf = ({ state: { catalogue } }: Scene): readonly Id[] =>
  catalogue.stocks.length === 0 ? (['11', '12'] as Id[]) : catalogue.stocks.map(({ stockId }) => stockId);

/** How far the terminal says that the copies of the stocks have got. */
function keepProgress(repository: CatalogueRepository, { phase, stocks }: CatalogueState, nowMs: number): void {
  for (const stock of repository.stocks()) {
    const told = stocks.find(({ stockId }) => stockId === stock.stockId);
    const completeAsOf = phase === 'copying' ? null : (told?.completeAsOf ?? null);
    const unreadable = listed(Array.from({ length: told?.unreadable ?? 0 }, (_, place) => ({ unknown: place })));
    repository.writer.save(stock, unreadable, {
      pass: 1,
      seenSince: 0,
      askedAt: nowMs,
      place: { kind: 'full', first: 0 },
    });
    repository.saveProgress(stock, {
      ...noProgress,
      lastPass: 1,
      completeAsOf,
      changesAt: completeAsOf,
      listedAt: completeAsOf === null ? null : nowMs - 9 * 3_600_000,
      refused: told?.refused ?? null,
    });
  }
}

/** Each product as it was listed once and as it is now, and how far the copy of its stock has got. */
async function keepListing(path: string, products: readonly SceneProduct[], scene: Scene): Promise<void> {
  const { state, nowMs } = scene;
  let now = nowMs;
  const { repository } = await openCatalogueRepository({
    path,
    fingerprint,
    stockIds: stockIdsOf(scene),
    now: () => now,
  });
  repository.transaction(() => {
    for (const stock of repository.stocks()) {
      const save = (product: Pick<SceneProduct, 'productId' | 'listing'>, askedAt: number, at: number): void => {
        now = at;
        repository.writer.save(stock, elementOf(product), { pass: 1, seenSince: 0, askedAt });
      };
      for (const { stockId, before, ...product } of products) {
        if (stockId === stock.stockId) {
          const { until = nowMs, ...other } = before ?? {};
          const first = { ...product, listing: { ...product.listing, ...other } };
          save(first, nowMs - 30 * dayMs, nowMs - 30 * dayMs);
          save(product, product.askedAt, until);
        }
      }
      repository.nameStock(stock, stockNames[stock.stockId] ?? '');
    }
    keepProgress(repository, state.catalogue, nowMs);
  });
  repository.close();
}

/** What `couponOf` asks: one product's is on, and what was asked for since waits. */
function scriptedCoupons() {
  const asked = new Map<Id, boolean>();
  return {
    note: (productId: Id, isEnabled: boolean): void => void asked.set(productId, isEnabled),
    open: {
      owner: () => ({ platform: fingerprint, companyId: '4821' as Id, email: 'ana@example.com' }),
      target: null,
      sharedCoupons: null,
      sendsFor: () => true,
      coupons: { confirmed: (_target: unknown, productId: Id) => productId === '101' },
      queueRepository: {
        knownOwnerId: () => 1,
        openOfProduct: (_owner: number, productId: Id) => {
          const isEnabled = asked.get(productId);
          return isEnabled === undefined
            ? undefined
            : { state: 'pending', is_enabled: Number(isEnabled), request_id: null, failure: null };
        },
        openOfOther: () => undefined,
        underWay: () => null,
      },
    },
  };
}

function keptMinima({ minima = {} }: Scene) {
  const kept = new Map(Object.entries(minima));
  const keyOf = ({ stockId, productId }: ProductPlace): string => `${stockId} ${productId}`;
  return {
    list: () =>
      [...kept].map(([key, minimum]) => {
        const [stockId, productId] = key.split(' ') as [Id, Id];
        return { stockId, productId, minimum };
      }),
    set: (changes: readonly WatchedMinimum[]) => {
      for (const { minimum, ...place } of changes) {
        if (minimum === null) kept.delete(keyOf(place));
        else kept.set(keyOf(place), minimum);
      }
    },
  };
}

/** Files of copies: most scenes have the same, and it takes ten times as long to write one anew. */
const written = new Map<string, Buffer>();

/** Opens the copy of a scene in a new file; nothing is copied by itself. */
export async function openSceneCopy(
  path: string,
  clock: Clock,
  scene: Scene,
  watched?: (list: 'watched' | 'below') => readonly ProductPlace[],
): Promise<Catalogue> {
  const products = listingOf(scene);
  const key = JSON.stringify([scene.nowMs, scene.stockRows, scene.state.catalogue]);
  const known = written.get(key);
  if (known === undefined) {
    await keepListing(path, products, scene);
    written.set(key, readFileSync(path));
  } else {
    writeFileSync(path, known);
  }
  return openCatalogue({
    path,
    fingerprint,
    stockIds: stockIdsOf(scene),
    clock,
    random: createNodeRandom(),
    client: scriptedPlatform(products, scene),
    planning: {
      quietHours: () => ({ from: 22, to: 6 }),
      offsetMinutes: () => -180,
      perMinute: () => 60,
      forecastMs: () => 0,
    },
    ...(watched === undefined ? {} : { watched }),
    scaleLayouts: () => readLayouts(scene.state.scaleLayouts),
    log: () => undefined,
    onRebuilt: () => undefined,
  });
}

const rowOf = ({ stockId, productId, listing: { code, name, unit, balance }, askedAt }: SceneProduct) => ({
  stockId,
  stockName: stockNames[stockId] ?? null,
  productId,
  code,
  name,
  unit,
  balance: balance === null ? unknownFigure : { amount: balance, asOf: askedAt, source: 'listing' as const },
  turnedAt: null,
});

/** Pages of a table that is too long to be written for one test. */
function pagesOf(
  products: readonly SceneProduct[],
  { stockRows = 40, nowMs }: Scene,
): Partial<Pick<Catalogue, 'page'>> {
  if (stockRows <= maxWritten) {
    return {};
  }
  return {
    page: ({ offset, limit }) => {
      const places = Array.from({ length: Math.max(0, Math.min(limit, stockRows - offset)) }, (_, row) => offset + row);
      const rows = places.map((place) => rowOf(products[place] ?? exampleOf(place, nowMs)));
      return Promise.resolve(succeed({ view: 1, total: stockRows, found: stockRows, isWhole: true, rows }));
    },
  };
}

/** Opens them in this folder. */
export async function openSceneCatalogue(
  folder: string,
  sceneClock: Clock,
  scene: Scene,
  { emit, switchCoupon, now }: Pick<SceneTerminal, 'emit' | 'switchCoupon' | 'now'>,
): Promise<ScenePart> {
  const path = join(folder, 'catalogue.db');
  let asking = 0;
  const clock = { ...sceneClock, now: () => (asking > 0 ? now() : sceneClock.now()) };
  const catalogue = await openSceneCopy(path, clock, scene, (list) => watchList.places(list));
  const watchList = openWatchList({
    minima: keptMinima(scene),
    clock,
    figureOf: (place) => catalogue.figure(place),
    onChange: () => undefined,
  });
  watchList.noteAll();
  const coupons = scriptedCoupons();
  const labelChoices = { list: () => [], find: () => null, keep: () => undefined, forget: () => undefined };
  const shown = { ...catalogue, ...pagesOf(listingOf(scene), scene) };
  const open = { ...coupons.open, catalogue: shown, watchList, labelChoices, pause: () => Promise.resolve(true) };
  const workspace = open as unknown as Workspace;
  const withOpen: WithOpen<Workspace> = (action) => Promise.resolve(action(workspace));
  const cards = createShownCards(
    () => workspace,
    () => undefined,
  );
  const ofCards = createCardHandlers(withOpen, cards, clock, () => false);
  const ofWatchList = createWatchListHandlers(withOpen);
  return {
    handlers: {
      ...createCatalogueHandlers(withOpen),
      ...ofCards,
      ...ofWatchList,
      // What is asked for comes now, whatever the scene's moment.
      'product:refresh': async (input) => {
        asking += 1;
        const answer = await ofCards['product:refresh'](input);
        asking -= 1;
        return answer;
      },
      'watchList:set': async (input) => {
        const kept = await ofWatchList['watchList:set'](input);
        cards.emitChanged((card) => emit('product:changed', card));
        return kept;
      },
      'coupon:switch': async (input) => {
        const switched = await switchCoupon(input);
        if (switched.ok) coupons.note(input.productId, input.isEnabled);
        return switched;
      },
    },
    follow: async ({ catalogue: told }) => {
      const stockIds = stockIdsOf(scene);
      const { repository } = await openCatalogueRepository({ path, fingerprint, stockIds, now: clock.now });
      repository.transaction(() => keepProgress(repository, told, scene.nowMs));
      repository.close();
    },
    close: async () => {
      watchList.close();
      catalogue.close();
      await catalogue.released();
    },
  };
}
