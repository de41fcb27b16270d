// The kit that judges any platform, on a bridge over each kind of source.
import { expect, it, onTestFinished } from 'vitest';
import { sendOverHttp } from '../../../app/conformance/http-send.ts';
import { judgePlatform } from '../../../app/conformance/run.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { calledAt, idOf, makeShop, noServers, openBridge, type OpenBridge } from './shop.ts';
import { openWoocommerce, products } from './woocommerce-shop.ts';

async function openSqlite(now: () => number): Promise<OpenBridge> {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const opened = await openBridge(folder, shop.address, now);
  onTestFinished(async () => {
    await opened.bridge.close();
    await shop.close();
  });
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
  const start = Date.parse('2026-03-04T09:00:00Z');
  let passedMs = 0;
  const now = (): number => start + passedMs;
  const opened = await open(now);
  const { bridge, caller } = opened;
  const [stock = ''] = caller.platform.stockIds;
  const product = await idOf(opened, '9520000000011');
  await caller.put('before', [[product, true]]);
  let keys = 0;
  const { platformUrl: url, clientId, clientSecret, email, password, companyId: company } = calledAt(bridge.address);
  const report = await judgePlatform({
    target: { url, clientId, clientSecret, email, password, company, stock },
    maySwitch: product,
    hasOneCompany: true,
    perMinute: 30,
    send: sendOverHttp,
    timing: {
      now,
      wait: (ms) => {
        passedMs += Math.max(1, Math.ceil(ms));
        return Promise.resolve();
      },
    },
    uuid: () => `00000000-0000-4000-8000-${String((keys += 1)).padStart(12, '0')}`,
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  expect(report.lines.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id)).toEqual(broken);
  expect([report.outcome, report.why]).toEqual([broken.length === 0 ? 'kept' : 'broken', null]);
});
