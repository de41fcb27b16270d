// The share of `npm run hub` that the longer tests play, and the proof that it finds a bug of the kind that it is there for.
import { expect, test } from 'vitest';
import { hasPostgres } from '../../support/postgres.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { runHub } from './run.ts';

test.skipIf(!hasPostgres())(
  'tills of a hub under faults keep the limit, come back and follow its key (J1, J2, J4)',
  async () => {
    const { violations, requests } = await runHub({
      seed: 'short',
      seconds: 20,
      tills: 4,
      losesData: false,
      folder: temporaryDirectory(),
    });
    expect(violations.join('\n')).toBe('');
    expect(requests).toBeGreaterThan(10);
  },
);

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
