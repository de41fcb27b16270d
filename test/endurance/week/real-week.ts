// The same week in the machine's own time: the built host with the real page in Chromium, against the training platform
// as a process of its own. A seventh of the time stands for a day.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildStale } from '../../../build/launch.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { writeJson } from '../../../app/domain/json.ts';
import { Products } from '../../../app/training/data/products.ts';
import { listQueue } from '../../support/list-queue.ts';
import { launchPlatform, type Platform } from '../../support/platform.ts';
import { openRelay, type Exchange, type Relay } from '../../support/relay.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { buildHost } from '../build-host.ts';
import { drainQueue, startHost, type Host } from '../host.ts';
import { booksOf, judge, maxInWindow, type BookRow, type Effect, type Intent } from '../judge.ts';
import { formatFigure } from './judge.ts';
import { daysOfWeek, partOf, spread, formatLoad, type Load, productCount, switchedProducts } from './plan.ts';
import { openRealPage, screens, type RealPage } from './real-page.ts';
import { seriesOf, type Sample } from './series.ts';
import type { WeekReport } from './virtual-week.ts';

export interface RealWeekOptions {
  readonly minutes: number;
  readonly seed: string;
  readonly onSample: (line: string) => void;
}

const minutesOfWeek = 60;
const samplesADay = 4;
/** After so many scans the last one's card must be on the screen. */
const scansALook = 25;
const scansAWalk = 250;
const maxDrainMs = 8 * 60_000;
const outageKinds = ['unplugged', 'losingAnswers', 'suspended'] as const;

interface Doing {
  readonly atMs: number;
  readonly what: 'scan' | 'switch' | 'outage' | 'networkBack' | 'sleep' | 'sample';
  readonly lastsMs: number;
}

function planWhole(load: Load, lengthMs: number, random: SeededRandom): readonly Doing[] {
  const at = (what: Doing['what'], count: number, lastsMs: () => number = () => 0): Doing[] =>
    spread(count, lengthMs, random.fork(what)).map((atMs) => ({ atMs, what, lastsMs: lastsMs() }));
  const outages = at('outage', load.outages, () => Math.min(random.integer(500, 6_000), lengthMs / load.outages / 3));
  const samples = daysOfWeek * samplesADay;
  return [
    ...at('scan', load.scans),
    ...at('switch', load.switches),
    ...outages,
    ...outages.map(({ atMs, lastsMs }): Doing => ({ atMs: atMs + lastsMs, what: 'networkBack', lastsMs: 0 })),
    ...at('sleep', load.sleeps, () => random.integer(500, 3_000)),
    ...Array.from({ length: samples }, (_, place): Doing => ({
      atMs: ((place + 1) * lengthMs) / samples,
      what: 'sample',
      lastsMs: 0,
    })),
  ].sort((left, right) => left.atMs - right.atMs);
}

function formatSample(sample: Sample | undefined): string {
  return `host ${formatFigure(sample?.held.heap ?? 0, 'bytes')}, page ${formatFigure(sample?.page?.heap ?? 0, 'bytes')}, ${sample?.page?.nodes ?? 0} nodes`;
}

class RealWeek {
  readonly #platform: Platform;
  readonly #relay: Relay;
  readonly #host: Host;
  readonly #page: RealPage;
  readonly #random: SeededRandom;
  readonly #products = new Products(productCount, 1);
  readonly #isOn = new Uint8Array(switchedProducts);
  readonly done = { scans: 0, switches: 0, outages: 0, sleeps: 0 };
  readonly violations: string[] = [];
  readonly intents: Intent[] = [];
  readonly samples: Sample[] = [];
  #isSuspended = false;

  constructor(parts: { platform: Platform; relay: Relay; host: Host; page: RealPage; random: SeededRandom }) {
    ({
      platform: this.#platform,
      relay: this.#relay,
      host: this.#host,
      page: this.#page,
      random: this.#random,
    } = parts);
  }

  async #scan(): Promise<void> {
    const index = this.#random.integer(0, productCount - 1);
    const [barcode = this.#products.codeAt(index)] = this.#products.barcodesAt(index);
    await this.#page.scan(barcode);
    this.done.scans += 1;
    if (this.done.scans % scansALook === 0 && !(await this.#page.sees(this.#products.nameAt(index)))) {
      this.violations.push(`scan ${this.done.scans} of ${barcode} is not on the screen`);
    }
    if (this.done.scans % scansAWalk === 0) {
      await this.#page.lookAround();
    }
  }

  async #switch(): Promise<void> {
    const place = this.#random.integer(0, switchedProducts - 1);
    const productId = String(this.#products.idAt(place)) as Id;
    const isEnabled = this.#isOn[place] === 0;
    const isAccepted = await this.#page.switch(productId, isEnabled);
    this.done.switches += 1;
    this.intents.push({ productId, isEnabled, status: isAccepted ? 'acknowledged' : 'refused' });
    if (isAccepted) {
      this.#isOn[place] = isEnabled ? 1 : 0;
    } else {
      this.violations.push(`a switch of product ${productId} was refused`);
    }
  }

  #breakNetwork(): void {
    const kind = outageKinds[this.done.outages % outageKinds.length] ?? 'unplugged';
    this.done.outages += 1;
    if (kind === 'suspended') {
      this.#isSuspended = true;
      this.#platform.child.process.kill('SIGSTOP');
    } else {
      this.#relay.setMode(kind);
    }
  }

  #healNetwork(): void {
    if (this.#isSuspended) {
      this.#isSuspended = false;
      this.#platform.child.process.kill('SIGCONT');
    } else {
      this.#relay.setMode('plugged');
    }
  }

  async #sleep(lastsMs: number): Promise<void> {
    this.#host.child.process.kill('SIGSTOP');
    this.done.sleeps += 1;
    await sleep(lastsMs);
    this.#host.child.process.kill('SIGCONT');
  }

  async #sample(): Promise<void> {
    const number = this.samples.length + 1;
    this.#host.child.process.kill('SIGUSR2');
    const [, text = ''] = await this.#host.child.waitForLine(new RegExp(`^HELD ${number} (.*)$`));
    const sample = { ...(JSON.parse(text) as Sample), page: await this.#page.read() };
    this.samples.push(sample);
  }

  async #do({ what, lastsMs }: Doing): Promise<void> {
    switch (what) {
      case 'scan':
        await this.#scan();
        break;
      case 'switch':
        await this.#switch();
        break;
      case 'outage':
        this.#breakNetwork();
        break;
      case 'networkBack':
        this.#healNetwork();
        break;
      case 'sleep':
        await this.#sleep(lastsMs);
        break;
      case 'sample':
        await this.#sample();
        break;
    }
  }

  /** One after the other, each at its time or, where the machine is slower, as soon as it can be. */
  async live(doings: readonly Doing[], onSample: RealWeekOptions['onSample']): Promise<void> {
    const startedAt = performance.now();
    const lateBy = (atMs: number): number => performance.now() - startedAt - atMs;
    for (const doing of doings) {
      const waitMs = -lateBy(doing.atMs);
      if (waitMs > 1) {
        await sleep(waitMs);
      }
      await this.#do(doing);
      if (doing.what === 'sample') {
        const late = `${(lateBy(doing.atMs) / 1000).toFixed(0)} s late`;
        onSample(
          `${(doing.atMs / 60_000).toFixed(1)} min, ${late}: ${formatLoad(this.done)}; ${formatSample(this.samples.at(-1))}`,
        );
      }
    }
  }
}

/**
 * The effects that the platform carried out, by its answers. A replay whose first answer never came this far stands for
 * the first.
 */
function effectsOf(exchanges: readonly Exchange[]): readonly Effect[] {
  const answered = new Set<string>();
  return exchanges.flatMap(({ method, status, requestHeaders, responseHeaders, requestBody }) => {
    const idempotencyKey = requestHeaders['idempotency-key']?.toString() ?? '';
    const isReplay = responseHeaders['idempotency-replayed'] === 'true' && answered.has(idempotencyKey);
    if (method !== 'PUT' || status >= 300 || isReplay) {
      return [];
    }
    answered.add(idempotencyKey);
    return [...requestBody.matchAll(/"product_id":(\d+),"is_enabled":(true|false)/g)].map(
      ([, productId = '', isEnabled]) => ({ productId, isEnabled: isEnabled === 'true', idempotencyKey }),
    );
  });
}

function judgeAll(
  exchanges: readonly Exchange[],
  intents: readonly Intent[],
  switches: readonly BookRow[],
): readonly string[] {
  const effects = effectsOf(exchanges);
  const inOrder = exchanges.toSorted((left, right) => left.atMs - right.atMs);
  return judge({
    intents,
    restorations: [],
    books: { switches, restorations: [] },
    effects,
    keyed: inOrder.flatMap(({ method, requestHeaders, requestBody }) =>
      method === 'PUT'
        ? [{ idempotencyKey: requestHeaders['idempotency-key']?.toString() ?? '', body: requestBody }]
        : [],
    ),
    leftAtMs: inOrder.map(({ atMs }) => atMs),
    settingsBefore: new Map(),
    settingsAfter: new Map(effects.map(({ productId, isEnabled }) => [productId, isEnabled])),
  }).map(({ rule, what }) => `${rule} ${what}`);
}

async function enter(host: Host, platform: Platform): Promise<void> {
  if (!(await host.enter())) {
    throw new Error('the host did not start');
  }
  const { email, password } = platform;
  const signedIn = await host.invoke('session:signIn', { email, password });
  if (signedIn?.ok !== true || !signedIn.value.passed) {
    throw new Error(`nobody could sign in: ${JSON.stringify(signedIn)}`);
  }
  for (;;) {
    const state = await host.invoke('terminal:read', {});
    if (state?.ok === true && state.value.catalogue.phase === 'complete') {
      return;
    }
    await sleep(200);
  }
}

/** Lives the week in so many minutes, and answers what was counted and what did not hold. */
export async function runRealWeek({ minutes, seed, onSample }: RealWeekOptions): Promise<WeekReport> {
  await buildStale(['renderer']);
  const random = createSeededRandom(`week ${seed}`);
  const folder = mkdtempSync(join(tmpdir(), 'tillside-week-'));
  const dataDirectory = join(folder, 'data');
  const provisionPath = join(folder, 'till.json');
  const platform = await launchPlatform(['--products', String(productCount), '--movements-per-minute', '60']);
  const relay = await openRelay(platform.url);
  const { clientId, clientSecret, companyId, stockIds } = platform;
  writeFileSync(
    provisionPath,
    writeJson({
      platformUrl: relay.url,
      clientId,
      clientSecret,
      companyId,
      stockIds: stockIds.split(', ').slice(0, 1),
      language: 'en',
    }),
    { mode: 0o600 },
  );
  const host = startHost({
    script: await buildHost(join(folder, 'host')),
    dataDirectory,
    provisionPath,
    leadMs: 0,
    preloaded: 'week/probe-in-host.ts',
    environment: { TILLSIDE_TEST_FOLDER: dataDirectory },
  });
  let page: RealPage | null = null;
  try {
    await enter(host, platform);
    const { origin, cookie } = host.door();
    page = await openRealPage(origin, cookie);
    // Files that are opened when they are first needed are open before the first day.
    await host.invoke('stocktake:list', { offset: 0, limit: 1 });
    const productId = String(new Products(productCount, 1).idAt(0)) as Id;
    const stockId = (stockIds.split(', ')[0] ?? '') as Id;
    await host.invoke('product:readBatches', { stockId, productId, optionIds: [] });
    for (const _screen of screens) {
      await page.lookAround();
    }
    const week = new RealWeek({ platform, relay, host, page, random });
    const asked = partOf(minutes / minutesOfWeek);
    await week.live(planWhole(asked, minutes * 60_000, random), onSample);
    const undrained = await drainQueue(host, maxDrainMs);
    const { switches } = booksOf(await listQueue((rows) => host.invoke('queue:list', rows)));
    const { exchanges } = relay;
    return {
      series: seriesOf(
        Array.from({ length: daysOfWeek }, (_, day) => week.samples.slice(day * samplesADay, (day + 1) * samplesADay)),
        asked.switches,
      ),
      violations: [
        ...week.violations,
        ...(undrained === null ? [] : [undrained]),
        ...page.complaints.map((complaint) => `the page: ${complaint}`),
        ...judgeAll(exchanges, week.intents, switches),
      ],
      asked,
      done: week.done,
      requests: exchanges.length,
      maxInWindow: maxInWindow(exchanges.map(({ atMs }) => atMs).sort((left, right) => left - right)),
    };
  } finally {
    await page?.close();
    await host.child.stop('SIGKILL');
    await relay.close();
    await platform.child.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
