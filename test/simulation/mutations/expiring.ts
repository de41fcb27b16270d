import type { Mutation } from '../mutation.ts';

export const expiringMutations: readonly Mutation[] = [
  {
    name: 'batches are asked for by day',
    file: 'app/expiring/night.ts',
    find: 'if (!isWithinHours(now, asking, offsetMinutes(now))) {',
    replace: 'if (isWithinHours(now, asking, offsetMinutes(now)) && now < 0) {',
    rules: ['I22'],
    test: 'test/unit/expiring/night.test.ts',
  },
  {
    name: 'after a 429 batches are asked for at once',
    file: 'app/expiring/night.ts',
    find: 'const refusedRestMs = 15 * 60_000;',
    replace: 'const refusedRestMs = 1;',
    rules: ['I22'],
    test: 'test/unit/expiring/night.test.ts',
  },
  {
    name: 'a request for batches that waits is not given up when a person comes',
    file: 'app/expiring/night.ts',
    find: 'asked.abort(); // N2',
    replace: '// N2',
    rules: ['I22'],
    test: 'test/unit/expiring/night.test.ts',
  },
  {
    name: 'a request for batches whose night ends while it waits leaves all the same',
    file: 'app/expiring/night.ts',
    find: 'controller.signal, noticeOthers)',
    replace: 'controller.signal, () => undefined)',
    rules: ['I22'],
    test: 'test/unit/expiring/night.test.ts',
  },
];
