// In the end the world heals, the queue must drain, and judge.ts holds everything against everything.
//
// The course of a life (when it is killed, what its network and its platform do, which switches are made) follows from
// the seed and the life's number alone; how far it gets before it is killed is the machine's affair, so a seed repeats
// a plan, not an outcome. Between lives the till sometimes rests (rested.ts), or else the rate limit of 60 requests a
// minute would let it live through ten lives a minute at most; sometimes it does not for many lives, and the rate limit
// must hold (K6). Nothing here waits for a fixed time for something to happen. It never looks into the product: it has
// the bridge in front, the platform behind, and a signal.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Id } from '../../app/domain/int64.ts';
import { writeJson } from '../../app/domain/json.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../app/training/server.ts';
import { orderlyEnd } from '../support/child.ts';
import { listQueue } from '../support/list-queue.ts';
import { temporaryRoot } from '../simulation/temporary-root.ts';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { openFaultyNetwork, type FaultyNetwork, type Place } from './faulty-network.ts';
import { drainQueue, startHost, type Host } from './host.ts';
import { booksOf, judge, maxInWindow, type Books, type Intent, type Restoration, type Violation } from './judge.ts';

interface KillOptions {
  /** Of `buildHost`. */
  readonly script: string;
  readonly seed: string;
  readonly kills: number;
  /** A module beside this one that plants a bug into the host; null for none. */
  readonly plantedBug?: string | null;
}

/**
 * When a life ends: while the host starts, while a request is on its way, while a switch is being written, or at any
 * time.
 */
type KillMoment = 'starting' | Place | 'switching' | 'anytime';

const moments: Readonly<Record<KillMoment, number>> = {
  starting: 3,
  arrived: 3,
  carried: 4,
  answered: 4,
  switching: 5,
  anytime: 3,
};
const figure = z.number();
export const momentNames = Object.keys(moments) as KillMoment[];

/** As a sitting keeps it. */
export const killReportSchema = z.object({
  kills: figure,
  killsDuring: z.record(z.enum(momentNames), figure),
  acknowledged: figure,
  unknown: figure,
  requests: figure,
  effects: figure,
  replays: figure,
  maxInWindow: figure,
  drainMs: figure,
  violations: z.array(z.object({ rule: z.string(), what: z.string() })),
});
export type KillReport = z.infer<typeof killReportSchema>;

const productCount = 60;
const switchedProducts = 12;
/** However little happens, a life ends this long after its page was opened, and longer on a slow machine. */
const maxLifeMs = 1_200;
/**
 * A life that was to die in its start may be killed this long after it, so that every instant of the start is in reach.
 */
const startSlackMs = 50;
/** Longer than anything that is under way may take to arrive. */
const restMs = 150_000;
const drainDeadlineMs = 120_000;

/** The state of one till. */
interface Till {
  readonly script: string;
  readonly platform: TrainingPlatform;
  readonly network: FaultyNetwork;
  readonly dataDirectory: string;
  readonly provisionPath: string;
  readonly products: readonly Id[];
  readonly plantedBug: string | null;
  readonly intents: Intent[];
  readonly restorations: Restoration[];
  readonly violations: { rule: string; what: string }[];
  leadMs: number;
  /** How far the uptime ran ahead when the request of the same place in the network's list left. */
  readonly leadsMs: number[];
  typicalStartMs: number;
}

/** Lets the till's uptime run ahead; what was under way arrives meanwhile. */
async function rest(till: Till): Promise<void> {
  await till.network.settle();
  till.leadMs += restMs;
}

function start(till: Till): Host {
  return startHost({
    script: till.script,
    dataDirectory: till.dataDirectory,
    provisionPath: till.provisionPath,
    leadMs: till.leadMs,
    preloaded: till.plantedBug,
  });
}

/** Signs in as a person would: again when the network had trouble. */
async function signIn(till: Till, host: Host, attempts: number): Promise<boolean> {
  for (let attempt = 0; attempt < attempts && !host.isKilled(); attempt += 1) {
    const answer = await host.invoke('session:signIn', {
      email: till.platform.email,
      password: till.platform.password,
    });
    if (answer?.ok === true && answer.value.passed) {
      return true;
    }
  }
  return false;
}

/** Makes one switch and notes what was promised. `onSent` is called when the call has left. */
async function makeSwitch(
  till: Till,
  host: Host,
  random: SeededRandom,
  productId: Id,
  onSent: () => void,
): Promise<void> {
  const last = till.intents.findLast((intent) => intent.productId === productId);
  const isEnabled = random.chance(0.8) ? !(last?.isEnabled ?? false) : random.chance(0.5);
  const place = till.intents.push({ productId, isEnabled, status: 'unknown' }) - 1;
  const call = host.invoke('coupon:switch', { productId, isEnabled });
  onSent();
  const answer = await call;
  if (answer !== null) {
    till.intents[place] = { productId, isEnabled, status: answer.ok ? 'acknowledged' : 'refused' };
  }
}

/** Asks for a user back, each time another whom the platform does not know. */
async function restoreUser(till: Till, host: Host): Promise<void> {
  const userId = String(90_001 + till.restorations.length) as Id;
  const place = till.restorations.push({ userId, status: 'unknown' }) - 1;
  const answer = await host.invoke('user:restore', { userId });
  if (answer !== null) {
    till.restorations[place] = { userId, status: answer.ok ? 'acknowledged' : 'refused' };
  }
}

/** Switches in bursts and one by one until the host is killed. */
async function keepSwitching(till: Till, host: Host, random: SeededRandom, onSent: () => void): Promise<void> {
  while (!host.isKilled()) {
    const first = random.integer(0, switchedProducts - 1);
    const together = random.pickWeighted({ one: 6, some: 3, all: 1 });
    const count = { one: () => 1, some: () => random.integer(2, 4), all: () => switchedProducts }[together]();
    // Calls for one product never overlap: whose came first would be anybody's guess.
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const productId = till.products[(first + index) % switchedProducts];
        if (productId !== undefined) {
          await makeSwitch(till, host, random, productId, onSent);
        }
      }),
    );
    if (random.chance(0.02)) {
      await restoreUser(till, host);
    }
    await sleep(random.chance(0.6) ? random.integer(0, 15) : random.integer(15, 120));
  }
}

/** Arms what will kill the host at the moment; answers what a switch that has left must call. */
function arm(
  till: Till,
  host: Host,
  moment: KillMoment,
  random: SeededRandom,
): { readonly onSwitch: () => void; disarm(): void } {
  const timers: NodeJS.Timeout[] = [];
  const killAfter = (delayMs: number): void => {
    if (delayMs === 0) {
      host.kill();
    } else {
      timers.push(setTimeout(host.kill, delayMs));
    }
  };
  let left = moment === 'switching' ? random.integer(1, 12) : random.integer(1, 9);
  const delayMs = random.chance(0.5) ? 0 : random.integer(1, moment === 'arrived' ? 5 : 20);
  till.network.listen((place) => {
    if (place === 'arrived') {
      till.leadsMs.push(till.leadMs);
    }
    if (place === moment) {
      left -= 1;
      if (left === 0) {
        killAfter(delayMs);
      }
    }
  });
  if (moment === 'starting') {
    killAfter(random.fraction() * (till.typicalStartMs + startSlackMs));
  }
  return {
    onSwitch: () => {
      left -= moment === 'switching' ? 1 : 0;
      if (moment === 'switching' && left === 0) {
        killAfter(delayMs === 0 ? 0 : delayMs / 4);
      }
    },
    disarm: () => {
      for (const timer of timers) {
        clearTimeout(timer);
      }
    },
  };
}

/** Lets some requests of this life have a bad platform. */
function troublePlatform(platform: TrainingPlatform, random: SeededRandom): void {
  platform.setFaults(
    random.chance(0.25)
      ? {
          answerLatencyMs: random.integer(0, 30),
          faults: [
            {
              kind: 'answer',
              status: random.pick([500, 503]),
              isEffectApplied: random.chance(0.5),
              method: 'PUT',
              times: random.integer(1, 2),
            },
          ],
        }
      : { latencyMs: random.chance(0.3) ? random.integer(1, 30) : 0 },
  );
  if (random.chance(0.05)) {
    platform.expireAccessTokens();
  }
}

/** One life: started, signed in, switched at, killed. Answers the moment at which it was to be killed. */
async function live(till: Till, random: SeededRandom): Promise<KillMoment> {
  const moment = random.pickWeighted(moments);
  till.network.trouble(random.chance(0.5) ? random.fork('network') : null);
  troublePlatform(till.platform, random);
  const startedAt = performance.now();
  const host = start(till);
  const { onSwitch, disarm } = arm(till, host, moment, random.fork('kill'));
  const life = async (): Promise<void> => {
    if (!(await host.enter())) {
      return;
    }
    till.typicalStartMs += (performance.now() - startedAt - till.typicalStartMs) / 4;
    const lastsMs =
      (maxLifeMs + till.typicalStartMs) * (moment === 'anytime' ? random.fraction() : 0.5 + random.fraction() / 2);
    const longest = setTimeout(host.kill, lastsMs);
    const isImpatient = random.chance(0.2);
    const signingIn = signIn(till, host, 3);
    if (!isImpatient) {
      await signingIn;
    }
    await keepSwitching(till, host, random.fork('switches'), onSwitch);
    clearTimeout(longest);
    await signingIn;
  };
  try {
    await life();
  } catch (error) {
    till.violations.push({
      rule: 'host',
      what: `it failed without being killed: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
  host.kill();
  disarm();
  const { code } = await host.child.stop('SIGKILL');
  if (code !== null) {
    till.violations.push({
      rule: 'host',
      what: `it ended by itself with ${code}: ${host.child.errorLines.slice(-5).join(' | ')}`,
    });
  }
  // Data that it had already given to the operating system arrives all the same.
  await sleep(5);
  return moment;
}

/** The last life, in a healthy world and after a rest: waits for the queue to drain and reads the books. */
async function drain(till: Till): Promise<{ readonly books: Books; readonly drainMs: number }> {
  till.network.trouble(null);
  till.network.listen((place) => {
    if (place === 'arrived') {
      till.leadsMs.push(till.leadMs);
    }
  });
  till.platform.setFaults({});
  await rest(till);
  const startedAt = performance.now();
  const host = start(till);
  try {
    await host.enter();
    if (!(await signIn(till, host, 5))) {
      throw new Error('nobody could sign in to a healthy platform');
    }
    const left = await drainQueue(host, drainDeadlineMs);
    if (left !== null) {
      till.violations.push({ rule: 'drain', what: left });
    }
    const drainMs = performance.now() - startedAt;
    const books = booksOf(await listQueue((page) => host.invoke('queue:list', page)));
    const { code } = await host.child.stop('SIGTERM');
    if (code !== orderlyEnd('SIGTERM').code) {
      till.violations.push({ rule: 'host', what: `it ended with ${String(code)} on SIGTERM` });
    }
    await till.network.settle();
    return { books, drainMs };
  } finally {
    await host.child.stop('SIGKILL');
  }
}

/** Runs one till through so many kills and judges it. */
export async function runTill({ script, seed, kills, plantedBug = null }: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(temporaryRoot, 'tillside-kill-'));
  const platform = await startTrainingPlatform({ directory: null, productCount, requestsPerMinute: 1_000_000 });
  const network = await openFaultyNetwork(platform.platformUrl);
  const { clientId, clientSecret, companyId, stockIds } = platform;
  const till: Till = {
    script,
    platform,
    network,
    dataDirectory: join(folder, 'data'),
    provisionPath: join(folder, 'till.json'),
    products: Array.from({ length: switchedProducts }, (_, index) => String(platform.products.idAt(index * 3)) as Id),
    plantedBug,
    intents: [],
    restorations: [],
    violations: [],
    leadMs: 0,
    leadsMs: [],
    typicalStartMs: 500,
  };
  writeFileSync(
    till.provisionPath,
    writeJson({ platformUrl: network.url, clientId, clientSecret, companyId, stockIds: stockIds.slice(0, 1) }),
    { mode: 0o600 },
  );
  const settingsBefore = platform.couponSettings();
  const random = createSeededRandom(`kill ${seed}`);
  const killsDuring = Object.fromEntries(momentNames.map((moment) => [moment, 0])) as Record<KillMoment, number>;
  let rests = 0.5;
  try {
    for (let life = 1; life <= kills; life += 1) {
      // Now and then a till rests hardly ever, for some lives.
      rests = random.chance(0.08) ? random.pick([0, 0.2, 0.5]) : rests;
      if (random.chance(rests)) {
        await rest(till);
      }
      killsDuring[await live(till, random.fork(`life ${life}`))] += 1;
    }
    const { books, drainMs } = await drain(till);
    const keyed = network.sendings.flatMap(({ idempotencyKey, body }) =>
      idempotencyKey === null ? [] : [{ idempotencyKey, body }],
    );
    const leftAtMs = network.sendings.map(({ atMs }, place) => atMs + (till.leadsMs[place] ?? 0));
    const verdict: readonly Violation[] = judge({
      intents: till.intents,
      restorations: till.restorations,
      books,
      effects: platform.effects(),
      keyed,
      leftAtMs,
      settingsBefore,
      settingsAfter: platform.couponSettings(),
    });
    return {
      kills,
      killsDuring,
      acknowledged: till.intents.filter(({ status }) => status === 'acknowledged').length,
      unknown: till.intents.filter(({ status }) => status === 'unknown').length,
      requests: network.sendings.length,
      effects: platform.effects().length,
      replays: platform.arrivals().filter(({ isReplayed }) => isReplayed).length,
      maxInWindow: maxInWindow(leftAtMs),
      drainMs,
      violations: [...till.violations, ...verdict],
    };
  } finally {
    await network.close();
    await platform.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
