// The referee's assortment: a small made-up stock that changes while it is listed, its listing with paging and filters,
// and balances (API v3 §4.3, §4.4), and the memory of what every product was at any time.
import type { SeededRandom } from '../support/seeded-random.ts';

/** A product as it was from some moment on. */
export interface StockProduct {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly barcode: string;
  readonly balance: number;
  readonly updatedAtMs: number;
}

/** How this platform reads what its document leaves open about listings. */
export interface ListingRules {
  /** The largest page that it grants (API v3 §8 says 100). */
  readonly largestPage: number;
  /** How long a change takes until listings show it; balances show it at once. */
  readonly lagMs: number;
  /** Whether "from this moment" holds the moment itself, or `updated_from` is not heeded at all. */
  readonly updatedFrom: 'inclusive' | 'exclusive' | 'ignored';
  /** Whether a movement of stock counts as an update. */
  readonly salesAreUpdates: boolean;
  /** How far the `Date` header is off. */
  readonly dateOffMs: number;
  /** Without them an element carries no barcode, and `term` finds a product by any part of it. */
  readonly showsBarcodes: boolean;
  /** The status answered instead of a page beyond the last; null for an empty page. */
  readonly beyondEnd: 400 | 404 | 422 | null;
}

/** The trouble with listings for a while; a run sets and clears it. */
interface ListingTrouble {
  /** Products that no listing shows or counts, but for one that asks for them by id. */
  readonly hidden: Set<string>;
  /** A product whose row breaks each page that it is on, from the first time on for so long. */
  broken: { readonly productId: string; readonly forMs: number } | null;
  /** Called once, when the first page of a full listing is answered. */
  onFirstPage: (() => void) | null;
}

export interface RefereeStock {
  readonly showsBarcodes: boolean;
  readonly trouble: ListingTrouble;
  /** The products that are never removed, in the order of their first codes. */
  readonly productIds: readonly string[];
  /** A product's barcode now; empty for one that this stock does not have. */
  barcodeOf(productId: string): string;
  /**
   * The body of API v3 §4.3, or the status that there is instead: 422 when a parameter is out of its bounds,
   * `beyondEnd` for a page that there is not.
   */
  list(query: URLSearchParams, epochMs: number): string | 400 | 404 | 422 | 500;
  /** The body of API v3 §4.4, or null for an unknown product. */
  balance(productId: string, stockId: string): string | null;
  /** API v3 §4.5; null likewise. */
  batches(productId: string): string | null;
  /** Somebody sells one. */
  sell(): void;
  /**
   * Somebody changes the assortment: a product comes, goes or comes back, is renamed, moves in the order, or gets
   * another barcode.
   */
  rearrange(): void;
  /**
   * A product comes that is the first of the listing, or, where a page that is gone is refused, so many that there is a
   * page more; they go again when what is answered is called.
   */
  lead(): () => void;
  /** All that it has now. */
  products(): readonly StockProduct[];
  /** The states of a product, oldest first: null while it was not there. */
  historyOf(productId: string): readonly { readonly fromMs: number; readonly product: StockProduct | null }[];
  /** How many elements of its listing bear no id that anybody could read. */
  strays(): number;
  /** How many products had gone, at least for a time, by this moment. */
  goneBy(timeMs: number): number;
  /** Every barcode that any product ever had. */
  barcodes(): readonly string[];
}

/** As the document says, at once and to the moment. */
export const plainListing: ListingRules = {
  largestPage: 100,
  lagMs: 0,
  updatedFrom: 'inclusive',
  salesAreUpdates: true,
  dateOffMs: 0,
  showsBarcodes: true,
  beyondEnd: null,
};

/** The digits of an EAN-13 with its check digit (GS1 General Specifications §7.9); 952 is for demonstrations. */
function ean13(digits: string): string {
  const sum = digits.split('').reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** So many products come and go, beside those that stay. */
const seasonal = 40;

/** Makes a stock of so many products; those of two stocks with places of their own are never the same. */
export function createRefereeStock(
  nowMs: () => number,
  random: SeededRandom,
  size: number,
  firstPlace = 0,
  rules: ListingRules = plainListing,
): RefereeStock {
  const made = (place: number): StockProduct => ({
    // Beyond 2^53, so that a digit lost anywhere becomes an unknown product.
    id: String(9_007_199_254_740_993n + 2n * BigInt(place)),
    code: `S${String(place).padStart(4, '0')}`,
    name: `Sample product ${String(place)}`,
    barcode: ean13(`952${String(place).padStart(9, '0')}`),
    balance: random.integer(-2, 400),
    updatedAtMs: 0,
  });
  const staying = Array.from({ length: size }, (_, index) => made(firstPlace + index));
  const chance = random.fork('assortment');
  const mending = random.fork('mending');
  // In the order of codes they lie all over the listing.
  const coming = Array.from({ length: seasonal }, (_, index) => ({
    ...made(100_000 + firstPlace + index),
    code: `S${String(firstPlace + chance.integer(0, size - 1)).padStart(4, '0')}-${String(index)}`,
  }));
  /**
   * Elements of a full listing, and some of each for changes, whose id nobody can read: some are told by a code, others
   * by nothing. They are mended by going.
   */
  const strays = Array.from({ length: random.fork('strays').integer(0, 4) }, (_, index) => ({
    code: `S${String(firstPlace + random.fork(`stray ${index}`).integer(0, size - 1)).padStart(4, '0')}-X${index}`,
    text: index % 2 === 0 ? `{"id":"N-${index}","code":"X${index}","balance":$n}` : 'null',
    isRestless: index < 2,
    isMended: false,
  }));
  const histories = new Map<string, { fromMs: number; product: StockProduct | null }[]>(
    staying.map((product) => [product.id, [{ fromMs: Number.NEGATIVE_INFINITY, product }]]),
  );
  const barcodes = new Set(staying.map(({ barcode }) => barcode));
  const trouble: ListingTrouble = { hidden: new Set(), broken: null, onFirstPage: null };
  let brokenSinceMs: number | null = null;
  let spareBarcodes = 0;

  function now(productId: string): StockProduct | null {
    return histories.get(productId)?.at(-1)?.product ?? null;
  }

  function put(productId: string, product: StockProduct | null): void {
    const history = histories.get(productId) ?? [];
    history.push({ fromMs: nowMs(), product });
    histories.set(productId, history);
    if (product !== null) {
      barcodes.add(product.barcode);
    }
  }

  /** All products as they were shown to listings at this moment. */
  function at(timeMs: number): StockProduct[] {
    return [...histories.values()].flatMap(
      (history) => history.findLast(({ fromMs }) => fromMs <= timeMs)?.product ?? [],
    );
  }

  function breaks(productId: string): boolean {
    const { broken } = trouble;
    if (broken?.productId !== productId) {
      return false;
    }
    brokenSinceMs ??= nowMs();
    return nowMs() - brokenSinceMs < broken.forMs;
  }

  function element(product: StockProduct, epochMs: number): string {
    const rest = JSON.stringify({
      code: product.code,
      name: product.name,
      ...(rules.showsBarcodes ? { barcode: product.barcode } : {}),
      unit_of_measure: { code: 'UNID' },
      balance: product.balance,
      updated_at: new Date(epochMs + product.updatedAtMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
    });
    return `{"id":${product.id},${rest.slice(1)}`;
  }

  /** A moment as the platform writes it: in whole seconds. */
  function strayOf({ text }: { readonly text: string }): string {
    return text.replace('$n', String(Math.round(nowMs())));
  }

  function isFrom({ updatedAtMs }: StockProduct, fromMs: number): boolean {
    const second = Math.floor(updatedAtMs / 1000) * 1000;
    return rules.updatedFrom === 'ignored' || (rules.updatedFrom === 'inclusive' ? second >= fromMs : second > fromMs);
  }

  return {
    showsBarcodes: rules.showsBarcodes,
    trouble,
    productIds: staying.map(({ id }) => id),
    barcodeOf: (productId) => now(productId)?.barcode ?? '',
    list: (query, epochMs) => {
      const page = Number(query.get('page') ?? 1);
      const wanted = Number(query.get('per_page') ?? 30);
      const from =
        query.get('updated_from') === null
          ? Number.NEGATIVE_INFINITY
          : Date.parse(query.get('updated_from') ?? '') - epochMs;
      if (
        !Number.isInteger(page) ||
        page < 1 ||
        !Number.isInteger(wanted) ||
        wanted < 1 ||
        wanted > 100 ||
        Number.isNaN(from)
      ) {
        return 422;
      }
      const perPage = Math.min(wanted, rules.largestPage);
      const term = query.get('term');
      const ids = query.get('product_ids')?.split(',');
      const chosen = at(nowMs() - rules.lagMs)
        .filter(({ id }) => ids !== undefined || !trouble.hidden.has(id))
        .filter(
          (product) =>
            (from === Number.NEGATIVE_INFINITY || isFrom(product, from)) &&
            (ids === undefined || ids.includes(product.id)),
        )
        .filter(
          ({ name, code, barcode }) =>
            term === null ||
            name.includes(term) ||
            code === term ||
            (rules.showsBarcodes ? barcode === term : barcode.includes(term)),
        )
        .map((product) => ({ code: product.code, id: product.id, text: element(product, epochMs) }))
        .concat(
          ids !== undefined || term !== null
            ? []
            : strays
                .filter(({ isMended, isRestless }) => !isMended && (isRestless || from === Number.NEGATIVE_INFINITY))
                .map((stray) => ({ code: stray.code, id: '', text: strayOf(stray) })),
        )
        .sort((left, right) => (left.code < right.code ? -1 : 1));
      if (query.get('order_by_type') !== 'asc') {
        chosen.reverse();
      }
      // Where nothing fits a filter, its first page is beyond the last as well, for a platform that does not find it.
      const isFiltered = from !== Number.NEGATIVE_INFINITY || ids !== undefined || term !== null;
      const least = rules.beyondEnd === 404 && isFiltered ? 0 : 1;
      if (rules.beyondEnd !== null && page > Math.max(least, Math.ceil(chosen.length / perPage))) {
        return rules.beyondEnd;
      }
      const onPage = chosen.slice((page - 1) * perPage, page * perPage);
      if (onPage.some(({ id }) => breaks(id))) {
        return 500;
      }
      const shown = onPage.map(({ text }) => text);
      const meta = {
        current_page: page,
        last_page: Math.max(1, Math.ceil(chosen.length / perPage)),
        per_page: perPage,
        total: chosen.length,
      };
      if (page === 1 && from === Number.NEGATIVE_INFINITY && ids === undefined && term === null) {
        trouble.onFirstPage?.();
        trouble.onFirstPage = null;
      }
      return `{"data":{"stock_products":[${shown.join(',')}]},"meta":${JSON.stringify(meta)}}`;
    },
    balance: (productId, stockId) => {
      const product = now(productId);
      if (product === null) {
        return null;
      }
      const { name, code, balance } = product;
      return `{"stock":{"id":${stockId},"name":"Shop floor"},"product":{"id":${productId},"name":"${name}","sku":"${code}","unit_of_measure":{"code":"UNID"}},"balance":${String(balance)},"balance_options":[]}`;
    },
    batches: (productId) =>
      now(productId) === null
        ? null
        : `{"product":{"id":${productId}},"option_names":"","stock_movements":[{"lot":"L1","quantity":3,"expires_at":"2031-01-20"}]}`,
    sell: () => {
      const product = now(random.pick(staying).id);
      if (product !== null) {
        put(product.id, {
          ...product,
          balance: product.balance - 1,
          updatedAtMs: rules.salesAreUpdates ? nowMs() : product.updatedAtMs,
        });
      }
    },
    rearrange: () => {
      const [first] = strays;
      if (first !== undefined && mending.chance(0.1)) {
        first.isMended = !first.isMended;
      }
      const guest = chance.pick(coming);
      const present = now(guest.id);
      const some = now(chance.pick(chance.chance(0.5) ? staying : coming).id);
      const change = (product: StockProduct | null, to: Partial<StockProduct>): void => {
        if (product !== null) {
          put(product.id, { ...product, ...to, updatedAtMs: nowMs() });
        }
      };
      switch (chance.pick(['come', 'come', 'go', 'rename', 'move', 'label'] as const)) {
        case 'come':
          if (present === null) {
            put(guest.id, { ...guest, updatedAtMs: nowMs() });
          }
          break;
        case 'go':
          if (present !== null) {
            put(guest.id, null);
          }
          break;
        case 'rename':
          change(some, { name: `Sample product ${String(chance.integer(1000, 9999))}` });
          break;
        case 'move':
          change(some, {
            code: `S${String(firstPlace + chance.integer(0, size - 1)).padStart(4, '0')}-${String(chance.integer(100, 999))}`,
          });
          break;
        case 'label':
          spareBarcodes += 1;
          change(present, {
            barcode: ean13(`9529${String(firstPlace).padStart(4, '0')}${String(spareBarcodes).padStart(4, '0')}`),
          });
          break;
      }
    },
    lead: () => {
      const pageMore = rules.largestPage - ((at(nowMs()).length - 1) % rules.largestPage);
      const leaders = Array.from({ length: rules.beyondEnd === null ? 1 : pageMore }, (_, index) => ({
        ...made(200_000 + firstPlace + index),
        code: `A${String(index)}`,
      }));
      leaders.forEach((leader) => {
        put(leader.id, { ...leader, updatedAtMs: nowMs() });
      });
      return () => {
        leaders.forEach(({ id }) => {
          put(id, null);
        });
      };
    },
    products: () => [...histories.keys()].flatMap((productId) => now(productId) ?? []),
    historyOf: (productId) => histories.get(productId) ?? [],
    strays: () => strays.filter(({ isMended }) => !isMended).length,
    goneBy: (timeMs) =>
      [...histories.values()].filter((history) =>
        history.some(({ fromMs, product }) => product === null && fromMs <= timeMs),
      ).length,
    barcodes: () => [...barcodes],
  };
}
