// The planner of one shop over the queue.db of a folder, begun at a given time by the clock on the wall. It writes `told`
// when a moment was made. As a program it counts its steps from there, and dies at one of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startPlanner, type Planner } from '../../app/coupons/planner.ts';
import { openCouponSets, type CouponSets } from '../../app/coupons/sets.ts';
import { openCouponRepository } from '../../app/coupons/repository.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail } from '../../app/domain/result.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import type { Clock } from '../../app/ports.ts';
import { wallTime } from '../../app/queue/steady-time.ts';
import { openQueueRepository } from '../../app/queue/repository.ts';
import type { Database } from '../../app/storage/database.ts';
import { openQueueDatabase } from './queue-database.ts';

const shop = { platform: 'https://platform.example.com', companyId: '7' as Id };
export const planner = { ...shop, email: 'ana@example.com' };
export const plannedIds = ['1', '2', '3'] as Id[];

export interface PlanningTill {
  readonly database: Database;
  readonly sets: CouponSets;
  readonly queueRepository: ReturnType<typeof openQueueRepository>;
  readonly start: (onMade: () => void) => Planner;
}

/** Opens the files; nothing is made before `start`. */
export async function openPlanningTill(directory: string, clock: Clock): Promise<PlanningTill> {
  const database = await openQueueDatabase(directory);
  const coupons = openCouponRepository(database);
  const queueRepository = openQueueRepository(database, coupons.confirm);
  const sets = openCouponSets(database, shop);
  return {
    database,
    sets,
    queueRepository,
    start: (onMade) =>
      startPlanner(
        {
          scope: shop,
          clock,
          steady: wallTime,
          offsetMinutes: () => 0,
          graceMinutes: () => 15,
          nameOf: () => null,
          pause: () => Promise.resolve(true),
          database,
          sets,
          queue: { noticeRows: () => undefined },
          queueRepository,
          coupons,
          listFor: () => ({ ids: () => Promise.resolve(fail({ kind: 'notReady' })) }),
          onMade,
          onMissed: () => undefined,
          log: (message) => {
            throw new Error(message);
          },
        },
        false,
      ),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [directory = '', wallMs = ''] = process.argv.slice(2);
  const clock = createNodeClock();
  const offMs = Number(wallMs) - clock.now();
  const till = await openPlanningTill(directory, { ...clock, now: () => clock.now() + offMs });
  await import('../endurance/kill-point.ts');
  till.start(() => {
    writeFileSync(join(directory, 'told'), '');
    process.exit();
  });
  // The planner's timer does not keep a process alive.
  setTimeout(() => undefined, 60_000);
}
