import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { openLookup } from '../../app/catalogue/lookup/lookup.ts';
import { openCatalogueRepository } from '../../app/catalogue/repository/repository.ts';
import type { PlatformClient } from '../../app/platform/client.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { stockId, type ProductData } from './fixtures.ts';
import { spreadOf, type Spread } from './statistics.ts';

const lookupsARound = 4_000;
const findsARound = 500;
const namesTyped = 40;
const hits = 20;
const pageBytes = 4096;
/** The key's, the product's and its details'. */
const pagesALookup = 3;

/**
 * `even`: barcode to a whole card, all products equally likely. `zipf`: the same with the n-th product n times as rare as
 * the first. `find`: the whole lookup, cleaning and remembering it included. `pages`: as many pages of the same file as a
 * lookup reads, each anywhere in it, read and not looked at.
 */
const measured = ['even', 'zipf', 'miss', 'find', 'map', 'pages', 'typed', 'adversarial'] as const;
type StoreFigures = Readonly<Record<(typeof measured)[number], Spread>>;

function measure(count: number, action: (round: number) => unknown): number[] {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const from = performance.now();
    const answer = action(round);
    times.push(performance.now() - from);
    if (answer === undefined || answer === null) {
      throw new Error(`lookup ${round} found nothing`);
    }
  }
  return times;
}

/** How long it takes to read so many pages from anywhere in the file, one after the other. */
function measurePages(path: string, fraction: () => number): number[] {
  const file = openSync(path, 'r');
  try {
    const pages = Math.floor(fstatSync(file).size / pageBytes);
    const page = Buffer.alloc(pageBytes);
    return measure(lookupsARound, () => {
      let read = 0;
      for (let count = 0; count < pagesALookup; count += 1) {
        read += readSync(file, page, 0, pageBytes, Math.floor(fraction() * pages) * pageBytes);
      }
      return read;
    });
  } finally {
    closeSync(file);
  }
}

/**
 * The texts that a person types, character by character: names from all over the assortment, codes, and what nobody
 * has.
 */
export function typings(productData: ProductData, round: number): readonly string[] {
  const random = createSeededRandom(`typed ${round}`);
  const names = Array.from({ length: namesTyped }, () => random.pick(productData.scannable).name);
  const codes = Array.from({ length: 10 }, () => String(random.integer(0, productData.count - 1)).padStart(6, '0'));
  return [...names, ...codes, 'zebra azul', 'xyz', 'cafe 9999999'].flatMap((text) =>
    Array.from(text, (_last, place) => text.slice(0, place + 1)),
  );
}

/**
 * The texts that make most work: single letters that every product has, common beginnings with nothing in common, as
 * many words as count.
 */
function slowTexts(productData: ProductData, round: number): readonly string[] {
  const random = createSeededRandom(`slow ${round}`);
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const letter = (): string => random.pick([...letters]);
  const beginning = (length: number): string => random.pick(productData.scannable).name.slice(0, length);
  const many = <Text>(amount: number, text: () => Text): Text[] => Array.from({ length: amount }, text);
  return [
    ...letters,
    ...many(60, () => `${letter()} ${letter()}`),
    ...many(60, () => many(8, letter).join(' ')),
    ...many(60, () => `${beginning(4)} ${beginning(4)}`),
    ...many(60, () => many(8, () => beginning(3)).join(' ')),
    ...many(20, () => many(200, () => beginning(20)).join(' ')),
  ];
}

/** Opens the copy at this path and measures it in rounds. */
export async function measureStore(
  path: string,
  fingerprint: string,
  productData: ProductData,
  rounds: number,
): Promise<StoreFigures> {
  const { repository } = await openCatalogueRepository({
    path,
    fingerprint,
    stockIds: [stockId],
    now: () => Date.now(),
  });
  try {
    const lookup = openLookup({
      repository,
      // The lookup asks nobody here.
      client: {} as PlatformClient,
      clock: { now: () => Date.now(), uptimeMs: () => performance.now(), after: () => ({ cancel: () => undefined }) },
      completeAt: () => null,
      onStored: () => undefined,
      scaleLayouts: () => [],
    });
    const map = new Map(productData.scannable.map((product) => [product.code, product]));
    const at = (share: number): string =>
      productData.scannable[Math.min(productData.scannable.length - 1, Math.floor(share))]?.code ?? '';
    const card = (code: string): unknown => repository.reader.card(repository.reader.findByBarcode(code)[0] ?? 0);
    const figuresOf = (round: number): Readonly<Record<keyof StoreFigures, number[]>> => {
      const { fraction } = createSeededRandom(`lookups ${round}`);
      const even = Array.from({ length: lookupsARound }, () => at(fraction() * productData.scannable.length));
      const zipf = Array.from({ length: lookupsARound }, () => at(productData.scannable.length ** fraction() - 1));
      const search = (texts: readonly string[]): number[] =>
        measure(texts.length, (place) => lookup.search(texts[place] ?? '', hits));
      return {
        even: measure(lookupsARound, (place) => card(even[place] ?? '')),
        zipf: measure(lookupsARound, (place) => card(zipf[place] ?? '')),
        miss: measure(lookupsARound, (place) =>
          repository.reader.findByBarcode(`29${String(place).padStart(10, '0')}`),
        ),
        find: measure(findsARound, (place) => lookup.find(even[place] ?? '', 'scan')),
        map: measure(lookupsARound, (place) => map.get(even[place] ?? '')),
        pages: measurePages(path, fraction),
        typed: search(typings(productData, round)),
        adversarial: search(slowTexts(productData, round)),
      };
    };
    // The first round warms up, and does not count.
    const counted = Array.from({ length: rounds + 1 }, (_unused, round) => figuresOf(round)).slice(1);
    return Object.fromEntries(
      measured.map((name) => [name, spreadOf(counted.map((round) => round[name]))]),
    ) as unknown as StoreFigures;
  } finally {
    repository.close();
  }
}
