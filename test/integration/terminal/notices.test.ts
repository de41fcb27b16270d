// The proof that what one shop has to tell is told where it is true, and to whom it may be.
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { copied, openConnected, profileOf, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const minuteMs = 60_000;

test('a missed plan of one company is told there alone, and to nobody behind the lock', async () => {
  const { platform, machine, terminal: before } = await openConnected();
  const user = { email: platform.email, password: platform.password };
  await before.handlers['session:signIn'](user);
  await before.handlers['cashier:setPin']({ pin: '2580' });
  await copied(before);
  const productIds = [String(platform.products.idAt(3)) as Id];
  const saved = await before.handlers['couponSet:save']({
    setId: null,
    name: 'Happy hour',
    how: { kind: 'list', productIds },
  });
  // The machine's zone is UTC.
  const on = new Date(Date.now() + 3 * minuteMs).toISOString();
  const times = { repeats: 'once', day: on.slice(0, 10), on: on.slice(11, 16), off: null } as const;
  valueOf(await before.handlers['couponSet:plan']({ setId: valueOf(saved).setId, times }));
  await before.close();

  machine.aheadMs = 30 * minuteMs;
  const terminal = await machine.start();
  onTestFinished(() => terminal.close());
  const { handlers } = terminal;
  const told = async () => (await stateOf(terminal)).notices.map(({ kind, detail }) => [kind, detail]);
  const missed = [['planMissed', 'Happy hour']];
  const comeBack = () => handlers['cashier:comeBack']({ email: platform.email, pin: '2580' });
  // A start locks, and so does another connection.
  await comeBack();
  await expect.poll(told, { timeout: 10_000 }).toEqual(missed);
  await handlers['cashier:lock']({});
  expect(await told()).toEqual([]);
  await comeBack();
  expect(await told()).toEqual(missed);
  const kiosk = { companyId: platform.secondCompanyId, stockIds: [platform.kioskStockId] };
  await handlers['profile:connect']({ ...profileOf(platform), ...kiosk });
  await comeBack();
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profile: kiosk, notices: [] });
  await handlers['practice:start']({});
  expect(await stateOf(terminal)).toMatchObject({ mode: 'practice', notices: [] });
  await handlers['profile:switch']({ profileId: 1 });
  await comeBack();
  await expect.poll(told, { timeout: 10_000 }).toEqual(missed);
});
