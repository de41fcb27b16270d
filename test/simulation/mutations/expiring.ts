import type { PlantedBugs } from '../mutation.ts';

export const expiringMutations: PlantedBugs = {
  'batches are asked for by day (I22)': {
    change: ['!$1($2, $3, $4($2))', '$1($2, $3, $4($2)) && $2 < 0'],
    test: 'test/unit/expiring/night.test.ts',
  },
  'after a 429 batches are asked for at once (I22)': {
    change: ['15 * 60_000', '1'],
    test: 'test/unit/expiring/night.test.ts',
  },
  'a request for batches that waits is not given up when a person comes (I22)': {
    change: 'skip',
    test: 'test/unit/expiring/night.test.ts',
  },
  'a request for batches whose night ends while it waits leaves all the same (I22)': {
    change: ['$1)', '() => undefined)'],
    test: 'test/unit/expiring/night.test.ts',
  },
  'the night asks about a stock that was refused since it was planned': {
    change: 'skip',
    test: 'test/unit/expiring/survey.test.ts',
  },
  'what is not copied yet is taken for gone': {
    change: ['|| $1.$2($3.$4)', '|| true'],
    test: 'test/unit/expiring/part-of-copy.test.ts',
  },
  'a product without an answer loses the days that are known of it': {
    change: ['$1.$2 !== null', 'false'],
    test: 'test/unit/expiring/survey.test.ts',
  },
};
