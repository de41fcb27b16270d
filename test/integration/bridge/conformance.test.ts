// The kit that judges any platform, on a bridge.
import { expect, it, onTestFinished } from 'vitest';
import { sendOverHttp } from '../../../app/conformance/http-send.ts';
import { judgePlatform } from '../../../app/conformance/run.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { calledAt, makeShop, openBridge } from './shop.ts';

it('a bridge keeps every line of the document that can be told', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, null, 'shop');
  const start = Date.parse('2026-03-04T09:00:00Z');
  let passedMs = 0;
  const now = (): number => start + passedMs;
  const { bridge, caller } = await openBridge(folder, shop.address, now);
  onTestFinished(async () => {
    await bridge.close();
    await shop.close();
  });
  const [stock = ''] = caller.platform.stockIds;
  const listed = (await caller.list('term=9520000000011')).text;
  const product = /"product_id":(\d+)/.exec(listed)?.[1] ?? '';
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
  expect(report.lines.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  expect([report.outcome, report.why]).toEqual(['kept', null]);
});
