import { broken, equals, hasShape, isRefused, refusalOf, untold, type Check, type Complaint } from '../check.ts';
import { ascends, fieldsOf, listSchema, readListing, type Element, type Listing } from '../listed.ts';
import { at, type Exchange, type Probe } from '../probe.ts';
import type { Reason } from '../words.ts';

type Query = Readonly<Record<string, string>>;
type Verdict = Complaint | null;

const largest = 100;
const smallPage = '7';
const byCode = { order_by_field: 'code', order_by_type: 'asc', per_page: String(largest) };
const nonsense = 'zqxj-no-such-product-zqxj';
const tomorrow = '2999-12-31T00:00:00+00:00';

/** The first page of the whole stock, by code: asked for once, and what the others are compared with. */
export async function readFirst(probe: Probe): Promise<Listing | null> {
  return readListing(await probe.list(byCode));
}

interface Seen {
  readonly probe: Probe;
  readonly base: Listing;
  readonly listing: Listing;
  readonly exchange: Exchange;
}

/** Asks for a listing and judges it beside the first page; `query` answers why there is nothing to ask. */
function listing(
  id: string,
  query: (base: Listing) => Query | Reason['key'],
  judge: (seen: Seen) => Verdict | Promise<Verdict>,
): Check {
  return {
    id,
    isMoving: true,
    judge: async (probe) => {
      const base = await readFirst(probe);
      if (base === null) return untold('listing');
      const asked = query(base);
      if (typeof asked === 'string') return untold(asked);
      const exchange = await probe.list(asked);
      const read = readListing(exchange);
      return read === null ? hasShape(exchange, listSchema) : judge({ probe, base, listing: read, exchange });
    },
  };
}

const meta = ({ json }: Exchange, name: string): number => Number(at(json, 'meta', name));
const idsOf = (elements: readonly Element[]): readonly string[] => elements.map(({ id }) => id);

/** What is wrong with the envelope of a page. */
function judgeMeta({ listing: { elements, total, lastPage }, exchange }: Seen, page: number, size: number): Verdict {
  const least = Math.ceil(total / size);
  const rest = Math.max(0, Math.min(size, total - (page - 1) * size));
  return (
    equals(exchange, 'meta.current_page', meta(exchange, 'current_page'), page) ??
    equals(exchange, 'meta.per_page', meta(exchange, 'per_page'), size) ??
    (total === 0 && lastPage === 1 ? null : equals(exchange, 'meta.last_page', lastPage, least)) ??
    equals(exchange, 'data.stock_products.length', elements.length, rest)
  );
}

/** Every element is one that the filter asks for. */
function allFit({ listing: { elements }, exchange }: Seen, fits: (element: Element) => boolean): Verdict {
  const stray = elements.find((element) => !fits(element));
  return stray === undefined ? null : broken(exchange, 'filter', { got: stray.id.slice(0, 80) });
}

/** The last elements one way are the first ones the other way. */
async function judgeReverse(seen: Seen, order: Query): Promise<Verdict> {
  const { probe, base } = seen;
  const exchange = await probe.list({ ...byCode, ...order, page: String(Math.max(1, base.lastPage)) });
  const end = readListing(exchange)?.elements ?? [];
  return equals(exchange, 'order', idsOf(end).toReversed(), idsOf(base.elements.slice(0, end.length)));
}

function judgeOrder({ listing: { elements }, exchange }: Seen, field: 'code' | 'name'): Verdict {
  const isAscending = ascends(elements.map((element) => element[field]));
  if (isAscending === null) return untold('noField', { field });
  return isAscending ? null : broken(exchange, 'order', { field });
}

async function judgeAmounts({ probe, base, exchange }: Seen): Promise<Verdict> {
  const signs = { positive: 1, negative: -1, zero: 0 } as const;
  let sum = 0;
  for (const [amount, sign] of Object.entries(signs)) {
    const filtered = await probe.list({ ...byCode, amount_in_stock: amount });
    const read = readListing(filtered);
    if (read === null) return hasShape(filtered, listSchema);
    const stray = read.elements.find((one) => one.amount !== null && Math.sign(one.amount) !== sign);
    if (stray !== undefined) return broken(filtered, 'filter', { got: `${stray.id}: ${stray.amount}` });
    sum += read.total;
  }
  probe.note('4.3:zero', sum === base.total ? 'everyZero' : 'noMovements');
  const got = `positive + negative + zero = ${sum}`;
  return sum > base.total ? broken(exchange, 'value', { what: 'meta.total', got, expected: `≤ ${base.total}` }) : null;
}

async function noteDefaultOrder({ probe, listing: { elements } }: Seen): Promise<void> {
  const ids = idsOf(elements);
  const isById = ids.every((id, place) => place === 0 || Number(id) < Number(ids[place - 1]));
  const isBy = async (field: string): Promise<boolean> => {
    const ordered = readListing(await probe.list({ ...byCode, order_by_field: field, order_by_type: 'desc' }));
    return ids.every((id, place) => id === ordered?.elements[place]?.id);
  };
  const orders = [isById ? 'id' : '', (await isBy('code')) ? 'code' : '', (await isBy('name')) ? 'name' : ''];
  probe.note('4.3:default-order', orders.filter((order) => order !== '').join(', ') || 'other');
}

/** Whether a product is found by the middle of a code of its, and by the middle of a word of its name. */
async function noteTerm(probe: Probe, { elements }: Listing): Promise<void> {
  const code = elements.flatMap((one) => [...one.barcodes, one.code ?? '']).find((text) => text.length >= 6);
  const word = elements.map(({ name }) => /[a-z]{6,}/i.exec(name ?? '')?.[0]).find((one) => one !== undefined);
  for (const [reading, text] of [
    ['4.3:term-of-code', code?.slice(2, -2)],
    ['4.3:term-of-word', word?.slice(1, -1)],
  ] as const) {
    const found = text === undefined ? null : readListing(await probe.list({ ...byCode, term: text }));
    if (found !== null) probe.note(reading, found.total > 0 ? 'found' : 'notFound');
  }
}

/** What is later is no moment that can be asked for. */
const latest = Date.UTC(9999, 0);

/** When an element of these changed last, in milliseconds; NaN where none says. */
function newestOf({ elements }: Listing): number {
  const moments = elements
    .map(({ updatedAt }) => Date.parse(updatedAt ?? ''))
    .filter((moment) => Math.abs(moment) < latest);
  return moments.length === 0 ? Number.NaN : Math.max(...moments);
}

/** What has changed since then, asked for as a store so many hours east of UTC writes it. */
function changedSince(base: Listing, hours: number): Query | 'noUpdatedAt' {
  const newest = newestOf(base);
  if (Number.isNaN(newest)) return 'noUpdatedAt';
  const local = new Date(newest + hours * 3_600_000).toISOString().slice(0, 19);
  return { ...byCode, updated_from: `${local}+${String(hours).padStart(2, '0')}:00` };
}

export const listingChecks: readonly Check[] = [
  {
    id: '4.3:shape',
    judge: async (probe) => {
      const exchange = await probe.list(byCode);
      const first = readListing(exchange)?.elements[0];
      if (first !== undefined) probe.note('2:element-fields', fieldsOf(first.raw));
      return hasShape(exchange, listSchema);
    },
  },
  listing(
    '2:meta',
    () => byCode,
    (seen) => judgeMeta(seen, 1, largest),
  ),
  listing(
    '4.3:defaults',
    () => ({}),
    async (seen) => {
      await noteDefaultOrder(seen);
      return judgeMeta(seen, 1, 30);
    },
  ),
  listing(
    '4.3:per-page',
    () => ({ ...byCode, per_page: smallPage }),
    (seen) => judgeMeta(seen, 1, Number(smallPage)),
  ),
  listing(
    '4.3:page',
    ({ total }) => (total > Number(smallPage) ? { ...byCode, per_page: smallPage, page: '2' } : 'fewProducts'),
    (seen) => {
      const before = new Set(idsOf(seen.base.elements.slice(0, Number(smallPage))));
      return judgeMeta(seen, 2, Number(smallPage)) ?? allFit(seen, ({ id }) => !before.has(id));
    },
  ),
  listing(
    '2:last-page',
    ({ lastPage }) => ({ ...byCode, page: String(Math.max(1, lastPage)) }),
    (seen) => judgeMeta(seen, Math.max(1, seen.base.lastPage), largest),
  ),
  {
    id: '2:page-beyond',
    isMoving: true,
    judge: async (probe) => {
      const base = await readFirst(probe);
      if (base === null) return untold('listing');
      const exchange = await probe.list({ ...byCode, page: String(base.lastPage + 2) });
      const elements = readListing(exchange)?.elements;
      probe.note('2:page-beyond', elements === undefined ? refusalOf(exchange) : 'empty');
      if (elements === undefined) return isRefused(exchange, [404, 422, 400]);
      return elements.length === 0 ? null : equals(exchange, 'data.stock_products.length', elements.length, 0);
    },
  },
  listing(
    '2:once',
    () => byCode,
    ({ listing: { elements }, exchange }) =>
      equals(exchange, 'data.stock_products', elements.length - new Set(idsOf(elements)).size, 0),
  ),
  listing(
    '4.3:order-code',
    () => byCode,
    (seen) => judgeOrder(seen, 'code'),
  ),
  listing(
    '4.3:order-name',
    () => ({ ...byCode, order_by_field: 'name' }),
    (seen) => judgeOrder(seen, 'name'),
  ),
  listing(
    '4.3:descending',
    () => byCode,
    (seen) => judgeReverse(seen, { order_by_type: 'desc' }),
  ),
  listing(
    '4.3:default-direction',
    ({ lastPage }) => ({ order_by_field: 'code', per_page: '100', page: String(Math.max(1, lastPage)) }),
    ({ base, listing: { elements }, exchange }) =>
      equals(exchange, 'order', idsOf(elements).toReversed(), idsOf(base.elements.slice(0, elements.length))),
  ),
  listing(
    '4.3:term',
    ({ elements: [first] }) =>
      first === undefined ? 'fewProducts' : { ...byCode, term: first.code ?? first.name ?? nonsense },
    async ({ probe, base, listing: { elements, total }, exchange }) => {
      await noteTerm(probe, base);
      // More than a page may hold what was looked for.
      return total > largest || elements.some(({ id }) => id === base.elements[0]?.id)
        ? null
        : broken(exchange, 'notFound', { got: base.elements[0]?.id.slice(0, 80) ?? '' });
    },
  ),
  listing(
    '4.3:term-nothing',
    () => ({ ...byCode, term: nonsense }),
    (seen) => {
      seen.probe.note('2:empty-last-page', String(seen.listing.lastPage));
      return equals(seen.exchange, 'meta.total', seen.listing.total, 0) ?? judgeMeta(seen, 1, largest);
    },
  ),
  listing(
    '4.3:product-ids',
    ({ elements }) => {
      const some = elements.filter(({ hasId }) => hasId).slice(0, 2);
      return some.length < 2 ? 'fewProducts' : { ...byCode, product_ids: idsOf(some).join(',') };
    },
    (seen) =>
      equals(
        seen.exchange,
        'data.stock_products',
        idsOf(seen.listing.elements).toSorted(),
        idsOf(seen.base.elements.filter(({ hasId }) => hasId).slice(0, 2)).toSorted(),
      ),
  ),
  listing(
    '4.3:amount-all',
    () => ({ ...byCode, amount_in_stock: 'all' }),
    ({ base, listing: { total }, exchange }) => equals(exchange, 'meta.total', total, base.total),
  ),
  listing('4.3:amounts', () => byCode, judgeAmounts),
  listing(
    '4.3:updated-from-later',
    () => ({ ...byCode, updated_from: tomorrow }),
    ({ listing: { total }, exchange }) => equals(exchange, 'meta.total', total, 0),
  ),
  listing(
    '4.3:updated-from',
    (base) => changedSince(base, 0),
    (seen) =>
      seen.listing.total === 0
        ? broken(seen.exchange, 'notFound', { got: 'updated_at' })
        : allFit(seen, ({ updatedAt }) => updatedAt === null || Date.parse(updatedAt) >= newestOf(seen.base)),
  ),
  listing(
    '4.3:offset',
    (base) => changedSince(base, 10),
    async ({ probe, base, listing: { total }, exchange }) => {
      const same = changedSince(base, 0);
      const expected = typeof same === 'string' ? null : readListing(await probe.list(same));
      return expected === null ? untold('listing') : equals(exchange, 'meta.total', total, expected.total);
    },
  ),
  ...(
    [
      ['per_page', '0'],
      ['per_page', '101'],
      ['page', '0'],
      ['order_by_field', 'colour'],
      ['order_by_type', 'up'],
      ['product_ids', 'x'],
      ['amount_in_stock', 'some'],
      ['updated_from', 'yesterday'],
    ] as const
  ).map(([name, value]): Check => ({
    id: `4.3:refuses-${name}-${value}`,
    judge: async (probe) => {
      const exchange = await probe.list({ [name]: value });
      probe.note('7:invalid-parameter', refusalOf(exchange));
      return isRefused(exchange, [422, 400]);
    },
  })),
];
