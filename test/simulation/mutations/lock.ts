import type { PlantedBugs } from '../mutation.ts';

export const lockMutations: PlantedBugs = {
  'what the disk refuses is thrown': { change: ['$1)', 'new Error(String($1)))'], rules: ['I0'] },
  'a PIN for a coupon opens everything': {
    change: [
      '[...$1().map(({ $2 }) => $2), ...($3 === null ? [] : [$3.$2])]',
      "$1().length > 0 ? ['coupons', 'settings', 'lock', 'audit', 'users', 'discarding'] : []",
    ],
    test: 'test/unit/lock/lock.test.ts',
  },
};
