import type { Mutation } from '../mutation.ts';

export const watchListMutations: readonly Mutation[] = [
  {
    name: 'minimums that were not kept are not counted',
    file: 'renderer/watch-list/set-minima.ts',
    find: 'leftOut += slice.length - answer.value.kept;',
    replace: 'leftOut += 0 * slice.length;',
    rules: [],
    test: 'test/unit/renderer/watch-list/watch-list.test.ts',
  },
];
