import { agedMs } from '../../../app/rate-limit/scheduler.ts';
import { documentedRules } from '../../../app/rate-limit/rules.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { asUngatheringVersion } from '../../support/earlier-hub.ts';
import { askFigures } from './figure-scans.ts';
import { hubKey } from './hub-terminal.ts';
import { watchIdle, type Idle } from './idle-watch.ts';
import { later, minuteMs, mostInAWindow, openShop } from './shop.ts';

/** A shop whose copies are complete unless some tills copy: else nothing but people's scans asks the platform. */
export interface ShopDay {
  readonly seed: number;
  readonly tills: number;
  /** Mean time between two scans at one till; they come by Poisson. */
  readonly scanEveryMs: number;
  readonly minutes: number;
  /** Each scan is of another product of one stock, and the platform lists several by their ids (H15). */
  readonly isListed?: boolean;
  /** So many tills copy without end, one page after the other. */
  readonly copying?: number;
  /** Of each two tills one has the version that gathered no figures (H15). */
  readonly isMixed?: boolean;
}

export interface DayEvidence {
  /** How long each scan waited for its slot, and how long in one ideal queue for all tills. */
  readonly waitsMs: readonly number[];
  readonly idealMs: readonly number[];
  /** How many of a hundred scans another till's request answered. */
  readonly joinedPercent: number;
  /** The longest time in which a person waited who might have gone (L1). */
  readonly idle: Idle;
  readonly requestsPerMinute: number;
  readonly pagesPerMinute: number;
  /** The most requests that a window of the platform saw. */
  readonly mostInAWindow: number;
  /** Writes of the document a minute, and how many of a hundred lost to a quicker till. */
  readonly writesPerMinute: number;
  readonly lostPercent: number;
}

const { limit, windowMs } = documentedRules;
/** From a slot's grant to the answer, as the shop's platform gives it. */
const answeredAfterMs = 41;

/** One queue for all tills with the whole limit, in the order of the rules (B5); each scan's slot counts for a window. */
function idealWaits(scansMs: readonly number[]): number[] {
  const coming = scansMs.toSorted((left, right) => left - right);
  /** When each slot counts no more. */
  const freeMs = Array.from({ length: limit }, () => 0);
  const waiting: number[] = [];
  const waits: number[] = [];
  while (coming.length + waiting.length > 0) {
    const soonestMs = Math.min(...freeMs);
    const nextMs = waiting.length === 0 ? Math.max(soonestMs, coming[0] ?? 0) : soonestMs;
    while ((coming[0] ?? Infinity) <= nextMs) {
      waiting.push(coming.shift() ?? 0);
    }
    const aged = waiting.findIndex((sinceMs) => nextMs - sinceMs >= agedMs);
    const [sinceMs = nextMs] = waiting.splice(aged === -1 ? waiting.length - 1 : aged, 1);
    waits.push(nextMs - sinceMs);
    freeMs[freeMs.indexOf(soonestMs)] = nextMs + answeredAfterMs + windowMs;
  }
  return waits;
}

/** Plays it in virtual time. */
export async function runShopDay({
  seed,
  tills,
  scanEveryMs,
  minutes,
  isListed = false,
  copying = 0,
  isMixed = false,
}: ShopDay): Promise<DayEvidence> {
  const random = createSeededRandom(`shop day ${seed}`);
  let writes = 0;
  let lost = 0;
  const isEarlier = (at: number): boolean => isMixed && at % 2 === 1;
  const shop = openShop(tills, (way, at) => {
    const link = isEarlier(at) ? asUngatheringVersion(way, hubKey, random) : way;
    return {
      ...link,
      write: async (...input) => {
        const written = await link.write(...input);
        writes += 1;
        lost += written.ok && !written.value ? 1 : 0;
        return written;
      },
    };
  });
  const { world, terminals, arrivals } = shop;
  await later(shop, 2 * minuteMs);
  const beganMs = world.nowMs();
  const endMs = beganMs + minutes * minuteMs;
  [writes, lost] = [0, 0];
  const scansMs: number[] = [];
  const waitsMs: number[] = [];
  const figures = askFigures(world, random.fork('news'));
  let pages = 0;
  for (const terminal of terminals.slice(0, copying)) {
    const copy = (): void => {
      terminal.ask('catalogue', () => {
        pages += 1;
        world.after(random.waitMs(200), copy);
      });
    };
    // People are at work when it begins.
    world.after(random.integer(minuteMs, 2 * minuteMs), copy);
  }
  for (const [at, terminal] of terminals.entries()) {
    const own = random.fork(`till ${at}`);
    const scan = (): void => {
      const atMs = world.nowMs();
      if (atMs < endMs) {
        scansMs.push(atMs);
        const waited = (waitedMs: number): unknown => waitsMs.push(waitedMs);
        if (isListed && !isEarlier(at)) {
          figures.ask(terminal, waited);
        } else {
          terminal.ask('person', waited);
        }
        world.after(own.waitMs(scanEveryMs), scan);
      }
    };
    world.after(own.waitMs(scanEveryMs), scan);
  }
  const idle = watchIdle(world, terminals);
  await world.runUntil(endMs);
  const perMinute = (count: number): number => count / minutes;
  const [written, conflicts] = [writes, lost];
  const sent = arrivals.flat().filter((ms) => ms >= beganMs).length;
  const copied = pages;
  // Until the last scan has its answer, or never will.
  await world.runUntil(endMs + 10 * minuteMs, () => waitsMs.length === scansMs.length);
  await later(shop, minuteMs);
  return {
    waitsMs,
    idealMs: idealWaits(scansMs),
    joinedPercent: (100 * figures.joined()) / Math.max(1, waitsMs.length),
    idle: idle.longest(),
    requestsPerMinute: perMinute(sent),
    pagesPerMinute: perMinute(copied),
    mostInAWindow: mostInAWindow(shop),
    writesPerMinute: perMinute(written),
    lostPercent: (100 * conflicts) / Math.max(1, written),
  };
}
