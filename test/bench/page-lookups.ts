import type { Page } from 'playwright-core';
import type { ProductCard } from '../../app/contract/products.ts';
import type { HostBridge } from '../../app/contract/bridge.ts';
import type { MapPage } from './map-bridge.ts';

type MeasuredWindow = Window & { readonly tillside: HostBridge; readonly mapPage: MapPage };

/** Milliseconds for each lookup over the bridge, one after the other, as the page sees them. */
export function lookUpOverWall(page: Page, codes: readonly string[]): Promise<number[]> {
  return page.evaluate(async (texts) => {
    const { tillside } = window as unknown as MeasuredWindow;
    const times: number[] = [];
    for (const text of texts) {
      const startedAt = performance.now();
      const answer = (await tillside.invoke('lookup:find', { text, source: 'scan' })) as {
        readonly value: { readonly kind: string };
      };
      times.push(performance.now() - startedAt);
      if (answer.value.kind !== 'found') {
        throw new Error(`${text} was not found`);
      }
    }
    return times;
  }, codes);
}

/** Fills a database of this page's origin with the Map's cards, by barcode. */
export function fillIndexedDb(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const { mapPage } = window as unknown as MeasuredWindow;
    const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => {
          resolve(request.result);
        });
        request.addEventListener('error', () => {
          reject(request.error ?? new Error('IndexedDB failed'));
        });
      });
    const opening = indexedDB.open('cards', 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('cards'));
    const database = await settled(opening);
    const repository = database.transaction('cards', 'readwrite').objectStore('cards');
    let last: IDBRequest | null = null;
    for (const [barcode, card] of mapPage.cards) {
      last = repository.put(card, barcode);
    }
    if (last !== null) {
      await settled(last);
    }
    database.close();
  });
}

/** Milliseconds for each `get` from IndexedDB, one after the other. */
export function lookUpInIndexedDb(page: Page, codes: readonly string[]): Promise<number[]> {
  return page.evaluate(async (texts) => {
    const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => {
          resolve(request.result);
        });
        request.addEventListener('error', () => {
          reject(request.error ?? new Error('IndexedDB failed'));
        });
      });
    const database = await settled(indexedDB.open('cards', 1));
    const times: number[] = [];
    for (const text of texts) {
      const startedAt = performance.now();
      const card = (await settled(database.transaction('cards', 'readonly').objectStore('cards').get(text))) as
        | ProductCard
        | undefined;
      times.push(performance.now() - startedAt);
      if (card === undefined) {
        throw new Error(`${text} was not found`);
      }
    }
    database.close();
    return times;
  }, codes);
}

/** Milliseconds for a `get` from the Map; each is the mean of a thousand, for the page's clock is coarser than one. */
export function lookUpInMap(page: Page, codes: readonly string[]): Promise<number[]> {
  return page.evaluate((texts) => {
    const { cards } = (window as unknown as MeasuredWindow).mapPage;
    const group = 1000;
    const times: number[] = [];
    for (let first = 0; first < texts.length; first += 1) {
      const startedAt = performance.now();
      let found = 0;
      for (let place = 0; place < group; place += 1) {
        found += cards.has(texts[(first + place) % texts.length] ?? '') ? 1 : 0;
      }
      times.push((performance.now() - startedAt) / group);
      if (found !== group) {
        throw new Error('a product was not found');
      }
    }
    return times;
  }, codes);
}
