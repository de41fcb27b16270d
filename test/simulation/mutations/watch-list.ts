import type { PlantedBugs } from '../mutation.ts';

export const watchListMutations: PlantedBugs = {
  'minimums that were not kept are not counted': {
    change: ['slice.length - $1.value.$2', '0 * slice.length'],
    test: 'test/unit/renderer/watch-list/watch-list.test.ts',
  },
};
