import { everyProduct } from '../../../app/contract/every-product.ts';
import { stockLists, stockOrders } from '../../../app/contract/limits/browse.ts';
import { expirySpans } from '../../../app/contract/limits/expiring.ts';
import { pinAt } from './call-memory.ts';
import { type CallRows, nothing } from './call-row.ts';
import { shopOf, some, someProduct, someStock, somePage, someText } from './draws.ts';

const found = {
  names: ['found', 'several', 'unknown', 'notCopied', 'unreadable'],
  of: ({ kind }: { readonly kind: string }): string => kind,
};
const isEmpty = {
  names: ['some', 'none'],
  of: (list: readonly unknown[]): string => (list.length === 0 ? 'none' : 'some'),
};

const noScale = 'no product of this world is weighed';
const noScales = { found: noScale, several: noScale, unknown: noScale, notCopied: noScale, unreadable: noScale };

/** Scans, searches, cards, the stock table, what expires, minimums, and what a customer is told. */
export const lookupRows = {
  'lookup:find': {
    weight: 3,
    draw: (world) => ({
      text: someText(world),
      source: world.random.pick(['scan', 'typed', 'program'] as const),
      ...(world.random.chance(0.2) ? { isAgain: true } : {}),
    }),
    successes: found,
  },
  'lookup:choose': {
    weight: 0.7,
    draw: (world) => ({
      text: world.random.chance(0.5) ? '2001230012345' : someText(world),
      productId: someProduct(world),
    }),
    successes: found,
    failures: ['notFoundHere'],
    unseen: noScales,
  },
  'labelChoice:list': { weight: 0.7, draw: nothing, successes: isEmpty, unseen: { some: noScales.found } },
  'labelChoice:forget': { weight: 0.7, draw: () => ({ layout: '2CCCCCTTTTTTV', item: '00123' }) },
  'lookup:ask': {
    weight: 0.5,
    draw: (world) => ({ text: someText(world) }),
    successes: found,
    asksPlatform: true,
    note: ({ evidence, nowMs }) => {
      evidence.copy.asked.push(nowMs());
      return undefined;
    },
  },
  'lookup:search': {
    weight: 1,
    draw: (world) => ({ text: someText(world), limit: world.random.pick([1, 8, 50]) }),
    successes: isEmpty,
  },
  'lookup:findSimilar': {
    weight: 1,
    draw: (world) => ({ text: world.random.chance(0.5) ? 'Prodcut' : someText(world) }),
    successes: isEmpty,
    failures: ['cancelled'],
    unseen: { cancelled: 'a copy of some hundred products is walked through before the next lookup can come' },
  },
  'lookup:withdraw': { weight: 1, draw: (world) => ({ text: someText(world) }) },
  'lookup:listRecent': { weight: 1, draw: nothing, successes: isEmpty },
  'product:read': {
    weight: 1.5,
    draw: (world) => ({
      stockId: someStock(world),
      productId: someProduct(world),
      ...(world.random.chance(0.3) ? { isOpened: true } : {}),
    }),
    failures: ['notFoundHere'],
  },
  'product:readMany': {
    weight: 1,
    draw: (world) => ({
      places: Array.from({ length: world.random.pick([1, 3, 100]) }, () => ({
        stockId: someStock(world),
        productId: someProduct(world),
      })),
    }),
  },
  'product:refresh': {
    weight: 0.5,
    draw: (world) => ({ stockId: someStock(world), productId: someProduct(world) }),
    asksPlatform: true,
    failures: ['notFoundHere'],
  },
  'product:readMovements': {
    weight: 0.6,
    draw: (world) => ({ stockId: someStock(world), productId: someProduct(world), optionIds: [] }),
    asksPlatform: true,
  },
  'product:readBatches': {
    weight: 0.6,
    draw: (world) => ({ stockId: someStock(world), productId: someProduct(world), optionIds: [] }),
    asksPlatform: true,
    note: ({ evidence, nowMs }, { productId }) => {
      evidence.copy.opened.push({ atMs: nowMs(), productId });
      return undefined;
    },
  },
  'product:readKept': {
    weight: 2.5,
    draw: (world) => ({ stockId: someStock(world), productId: someProduct(world) }),
    successes: {
      names: ['kept', 'none'],
      of: ({ movements, batches }) => (movements === null && batches === null ? 'none' : 'kept'),
    },
  },
  'stock:browse': {
    weight: 1,
    draw: (world) => {
      const { random, memory, wallMs } = world;
      return {
        query: {
          ...everyProduct,
          list: random.pick(stockLists),
          stockId: random.chance(0.3) ? someStock(world) : null,
          amount: random.pick(['all', 'positive', 'negative', 'zero'] as const),
          orderBy: random.pick(stockOrders),
          direction: random.pick(['asc', 'desc'] as const),
          term: random.pick(['', '', 'pro', '1']),
          updatedFrom: random.chance(0.2) ? wallMs() - 600_000 : null,
        },
        ...somePage(world),
        ...(memory.views.stock === undefined || random.chance(0.5) ? {} : { view: memory.views.stock }),
      };
    },
    note:
      ({ memory }) =>
      (answer) => {
        memory.views.stock = answer?.ok === true ? answer.value.view : undefined;
      },
  },
  'stock:export': {
    weight: 1,
    draw: ({ random, memory }) => {
      const { export: view } = memory.views;
      return view === undefined
        ? { query: everyProduct, after: 0 }
        : { query: everyProduct, after: random.pick([0, 100]), view: random.chance(0.2) ? view + 1000 : view };
    },
    failures: ['cancelled'],
    note:
      ({ memory }) =>
      (answer) => {
        memory.views.export = answer?.ok === true ? answer.value.view : undefined;
      },
  },
  'expiring:list': {
    weight: 1,
    draw: (world) => ({
      span: world.random.pick(expirySpans),
      term: world.random.pick(['', '', 'pro']),
      ...somePage(world),
    }),
  },
  'expiring:readCoverage': { weight: 1, draw: nothing },
  'station:find': {
    weight: 2,
    draw: (world) => ({ text: someText(world) }),
    successes: { names: ['found', 'askUs'], of: ({ kind }) => kind },
    failures: ['notReady'],
  },
  'station:leave': {
    weight: 1,
    draw: ({ memory, random, state }) => ({ pin: random.chance(0.3) ? pinAt(memory, state.mode) : '0000' }),
    failures: ['notReady', 'pinWrong', 'pinWaits'],
    moves: true,
  },
  'watchList:set': {
    weight: 1,
    draw: (world) => ({
      minima: some(world, shopOf(world).stock.productIds, 5).map(() => ({
        stockId: someStock(world),
        productId: someProduct(world),
        minimum: world.random.pick([1, 0.5, 40, null]),
      })),
    }),
    successes: { names: ['kept', 'none'], of: ({ kept }) => (kept === 0 ? 'none' : 'kept') },
  },
  'watchList:match': {
    weight: 1,
    draw: (world) => ({ stockId: someStock(world), codes: ['1', ...some(world, shopOf(world).stock.barcodes(), 4)] }),
    failures: ['notFoundHere', 'inputInvalid'],
    unseen: { notFoundHere: 'matched to nothing instead', inputInvalid: 'matched to nothing instead' },
  },
  'platformCheck:start': { weight: 0.3, draw: nothing, needsShop: true },
  'platformCheck:stop': { weight: 0.3, draw: nothing },
  'platformCheck:read': {
    weight: 1,
    draw: ({ random }) => ({ language: random.pick(['en', 'es', 'pt-BR']) }),
    successes: { names: ['none', 'running', 'failed', 'ended'], of: ({ state }) => state },
    needsShop: true,
  },
  'rateLimit:read': { weight: 1, draw: nothing },
  'catalogue:readAge': { weight: 1, draw: nothing },
  'catalogue:listFields': {
    weight: 1,
    draw: nothing,
    failures: ['cancelled'],
    unseen: { cancelled: 'the copy is small' },
  },
  'catalogue:copy': { weight: 0.2, draw: nothing },
} satisfies CallRows<
  | 'labelChoice'
  | 'lookup'
  | 'product'
  | 'stock'
  | 'expiring'
  | 'station'
  | 'watchList'
  | 'platformCheck'
  | 'rateLimit'
  | 'catalogue'
>;
