import type { Mutation } from './mutation.ts';

/** What a disk refuses, and what lies beside a file, taken for damage of the file. */
export const diskMutations: readonly Mutation[] = [
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
    name: 'a copy that cannot be written to makes way once it is open',
    file: 'app/catalogue/store/store.ts',
    find: 'error.isDamage || error.isMisfit)',
    replace: "error.isDamage || error.failure.kind === 'storageFailed')",
    rules: [],
    test: 'test/unit/catalogue/store/refused-opening.test.ts',
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
  {
    name: 'a copy whose progress cannot be mended is not read',
    file: 'app/catalogue/store/store.ts',
    find: 'ifWritable(() => kept.save({ number }, mended));',
    replace: 'kept.save({ number }, mended);',
    rules: [],
    test: 'test/unit/catalogue/store/refused-opening.test.ts',
  },
];
