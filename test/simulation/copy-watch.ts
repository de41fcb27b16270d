import { everyProduct } from '../../app/contract/every-product.ts';
import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { Profile } from '../../app/contract/profiles.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { CopyReading, LiveCall, Sight } from './copy-evidence.ts';
import type { Evidence } from './evidence.ts';
import type { RefereeStock } from './referee-stock.ts';
import type { Till } from './till.ts';
import type { World } from './virtual-clock.ts';

export interface CopyWatch {
  /** Scans a barcode, and asks for the live figure of what was found, as a screen does. */
  scan(companyId: string, stockId: Id, barcode: string): Promise<'found' | 'missed'>;
  /**
   * Waits until the copy is at rest, and reads the whole of it: as changes or a first listing left it, or after a
   * listing that is asked for now.
   */
  read(profile: Profile, stock: RefereeStock, after: CopyReading['after']): Promise<void>;
}

const rowsAtOnce = 200;
const minuteMs = 60_000;
/**
 * By then what waits after a failure was tried again, changes have come a few times, and a listing that moved was read
 * again.
 */
const restMs = 25 * minuteMs;
const listingBoundMs = 20 * minuteMs;

const wholeStock = { ...everyProduct, orderBy: 'code' } as const;

function sightOf(atMs: number, companyId: string, { productId, code, name, balance }: ProductCard | ProductHit): Sight {
  return { atMs, companyId, productId, code, name, amount: balance.amount, asOf: balance.asOf };
}

/** Every row of the stock table; null when the terminal did not answer. */
async function readRows(world: World, till: Till, companyId: string): Promise<readonly Sight[] | null> {
  const all: Sight[] = [];
  for (let offset = 0; ; offset += rowsAtOnce) {
    const page = await till.call('stock:browse', { query: wholeStock, offset, limit: rowsAtOnce });
    if (page?.ok !== true) {
      return null;
    }
    if (!page.value.isWhole) {
      // It is still being counted.
      await new Promise((resolve) => {
        world.after(100, () => {
          resolve(undefined);
        });
      });
      offset -= rowsAtOnce;
      all.length = Math.max(0, offset + rowsAtOnce);
      continue;
    }
    all.push(...page.value.rows.flatMap((row) => (row === null ? [] : [sightOf(world.nowMs(), companyId, row)])));
    if (page.value.rows.length < rowsAtOnce) {
      return all;
    }
  }
}

/** Watches the copy of one till. */
export function createCopyWatch({
  world,
  till,
  evidence,
}: {
  readonly world: World;
  readonly till: Till;
  readonly evidence: Evidence;
}): CopyWatch {
  async function isComplete({ stockIds }: Profile, sinceMs: number | null): Promise<boolean> {
    const state = await till.call('terminal:read', {});
    return (
      state?.ok === true &&
      state.value.catalogue.phase === 'complete' &&
      state.value.catalogue.stocks.every(
        ({ stockId, completeAsOf }) =>
          stockIds.includes(stockId) && completeAsOf !== null && (sinceMs === null || completeAsOf > sinceMs),
      )
    );
  }

  /** All promises of the terminal need the world to go on. */
  async function finished<Value>(answer: Promise<Value>): Promise<Value> {
    let isOver = false;
    void answer.finally(() => {
      isOver = true;
    });
    await world.runUntil(world.nowMs() + minuteMs, () => isOver);
    return answer;
  }

  return {
    scan: async (companyId, stockId, barcode) => {
      const found = await till.call('lookup:find', { text: barcode, source: 'scan' });
      if (found?.ok !== true) {
        return 'missed';
      }
      const cards = found.value.kind === 'found' ? found.value.cards : [];
      evidence.copy.scans.push({
        atMs: world.nowMs(),
        companyId,
        barcode,
        kind: found.value.kind,
        sights: cards.map((card) => sightOf(world.nowMs(), companyId, card)),
      });
      const [first] = cards;
      if (first === undefined) {
        return 'missed';
      }
      const { productId } = first;
      const call: LiveCall = { atMs: world.nowMs(), life: till.life(), productId, endedAtMs: null };
      evidence.copy.calls.push(call);
      await till.call('product:refresh', { stockId, productId });
      call.endedAtMs = world.nowMs();
      return 'found';
    },

    read: async (profile, stock, after) => {
      const { companyId } = profile;
      const isAsked = after === 'listing' || after === 'hiding';
      const asked = world.nowMs();
      const before = await finished(till.call('terminal:read', {}));
      const asOf =
        before?.ok === true
          ? Math.max(0, ...before.value.catalogue.stocks.map(({ completeAsOf }) => completeAsOf ?? 0))
          : null;
      if (isAsked) {
        await finished(till.call('catalogue:copy', {}));
      }
      await world.runUntil(asked + (after === 'changes' ? restMs : 10_000));
      while (
        !(await finished(isComplete(profile, isAsked ? asOf : null))) &&
        world.nowMs() - asked < restMs + listingBoundMs
      ) {
        await world.runUntil(world.nowMs() + 5_000);
      }
      const isAtRest = await finished(isComplete(profile, null));
      const seen = isAtRest ? await finished(readRows(world, till, companyId)) : null;
      const scans = new Map<string, readonly string[]>();
      for (const barcode of stock.barcodes()) {
        const found = await finished(till.call('lookup:find', { text: barcode, source: 'scan' }));
        if (found?.ok === true) {
          scans.set(barcode, found.value.kind === 'found' ? found.value.cards.map(({ productId }) => productId) : []);
        }
      }
      const state = await finished(till.call('terminal:read', {}));
      evidence.copy.readings.push({
        atMs: world.nowMs(),
        companyId,
        sights: seen,
        after,
        scans,
        copied: state?.ok === true ? state.value.catalogue.copied : 0,
        unreadable: state?.ok === true ? state.value.catalogue.unreadable : 0,
        strays: stock.strays(),
        products: stock.products(),
      });
    },
  };
}
