// The proof that the copy comes to be what the platform has, whatever happened to both while it was made: products
// come, go, come back, move, are renamed, re-barcoded and updated between any two requests, requests fail, and the
// terminal dies between any two of its steps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stockOne, stockTwo, type FakeProduct } from '../catalogue-fixture.ts';
import { prepare, type SyncSetting } from './sync-fixture.ts';

const quarterMs = 900_000;
const testTimeoutMs = 60_000;
/** Beyond 2^53, so that a digit lost anywhere is another product. */
const firstId = 9_007_199_254_740_993n;

interface Move {
  readonly what: 'come' | 'go' | 'move' | 'rename' | 'label' | 'sell' | 'nothing';
  readonly product: number;
  readonly to: number;
}

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({
    what: fc.constantFrom('come', 'go', 'move', 'rename', 'label', 'sell', 'nothing'),
    product: fc.nat(119),
    to: fc.nat(9_999),
  }),
  { maxLength: 4 },
);

function made(place: number): FakeProduct {
  return {
    id: firstId + BigInt(place),
    code: `C${String(place * 50).padStart(5, '0')}`,
    name: `Produto ${place}`,
    barcode: `2${String(place).padStart(7, '0')}`,
    balance: place,
    updatedAt: 0,
  };
}

/** The changes of a stock; a movement of stock is an update here, and so is everything else. */
function rearrange(products: FakeProduct[], { what, product, to }: Move, now: number): void {
  const place = products.findIndex(({ id }) => id === firstId + BigInt(product));
  const old = products[place];
  if (what === 'come' && old === undefined) {
    products.push({ ...made(product), code: `C${String(to).padStart(5, '0')}-${product}`, updatedAt: now });
  } else if (what === 'go' && old !== undefined) {
    products.splice(place, 1);
  } else if (old !== undefined) {
    const change: Partial<Record<Move['what'], Partial<FakeProduct>>> = {
      move: { code: `C${String(to).padStart(5, '0')}-${product}` },
      rename: { name: `Outro ${to}` },
      label: { barcode: `2${String(10_000 + to).padStart(7, '0')}` },
      sell: { balance: to - 5_000 },
    };
    products[place] = { ...old, ...change[what], ...(change[what] === undefined ? {} : { updatedAt: now }) };
  }
}

/** Everything that the copy holds of a stock, and everything that the platform has, in words. */
function both(
  { repository, platform }: SyncSetting,
  stockId = stockOne,
): { readonly copy: readonly string[]; readonly platform: readonly string[] } {
  const products = platform.stocks.get(stockId) ?? [];
  const known = Array.from({ length: 120 }, (_, place) => String(firstId + BigInt(place)));
  const copy = known.flatMap((productId) => {
    const row = repository.reader.find(stockId, productId as typeof stockId);
    const card = row === null ? null : repository.reader.card(row);
    return card === null
      ? []
      : [`${productId} ${card.code} ${card.name} ${card.barcodes.join()} ${card.balance.amount}`];
  });
  return {
    copy,
    platform: products
      .map(({ id, code, name, barcode, balance }) => `${id} ${code} ${name} ${barcode} ${balance}`)
      .toSorted((left, right) => (left < right ? -1 : 1)),
  };
}

/** Nobody changes anything any more; a quarter of an hour passes, and then the next full listing comes. */
async function rest({ clock, platform, sync }: SyncSetting, withListing: boolean): Promise<void> {
  platform.beforeListing = () => undefined;
  platform.failListing = () => null;
  sync.resume();
  await clock.advance(quarterMs);
  if (withListing) {
    sync.copyAgain();
    await clock.advance(60_000);
  }
}

async function shop(): Promise<SyncSetting> {
  const setting = await prepare();
  setting.platform.stocks.set(
    stockOne,
    Array.from({ length: 100 }, (_, place) => made(place)),
  );
  // Ten a page, so that there are many.
  setting.platform.largestPage = 10;
  return setting;
}

describe('after everything has come to rest, the copy is what the platform has', () => {
  test('whatever moved while it was read, and whatever failed', { timeout: testTimeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(moves, { maxLength: 60 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.nat(40),
        async (happenings, failures, copyAgainAt) => {
          const setting = await shop();
          const { clock, platform, sync, repository } = setting;
          let asked = 0;
          platform.beforeListing = () => {
            for (const move of happenings[asked] ?? []) {
              rearrange(platform.stocks.get(stockOne) ?? [], move, clock.now());
            }
            asked += 1;
            if (asked === copyAgainAt) {
              sync.copyAgain();
            }
          };
          platform.failListing = () => (failures[asked] === true ? { kind: 'unreachable' } : null);
          sync.start();
          await clock.advance(120_000);
          await rest(setting, true);
          const { copy, platform: there } = both(setting);
          sync.stop();
          repository.close();
          expect(copy).toEqual(there);
        },
      ),
      { numRuns: 30 },
    );
  });

  test(
    'S2: what the platform has is there after 15 minutes, by changes alone or by a listing read again',
    { timeout: testTimeoutMs },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(moves, { minLength: 20, maxLength: 40 }), async (happenings) => {
          const setting = await shop();
          const { clock, platform, sync, repository } = setting;
          let asked = 0;
          platform.beforeListing = () => {
            for (const move of happenings[asked] ?? []) {
              rearrange(platform.stocks.get(stockOne) ?? [], move, clock.now());
            }
            asked += 1;
          };
          sync.start();
          await clock.advance(60_000);
          await rest(setting, false);
          const { copy, platform: there } = both(setting);
          sync.stop();
          repository.close();
          expect(copy).toEqual(expect.arrayContaining([...there]));
        }),
        { numRuns: 30 },
      );
    },
  );
});

describe('S1: the terminal may die between any two of its steps', () => {
  /** Runs until the step of this number, at which the process is gone; true when it came to its end before. */
  async function runUntil(setting: SyncSetting, step: number): Promise<boolean> {
    const { clock, sync, repository, platform } = setting;
    let steps = 0;
    let isDead = false;
    const count = (): void => {
      steps += 1;
      if (steps === step) {
        isDead = true;
        sync.stop();
        repository.close();
      }
    };
    const after = clock.after.bind(clock);
    // Every timer, which is also every rest between two slices of a page, and every request is a step.
    clock.after = (delayMs, callback) =>
      after(delayMs, () => {
        if (!isDead) {
          callback();
          count();
        }
      });
    platform.beforeListing = count;
    sync.start();
    await clock.advance(60_000);
    clock.after = after;
    platform.beforeListing = () => undefined;
    return !isDead;
  }

  test(
    'and the next one ends with the same copy, having read no page twice but the one that was under way',
    { timeout: testTimeoutMs },
    async () => {
      const whole = await shop();
      await runUntil(whole, Number.POSITIVE_INFINITY);
      const pages = whole.platform.listings.length;
      for (let step = 1, isOver = false; !isOver; step += 1) {
        const first = await shop();
        isOver = await runUntil(first, step);
        if (!isOver) {
          const second = await prepare({ from: first });
          second.sync.start();
          await second.clock.advance(100_000);
          const { copy, platform } = both(second);
          expect(copy, `after step ${step}`).toEqual(platform);
          expect(second.sync.state().stocks[0]?.completeAsOf, `after step ${step}`).not.toBeNull();
          // Those that were read ahead and not taken in are asked for again.
          expect(second.platform.listings.length, `after step ${step}`).toBeLessThanOrEqual(pages + 8);
          second.sync.stop();
          second.repository.close();
        }
        expect(step).toBeLessThan(1_000);
      }
    },
  );

  test('however often, while everything moves', { timeout: testTimeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
        fc.array(moves, { maxLength: 30 }),
        async (deaths, happenings) => {
          let setting = await shop();
          for (const [place, step] of deaths.entries()) {
            if (await runUntil(setting, step)) {
              setting.sync.stop();
              setting.repository.close();
            }
            for (const move of happenings[place] ?? []) {
              rearrange(setting.platform.stocks.get(stockOne) ?? [], move, setting.clock.now());
            }
            setting = await prepare({ from: setting });
          }
          setting.sync.start();
          await rest(setting, true);
          const { copy, platform } = both(setting);
          setting.sync.stop();
          setting.repository.close();
          expect(copy).toEqual(platform);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('several stocks', () => {
  test('one that always fails costs the others nothing, and each is read in turns', async () => {
    const setting = await prepare({ stockIds: [stockOne, stockTwo] });
    const { clock, platform, sync } = setting;
    platform.largestPage = 5;
    platform.stocks.set(
      stockOne,
      Array.from({ length: 100 }, (_, place) => made(place)),
    );
    platform.stocks.set(
      stockTwo,
      Array.from({ length: 120 }, (_, place) => made(place)),
    );
    sync.start();
    await clock.advance(300_000);
    expect(both(setting).copy).toEqual(both(setting).platform);
    expect(both(setting, stockTwo).copy).toEqual(both(setting, stockTwo).platform);
    const order = platform.listings
      .filter(({ updatedFrom }) => updatedFrom === undefined)
      .map(({ stockId }) => stockId);
    // Neither is over before the other has begun: a turn is 25 pages.
    expect(order.slice(0, 26)).toContain(stockTwo);
    expect(order.lastIndexOf(stockOne)).toBeLessThan(order.length - 1);

    platform.failListing = ({ stockId }) => (stockId === stockOne ? { kind: 'notFound', status: 404 } : null);
    rearrange(platform.stocks.get(stockTwo) ?? [], { what: 'rename', product: 7, to: 1 }, clock.now());
    await clock.advance(150_000);
    expect(both(setting, stockTwo).copy).toEqual(both(setting, stockTwo).platform);
    expect(sync.state()).toMatchObject({ failure: { kind: 'notFound' } });
  });
});
