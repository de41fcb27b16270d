import type { PlantedBugs } from '../mutation.ts';

export const hostsMutations: PlantedBugs = {
  'a program switches a coupon of another shop': {
    change: ['$1 !== undefined && $1 !== (await $2.$1())', 'false'],
    test: 'test/integration/hosts/loopback.test.ts',
  },
  'a file that was signed by a clock ahead is taken (P6)': {
    change: ['$1(at)', '$1(at) && at < 0'],
    test: 'test/unit/hosts/provisioning/offered.test.ts',
  },
  'a file with a stamp ahead blocks right ones for ever (P6)': {
    change: ['!$1($2.$3.at) &&', ''],
    test: 'test/unit/hosts/provisioning/offered.test.ts',
  },
};
