// The proof that terminals which share pages come to have what the platform has, each by itself, whatever moved, and
// whoever died or was cut off in the middle of a pass; and that the second one asks for nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSharedPages } from '../../../../app/catalogue/sync/shared-pages.ts';
import { parseJson } from '../../../../app/domain/json.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { createSharedTexts } from '../../../../app/hub/shared-texts.ts';
import type { SharedTexts } from '../../../../app/ports.ts';
import type { HubLink } from '../../../../app/hub/link.ts';
import { createHubRegister, hubAddress } from '../../../support/hub-register.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { id, stockOne, stockTwo, type FakePlatform } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

const hourMs = 3_600_000;
const testTimeoutMs = 60_000;
const key = new Uint8Array(32).fill(7);

const scope = 'https://platform.example.com 7';

/** As a version writes that this one cannot read. */
function asNewer(texts: SharedTexts): SharedTexts {
  return {
    ...texts,
    write: (name, { text, atMs }) => texts.write(name, { text: text.replace('"format":1', '"format":2'), atMs }),
  };
}

/** One hub and its terminals; each has its own line to it, and its own wall clock. */
async function shop(terminals: number, aheadMs: readonly number[] = []) {
  const first = await prepare();
  const { clock, platform } = first;
  const register = createHubRegister(clock);
  const hub = { epoch: 'one', startMs: 0 };
  const isCut = Array.from({ length: terminals }, () => false);
  const keys = Array.from({ length: terminals }, () => key);
  const isNewer = Array.from({ length: terminals }, () => false);

  function linkOf(place: number): HubLink {
    const link = register.open(hubAddress);
    const call: <Value>(made: Promise<Value>) => Promise<Value | { ok: false; failure: { kind: 'noAnswer' } }> = (
      made,
    ) => (isCut[place] === true ? Promise.resolve({ ok: false, failure: { kind: 'noAnswer' } }) : made);
    return { ...link, read: (...input) => call(link.read(...input)), write: (...input) => call(link.write(...input)) };
  }

  function open(
    place: number,
    from?: SyncSetting,
    more: Pick<NonNullable<Parameters<typeof prepare>[0]>, 'stockIds' | 'refusal'> = {},
  ): Promise<SyncSetting> {
    const texts = createSharedTexts({
      clock,
      random: createSeededRandom(`texts ${place}`),
      link: linkOf(place),
      key: keys[place] ?? key,
      id: `till ${place}`,
      time: () => {
        const passedMs = clock.uptimeMs() - hub.startMs;
        return isCut[place] === true ? null : { epoch: hub.epoch, loMs: passedMs, hiMs: passedMs };
      },
    });
    return prepare({
      ...more,
      ...(from === undefined ? { beside: first } : { from }),
      aheadMs: aheadMs[place] ?? 0,
      shared: (ownClock) => createSharedPages(isNewer[place] === true ? asNewer(texts) : texts, ownClock, scope),
    });
  }
  return { clock, platform, hub, isCut, keys, isNewer, open };
}

async function openAll(shared: Awaited<ReturnType<typeof shop>>, terminals: number): Promise<SyncSetting[]> {
  const opened: SyncSetting[] = [];
  for (let place = 0; place < terminals; place += 1) {
    opened.push(await shared.open(place));
  }
  return opened;
}

/** Two terminals of a shop with so many products. */
async function openTwo(products: number, given?: Awaited<ReturnType<typeof shop>>) {
  const shared = given ?? (await shop(2));
  const [one, two] = (await openAll(shared, 2)) as [SyncSetting, SyncSetting];
  return { ...shared, one, two, both: [one, two] as const, products: shared.platform.fill(stockOne, products) };
}

function start(settings: readonly SyncSetting[]): void {
  for (const { sync } of settings) {
    sync.start();
  }
}

function close(settings: readonly SyncSetting[]): void {
  for (const { sync, repository } of settings) {
    sync.stop();
    repository.close();
  }
}

/** Full listings that the platform was asked for. */
function listingsOf(platform: FakePlatform): number {
  return platform.listings.filter(({ updatedFrom }) => updatedFrom === undefined).length;
}

/** Its next full listing is due. */
function wantListing({ repository, sync }: SyncSetting): void {
  for (const stock of repository.stocks()) {
    repository.saveProgress(stock, { ...stock.progress, nextFullAt: null, waitsForQuiet: false });
  }
  sync.noticeStored();
}

/** The rows of products 1 to 60 in a copy, and the age that it gives each figure. */
function rowsOf({ repository }: SyncSetting) {
  return all(60).flatMap((product) => {
    const row = repository.reader.find(stockOne, id(product));
    const card = row === null ? null : repository.reader.card(row);
    return card === null ? [] : [{ product, name: card.name, amount: card.balance.amount, asOf: card.balance.asOf }];
  });
}

function namesOf(setting: SyncSetting): string[] {
  return rowsOf(setting).map(({ product, name, amount }) => `${product} ${name} ${amount}`);
}

describe('the second terminal', () => {
  test('has everything at once, and asks the platform for nothing', async () => {
    const { one, two, both, clock, platform } = await openTwo(2_000);
    one.sync.start();
    await clock.advance(120_000);
    expect(one.sync.state().phase).toBe('complete');
    const asked = platform.listings.length;
    two.sync.start();
    await clock.advance(3_000);
    expect(copiedIds(two, 2_000)).toHaveLength(2_000);
    expect(two.sync.state().phase).toBe('complete');
    expect(platform.listings).toHaveLength(asked);
    // It knows from when its copy is: not from now.
    const [asOf, ofFirst] = [one, two].map(({ sync }) => sync.state().stocks[0]?.completeAsOf ?? 0) as [number, number];
    expect(Math.abs(asOf - ofFirst)).toBeLessThan(2_000);
    close(both);
  });

  test('follows the first one through its first copy, and both read changes once', async () => {
    const { both, products, clock, platform } = await openTwo(2_000);
    start(both);
    await clock.advance(120_000);
    for (const setting of both) {
      expect(setting.sync.state().phase).toBe('complete');
      expect(copiedIds(setting, 2_000)).toHaveLength(2_000);
    }
    expect(platform.listings.length).toBeLessThanOrEqual(22);
    products[3] = { ...products[3], name: 'Outro nome', updatedAt: clock.now() } as (typeof products)[number];
    const before = platform.listings.length;
    await clock.advance(600_000);
    for (const setting of both) {
      expect(rowsOf(setting)[3]?.name).toBe('Outro nome');
    }
    // Every two minutes once, not twice.
    expect(platform.listings.length - before).toBeLessThanOrEqual(6);
    close(both);
  });

  test('counts what could not be read as the first one does, and no more once it can be', async () => {
    const { both, clock, platform } = await openTwo(500);
    const broken = new Set(['7', '120', '500']);
    platform.changePage = (page) => ({
      ...page,
      elements: page.elements.map((element, place) => {
        const listed = element as Record<string, unknown>;
        const isBroken = broken.has(String(listed['id']));
        return isBroken ? [null, { ...listed, id: 'N/A' }][place % 2] : element;
      }),
    });
    start(both);
    await clock.advance(120_000);
    for (const { sync } of both) {
      expect(sync.state()).toMatchObject({ phase: 'complete', copied: 497, unreadable: 3, total: 500 });
    }
    platform.changePage = (page) => page;
    both.forEach(wantListing);
    await clock.advance(hourMs);
    for (const { sync } of both) {
      expect(sync.state()).toMatchObject({ copied: 500, unreadable: 0 });
    }
    close(both);
  });

  test('asks for everything anew when a person wants that', async () => {
    const { two, both, products, clock } = await openTwo(250);
    start(both);
    await clock.advance(60_000);
    // A platform that does not say so when something has changed.
    products[3] = { ...products[3], name: 'Outro nome' } as (typeof products)[number];
    two.sync.copyAgain();
    await clock.advance(30_000);
    expect(rowsOf(two)[3]?.name).toBe('Outro nome');
    close(both);
  });
});

test.each(['forbidden', 'notFound'] as const)(
  'a stock that is %s to one terminal alone is not taken from the others until it is allowed',
  async (kind) => {
    const shared = await shop(2);
    const { clock, platform } = shared;
    const stockIds = [stockOne, stockTwo];
    let isRefused = true;
    const refusal = (stockId: Id) => (isRefused && stockId === stockTwo ? { kind } : null);
    const one = await shared.open(0, undefined, { stockIds });
    const two = await shared.open(1, undefined, { stockIds, refusal });
    platform.fill(stockOne, 250);
    platform.fill(stockTwo, 250);
    two.sync.start();
    await clock.advance(30_000);
    const seen = new Set<string>();
    two.sync.onChange(() => {
      const { stocks, copied } = two.sync.state();
      seen.add(`${stocks[1]?.refused} ${copied}`);
    });
    one.sync.start();
    await clock.advance(hourMs);
    expect([...seen]).toEqual([`${kind} 250`]);
    // Nor does it keep the others from reading.
    expect(clock.now() - (one.sync.state().stocks[1]?.completeAsOf ?? 0)).toBeLessThan(200_000);
    isRefused = false;
    await clock.advance(600_000);
    expect(two.sync.state()).toMatchObject({ copied: 500, stocks: [{}, { refused: null }] });
    close([one, two]);
  },
);

test('a terminal asks for a stock itself once something of it was refused, though the others have pages', async () => {
  const shared = await shop(2);
  const { clock, platform } = shared;
  const stockIds = [stockOne, stockTwo];
  const one = await shared.open(0, undefined, { stockIds });
  const refusal = (stockId: Id) => (stockId === stockTwo ? ({ kind: 'forbidden' } as const) : null);
  const two = await shared.open(1, undefined, { stockIds, refusal });
  stockIds.forEach((stockId) => platform.fill(stockId, 250));
  one.sync.start();
  await clock.advance(120_000);
  two.sync.start();
  await clock.advance(hourMs);
  expect(two.sync.state()).toMatchObject({ copied: 500, stocks: [{}, { refused: null }] });
  two.sync.noticeRefused(stockTwo);
  await clock.advance(200_000);
  expect(two.sync.state().stocks).toMatchObject([{ refused: null }, { refused: 'forbidden' }]);
  close([one, two]);
});

test('changes from later than a terminal needs them do not serve it', async () => {
  const { two, both, products, clock } = await openTwo(60);
  start(both);
  await clock.advance(300_000);
  two.sync.stop();
  products[3] = { ...(products[3] as (typeof products)[number]), name: 'Outro', updatedAt: clock.now() };
  await clock.advance(1_800_000);
  two.sync.start();
  await clock.advance(60_000);
  expect(rowsOf(two)[3]?.name).toBe('Outro');
  close(both);
});

test('a listing that is older than the last changes takes nothing back that they brought', async () => {
  const { one, two, both, products, clock, platform } = await openTwo(60);
  start(both);
  await clock.advance(300_000);
  one.sync.copyAgain();
  await clock.advance(600_000);
  products[3] = { ...(products[3] as (typeof products)[number]), name: 'Outro', updatedAt: clock.now() };
  await clock.advance(600_000);
  expect(both.map((setting) => rowsOf(setting)[3]?.name)).toEqual(['Outro', 'Outro']);
  const before = listingsOf(platform);
  wantListing(two);
  await clock.advance(300_000);
  // It took the first till's listing of twenty minutes ago, and then the changes since that.
  expect(two.repository.stocks()[0]?.progress.listedAt).toBeGreaterThan(clock.now() - 1_800_000);
  expect(listingsOf(platform)).toBe(before);
  expect(rowsOf(two)[3]?.name).toBe('Outro');
  // A listing that is older than an hour it does not take.
  one.sync.copyAgain();
  await clock.advance(5_400_000);
  expect(listingsOf(platform)).toBe(before + 1);
  wantListing(two);
  await clock.advance(60_000);
  expect(listingsOf(platform)).toBe(before + 2);
  close(both);
});

test('a listing that a person wants while the hub is away takes nothing older; later ones share again', async () => {
  const { one, two, both, isCut, clock, platform } = await openTwo(60);
  start(both);
  await clock.advance(60_000);
  one.sync.copyAgain();
  await clock.advance(60_000);
  const before = listingsOf(platform);
  two.sync.stop();
  isCut.fill(true);
  two.sync.copyAgain();
  isCut.fill(false);
  two.sync.start();
  await clock.advance(60_000);
  expect(listingsOf(platform)).toBe(before + 1);
  one.sync.copyAgain();
  await clock.advance(60_000);
  wantListing(two);
  await clock.advance(60_000);
  expect(listingsOf(platform)).toBe(before + 2);
  close(both);
});

test.each(['the hub has lost everything, and counts its time anew', 'a till has started again'])(
  'when %s, changes are shared as before',
  async (what) => {
    const { one, two, hub, open, clock, platform } = await openTwo(60);
    const both = [one, two];
    await clock.advance(3_600_000);
    start(both);
    await clock.advance(300_000);
    both.forEach(({ sync }) => sync.copyAgain());
    await clock.advance(60_000);
    if (what.startsWith('the hub')) {
      Object.assign(hub, { epoch: 'two', startMs: clock.uptimeMs() });
    } else {
      close([two]);
      both[1] = await open(1, two);
      both[1].sync.start();
    }
    await clock.advance(600_000);
    const before = platform.listings.length;
    await clock.advance(1_200_000);
    // Every two minutes, once for both.
    expect(platform.listings.length - before).toBeLessThanOrEqual(12);
    close(both);
  },
);

test('what a newer version has written is not waited for', async () => {
  const shared = await shop(2);
  shared.isNewer[0] = true;
  const { one, two, both, clock, platform } = await openTwo(60, shared);
  platform.largestPage = 5;
  one.sync.start();
  await clock.advance(3_000);
  two.sync.start();
  await clock.advance(60_000);
  expect(copiedIds(two, 60)).toHaveLength(60);
  expect(two.sync.state().phase).toBe('complete');
  close(both);
});

test.each([
  ['as many values as are read of the platform is shared, as one of products with long rows', 3_200, 1],
  ['more values than any costs no till the time to read it, which asks for itself', 3_400, 2],
])('a page of %s', async (_what, values, askers) => {
  const { one, two, both, clock, platform } = await openTwo(60);
  const more = Array.from({ length: values }, () => 0);
  platform.changePage = (page) => ({
    ...page,
    elements: page.elements.map((element) => ({ ...(element as object), more })),
  });
  one.sync.start();
  await clock.advance(60_000);
  const asked = listingsOf(platform);
  two.sync.start();
  await clock.advance(60_000);
  expect(copiedIds(two, 60)).toHaveLength(60);
  expect(listingsOf(platform)).toBe(askers * asked);
  close(both);
});

test('a page that is too old is not read, however often the next is looked for', async () => {
  const { clock, one, both } = await openTwo(60);
  const [stock] = one.repository.stocks();
  let texts = 0;
  const old = {
    get text(): string {
      texts += 1;
      return '';
    },
    atMs: -1,
    ageMs: 100_000_000,
  };
  const pages = createSharedPages(
    {
      nowMs: () => 100_000_000,
      read: () => Promise.resolve(old),
      lease: () => Promise.resolve(false),
      write: () => Promise.resolve(),
      publish: () => Promise.resolve(false),
      listen: () => () => undefined,
    },
    clock,
    scope,
  );
  if (stock === undefined) throw new Error('no stock');
  const query = { stockId: stock.stockId, page: 1, perPage: 100, orderBy: 'code', isAscending: true } as never;
  const taken = pages.pass('first', stock, 'full').take(query, new AbortController().signal);
  await clock.advance(40_000);
  expect([await taken, texts]).toEqual([null, 0]);
  close(both);
});

describe('whoever is not of this shop', () => {
  test('with another key finds nothing, and reads for itself', async () => {
    const shared = await shop(2);
    shared.keys[1] = new Uint8Array(32).fill(8);
    const { one, two, both, clock, platform } = await openTwo(250, shared);
    one.sync.start();
    await clock.advance(60_000);
    const asked = platform.listings.length;
    two.sync.start();
    await clock.advance(60_000);
    expect(copiedIds(two, 250)).toHaveLength(250);
    expect(platform.listings.length).toBeGreaterThanOrEqual(asked + 3);
    close(both);
  });
});

interface Happening {
  readonly what: 'change' | 'come' | 'go' | 'cut' | 'heal' | 'crash' | 'fail' | 'nothing';
  readonly product: number;
  readonly terminal: number;
}

function happeningsOf(...what: readonly Happening['what'][]): fc.Arbitrary<readonly Happening[]> {
  const happening = fc.record({
    what: fc.constantFrom(...what),
    product: fc.integer({ min: 1, max: 60 }),
    terminal: fc.nat(2),
  });
  return fc.array(happening, { maxLength: 80 });
}

/** Three terminals, one after another, while a thing of the script happens before each answer of the platform. */
async function play(script: readonly Happening[], aheadMs: readonly number[]) {
  const shared = await shop(3, aheadMs);
  const { clock, platform, isCut } = shared;
  const terminals = await openAll(shared, 3);
  const products = platform.fill(stockOne, 60);
  platform.largestPage = 5;
  /** The amounts that a product no longer has, and until when it had them. */
  const former: { readonly product: number; readonly amount: number; readonly untilMs: number }[] = [];
  const crashed = new Set<number>();
  let isFailing = false;
  let step = 0;

  function happen({ what, product, terminal }: Happening): void {
    const place = products.findIndex((one) => one.id === BigInt(product));
    const old = products[place];
    const base = { id: BigInt(product), code: `C${String(product).padStart(7, '0')}`, updatedAt: clock.now() };
    isFailing = what === 'fail';
    if ((what === 'change' || what === 'go') && old !== undefined) {
      former.push({ product, amount: old.balance ?? 0, untilMs: clock.now() });
      const changed = { ...base, name: `Outro ${step}`, balance: 1_000 + step };
      products.splice(place, 1, ...(what === 'change' ? [changed] : []));
    } else if (what === 'come' && old === undefined) {
      products.push({ ...base, name: `Volta ${step}`, balance: 2_000 + step });
    } else if (what === 'cut' || what === 'heal') {
      isCut[terminal] = what === 'cut';
    } else if (what === 'crash') {
      crashed.add(terminal);
    }
  }

  function checkAges(): void {
    for (const [place, setting] of terminals.entries()) {
      for (const { product, amount, asOf } of rowsOf(setting)) {
        const was = former.find((one) => one.product === product && one.amount === amount);
        expect((asOf ?? 0) - (aheadMs[place] ?? 0)).toBeLessThanOrEqual(was?.untilMs ?? Number.POSITIVE_INFINITY);
      }
    }
  }

  platform.beforeListing = () => {
    happen(script[step] ?? { what: 'nothing', product: 1, terminal: 0 });
    step += 1;
  };
  platform.failListing = () => (isFailing ? { kind: 'unreachable' } : null);
  for (let turn = 0; turn < 60; turn += 1) {
    if (turn % 5 === 0) {
      terminals[turn / 5]?.sync.start();
    }
    await clock.advance(5_000);
    for (const place of crashed) {
      const dead = terminals[place] as SyncSetting;
      close([dead]);
      terminals[place] = await shared.open(place, dead);
      terminals[place].sync.start();
    }
    crashed.clear();
    checkAges();
  }
  isCut.fill(false);
  platform.beforeListing = () => undefined;
  platform.failListing = () => null;
  for (const { sync } of terminals) {
    sync.resume();
  }
  await clock.advance(900_000);
  checkAges();
  return {
    clock,
    terminals,
    there: products
      .map((one) => `${one.id} ${one.name} ${one.balance}`)
      .toSorted((left, right) => Number.parseInt(left, 10) - Number.parseInt(right, 10)),
  };
}

describe('whatever happens in the middle of a pass', () => {
  test(
    'every copy comes to equal the platform, and no figure says that it is younger than it is',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          happeningsOf('change', 'change', 'come', 'go', 'cut', 'heal', 'crash', 'fail', 'nothing'),
          fc.integer({ min: -hourMs, max: hourMs }),
          async (script, skewMs) => {
            const { clock, terminals, there } = await play(script, [0, skewMs, -skewMs]);
            for (const { sync } of terminals) {
              sync.copyAgain();
            }
            await clock.advance(300_000);
            for (const setting of terminals) {
              expect(namesOf(setting)).toEqual(there);
            }
            close(terminals);
          },
        ),
        { numRuns: 6 },
      );
    },
    testTimeoutMs,
  );

  test(
    'S2: what the platform still has is there by the changes alone, or by a listing read again',
    async () => {
      await fc.assert(
        fc.asyncProperty(happeningsOf('change', 'change', 'come', 'go', 'cut', 'heal', 'crash'), async (script) => {
          const { terminals, there } = await play(script, []);
          for (const setting of terminals) {
            expect(namesOf(setting)).toEqual(expect.arrayContaining(there));
          }
          close(terminals);
        }),
        { numRuns: 6 },
      );
    },
    testTimeoutMs,
  );
});

test.each([
  ['of a product in 4,000 rows', Array.from({ length: 4000 }, (_, row) => `{"product":{"id":1},"shelf":${row}}`), 0],
  ['of a product in two rows', ['{"product":{"id":1},"shelf":1}', '{"product":{"id":1},"shelf":2}'], 1],
  ['with lists in lists, deeper than the stack', [`{"id":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`], 0],
])('a page %s is shared where it can be written', async (_what, rows, times) => {
  const { clock, repository } = await prepare();
  const written: string[] = [];
  const texts: SharedTexts = {
    nowMs: () => 0,
    read: () => Promise.resolve(null),
    write: (_name, { text }) => Promise.resolve(void written.push(text)),
    lease: () => Promise.resolve(true),
    publish: () => Promise.resolve(true),
    listen: () => () => undefined,
  };
  const [stock] = repository.stocks();
  const pass = createSharedPages(texts, clock, scope).pass('one', stock ?? expect.fail('no stock'), 'full');
  const elements = ListedElement.combine(rows.map((row) => new ListedElement(parseJson(row))));
  const page = { elements, currentPage: 1, lastPage: 1, perPage: 4000, total: rows.length, platformTime: null };
  pass.publish({ stockId: stockOne, page: 1, perPage: 4000 }, page, 1);
  expect(written).toHaveLength(times);
  repository.close();
});
