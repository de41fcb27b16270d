import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import type { Slot } from '../../../app/rate-limit/slots.ts';
import type { Lane } from '../../../app/rate-limit/lanes.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Result } from '../../../app/domain/result.ts';
import type { Database } from '../../../app/storage/database.ts';
import { createManualClock, settlePromises, type ManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A rate limit over a queue.db of its own. */
export async function openOnDisk(clock = createManualClock(), directory = temporaryDirectory()) {
  const database = await openQueueDatabase(directory);
  return {
    clock,
    directory,
    database,
    rateLimit: openRateLimit(clock, openSendLog(database, 'https://platform.example.com')),
  };
}

/** The process ends without a word, and another one opens the same file at the same moment. */
export function restart(run: { readonly clock: ManualClock; readonly directory: string; readonly database: Database }) {
  run.database.close();
  return openOnDisk(createManualClock({ now: run.clock.now(), uptimeMs: run.clock.uptimeMs() }), run.directory);
}

/** Takes as many slots as are granted at once, at most `wanted`; their requests leave. */
export async function takeNow(rateLimit: RateLimit, lane: Lane, wanted: number): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (let count = 0; count < wanted; count += 1) {
    const cancellation = new AbortController();
    const taking = rateLimit.take(lane, cancellation.signal);
    await settlePromises();
    cancellation.abort();
    const result = await taking;
    if (!result.ok) {
      break;
    }
    result.value.leave();
    slots.push(result.value);
  }
  return slots;
}

/** The result of a waiting, or null while it waits. */
export function watch(taking: Promise<Result<Slot, Failure>>): { result: Result<Slot, Failure> | null } {
  const watched: { result: Result<Slot, Failure> | null } = { result: null };
  void taking.then((result) => {
    watched.result = result;
  });
  return watched;
}
