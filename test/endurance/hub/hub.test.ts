// The proof that `npm run hub` finds a bug of the kind that it is there for.
import { expect, test } from 'vitest';
import { hasPostgres } from '../../support/postgres.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { runHub } from './run.ts';

test.skipIf(!hasPostgres())('tills that ask no hub are caught (J1)', async () => {
  const { violations } = await runHub({
    seed: 'planted',
    seconds: 40,
    tills: 6,
    losesData: false,
    folder: temporaryDirectory(),
    isSelfish: true,
  });
  expect(violations).toContainEqual(expect.stringMatching(/^J1 /));
});
