import type { ShownScene } from './scene-steps.ts';
import { cashiersScenes } from './scenes/cashiers.ts';
import { companionScenes } from './scenes/companion.ts';
import { couponSetsScenes } from './scenes/coupon-sets.ts';
import { couponsScenes } from './scenes/coupons.ts';
import { expiringScenes } from './scenes/expiring.ts';
import { fieldsScenes } from './scenes/fields.ts';
import { helpScenes } from './scenes/help.ts';
import { labelsScenes } from './scenes/labels.ts';
import { lockScenes } from './scenes/lock.ts';
import { lookupScenes } from './scenes/lookup.ts';
import { practiceScenes } from './scenes/practice.ts';
import { queueScenes } from './scenes/queue.ts';
import { rateLimitScenes } from './scenes/rate-limit.ts';
import { settingsScenes } from './scenes/settings.ts';
import { shellScenes } from './scenes/shell.ts';
import { signInScenes } from './scenes/sign-in.ts';
import { stationScenes } from './scenes/station.ts';
import { stockScenes } from './scenes/stock.ts';
import { stocktakesScenes } from './scenes/stocktakes.ts';
import { supportScenes } from './scenes/support.ts';
import { usersScenes } from './scenes/users.ts';
import { watchListScenes } from './scenes/watch-list.ts';

/** Every scene, in the order of a day. Those of a folder of renderer/ are in the file of its name. */
export const scenes: readonly ShownScene[] = [
  ...signInScenes,
  ...supportScenes,
  ...lookupScenes,
  ...shellScenes,
  ...practiceScenes,
  ...helpScenes,
  ...stockScenes,
  ...stocktakesScenes,
  ...watchListScenes,
  ...couponSetsScenes,
  ...labelsScenes,
  ...expiringScenes,
  ...fieldsScenes,
  ...couponsScenes,
  ...queueScenes,
  ...usersScenes,
  ...rateLimitScenes,
  ...settingsScenes,
  ...cashiersScenes,
  ...stationScenes,
  ...lockScenes,
  ...companionScenes,
];
