import type { Id } from '../../app/domain/int64.ts';
import type { Evidence } from './evidence.ts';
import type { Machine } from './machine.ts';
import { platformEpochMs, type Referee } from './referee.ts';
import { createRounds } from './rounds.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Till } from './till.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

interface PlanningWorld {
  readonly world: World;
  /** Chances of its own, so that the other draws stay what they were. */
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly till: Till;
  readonly machine: Machine;
  readonly evidence: Evidence;
  readonly referee: Pick<Referee, 'changeByOther'>;
  readonly companyId: string;
  /** The products that nobody at this till but plans switches, ten by each user whose they are. */
  readonly products: ReadonlyMap<string, readonly string[]>;
}

/** All that is drawn of a plan, so that the other draws do not hang upon what becomes of it. */
interface Draw {
  readonly repeats: 'once' | 'weekly';
  readonly isSearch: boolean;
  /** Of the products that are there for plans. */
  readonly from: number;
  readonly count: number;
  readonly afterMinutes: number;
  readonly forMinutes: number;
  /** The switches that somebody makes at another terminal. */
  readonly elsewhere: readonly { readonly productId: number; readonly isEnabled: boolean; readonly afterMs: number }[];
}

interface Planning {
  /** From now on somebody plans something at about this distance. */
  begin(meanGapMs: number): void;
  end(): void;
  /** Notes what became of the plans, where they can be seen. */
  look(): Promise<void>;
}

const minuteMs = 60_000;

/** Makes whoever plans at one till; its clock on the wall has no summer time. */
export function createPlanning({
  world,
  random,
  trace,
  till,
  machine,
  evidence,
  referee,
  companyId,
  products,
}: PlanningWorld): Planning {
  const rounds = createRounds(world);

  function setClock(byMs: number): void {
    machine.shiftClock(byMs);
    evidence.clockShifts.push(world.nowMs());
    evidence.wallClock.push({ atMs: world.nowMs(), offMs: machine.clockOffMs() });
  }

  const wallMs = (): number => platformEpochMs + world.nowMs() + machine.clockOffMs();

  /** A search that finds this product alone now; null where there is none. */
  async function searchOf(stockId: Id, productId: Id) {
    const card = await till.call('product:read', { stockId, productId });
    const term = card?.ok === true ? card.value.code : null;
    if (term === null) {
      return null;
    }
    const found = await till.call('coupon:listIds', { filter: 'all', term, offset: 0, limit: 10 });
    const isAlone =
      found?.ok === true && found.value.productIds.length === 1 && found.value.productIds[0] === productId;
    return isAlone ? ({ kind: 'search', filter: 'all', term } as const) : null;
  }

  /** Its times by the clock as it would be without `aheadMs`. */
  async function planAt(draw: Draw, aheadMs: number): Promise<void> {
    const state = await till.call('terminal:read', {});
    const email = state?.ok === true ? (state.value.session.email ?? '') : '';
    const own = products.get(email);
    if (state?.ok !== true || state.value.profile?.companyId !== companyId || own === undefined) {
      return;
    }
    const { repeats, from, count, afterMinutes, forMinutes } = draw;
    const name = `plan ${String(evidence.plans.length + 1)}`;
    const chosen = own.slice(from, from + count) as Id[];
    const [first] = chosen;
    const stockId = state.value.profile.stockIds[0];
    const search =
      draw.isSearch && first !== undefined && stockId !== undefined ? await searchOf(stockId, first) : null;
    const productIds = search === null ? chosen : chosen.slice(0, 1);
    const how = search ?? ({ kind: 'list', productIds } as const);
    const saved = await till.call('couponSet:save', { setId: null, name, how });
    if (saved?.ok !== true) {
      return;
    }
    const minute = Math.floor(wallMs() / minuteMs) + afterMinutes;
    const [on, off] = [minute * minuteMs, (minute + forMinutes) * minuteMs];
    const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 16);
    const times = { repeats, day: new Date(on).toISOString().slice(0, 10), on: timeOf(on), off: timeOf(off) };
    // Before it is answered, for the process may die after it has kept it.
    const [isSearch, isAhead] = [search !== null, aheadMs > 0];
    const facts = { email, companyId, name, productIds, repeats, isSearch, isAhead, atMs: world.nowMs() };
    const kept = { ...facts, on: on - aheadMs, off: off - aheadMs, isSure: false };
    evidence.plans.push(kept);
    const planned = await till.call('couponSet:plan', { setId: saved.value.setId, times });
    kept.isSure = planned?.ok === true;
    trace.add(`plan ${name} for ${String(productIds.length)}, ${repeats}: ${String(kept.isSure)}`);
    for (const { productId, isEnabled, afterMs } of draw.elsewhere) {
      world.after(afterMs, () => {
        referee.changeByOther(own[productId] ?? '', isEnabled);
      });
    }
  }

  /** Somebody notices that the clock was some weeks ahead only when the plan is made. */
  async function planAhead(draw: Draw, weeks: number): Promise<void> {
    const aheadMs = weeks * 7 * 24 * 60 * minuteMs;
    setClock(aheadMs);
    await planAt(draw, aheadMs);
    setClock(-aheadMs);
  }

  function plan(): void {
    const draw: Draw = {
      repeats: random.chance(0.4) ? 'weekly' : 'once',
      isSearch: random.chance(0.2),
      from: random.integer(0, 9),
      count: random.integer(1, 5),
      afterMinutes: random.integer(1, 4),
      forMinutes: random.integer(1, 25),
      elsewhere: Array.from({ length: random.integer(0, 3) }, () => ({
        productId: random.integer(0, 9),
        isEnabled: random.chance(0.5),
        afterMs: random.integer(0, 6 * minuteMs),
      })),
    };
    const weeks = random.integer(1, 60);
    void (draw.repeats === 'weekly' && random.chance(0.4) ? planAhead(draw, weeks) : planAt(draw, 0));
  }

  return {
    begin: (meanGapMs) => {
      rounds.begin(
        () => random.waitMs(meanGapMs),
        () => {
          if (till.isOpen() && world.nowMs() >= machine.awakeAtMs()) {
            plan();
          }
        },
      );
    },
    end: rounds.end,
    look: async () => {
      const state = await till.call('terminal:read', {});
      const seen = await till.call('couponSet:listPlanned', {});
      if (state?.ok === true && state.value.profile?.companyId === companyId && seen?.ok === true) {
        evidence.planned = { wallMs: wallMs(), ...seen.value };
      }
    },
  };
}
