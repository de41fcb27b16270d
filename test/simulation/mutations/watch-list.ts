import type { PlantedBugs } from '../mutation.ts';

export const watchListMutations: PlantedBugs = {
  'minimums that were not kept are not counted': {
    change: ['$1.length - $2.$3.$4', '0'],
    test: 'test/unit/renderer/watch-list/watch-list.test.ts',
  },
};
