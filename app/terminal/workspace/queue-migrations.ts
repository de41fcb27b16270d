import { lookupSteps } from '../../catalogue/lookup/migrations.ts';
import { couponSteps } from '../../coupons/migrations.ts';
import { hubSteps } from '../../hub/migrations.ts';
import { queueSteps } from '../../queue/migrations.ts';
import { rateLimitSteps } from '../../rate-limit/migrations.ts';
import { shopListsSteps } from '../../shop-lists/migrations.ts';
import type { DatabaseOptions, Migration } from '../../storage/database.ts';
import { watchListSteps } from '../../watch-list/migrations.ts';

/**
 * queue.db is one file of several features, so that one transaction can change what belongs to two. Each feature has its
 * own steps; this list alone numbers them. A step that has shipped stays as it is: a new one goes to the end.
 */
export const queueMigrations: readonly Migration[] = [
  { version: 1, sql: queueSteps.tables + couponSteps.confirmedSettings + rateLimitSteps.slots },
  { version: 2, sql: queueSteps.restorations },
  { version: 3, sql: queueSteps.restorationsIndex },
  { version: 4, sql: queueSteps.names },
  { version: 5, sql: queueSteps.steadyTime },
  { version: 6, sql: rateLimitSteps.refusals },
  { version: 7, sql: hubSteps.memory },
  { version: 8, sql: watchListSteps.minima },
  { version: 9, sql: couponSteps.sets + queueSteps.plan },
  { version: 10, sql: rateLimitSteps.numberedSlots },
  { version: 11, sql: couponSteps.ofOneCompany },
  { version: 12, sql: couponSteps.plansBySteadyTime },
  { version: 13, sql: lookupSteps.labelChoices },
  { version: 14, sql: `${couponSteps.sharedPlans};${queueSteps.planUntil};` + shopListsSteps.taken },
  { version: 15, sql: queueSteps.settledKey },
  { version: 16, sql: rateLimitSteps.accounts },
  { version: 17, sql: couponSteps.plansUnderWay },
  { version: 18, sql: queueSteps.client },
];

/** How queue.db is opened. The shop's other files are made after it; practice's own one may lie there before. */
export const queueOptions: DatabaseOptions = {
  kind: 'precious',
  check: 'integrity_check',
  migrations: queueMigrations,
  madeBefore: /^(?:catalogue|batches|stocktakes)\b/,
};
