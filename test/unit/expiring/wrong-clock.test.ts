// The proof that a clock that is months off keeps the days that count.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { ProductBatches } from '../../../app/contract/batches.ts';
import { createExpiring } from '../../../app/expiring/expiring.ts';
import type { ExpiringParts } from '../../../app/expiring/parts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { calm } from './calm.ts';

const dayMs = 24 * 3_600_000;
const days = ['2030-07-10', '2030-08-10', '2030-09-10', '2030-10-10', '2030-11-10', '2031-01-10', '2031-01-20'];

test.each([-180, 180])(
  'of the batches noted by a clock that is %i days ahead the next ones are kept',
  async (ahead) => {
    const clock = createManualClock({ now: Date.UTC(2031, 0, 6, 12) + ahead * dayMs });
    let aheadMs = ahead * dayMs;
    const expiring = createExpiring({
      path: join(temporaryDirectory(), 'batches.db'),
      shop: 'platform 7',
      stockIds: ['11'],
      clock,
      aheadMs: () => aheadMs,
      asking: () => ({ isOn: false, from: 22, to: 6 }),
      offsetMinutes: () => 0,
      circumstances: () => calm,
      catalogue: { describe: () => ({ nameKey: '', words: '' }) },
      pause: () => Promise.resolve(true),
      log: () => undefined,
    } as unknown as ExpiringParts);
    onTestFinished(() => expiring.close());
    const batches = [...days, '2031-02-10', '2031-03-10', '2031-04-10'].map((day) => ({
      lot: null,
      quantity: null,
      expiresOn: { name: 'expires_at', day },
    })) as unknown as ProductBatches['batches'];
    expiring.note({ stockId: '11' as Id, productId: '1' as Id }, { batches } as unknown as ProductBatches);
    const listed = async (): Promise<readonly string[]> => {
      const page = await expiring.page('30', '', 0, 10);
      return page.ok ? page.value.rows.map(({ day }) => day) : [];
    };
    // Once it is written.
    await listed();
    clock.jumpWall(-aheadMs);
    aheadMs = 0;
    expect(await listed()).toEqual(['2031-01-10', '2031-01-20']);
  },
);
