import type { Mutation } from '../mutation.ts';

export const storageMutations: readonly Mutation[] = [
  {
    name: 'a copy that the disk refuses makes way',
    file: 'app/storage/recover.ts',
    find: "(error.isDamage || (kind === 'disposable' && error.failure.kind === 'storageFromFuture'))",
    replace:
      "(error.isDamage || (kind === 'disposable' && ['storageFromFuture', 'storageFailed'].includes(error.failure.kind)))",
    rules: [],
    test: 'test/unit/storage/refusals.test.ts',
  },
  {
    name: "the copy's index is mapped, and a full disk ends the process",
    file: 'app/storage/file-url.ts',
    find: "isWindows ? {} : { vfs: 'unix-excl' }",
    replace: 'isWindows ? {} : {}',
    rules: [],
    test: 'test/unit/storage/refusals.test.ts',
  },
  {
    name: 'a leftover backup is taken for damage of the queue',
    file: 'app/storage/database.ts',
    find: 'const copy = freshName(`${place}.new`);',
    replace: 'const copy = place;',
    rules: ['I1', 'I27'],
    world: ['bad disk'],
  },
];
