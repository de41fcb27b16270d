// A week of one terminal under the simulation's clock. Each day begins at eleven in the morning: thirteen busy hours,
// in which everything happens, and a night with the daily listing. What the day has left is drained, and then counted.
import { setMaxListeners } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Id } from '../../../app/domain/int64.ts';
import { places } from '../../../app/training/data/world.ts';
import { platformEpochMs } from '../../simulation/referee.ts';
import { temporaryRoot } from '../../simulation/temporary-root.ts';
import { listQueue } from '../../support/list-queue.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { booksOf } from '../judge.ts';
import { formatFigure, type Series } from './judge.ts';
import { outageKinds } from './network.ts';
import {
  daysOfWeek,
  partOf,
  shareOf,
  spread,
  formatLoad,
  type Load,
  type LoadKind,
  productCount,
  switchedProducts,
} from './plan.ts';
import { startWeekPlatform, type WeekPlatform } from './platform.ts';
import type { PlatformProduct } from './platform-worker.ts';
import { readFiles, readHeld } from './probe.ts';
import { seriesOf, type Sample } from './series.ts';
import { openVirtualTill, type VirtualTill } from './virtual-till.ts';

export interface VirtualWeekOptions {
  readonly days: number;
  /** The part of a day's load that each day has. */
  readonly share: number;
  /** How long a day lasts. */
  readonly dayHours: number;
  readonly seed: string;
  /** Leaks with every scan, so that the run must fail. */
  readonly isLeaking: boolean;
  readonly onDay: (line: string) => void;
}

export interface WeekReport {
  readonly series: readonly Series[];
  readonly violations: readonly string[];
  readonly asked: Load;
  readonly done: Load;
  readonly requests: number;
  readonly maxInWindow: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The part of a day in which people work. */
const busyPart = 13 / 24;
const openedProducts = 100;
const maxDrainMs = 2 * hourMs;
const drainStepMs = 10_000;
const restocksADay = 24;
const scansALook = 4;
const stockId = places.stockIds[0];

interface Doing {
  readonly atMs: number;
  readonly what: LoadKind | 'networkBack' | 'restock';
  readonly lastsMs: number;
}

/** The events of one day, in order. */
function planDay(load: Load, startMs: number, dayMs: number, random: SeededRandom): readonly Doing[] {
  const busyMs = dayMs * busyPart;
  const doings: Doing[] = [];
  const add = (what: Doing['what'], count: number, lastsMs: () => number = () => 0): void => {
    doings.push(
      ...spread(count, busyMs, random.fork(what)).map((atMs) => ({ atMs: startMs + atMs, what, lastsMs: lastsMs() })),
    );
  };
  add('scans', load.scans);
  add('switches', load.switches);
  add('restock', restocksADay);
  add('outages', load.outages, () => Math.min(random.waitMs(4 * minuteMs), busyMs / load.outages / 2));
  doings.push(
    ...doings
      .filter(({ what }) => what === 'outages')
      .map(({ atMs, lastsMs }) => ({ atMs: atMs + lastsMs, what: 'networkBack' as const, lastsMs: 0 })),
  );
  add('sleeps', load.sleeps - 1, () => random.integer(10_000, 15 * minuteMs));
  if (load.sleeps > 0) {
    // The lid is closed for most of the night.
    doings.push({
      atMs: startMs + busyMs + dayMs / 24,
      what: 'sleeps',
      lastsMs: random.integer(Math.floor(dayMs / 6), Math.floor(dayMs / 3)),
    });
  }
  return doings.sort((left, right) => left.atMs - right.atMs);
}

/** Does what the plan says. */
class Week {
  readonly #till: VirtualTill;
  readonly #platform: WeekPlatform;
  readonly #random: SeededRandom;
  readonly #isLeaking: boolean;
  readonly #products: readonly PlatformProduct[];
  readonly #isOn = new Uint8Array(switchedProducts);
  readonly #leaked: unknown[] = [];
  readonly #leakedTo = new EventTarget();
  readonly violations: string[] = [];
  readonly done = { scans: 0, switches: 0, outages: 0, sleeps: 0 };
  #open = 0;
  #looks = 0;
  #newestRow = 0;

  constructor(till: VirtualTill, platform: WeekPlatform, random: SeededRandom, isLeaking: boolean) {
    this.#till = till;
    this.#platform = platform;
    this.#random = random;
    this.#isLeaking = isLeaking;
    this.#products = platform.call('listProducts');
  }

  /** Nobody waits for the answer; the day does. */
  #ask(action: Promise<unknown>): void {
    this.#open += 1;
    action.then(
      () => {
        this.#open -= 1;
      },
      (error: unknown) => {
        this.violations.push(`a call threw: ${String(error)}`);
      },
    );
  }

  #leak(): void {
    setMaxListeners(0, this.#leakedTo);
    for (let times = 0; times < 10; times += 1) {
      this.#leakedTo.addEventListener('leak', () => undefined);
      this.#till.clock.after(365 * 24 * hourMs, () => undefined);
    }
    this.#leaked.push(Array.from({ length: 20_000 }, (_, place) => place));
    appendFileSync(join(this.#till.folder, 'leak.txt'), 'a line that nobody ever takes away\n'.repeat(100));
  }

  async #scan(): Promise<void> {
    const { call } = this.#till;
    const product = this.#random.pick(this.#products);
    const isUnknown = this.#random.chance(0.03);
    const text = isUnknown
      ? `952${this.#random.integer(1_000_000_000, 9_999_999_999)}`
      : (product.barcode ?? product.code);
    const answer = await call('lookup:find', { text, source: 'scan' });
    this.done.scans += 1;
    if (!answer.ok) {
      this.violations.push(`a scan failed: ${answer.failure.kind}`);
    } else if (['unknown', 'notCopied', 'unreadable'].includes(answer.value.kind)) {
      await call('lookup:ask', { text });
    } else {
      await call('product:refresh', { stockId, productId: product.id });
    }
    if (this.#isLeaking) {
      this.#leak();
    }
  }

  /** Screens that people look at beside their scans, one after the other. */
  async #look(): Promise<void> {
    const { call } = this.#till;
    const { id: productId, name } = this.#random.pick(this.#products.slice(0, openedProducts));
    const page = { offset: this.#random.integer(0, 500), limit: 50 };
    const details = { stockId, productId, optionIds: [] };
    const query = {
      list: 'all',
      stockId: null,
      amount: 'all',
      orderBy: 'name',
      direction: 'asc',
      productIds: null,
      updatedFrom: null,
    } as const;
    const screens: readonly (() => Promise<unknown>)[] = [
      () => call('lookup:search', { text: name.slice(0, 6), limit: 20 }),
      () => call('lookup:findSimilar', { text: `${name.slice(0, 4)}x` }),
      () => call('product:read', { stockId, productId, isOpened: true }),
      () => call('product:readMovements', details),
      () => call('product:readBatches', details),
      () => call('stock:browse', { query: { ...query, term: '' }, ...page }),
      () => call('stock:browse', { query: { ...query, term: name.slice(0, 3) }, ...page }),
      () => call('coupon:list', { filter: 'all', ...page }),
      () => call('queue:list', { statuses: [], ...page }),
      () => call('queue:readDay', {}),
      () => call('rateLimit:read', {}),
      () => call('lookup:listRecent', {}),
      () => call('support:diagnose', {}),
      () => call('support:readBundle', {}),
      () => this.#count(productId),
    ];
    this.#looks += 1;
    await screens[this.#looks % screens.length]?.();
  }

  /** A shelf is counted, and the count is deleted. */
  async #count(productId: Id): Promise<void> {
    const { call } = this.#till;
    const started = await call('stocktake:start', { name: 'A shelf', stockId, filter: null });
    if (!started.ok) {
      this.violations.push(`a count was not begun: ${started.failure.kind}`);
      return;
    }
    const { id: stocktakeId } = started.value;
    await call('stocktake:add', { stocktakeId, productId });
    await call('stocktake:delete', { stocktakeId });
  }

  async #switch(): Promise<void> {
    const place = this.#random.integer(0, switchedProducts - 1);
    const productId = this.#products[place]?.id ?? ('' as Id);
    const isEnabled = this.#isOn[place] === 0;
    const answer = await this.#till.call('coupon:switch', { productId, isEnabled });
    this.done.switches += 1;
    if (answer.ok) {
      this.#isOn[place] = isEnabled ? 1 : 0;
    } else {
      this.violations.push(`a switch was refused: ${answer.failure.kind}`);
    }
    this.#platform.call('noteIntent', { productId, isEnabled, status: answer.ok ? 'acknowledged' : 'refused' });
  }

  async #do({ what, lastsMs }: Doing): Promise<void> {
    const { network, machine, world } = this.#till;
    switch (what) {
      case 'scans':
        this.#ask(this.#scan());
        if (this.done.scans % scansALook === 0) {
          this.#ask(this.#look());
        }
        break;
      case 'switches':
        this.#ask(this.#switch());
        break;
      case 'outages':
        network.outage = this.#random.pick(outageKinds);
        this.done.outages += 1;
        break;
      case 'networkBack':
        network.outage = null;
        break;
      case 'sleeps':
        machine.sleep(lastsMs);
        this.done.sleeps += 1;
        break;
      case 'restock':
        this.#platform.call('restock', platformEpochMs + world.nowMs(), this.#random.integer(10, 60));
        break;
    }
    await world.settle();
  }

  /** Nobody is at a machine that sleeps; the network and the platform go on. */
  async #reach({ atMs, what }: Doing): Promise<void> {
    const { world, machine } = this.#till;
    const isOfPeople = what === 'scans' || what === 'switches' || what === 'sleeps';
    await world.runUntil(Math.max(atMs, isOfPeople ? machine.awakeAtMs() + 1 : 0, world.nowMs()));
  }

  async live(doings: readonly Doing[], endMs: number): Promise<void> {
    for (const doing of doings) {
      await this.#reach(doing);
      if (
        this.#till.state()?.session.state !== 'signedIn' &&
        this.#till.network.outage === null &&
        !(await this.#till.signIn())
      ) {
        this.violations.push('nobody could sign in');
      }
      await this.#do(doing);
    }
    await this.#till.world.runUntil(endMs);
    await this.#drain();
    await this.#readBooks();
  }

  async #isDrained(): Promise<boolean> {
    const state = await this.#till.call('terminal:read', {});
    if (!state.ok) {
      return false;
    }
    const { queue, catalogue } = state.value;
    return queue.pending + queue.inFlight + this.#open === 0 && catalogue.phase === 'complete';
  }

  async #drain(): Promise<void> {
    const { world } = this.#till;
    const endMs = world.nowMs() + maxDrainMs;
    while (!(await this.#isDrained())) {
      if (world.nowMs() > endMs) {
        this.violations.push(`not drained: ${this.#open} calls open, ${JSON.stringify(this.#till.state()?.queue)}`);
        return;
      }
      await world.runUntil(world.nowMs() + drainStepMs);
    }
  }

  /** The queue's updates of this day, while it still keeps them. */
  async #readBooks(): Promise<void> {
    const updates = await listQueue((page) => this.#till.call('queue:list', page));
    const { switches } = booksOf(updates.filter(({ id }) => id > this.#newestRow));
    this.#newestRow = updates.at(-1)?.id ?? this.#newestRow;
    this.#platform.call(
      'noteBooks',
      switches.map(({ productId, isEnabled, status }) => ({ productId, isEnabled, status })),
    );
  }
}

function readDay(till: VirtualTill): Sample {
  return { held: readHeld(), timers: till.pendingTimers(), files: Object.fromEntries(readFiles(till.folder)) };
}

/** Lives the week, and answers what was counted and what did not hold. */
export async function runVirtualWeek(options: VirtualWeekOptions): Promise<WeekReport> {
  const { days, share, dayHours, seed, isLeaking, onDay } = options;
  const dayMs = dayHours * hourMs;
  const random = createSeededRandom(`week ${seed}`);
  const root = mkdtempSync(join(temporaryRoot, 'tillside-week-'));
  const platform = startWeekPlatform({ products: productCount, seed, startedAt: platformEpochMs });
  try {
    const till = await openVirtualTill(root, random.fork('till'), platform);
    const week = new Week(till, platform, random.fork('people'), isLeaking);
    if (!(await till.signIn())) {
      throw new Error('nobody could sign in');
    }
    const asked = partOf((share * days) / daysOfWeek);
    const counted: Sample[] = [];
    for (let day = 0; day < days; day += 1) {
      const startMs = Math.max(day * dayMs, till.world.nowMs());
      const doings = planDay(shareOf(asked, day, days), startMs, dayMs, random.fork(`day ${day}`));
      await week.live(doings, (day + 1) * dayMs);
      const sample = readDay(till);
      counted.push(sample);
      onDay(`day ${day + 1}: ${formatLoad(week.done)}; heap ${formatFigure(sample.held.heap, 'bytes')}`);
    }
    const { violations, requests, maxInWindow } = platform.call('conclude');
    await till.close();
    return {
      series: seriesOf(
        counted.map((sample) => [sample]),
        null,
      ),
      violations: [...week.violations, ...till.troubles, ...violations],
      asked,
      done: week.done,
      requests,
      maxInWindow,
    };
  } finally {
    await platform.close();
    rmSync(root, { recursive: true, force: true });
  }
}
