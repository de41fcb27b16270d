import type { Mutation } from '../mutation.ts';

export const formatsMutations: readonly Mutation[] = [
  {
    name: 'batches that cannot be read are said not to be there',
    file: 'renderer/formats/batches.ts',
    find: 'const unread = total - batches.length;',
    replace: 'const unread = 0 * total * batches.length;',
    rules: [],
    test: 'test/unit/renderer/formats/batches.test.ts',
  },
];
