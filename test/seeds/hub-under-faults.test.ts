// The share of `npm run hub` that each night plays, and the proof that it finds a bug of the kind that it is there for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPostgres } from '../support/postgres.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../support/temporary.ts';
import { buildHost } from '../endurance/build-host.ts';
import { runHub } from '../endurance/hub/run.ts';

const folder = makeTemporaryDirectory();
let script = '';
beforeAll(async () => {
  script = await buildHost(folder.path);
});
afterAll(folder.remove);

test.skipIf(!hasPostgres())(
  'tills of a hub under faults keep the limit, come back, follow and lose nothing (J1, J2, J4, J5)',
  { timeout: 3_600_000 },
  async () => {
    const { violations, requests, switches } = await runHub({
      seed: 'short',
      seconds: 600,
      tills: 4,
      losesData: false,
      folder: temporaryDirectory(),
      script,
    });
    expect(violations.join('\n')).toBe('');
    expect(requests).toBeGreaterThan(10);
    expect(switches).toBeGreaterThan(0);
  },
);

test.skipIf(!hasPostgres())('tills that ask no hub are caught (J1)', async () => {
  const { violations } = await runHub({
    seed: 'planted',
    seconds: 40,
    tills: 6,
    losesData: false,
    folder: temporaryDirectory(),
    script,
    isSelfish: true,
  });
  expect(violations).toContainEqual(expect.stringMatching(/^J1 /));
});
