import type { PlantedBugs } from '../mutation.ts';

export const lockMutations: PlantedBugs = {
  'what was asked for at one shop is done at the next': {
    change: ['$1 !== undefined && !$2($1)', '$1 === ""'],
    test: 'test/integration/terminal/profiles.test.ts',
  },
  'what the disk refuses is thrown (I0)': { change: ['$1)', 'new Error(String($1)))'] },
  'a PIN for a coupon opens everything': {
    change: [
      '[...$1().map(({ $2 }) => $2), ...($3 === null ? [] : [$3.$2])]',
      "$1().length > 0 ? ['coupons', 'settings', 'lock', 'audit', 'users', 'discarding'] : []",
    ],
    test: 'test/unit/lock/lock.test.ts',
  },
};
