// The kit that judges any platform, on a bridge over each kind of source.
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';
import { judgeBridge } from './judge-bridge.ts';
import { makeShop, noServers, openBridge, type OpenBridge } from './shop.ts';
import { openWoocommerce, products } from './woocommerce-shop.ts';

async function openSqlite(now: () => number): Promise<OpenBridge> {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const opened = await openBridge(folder, shop.address, now);
  return opened;
}

interface Shop {
  readonly name: string;
  readonly open: (now: () => number) => Promise<OpenBridge>;
  /** The lines that such a shop cannot keep. */
  readonly broken: readonly string[];
}

const shops: readonly Shop[] = [
  { name: 'SQLite', open: openSqlite, broken: [] },
  // It keeps no movements.
  { name: 'WooCommerce', open: (now) => openWoocommerce(products, now), broken: ['4.4:movements'] },
];

it.each(shops)('a bridge over $name keeps every line that its source lets it keep', async ({ open, broken }) => {
  const report = await judgeBridge(open);
  expect(report.lines.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id)).toEqual(broken);
  expect([report.outcome, report.why]).toEqual([broken.length === 0 ? 'kept' : 'broken', null]);
});
