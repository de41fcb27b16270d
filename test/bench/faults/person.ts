import type { World } from '../../simulation/virtual-clock.ts';
import type { FaultPlan, PlannedIntent } from './fault-plan.ts';
import type { Standing } from './verdict.ts';

interface Person {
  /** By intent; one that was never accepted stays as `waitsForTheProcess`. */
  readonly standings: Map<number, Standing>;
  /** Tries again what no process could take so far. */
  goOn(): void;
  /** True when all planned switches have been made. */
  isDone(): boolean;
}

/** Between two switches that have waited for the process. */
const handMs = 200;

/** Starts the person. `offer` answers null when nobody is there to take the switch now. */
export function createPerson(
  world: World,
  plan: FaultPlan,
  offer: (intent: PlannedIntent) => Promise<Exclude<Standing, 'waitsForTheProcess'> | null>,
): Person {
  const standings = new Map<number, Standing>();
  const wanted: PlannedIntent[] = [];
  let isBusy = false;

  async function goOn(): Promise<void> {
    const next = wanted[0];
    if (isBusy || next === undefined) {
      return;
    }
    isBusy = true;
    const standing = await offer(next);
    if (standing === null) {
      isBusy = false;
      return;
    }
    standings.set(next.id, standing);
    wanted.shift();
    world.after(handMs, () => {
      isBusy = false;
      void goOn();
    });
  }

  for (const intent of plan.intents) {
    world.after(intent.atMs, () => {
      standings.set(intent.id, 'waitsForTheProcess');
      wanted.push(intent);
      void goOn();
    });
  }
  return {
    standings,
    goOn: () => void goOn(),
    isDone: () => standings.size === plan.intents.length && wanted.length === 0,
  };
}
