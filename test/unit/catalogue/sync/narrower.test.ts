// A refusal of a narrower question says nothing of its stock while the plain first page is answered.
import { expect, test } from 'vitest';
import type { FailureKind } from '../../../../app/domain/failure.ts';
import type { ListingQuery } from '../../../../app/platform/query.ts';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

const minuteMs = 60_000;

/** Passes in steps that a till's clock would see. */
async function wait({ clock }: SyncSetting, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await clock.advance(minuteMs);
  }
}

/** An answer without an element is a failure. */
function failEmpty({ platform }: SyncSetting, kind: FailureKind): void {
  platform.failListing = ({ stockId, updatedFrom, productIds }: ListingQuery) => {
    const since = updatedFrom === undefined ? null : Date.parse(updatedFrom);
    const fits = (platform.stocks.get(stockId) ?? []).some(
      (product) => (since === null || product.updatedAt >= since) && (productIds?.includes(id(product.id)) ?? true),
    );
    return fits ? null : { kind };
  };
}

test('a filter that nothing fits, answered with 404, is an empty list: of changes, and of what has gone', async () => {
  const setting = await prepare({ stockIds: [stockOne, stockTwo] });
  const products = setting.platform.fill(stockOne, 150);
  setting.platform.fill(stockTwo, 50);
  failEmpty(setting, 'notFound');
  setting.sync.start();
  await wait(setting, 10);
  expect(setting.sync.state()).toMatchObject({ phase: 'complete', failure: null });
  expect(setting.sync.state().stocks).toMatchObject([{ refused: null }, { refused: null }]);
  expect(setting.clock.now() - (setting.sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(5 * minuteMs);

  products.splice(5, 1);
  setting.sync.copyAgain();
  await wait(setting, 10);
  expect(copiedIds(setting, 150)).toEqual(all(150).filter((product) => product !== 6));
});
