import type { PlantedBugs } from '../mutation.ts';

export const stocktakesMutations: PlantedBugs = {
  'an entry is undone although its line shows another by now (L3)': {
    change: ['!==', '<'],
    test: 'test/unit/stocktakes/lines.test.ts',
  },
  'a step of another count is undone (L3)': {
    change: ['$1?.$2 !== $3', '$1 === undefined'],
    test: 'test/unit/stocktakes/lines.test.ts',
  },
};
