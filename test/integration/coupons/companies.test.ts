// Proves over real HTTP that the coupon settings of one company are never taken for another's, whatever the platform
// makes of the header that names it where API v3 §4.6 lists none.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { connect, openMachine, openPlatformForTest, profileOf, signIn, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const couponsPath = '/api/v3/products/consumption-coupons';

/** A second company with coupons, of which the till has a profile beside the first one's unless it is the only one. */
async function openAtSecond(isOnly = false) {
  const platform = await openPlatformForTest();
  platform.setVariants({ secondHasCoupons: true });
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  const second = { ...profileOf(platform), companyId: platform.secondCompanyId, stockIds: [platform.kioskStockId] };
  for (const profile of isOnly ? [second] : [profileOf(platform), second]) {
    await connect(terminal, platform, profile);
    if ((await stateOf(terminal)).session.state !== 'signedIn') {
      await signIn(terminal, platform);
    }
  }
  // On in the first company and off in the second, and the other way round.
  const [offHere, onHere] = [String(platform.products.idAt(0)) as Id, String(platform.products.idAt(10)) as Id];
  const stockId = platform.kioskStockId;
  // The copy has it before any test takes the network away.
  await expect.poll(async () => (await handlers['product:read']({ stockId, productId: offHere })).ok).toBe(true);
  return { platform, terminal, handlers, machine, offHere, onHere, stockId };
}

async function shownOf({ handlers }: Terminal): Promise<Record<string, boolean | null>> {
  const { rows } = valueOf(await handlers['coupon:list']({ filter: 'all', offset: 0, limit: 100 }));
  return Object.fromEntries(rows.map(({ productId, coupon }) => [productId, coupon.isEnabled]));
}

const settingsOf = (platform: TrainingPlatform, companyId: Id) =>
  Object.fromEntries(platform.couponSettings(companyId));

test.each(['first', 'missing_headers', 'forbidden'] as const)(
  'I4: a second company has its own settings and offline switches; list without a company: %s',
  async (couponsWithoutCompany) => {
    const { platform, terminal, handlers, machine, offHere, stockId } = await openAtSecond();
    platform.setVariants({ couponsWithoutCompany });
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
    expect(await shownOf(terminal)).toEqual(settingsOf(platform, platform.secondCompanyId));

    machine.isNetworkDown = true;
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: false });
    expect(await handlers['coupon:switch']({ productId: offHere, isEnabled: true })).toMatchObject({ ok: true });
    expect(await handlers['product:read']({ stockId, productId: offHere })).toMatchObject({
      value: { coupon: { isEnabled: true, status: 'waiting' } },
    });
    machine.isNetworkDown = false;
    await handlers['coupon:refresh']({});
    await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 10_000 }).toBe(1);
    expect(platform.effects()).toMatchObject([
      { companyId: platform.secondCompanyId, productId: offHere, isEnabled: true },
    ]);
  },
);

const askedWith = (platform: TrainingPlatform) =>
  platform.arrivals().filter(({ method, path }) => method === 'GET' && path === couponsPath);

test.each(['bad_request', 'unprocessable_entity', 'forbidden', 'not_found'] as const)(
  'I4: a company refused with %s is not asked for unnamed where two are known; a switch goes out',
  async (couponsOfCompany) => {
    const { platform, terminal, handlers, offHere } = await openAtSecond();
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
    platform.setVariants({ couponsOfCompany });
    const before = askedWith(platform).length;
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: false });
    expect(askedWith(platform).length).toBe(before + 1);
    expect(await shownOf(terminal)).toEqual(settingsOf(platform, platform.secondCompanyId));
    expect(await handlers['coupon:switch']({ productId: offHere, isEnabled: true })).toMatchObject({ ok: true });
    await expect.poll(() => platform.effects().length, { timeout: 10_000 }).toBe(1);
    expect((await stateOf(terminal)).notices).toEqual([]);
  },
);

test.each(['bad_request', 'unprocessable_entity'] as const)(
  'I4: a till’s only company is read without its header after %s, said so once; sending keeps it',
  async (couponsOfCompany) => {
    const { platform, terminal, handlers, machine, offHere } = await openAtSecond(true);
    platform.setVariants({ couponsOfCompany });
    machine.isNetworkDown = true;
    await handlers['coupon:refresh']({});
    // A switch that another company's settings would show as done.
    expect(await handlers['coupon:switch']({ productId: offHere, isEnabled: true })).toMatchObject({ ok: true });
    machine.isNetworkDown = false;
    for (let reading = 0; reading < 2; reading += 1) {
      expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
    }
    await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 10_000 }).toBe(1);
    expect(platform.effects()).toMatchObject([
      { companyId: platform.secondCompanyId, productId: offHere, isEnabled: true },
    ]);
    expect((await stateOf(terminal)).notices).toMatchObject([
      { kind: 'couponsOfNoCompany', detail: platform.secondCompanyId },
    ]);
    expect(Object.keys(await shownOf(terminal))).not.toEqual([]);
    platform.setVariants({ couponsOfCompany: 'own' });
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
    expect(await shownOf(terminal)).toEqual(settingsOf(platform, platform.secondCompanyId));
  },
);

test.each(['forbidden', 'not_found'] as const)(
  'I4: a company that may not be read (%s) is never shown the settings of another',
  async (couponsOfCompany) => {
    const { platform, terminal, handlers } = await openAtSecond(true);
    platform.setVariants({ couponsOfCompany });
    const before = await shownOf(terminal);
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: false });
    expect(await shownOf(terminal)).toEqual(before);
    expect((await stateOf(terminal)).notices).toEqual([]);
  },
);

test('I4: settings read without the company say so after a restart, and go once a second one is known', async () => {
  const { platform, terminal, handlers, machine } = await openAtSecond(true);
  platform.setVariants({ couponsOfCompany: 'bad_request' });
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  const others = await shownOf(terminal);
  expect(others).not.toEqual(settingsOf(platform, platform.secondCompanyId));

  await terminal.close();
  machine.isNetworkDown = true;
  const again = await machine.start();
  expect(await shownOf(again)).toEqual(others);
  expect((await stateOf(again)).notices).toMatchObject([
    { kind: 'couponsOfNoCompany', detail: platform.secondCompanyId },
  ]);

  machine.isNetworkDown = false;
  await connect(again, platform);
  const here = (await stateOf(again)).profiles.find(({ companyId }) => companyId === platform.secondCompanyId);
  expect(await again.handlers['profile:switch']({ profileId: here?.profileId ?? 0 })).toMatchObject({ ok: true });
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: false });
  expect(await shownOf(again)).toEqual({});

  platform.setVariants({ couponsOfCompany: 'own' });
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  expect(await shownOf(again)).toEqual(settingsOf(platform, platform.secondCompanyId));
});
