import { join } from 'node:path';
import { openCatalogueRepository } from '../../app/catalogue/repository/repository.ts';
import { noProgress } from '../../app/catalogue/sync/progress.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';
import { parseJson, writeJson } from '../../app/domain/json.ts';
import { Products } from '../../app/training/data/products.ts';
import { writeElement } from '../../app/service/shapes.ts';
import { defaultReadings } from '../../app/service/readings.ts';
import { places } from '../../app/training/data/world.ts';
import { listed } from '../support/listed.ts';
import { createSeededRandom } from '../support/seeded-random.ts';

const batchSize = 500;
const seed = 1;

/** A product that a scanner can read. */
export interface Scannable {
  readonly code: string;
  readonly name: string;
}

export interface ProductData {
  readonly count: number;
  /** Those with a barcode in the listing. */
  readonly scannable: readonly Scannable[];
  /** Listing elements from an index on, at most this many, as they are written on the wire. */
  textsAt(first: number, amount: number): readonly string[];
}

/** The one stock that is copied. */
export const stockId: Id = places.stockIds[0] ?? places.kioskStockId;

/** The first `count` training products. */
export function makeProductData(count: number): ProductData {
  const products = new Products(count, seed);
  const textAt = (index: number): string =>
    writeJson(
      writeElement(defaultReadings, {
        product: products.at(index),
        amount: products.chance(index, 9) % 250,
        updatedAt: products.updatedAt(index),
      }),
    );
  const textsAt = (first: number, amount: number): string[] =>
    Array.from({ length: Math.max(0, Math.min(amount, count - first)) }, (_unused, place) => textAt(first + place));
  const scannable: Scannable[] = [];
  for (let index = 0; index < count; index += 1) {
    const [code] = products.barcodesAt(index);
    if (code !== undefined) {
      scannable.push({ code, name: products.nameAt(index) });
    }
  }
  return { count, scannable, textsAt };
}

/** The same picks in every run; no two that follow each other are alike. */
export function pick(productData: ProductData, amount: number, round: number): readonly Scannable[] {
  const random = createSeededRandom(`picks ${round}`);
  const picked: Scannable[] = [];
  while (picked.length < amount) {
    const one = random.pick(productData.scannable);
    if (one.name !== picked.at(-1)?.name) {
      picked.push(one);
    }
  }
  return picked;
}

/**
 * Writes catalogue.db as if the whole listing had just been copied, calls back with the cards of each batch, and
 * answers how long the raw elements are.
 */
export async function fillCatalogue(
  path: string,
  fingerprint: string,
  productData: ProductData,
  onCards: (cards: readonly ProductCard[]) => void = () => undefined,
): Promise<{ readonly rawBytes: number }> {
  const now = Date.now();
  let rawBytes = 0;
  const { repository } = await openCatalogueRepository({ path, fingerprint, stockIds: [stockId], now: () => now });
  try {
    const [stock] = repository.stocks();
    if (stock === undefined) {
      throw new Error('the store has no stock');
    }
    repository.nameStock(stock, 'Loja');
    for (let first = 0; first < productData.count; first += batchSize) {
      const texts = productData.textsAt(first, batchSize);
      rawBytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const elements = texts.map(parseJson);
      const { productIds } = repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt: now });
      onCards(
        productIds.map((productId) =>
          cardOf(repository.reader.card(repository.reader.find(stock.stockId, productId) ?? 0)),
        ),
      );
    }
    repository.saveProgress(stock, {
      ...noProgress,
      lastPass: 2,
      since: now,
      completeAsOf: now,
      changesAt: now,
      nextFullAt: now + 86_400_000,
      total: productData.count,
      offsetMinutes: -180,
    });
    return { rawBytes };
  } finally {
    repository.close();
  }
}

function cardOf(product: Omit<ProductCard, 'coupon' | 'minimum'> | null): ProductCard {
  if (product === null) {
    throw new Error('a product that was just written is not there');
  }
  return { ...product, coupon: { isEnabled: false, status: 'confirmed', failure: null }, minimum: null };
}

/** Where a terminal with a platform's profile keeps its copy, and what it must say that it is a copy of. */
export function catalogueOf(
  dataDirectory: string,
  platformUrl: string,
): { readonly path: string; readonly fingerprint: string } {
  return { path: join(dataDirectory, 'store', 'catalogue.db'), fingerprint: `${platformUrl} ${places.companyId}` };
}
