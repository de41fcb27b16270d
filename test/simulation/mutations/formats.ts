import type { PlantedBugs } from '../mutation.ts';

export const formatsMutations: PlantedBugs = {
  'batches that cannot be read are said not to be there': {
    change: ['$1 -', '0 * $1 *'],
    test: 'test/unit/renderer/formats/batches.test.ts',
  },
};
