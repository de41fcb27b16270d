import { backoffMs } from '../domain/backoff.ts';
import type { Clock, Random, Timer } from '../ports.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import type { Connection } from '../platform/connection.ts';
import { onlyStorageError } from '../storage/database.ts';

const everyMs = 15 * 60_000;
const firstRetryMs = 10_000;
const maxRetryMs = 5 * 60_000;

export type CouponReading = ReturnType<typeof createCouponReading>;

/** Makes the reader; `read` asks the platform once and keeps what it answers, and may throw StorageError. */
export function createCouponReading(
  ports: { readonly clock: Clock; readonly random: Random; readonly connection: Pick<Connection, 'outage'> },
  read: () => Promise<Result<void, Failure>>,
) {
  const { clock, random, connection } = ports;
  let timer: Timer | null = null;
  let isRunning = false;
  let isStopped = true;
  let failures = 0;

  function schedule(delayMs: number): void {
    timer?.cancel();
    timer = clock.after(delayMs * (0.9 + 0.2 * random.fraction()), () => {
      void run();
    });
  }

  async function succeeds(): Promise<boolean> {
    try {
      return (await read()).ok;
    } catch (error) {
      onlyStorageError(error);
      // A full disk may have room again later.
      return false;
    }
  }

  async function run(): Promise<void> {
    if (isRunning || connection.outage() !== null) {
      return;
    }
    isRunning = true;
    const isRead = await succeeds();
    isRunning = false;
    if (isStopped) {
      return;
    }
    schedule(isRead ? everyMs : backoffMs(failures, firstRetryMs, maxRetryMs));
    failures = isRead ? 0 : failures + 1;
  }

  return {
    /**
     * Reads now, unless a reading is under way, and from then on every quarter of an hour. An outage ends that: whoever
     * hears of its end starts again.
     */
    start: () => {
      isStopped = false;
      failures = 0;
      void run();
    },
    stop: () => {
      isStopped = true;
      timer?.cancel();
      timer = null;
    },
  };
}
