// A whole till whose platform is a bridge over a shop's own database.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { openTerminal } from '../../../app/terminal/terminal.ts';
import { makeShell } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { valueOf } from '../../support/value-of.ts';
import { calledAt, makeShop, noServers, openBridge } from './shop.ts';

const patience = { timeout: 30_000, interval: 50 };

it('a till scans the shop offline, and a coupon switched offline is found once in the shop', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const { bridge } = await openBridge(folder, shop.address);
  const { platformUrl, clientId, clientSecret, companyId, stockIds, email, password } = calledAt(bridge.address);
  const axios = createAxiosHttp({ userAgent: 'Tillside/test' });
  let isOffline = false;
  const till = await openTerminal(
    makePorts({
      http: { send: (request) => (isOffline ? Promise.resolve(fail({ kind: 'unreachable' })) : axios.send(request)) },
      shell: makeShell(temporaryDirectory()),
    }),
    { provision: { profile: { platformUrl, clientId, companyId, stockIds: [...stockIds] }, clientSecret } },
  );
  onTestFinished(till.close);
  const { handlers } = till;
  expect(valueOf(await handlers['session:signIn']({ email, password })).passed).toBe(true);
  await vi.waitFor(async () => {
    const { catalogue } = valueOf(await handlers['terminal:read']({}));
    expect(catalogue.stocks.map(({ completeAsOf }) => completeAsOf)).not.toContain(null);
    expect(catalogue.stocks).toHaveLength(2);
  }, patience);

  isOffline = true;
  const found = valueOf(await handlers['lookup:find']({ text: '9520000000028', source: 'scan' }));
  expect(JSON.stringify(found)).toContain('Café moído');
  const productId = found.kind === 'found' ? found.cards[0]?.productId : undefined;
  expect(productId).toBeDefined();
  expect(valueOf(await handlers['coupon:switch']({ productId: productId as Id, isEnabled: true }))).toBeDefined();
  expect(await shop.written()).toEqual([]);
  isOffline = false;
  await vi.waitFor(async () => {
    await bridge.deliver();
    expect(await shop.written()).toEqual(['CAFE-1=1']);
  }, patience);
});
