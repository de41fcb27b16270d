import type { PlantedBugs } from '../mutation.ts';

export const storageMutations: PlantedBugs = {
  'what memory believes of a write outlives the write': { change: 'skip', test: 'test/unit/storage/database.test.ts' },
  'a copy that the disk refuses makes way': {
    change: ["$1.$2.$3 === 'storageFromFuture'", "['storageFromFuture', 'storageFailed'].includes($1.$2.$3)"],
    test: 'test/unit/storage/refusals.test.ts',
  },
  'a file that could only be read stays so': {
    change: ['$1.#$2 === null', 'true'],
    test: 'test/unit/storage/opened-to-read.test.ts',
  },
  'what is written to a file that no start finds passes for kept': {
    change: 'skip',
    test: 'test/unit/storage/replaced-files.test.ts',
  },
  "the copy's index is mapped, and a full disk ends the process": {
    change: ["$1: 'unix-excl'", ''],
    test: 'test/unit/storage/refusals.test.ts',
  },
  'a leftover backup is taken for damage of the queue (I1, I27)': {
    change: ['$1(`${$2}.new`)', '$2'],
    world: ['bad disk'],
  },
};
