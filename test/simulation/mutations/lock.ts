import type { Mutation } from '../mutation.ts';

export const lockMutations: readonly Mutation[] = [
  {
    name: 'what the disk refuses is thrown',
    file: 'app/lock/guard.ts',
    find: 'onlyStorageError(error)',
    replace: 'onlyStorageError(new Error(String(error)))',
    rules: ['I0'],
  },
  {
    name: 'a PIN for a coupon opens everything',
    file: 'app/lock/unlocking.ts',
    find: 'return [...openNow().map(({ kind }) => kind), ...(slice === null ? [] : [slice.kind])];',
    replace: "return openNow().length > 0 ? ['coupons', 'settings', 'lock', 'audit', 'users', 'discarding'] : [];",
    rules: [],
    test: 'test/unit/lock/lock.test.ts',
  },
];
