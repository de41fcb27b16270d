import type { World } from '../../simulation/virtual-clock.ts';
import type { FaultPlan, PlannedIntent } from './fault-plan.ts';
import type { IntentStatus } from './verdict.ts';

interface Person {
  /** By intent; one that was never accepted stays as `waitsForTheProcess`. */
  readonly statuses: Map<number, IntentStatus>;
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
  offer: (intent: PlannedIntent) => Promise<Exclude<IntentStatus, 'waitsForTheProcess'> | null>,
): Person {
  const statuses = new Map<number, IntentStatus>();
  const wanted: PlannedIntent[] = [];
  let isBusy = false;

  async function goOn(): Promise<void> {
    const next = wanted[0];
    if (isBusy || next === undefined) {
      return;
    }
    isBusy = true;
    const status = await offer(next);
    if (status === null) {
      isBusy = false;
      return;
    }
    statuses.set(next.id, status);
    wanted.shift();
    world.after(handMs, () => {
      isBusy = false;
      void goOn();
    });
  }

  for (const intent of plan.intents) {
    world.after(intent.atMs, () => {
      statuses.set(intent.id, 'waitsForTheProcess');
      wanted.push(intent);
      void goOn();
    });
  }
  return {
    statuses,
    goOn: () => void goOn(),
    isDone: () => statuses.size === plan.intents.length && wanted.length === 0,
  };
}
