// A shop with a hub under faults: one browser host a till on a real server, a platform, and a judge who believes none of
// them. Rules, cited by the tests:
//   J1  No 60 s see more than 60 requests of all tills at the platform.
//   J2  Once all is healthy again, every till shares, and knows the same members.
//   J3  Then, with nothing left to send, no person waits a second while a right is free (L1).
//   J4  Whatever happened since, every till has followed to the newest key.
//   J5  What the tills switched is at the platform, once and in order (K1 to K5).
//   J6  All copies of the catalogue are equal in the end, and say what was changed last.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { printHubAddress, readHubAddress } from '../../../app/hub/address.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../../app/training/server.ts';
import { listQueue } from '../../support/list-queue.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { openFaultyNetwork, type FaultyNetwork } from '../faulty-network.ts';
import { drainQueue } from '../host.ts';
import { booksOf, judge, maxInWindow, type BookRow, type Intent } from '../judge.ts';
import { openMachine, type Machine } from './machine.ts';
import { openServer, type HubServer } from './server.ts';

interface HubRunOptions {
  readonly seed: string;
  /** For how long faults come; what follows is the recovery. */
  readonly seconds: number;
  readonly tills: number;
  /** The data are lost, too: the recovery then takes five minutes. */
  readonly losesData: boolean;
  readonly folder: string;
  /** Of `buildHost`. */
  readonly script: string;
  /** A planted bug: the tills ask no hub. */
  readonly isSelfish?: boolean;
  readonly note?: (line: string) => void;
}

export interface HubReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly maxInWindow: number;
  /** Switches that a till has acknowledged. */
  readonly switches: number;
  /** How long persons waited once all was healthy again, in milliseconds. */
  readonly waits: readonly number[];
  readonly violations: readonly string[];
}

interface Shop {
  readonly random: SeededRandom;
  readonly server: HubServer;
  readonly platform: TrainingPlatform;
  /** Between all tills and the platform. */
  readonly network: FaultyNetwork;
  readonly machines: readonly Machine[];
  readonly losesData: boolean;
  readonly violations: string[];
}

const limit = 60;
const productCount = 3_000;
const switchedProducts = 60;
/** A machine with other work to do takes several times as long. */
const [followWithinMs, joinWithinMs, shareWithinMs, drainWithinMs, equalWithinMs] = [
  120_000, 120_000, 180_000, 300_000, 600_000,
] as const;
/** Whatever was lent before a loss is over by then, and a request that was held up as well. */
const settlesMs = 330_000;
/** A broken connection's request may come this late; the rate limit counts on 120 s. */
const maxLatenessMs = 100_000;
/** Nothing arrives twice: a network's second copy is no request of a till. */
const fates = { whole: 80, refused: 4, lost: 4, broken: 4, slow: 3, slowAnswer: 3, late: 2 } as const;

const most = ({ platform }: Pick<Shop, 'platform'>): number => maxInWindow(platform.arrivals().map(({ at }) => at));

/** The tills that nothing keeps from the hub. */
const inTouch = ({ machines }: Shop, ...kept: readonly ReadonlySet<Machine>[]): Machine[] =>
  machines.filter((machine) => machine.isRunning() && !kept.some((some) => some.has(machine)));

/** Pastes the hub's address at a till, which starts anew by it. */
async function paste(till: Machine, { address }: HubServer): Promise<void> {
  await till.kill();
  till.paste(address);
  till.start();
}

/** What may happen, and how it ends. */
function createFaults(shop: Shop) {
  const { random, server, network, machines, violations } = shop;
  const { postgres } = server;
  const mostMs = shop.losesData ? 60_000 : 6_000;
  const cut = new Set<Machine>();
  const removed = new Set<Machine>();
  const onTill = async (begin: (till: Machine) => unknown, end: (till: Machine) => unknown) => {
    const till = random.pick(machines);
    await begin(till);
    await sleep(random.integer(1_000, mostMs));
    await end(till);
  };
  return {
    kill: () =>
      onTill(
        (till) => till.kill(),
        (till) => {
          till.start();
        },
      ),
    stop: () =>
      onTill(
        (till) => {
          till.stop(true);
        },
        (till) => {
          till.stop(false);
        },
      ),
    partition: () =>
      onTill(
        (till) => {
          cut.add(till);
          till.line?.cut(true);
        },
        (till) => {
          till.line?.cut(false);
          cut.delete(till);
        },
      ),
    platform: async () => {
      network.trouble(random.fork('network'));
      await sleep(random.integer(1_000, mostMs));
      network.trouble(null);
    },
    restart: async () => {
      await postgres.kill();
      await sleep(random.integer(0, mostMs / 6));
      await postgres.start();
    },
    freeze: async () => {
      postgres.freeze();
      await sleep(random.integer(1_000, mostMs / 3));
      postgres.thaw();
    },
    clock: () => server.setClock(random.pick([-3_600, 3_600, 86_400, -86_400, 0, random.integer(-100, 100)])),
    newAddress: async () => {
      const before = inTouch(shop, cut, removed);
      const keyBefore = server.address.storeKey;
      // What is damaged just now, the tills write back.
      const refused = await until(async () => {
        const { lines, exitCode } = await server.command(
          { action: 'newAddress' },
          { TILLSIDE_HUB_ADDRESS: printHubAddress(server.address) },
        );
        const read = readHubAddress(lines.at(-1) ?? '');
        if (exitCode !== 0 || !read.ok) return lines.join(' ');
        server.address = read.value;
        return null;
      }, followWithinMs);
      if (server.address.storeKey === keyBefore) {
        violations.push(`J4 no new address: ${refused}`);
        return;
      }
      for (const till of machines.filter((machine) => !machine.hasOwnSignIn())) await paste(till, server);
      const behind = (): Machine[] =>
        inTouch(shop, cut, removed).filter(
          (till) => before.includes(till) && till.storeKey() !== server.address.storeKey,
        );
      const endMs = performance.now() + followWithinMs;
      while (behind().length > 0 && performance.now() < endMs) await sleep(500);
      const left = behind();
      if (left.length > 0) {
        violations.push(`J4 after two minutes ${left.map(({ name }) => name).join(', ')} had not followed`);
      }
    },
    removeTill: () =>
      onTill(
        (till) => {
          removed.add(till);
          return server.command({ action: 'removeTill', till: till.name });
        },
        async (till) => {
          const left = await until(async () => ((await till.join(server.address)) ? null : till.name), joinWithinMs);
          if (left !== null) violations.push(`J4 ${left} was removed, and could not join again`);
          removed.delete(till);
        },
      ),
    spoilRow: () => server.spoilRow(),
    empty: () => server.command({ action: 'reset' }),
    backUp: () => server.backUp(),
    restore: () => server.restore(),
  };
}

const weights = { kill: 5, stop: 4, partition: 5, platform: 3, restart: 2, freeze: 3, clock: 3, newAddress: 1 };
const lossWeights = { ...weights, removeTill: 1, spoilRow: 1, empty: 1, backUp: 3, restore: 2 };

/** Faults, a few at once, for so long; those of the server come one after another. */
async function spoil(shop: Shop, { seconds, note }: HubRunOptions) {
  const faults = createFaults(shop);
  const counts: Record<string, number> = {};
  const under = new Set<Promise<unknown>>();
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs && most(shop) <= limit) {
    await sleep(shop.random.waitMs(shop.losesData ? 8_000 : 1_500));
    const kind = shop.random.pickWeighted(shop.losesData ? lossWeights : weights);
    counts[kind] = (counts[kind] ?? 0) + 1;
    note?.(kind);
    const fault = faults[kind]().catch((error: unknown) => {
      shop.violations.push(`the fault ${kind} could not be made: ${String(error)}`);
    });
    under.add(fault.finally(() => under.delete(fault)));
    if (!['kill', 'stop', 'partition', 'platform', 'removeTill'].includes(kind)) await fault;
  }
  await Promise.all(under);
  if (most(shop) <= limit && counts['newAddress'] === undefined) {
    await faults.newAddress();
    counts['newAddress'] = 1;
  }
  return counts;
}

/** Asks again and again until the answer is null, or the time is over; answers the last. */
async function until(what: () => Promise<string | null>, withinMs: number): Promise<string | null> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const left = await what();
    if (left === null || performance.now() > endMs) return left;
    await sleep(500);
  }
}

/** Which tills do not share, or do not know all others; null for none. */
async function apart({ machines }: Shop): Promise<string | null> {
  const all = machines.map(({ name }) => name).toSorted();
  const states = await Promise.all(machines.map(async (till) => ({ name: till.name, state: await till.hubState() })));
  const wrong = states.filter(
    ({ state }) =>
      state?.mode !== 'shared' ||
      state.failure !== null ||
      state.tills
        .map(({ name }) => name)
        .toSorted()
        .join() !== all.join(),
  );
  return wrong.length === 0 ? null : JSON.stringify(wrong);
}

interface Wait {
  readonly till: string;
  /** By the platform's clock. */
  readonly fromMs: number;
  /** Infinity for whoever was given no figure, and was not turned away by the next one at the same till. */
  readonly forMs: number;
}

/**
 * Whether a right was free for more than a second of this wait. What each till keeps for its own persons is not; a
 * request counts at the tills from before it arrives until a minute after its answer.
 */
function isLate({ platform, machines }: Shop, { fromMs, forMs }: Wait): boolean {
  if (forMs === Infinity) return true;
  const times = platform.arrivals().map(({ at }) => at);
  let sinceMs = fromMs;
  for (let ms = fromMs; ms <= fromMs + forMs; ms += 50) {
    const counted = times.filter((at) => at > ms - 61_000 && at <= ms).length;
    if (counted >= limit - machines.length) sinceMs = ms;
    if (ms - sinceMs > 1_000) return true;
  }
  return false;
}

/** People at the tills, each of whom switches coupons of products that no other switches. */
function createPeople({ random, platform, machines }: Shop) {
  const intents: Intent[] = [];
  const waits: Wait[] = [];
  /** Whoever scans turns away whoever waits at the same till. */
  const newest = new Map<Machine, number>();
  let isSwitching = true;
  const busy = new Set<Machine>();
  const barcodes = Array.from({ length: productCount }, (_, index) => index).flatMap((index) =>
    platform.products.optionsAt(index).length > 0 ? [] : platform.products.barcodesAt(index).slice(0, 1),
  );

  async function switchOne(till: Machine, place: number): Promise<void> {
    const host = till.host();
    const own = random.integer(0, switchedProducts / machines.length - 1) * machines.length + place;
    const productId = String(platform.products.idAt(own)) as Id;
    if (host === null || busy.has(till)) return;
    busy.add(till);
    const last = intents.findLast((intent) => intent.productId === productId);
    const isEnabled = !(last?.isEnabled ?? false);
    const index = intents.push({ productId, isEnabled, status: 'unknown' }) - 1;
    const answer = await host.invoke('coupon:switch', { productId, isEnabled }).catch(() => null);
    if (answer !== null) intents[index] = { productId, isEnabled, status: answer.ok ? 'acknowledged' : 'refused' };
    busy.delete(till);
  }

  /** Scans, and waits for the platform's figure. */
  async function scanOne(till: Machine): Promise<void> {
    const found = await till.ask('lookup:find', { text: random.pick(barcodes), source: 'scan' });
    const card = found?.kind === 'found' ? found.cards[0] : undefined;
    if (card === undefined) return;
    const fromMs = Date.now();
    newest.set(till, fromMs);
    const live = await till.ask('product:refresh', { stockId: card.stockId, productId: card.productId });
    const isGivenUp = live === null && newest.get(till) === fromMs;
    waits.push({ till: till.name, fromMs, forMs: isGivenUp ? Infinity : Date.now() - fromMs });
  }

  return {
    intents,
    waits,
    /** From now on people only scan: more than the limit would go, and all wait for it. */
    switchNoMore: (): void => {
      isSwitching = false;
    },
    isIdle: () => busy.size === 0,
    /** What people do in a second. */
    act: (): void => {
      machines.forEach((till, place) => {
        if (random.chance(1 / 15)) void scanOne(till);
        if (isSwitching && random.chance(1 / 20)) void switchOne(till, place);
        if (random.chance(1 / 10)) void till.signIn();
      });
    },
  };
}

/** The whole copy of a till, a line a product; null where it does not answer. */
async function copyOf(till: Machine): Promise<readonly string[] | null> {
  const lines: string[] = [];
  for (;;) {
    const page = await till.ask('stock:browse', { query: everyProduct, offset: lines.length, limit: 200 });
    if (page === null) return null;
    lines.push(...page.rows.map((row) => `${row?.productId} ${row?.name} ${row?.balance.amount}`));
    if (page.rows.length === 0) return lines.toSorted();
  }
}

/** Changes some products, and says in what the copies differ from each other and from that; null once in nothing. */
function createCopiesCheck({ platform, machines, random }: Shop) {
  const [stockId = ''] = platform.stockIds;
  const changed = Array.from({ length: 10 }, (_, number) => {
    const id = String(platform.products.idAt(random.integer(0, productCount - 1)));
    platform.renameProduct(id, `Renamed ${number}`);
    platform.changeBalance(stockId, id, 900 + number);
    return id;
  });
  return async (): Promise<string | null> => {
    const copies = await Promise.all(machines.map(copyOf));
    const [first] = copies;
    const missing = changed.filter((id) => first?.some((line) => line.startsWith(`${id} Renamed `)) !== true);
    const different = copies.filter((copy) => copy === null || copy.join('\n') !== first?.join('\n'));
    if (first?.length === productCount && missing.length + different.length === 0) return null;
    const tills = await Promise.all(
      machines.map(async (till, place) => {
        const [copy, state, hub] = [copies[place], await till.ask('terminal:read', {}), await till.hubState()];
        const seen = changed.filter((id) => copy?.some((line) => line.startsWith(`${id} Renamed `)) === true).length;
        return {
          name: till.name,
          rows: copy?.length,
          seen,
          mode: hub?.mode,
          ...state?.catalogue,
          session: state?.session.state,
        };
      }),
    );
    return `${missing.length} not renamed at the first, ${different.length} apart: ${JSON.stringify(tills)}`;
  };
}

/** The verdict over the queues of all tills; they are empty. */
async function judgeQueues(shop: Shop, intents: readonly Intent[], settingsBefore: ReadonlyMap<string, boolean>) {
  const switches: BookRow[] = [];
  for (const till of shop.machines) {
    const host = till.host();
    if (host === null) continue;
    const left = await drainQueue(host, drainWithinMs);
    if (left !== null) shop.violations.push(`J5 ${till.name}: ${left}`);
    switches.push(...booksOf(await listQueue((page) => host.invoke('queue:list', page))).switches);
  }
  const { platform, network } = shop;
  const keyed = network.sendings.flatMap(({ idempotencyKey, body }) =>
    idempotencyKey === null ? [] : [{ idempotencyKey, body }],
  );
  const violations = judge({
    intents,
    restorations: [],
    books: { switches, restorations: [] },
    effects: platform.effects(),
    keyed,
    leftAtMs: [],
    settingsBefore,
    settingsAfter: platform.couponSettings(),
  });
  return violations.map(({ rule, what }) => `J5 ${rule} ${what}`);
}

/** Heals everything, and judges what the shop has become. */
async function recover(shop: Shop, people: ReturnType<typeof createPeople>, note: HubRunOptions['note']) {
  const { machines, violations, server, losesData } = shop;
  note?.('recovering');
  const left = await until(() => apart(shop), losesData ? 600_000 : shareWithinMs);
  if (left !== null) violations.push(`J2 ${left}`);
  note?.('recovered');
  if (losesData) {
    people.switchNoMore();
    await sleep(settlesMs);
  }
  people.waits.length = 0;
  await sleep(losesData ? 60_000 : 10_000);
  // Of few tills it may be that nobody scans for so long.
  const unheard = await until(
    () => Promise.resolve(people.waits.length === 0 ? 'nobody scanned' : null),
    shareWithinMs,
  );
  if (unheard !== null) violations.push(`J3 ${unheard}`);
  const late = people.waits.filter((wait) => isLate(shop, wait));
  if (losesData && late.length > 0) {
    const each = late.map(({ till, forMs }) => `${till} ${forMs} ms`).join(', ');
    violations.push(`J3 ${late.length} of ${people.waits.length} persons waited while a right was free: ${each}`);
  }
  const behind = machines.filter((machine) => machine.storeKey() !== server.address.storeKey);
  if (behind.length > 0) violations.push(`J4 ${behind.map(({ name }) => name).join(', ')} have an earlier key`);
}

/** Plays a shop and judges it. */
export async function runHub(options: HubRunOptions): Promise<HubReport> {
  const { script, folder, losesData, note } = options;
  const random = createSeededRandom(options.seed);
  const server: HubServer = await openServer();
  const platform = await startTrainingPlatform({
    directory: null,
    productCount,
    requestsPerMinute: 1_000_000,
    conditions: { movementsPerMinute: 60 },
  });
  const network = await openFaultyNetwork(platform.platformUrl, { maxLatenessMs, fates });
  const machines: Machine[] = [];
  const violations: string[] = [];
  const shop: Shop = { random, server, platform, network, machines, losesData, violations };
  const settingsBefore = platform.couponSettings();
  let acting: NodeJS.Timeout | null = null;
  try {
    for (let number = 1; number <= options.tills; number += 1) {
      const name = `till-${number}`;
      const hub = options.isSelfish === true ? null : server.address;
      const till = await openMachine({
        name,
        folder: join(folder, name),
        script,
        platform,
        platformUrl: network.url,
        hub,
      });
      machines.push(till);
      till.start();
      await till.signIn();
    }
    const people = createPeople(shop);
    acting = setInterval(people.act, 1_000);
    if (options.isSelfish !== true) {
      const left = await until(() => apart(shop), joinWithinMs);
      if (left !== null) violations.push(`J2 at the start: ${left}`);
    }
    note?.('all share');
    const faults = await spoil(shop, options);
    if (most(shop) <= limit) {
      await recover(shop, people, note);
      clearInterval(acting);
      while (!people.isIdle()) await sleep(100);
      violations.push(...(await judgeQueues(shop, people.intents, settingsBefore)));
      note?.('judged');
      platform.change({ movementsPerMinute: 0 });
      const unequal = losesData ? await until(createCopiesCheck(shop), equalWithinMs) : null;
      if (unequal !== null) violations.push(`J6 ${unequal}`);
    }
    if (most(shop) > limit) violations.push(`J1 ${most(shop)} requests in 60 s`);
    return {
      faults,
      requests: platform.arrivals().length,
      maxInWindow: most(shop),
      switches: people.intents.filter(({ status }) => status === 'acknowledged').length,
      waits: people.waits.map(({ forMs }) => forMs),
      violations,
    };
  } finally {
    if (acting !== null) clearInterval(acting);
    server.postgres.thaw();
    await Promise.all(machines.map((machine) => machine.kill()));
    machines.forEach(({ line }) => line?.close());
    await network.close();
    await platform.close();
    await server.postgres.remove();
  }
}
