import type { Id } from '../../app/domain/int64.ts';
import type { Evidence } from './evidence.ts';
import type { Machine } from './machine.ts';
import { platformEpochMs } from './referee.ts';
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
  readonly companyId: string;
  /** The products that nobody but plans switches, by the user whose they are. */
  readonly products: ReadonlyMap<string, readonly string[]>;
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
  companyId,
  products,
}: PlanningWorld): Planning {
  const rounds = createRounds(world);

  const wallMs = (): number => platformEpochMs + world.nowMs() + machine.clockOffMs();

  async function plan(): Promise<void> {
    const state = await till.call('terminal:read', {});
    const email = state?.ok === true ? (state.value.session.email ?? '') : '';
    const own = products.get(email);
    if (state?.ok !== true || state.value.profile?.companyId !== companyId || own === undefined) {
      return;
    }
    const name = `plan ${String(evidence.plans.length + 1)}`;
    const from = random.integer(0, own.length - 1);
    const productIds = own.slice(from, from + random.integer(1, 5)) as Id[];
    const saved = await till.call('couponSet:save', { setId: null, name, how: { kind: 'list', productIds } });
    if (saved?.ok !== true) {
      return;
    }
    const minute = Math.floor(wallMs() / minuteMs) + random.integer(1, 4);
    const [on, off] = [minute * minuteMs, (minute + random.integer(1, 25)) * minuteMs];
    const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 16);
    const times = {
      repeats: 'once',
      day: new Date(on).toISOString().slice(0, 10),
      on: timeOf(on),
      off: timeOf(off),
    } as const;
    // Before it is answered, for the process may die after it has kept it.
    const kept = { email, companyId, name, productIds, on, off, atMs: world.nowMs(), isSure: false };
    evidence.plans.push(kept);
    const planned = await till.call('couponSet:plan', { setId: saved.value.setId, times });
    kept.isSure = planned?.ok === true;
    trace.add(`plan ${name} for ${String(productIds.length)}: ${String(kept.isSure)}`);
  }

  return {
    begin: (meanGapMs) => {
      rounds.begin(
        () => random.waitMs(meanGapMs),
        () => {
          if (till.isOpen() && world.nowMs() >= machine.awakeAtMs()) {
            void plan();
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
