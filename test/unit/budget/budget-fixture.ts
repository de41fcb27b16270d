// Owns what the allowance's tests share. Never asserts anything.
import { openBudget, type Budget, type Slot } from '../../../app/budget/budget.ts';
import type { Lane } from '../../../app/budget/lanes.ts';
import { openSendLog } from '../../../app/budget/store.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Result } from '../../../app/domain/result.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** An allowance over a queue.db of its own. */
export async function openOnDisk(clock = createManualClock(), directory = temporaryDirectory()) {
  const database = await openQueueDatabase(directory);
  return { clock, directory, database, budget: openBudget(clock, openSendLog(database)) };
}

/** Takes as many slots as are granted at once, at most `wanted`. */
export async function takeNow(budget: Budget, lane: Lane, wanted: number): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (let count = 0; count < wanted; count += 1) {
    const cancellation = new AbortController();
    const taking = budget.take(lane, cancellation.signal);
    await settlePromises();
    cancellation.abort();
    const result = await taking;
    if (!result.ok) {
      break;
    }
    slots.push(result.value);
  }
  return slots;
}

/** What became of a waiting, or null while it waits. */
export function watch(taking: Promise<Result<Slot, Failure>>): { result: Result<Slot, Failure> | null } {
  const watched: { result: Result<Slot, Failure> | null } = { result: null };
  void taking.then((result) => {
    watched.result = result;
  });
  return watched;
}
