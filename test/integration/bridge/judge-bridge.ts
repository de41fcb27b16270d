import { sendOverHttp } from '../../../app/conformance/http-send.ts';
import { judgePlatform, type Report } from '../../../app/conformance/run.ts';
import { calledAt, idOf, type OpenBridge } from './shop.ts';

/** What the kit that judges any platform says of a bridge, under a clock that jumps over every wait. */
export async function judgeBridge(open: (now: () => number) => Promise<OpenBridge>): Promise<Report> {
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
  return judgePlatform({
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
}
