// Owns the catalogue's part of the bench: it fills a store with made-up products and measures lookup, search, start, writing, memory
// and size, beside a plain Map over the same products. Prints nothing: the bench that calls it does. Never touches the network.
import { rmSync, statSync } from 'node:fs';
import { openLookup } from '../../app/catalogue/lookup.ts';
import { noProgress } from '../../app/catalogue/progress.ts';
import { openCatalogueStore, type CatalogueStore } from '../../app/catalogue/store.ts';
import { checkDigitOf } from '../../app/domain/barcode.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import { writeJson } from '../../app/domain/json.ts';
import { readLayouts, usualLayouts } from '../../app/domain/scale-label.ts';
import type { PlatformClient } from '../../app/platform/client.ts';

export interface Spread {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

export interface CatalogueFigures {
  readonly products: number;
  /** Exact barcode to a whole card, in the store. */
  readonly lookup: Spread;
  /** The same barcode through the whole lookup, cleaning and remembering it included. */
  readonly find: Spread;
  /** A barcode that nobody has. */
  readonly miss: Spread;
  /** As typed, character by character, to twenty hits. */
  readonly search: Spread;
  /** One page of a hundred products written, in a full listing. */
  readonly writePage: Spread;
  /** The same page once more, unchanged. */
  readonly rewritePage: Spread;
  readonly openToFirstAnswerMs: number;
  /** Resident memory after opening and a thousand answers, over that of an empty store; NaN without `--expose-gc`. */
  readonly memoryOverEmptyBytes: number;
  readonly bytesPerProductBeyondRaw: number;
  readonly rawBytesPerProduct: number;
}

export interface MapFigures {
  readonly products: number;
  readonly lookup: Spread;
  readonly buildMs: number;
  readonly memoryBytes: number;
}

const stockId = idOf(1n);
const goods = ['Café torrado', 'Arroz agulhinha', 'Feijão carioca', 'Açúcar refinado', 'Óleo de soja', 'Leite integral', 'Pão francês', 'Água sem gás', 'Sabão em pó', 'Caneta azul', 'Parafuso sextavado', 'Camiseta básica'];
const kinds = ['tradicional', 'extra forte', 'orgânico', 'light', 'premium', 'econômico', 'família', 'infantil', 'da casa', 'artesanal'];
const packs = ['100 g', '250 g', '500 g', '1 kg', '2 kg', '5 kg', '350 ml', '1 L', '2 L', 'cx 12', 'cx 24', 'un'];

function idOf(value: bigint): Id {
  const id = parseId(value);
  if (id === null) {
    throw new RangeError(String(value));
  }
  return id;
}

/** The barcode of the bench's product at a place, a valid EAN-13 of GS1's demonstration prefix. */
export function benchBarcode(place: number): string {
  const body = `952${String((place * 618_033_989) % 1_000_000_000).padStart(9, '0')}`;
  return body + checkDigitOf(body);
}

/** The bench's product at a place, as an element of a listing. */
export function benchElement(place: number): Record<string, unknown> {
  return {
    id: 1_000_000 + place,
    name: `${goods[place % goods.length]} ${kinds[Math.floor(place / 12) % kinds.length]} ${packs[Math.floor(place / 120) % packs.length]} ${Math.floor(place / 1440)}`,
    code: String(place).padStart(7, '0'),
    barcode: benchBarcode(place),
    unit_of_measure: { id: 3, code: 'UNID', name: 'Unidade' },
    balance: ((place * 7) % 500) - 20,
    price: 100 + (place % 9_000),
    is_active: true,
    updated_at: '2026-01-05T12:00:00-03:00',
    category: { id: place % 40, name: `Seção ${place % 40}` },
  };
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: sorted.at(-1) ?? Number.NaN };
}

function measure(rounds: number, action: (round: number) => unknown): Spread {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    const answer = action(round);
    times.push(performance.now() - from);
    if (answer === undefined) {
      throw new Error(`round ${round} found nothing`);
    }
  }
  return spreadOf(times);
}

/** A place among the products that looks like chance and is the same in every run. */
function placeAt(round: number, products: number): number {
  return (round * 7_919 + 13) % products;
}

function residentBytes(): number {
  globalThis.gc?.();
  return globalThis.gc === undefined ? Number.NaN : process.memoryUsage().rss;
}

async function open(path: string): Promise<CatalogueStore> {
  const { store } = await openCatalogueStore({ path, fingerprint: 'bench', stockIds: [stockId], now: 0 });
  return store;
}

function stockOf(store: CatalogueStore): ReturnType<CatalogueStore['stocks']>[number] {
  const [stock] = store.stocks();
  if (stock === undefined) {
    throw new Error('the store has no stock');
  }
  return stock;
}

/** Fills a new store at this path with products, in pages of a hundred, and answers how long pages took. */
export async function fillStore(path: string, products: number): Promise<{ readonly writePage: Spread; readonly rewritePage: Spread; readonly rawBytes: number }> {
  deleteStore(path);
  const store = await open(path);
  const stock = stockOf(store);
  let rawBytes = 0;
  const times: number[] = [];
  const page = (offset: number): unknown[] => Array.from({ length: Math.min(100, products - offset) }, (_, index) => benchElement(offset + index));
  for (let offset = 0; offset < products; offset += 100) {
    const elements = page(offset);
    rawBytes += elements.reduce<number>((sum, element) => sum + Buffer.byteLength(writeJson(element)), 0);
    const from = performance.now();
    store.writer.save(stock, elements, { pass: 1, seenSince: 1, askedAt: 1 });
    times.push(performance.now() - from);
  }
  const rewritePage = measure(Math.min(100, Math.ceil(products / 100)), (round) => store.writer.save(stock, page(round * 100), { pass: 2, seenSince: 2, askedAt: 2 }));
  store.saveProgress(stock, { ...noProgress, lastPass: 2, total: products, completeAsOf: 1 });
  store.close();
  return { writePage: spreadOf(times), rewritePage, rawBytes };
}

/** Removes a store and what lies beside it. */
export function deleteStore(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(path + suffix, { force: true });
  }
}

const typed = ['cafe', 'café torrado', 'arroz premium', 'leite int', 'par', 'a', 'ag', 'oleo 350', 'camiseta basica un', 'sabao 500', '0001', 'z', 'premium 1 kg', 'da casa agua'];

function typings(): string[] {
  return typed.flatMap((text) => Array.from(text, (_last, place) => text.slice(0, place + 1)));
}

/** Measures a store of this many products at a path that the bench may write to. Run with `--expose-gc` for the memory. */
export async function measureCatalogue(path: string, products: number): Promise<CatalogueFigures> {
  const filled = await fillStore(path, products);
  const size = statSync(path).size;

  const emptyPath = `${path}.empty`;
  deleteStore(emptyPath);
  const empty = await open(emptyPath);
  const before = residentBytes();
  const openedAt = performance.now();
  const layouts = readLayouts(usualLayouts);
  const store = await open(path);
  const lookup = openLookup({
    store,
    // The lookup asks nobody here.
    client: {} as PlatformClient,
    clock: { now: () => 1, uptimeMs: () => 1, after: () => ({ cancel: () => undefined }) },
    completeAt: () => null,
    scaleLayouts: () => layouts,
    onStored: () => undefined,
  });
  const first = lookup.find(benchBarcode(placeAt(1, products)), 'scan');
  const openToFirstAnswerMs = performance.now() - openedAt;
  if (first.kind !== 'found') {
    throw new Error('the first answer is a miss');
  }
  const barcodeLookup = (round: number): unknown => store.reader.card(store.reader.findByBarcode(benchBarcode(placeAt(round, products)))[0] ?? 0) ?? undefined;
  measure(1_000, barcodeLookup);
  const memoryOverEmptyBytes = residentBytes() - before;
  const lookupSpread = measure(20_000, barcodeLookup);
  const find = measure(5_000, (round) => {
    const answer = lookup.find(benchBarcode(placeAt(round, products)), 'scan');
    return answer.kind === 'found' ? answer : undefined;
  });
  const miss = measure(5_000, (round) => store.reader.findByBarcode(`2${String(round).padStart(6, '0')}`));
  const texts = typings();
  const search = measure(5 * texts.length, (round) => lookup.search(texts[round % texts.length] ?? '', 20));
  store.close();
  empty.close();
  deleteStore(emptyPath);
  return {
    products,
    lookup: lookupSpread,
    find,
    miss,
    search,
    writePage: filled.writePage,
    rewritePage: filled.rewritePage,
    openToFirstAnswerMs,
    memoryOverEmptyBytes,
    bytesPerProductBeyondRaw: (size - filled.rawBytes) / products,
    rawBytesPerProduct: filled.rawBytes / products,
  };
}

/** The peer: the same products in a plain Map by barcode, which has to be loaded before its first answer and holds them all in memory. */
export function measureMap(products: number): MapFigures {
  const before = residentBytes();
  const texts = Array.from({ length: products }, (_, place) => writeJson(benchElement(place)));
  const from = performance.now();
  const map = new Map(texts.map((text) => JSON.parse(text) as Record<string, unknown>).map((element) => [element['barcode'], element]));
  const buildMs = performance.now() - from;
  texts.length = 0;
  const memoryBytes = residentBytes() - before;
  const lookup = measure(20_000, (round) => map.get(benchBarcode(placeAt(round, products))));
  return { products, lookup, buildMs, memoryBytes };
}
