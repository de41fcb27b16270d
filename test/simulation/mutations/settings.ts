import type { PlantedBugs } from '../mutation.ts';

export const settingsMutations: PlantedBugs = {
  "a setting made in practice is the terminal's (I31)": { change: ['$1($2)', '$2'], isPressed: true },
  'a setting made in practice stays': {
    change: ['$1 !==', '$1 ==='],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
  'practice is a way around the PIN of a terminal without a profile': {
    change: ['&& $1.$2().$3.$4 === null', ''],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
};
