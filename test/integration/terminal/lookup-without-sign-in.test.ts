// Proves over real HTTP and real files that whoever stands at a terminal that has a copy can look up: after a sign-out
// and after a restart without a keychain, without a request and without a slot of the rate limit, that nothing else
// passes, and that a manager can forbid it.
import { expect, test } from 'vitest';
import type { ProductCard } from '../../../app/contract/products.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { anasPin, beasPin, openTillAtWork } from '../../support/cashier-till.ts';
import { connect, copied, openMachine, openPlatformForTest, signIn, stateOf } from '../../support/machine.ts';
import { everyProduct } from '../../../app/contract/every-product.ts';

const needed = fail({ kind: 'signInNeeded' });

async function signedIn(machine: ReturnType<typeof openMachine>, platform: TrainingPlatform): Promise<Terminal> {
  const terminal = await machine.start();
  await connect(terminal, platform);
  // Before anything is copied nothing can be answered.
  expect(await terminal.handlers['lookup:find']({ text: '1', source: 'scan' })).toEqual(needed);
  await signIn(terminal, platform);
  await copied(terminal);
  return terminal;
}

/**
 * All that reads the copy is answered, all that would ask the platform or change something is turned back, and nothing
 * was sent for either.
 */
async function expectLookupAlone({ handlers }: Terminal, platform: TrainingPlatform): Promise<void> {
  const before = platform.arrivals().length;
  const productId = String(platform.products.idAt(0)) as Id;
  const [stockId] = platform.stockIds as [Id];
  const product = { stockId, productId };
  const { name } = platform.products.at(0);
  const used = (await stateOf({ handlers })).rateLimit.used;

  const found = await handlers['lookup:find']({ text: productId, source: 'scan' });
  expect(found).toMatchObject({ ok: true, value: { kind: 'found' } });
  expect(
    found.ok &&
      found.value.kind === 'found' &&
      found.value.cards.every((card) => card.name === name && card.balance.source === 'listing'),
  ).toBe(true);
  expect(await handlers['lookup:search']({ text: name, limit: 50 })).toMatchObject(
    succeed(expect.arrayContaining([expect.objectContaining({ productId })]) as unknown),
  );
  expect(await handlers['lookup:listRecent']({})).toMatchObject(
    succeed(expect.arrayContaining([expect.objectContaining({ text: productId })]) as unknown),
  );
  expect(await handlers['product:read']({ ...product, isOpened: true })).toMatchObject({ ok: true, value: { name } });
  expect(await handlers['product:readKept'](product)).toMatchObject({ ok: true });
  expect(await handlers['lookup:find']({ text: 'NO-SUCH-1', source: 'scan' })).toMatchObject(
    succeed({ kind: 'unknown', asked: false }),
  );
  expect(await handlers['stock:browse']({ query: everyProduct, offset: 0, limit: 10 })).toMatchObject({ ok: true });

  for (const refused of [
    handlers['lookup:ask']({ text: 'NO-SUCH-1' }),
    handlers['product:refresh'](product),
    handlers['product:readMovements']({ ...product, optionIds: [] }),
    handlers['product:readBatches']({ ...product, optionIds: [] }),
    handlers['stock:export']({ query: everyProduct, after: 0 }),
    handlers['coupon:switch']({ productId, isEnabled: true }),
    handlers['coupon:list']({ filter: 'all', offset: 0, limit: 10 }),
    handlers['queue:list']({ statuses: [], offset: 0, limit: 10 }),
    handlers['queue:export']({ after: 0 }),
    handlers['user:restore']({ userId: '5' as Id }),
    handlers['catalogue:copy']({}),
    handlers['settings:update']({ lookupNeedsSignIn: false }),
    handlers['audit:list']({ group: 'all', offset: 0, limit: 10 }),
  ]) {
    expect(await refused).toEqual(needed);
  }
  expect((await stateOf({ handlers })).rateLimit.used).toBeLessThanOrEqual(used);
  expect(platform.arrivals()).toHaveLength(before);
}

test('after a sign-out, and after a restart without a keychain, the copy answers and asks nothing', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine(null, false);
  const first = await signedIn(machine, platform);
  expect(await first.handlers['session:signOut']({})).toMatchObject({ ok: true });
  expect(await stateOf(first)).toMatchObject({
    phase: 'signIn',
    session: { state: 'signedOut' },
    catalogue: { stocks: [{ completeAsOf: expect.any(Number) as number }, {}] },
  });
  await expectLookupAlone(first, platform);
  await first.close();

  const after = await machine.start();
  expect(await stateOf(after)).toMatchObject({ phase: 'signIn', session: { state: 'signedOut' } });
  await expectLookupAlone(after, platform);

  expect(
    await after.handlers['session:signIn']({
      email: platform.email,
      password: platform.password,
      clientSecret: platform.clientSecret,
    }),
  ).toMatchObject({ ok: true, value: { passed: true } });
  expect(await after.handlers['lookup:ask']({ text: 'NO-SUCH-1' })).toMatchObject({ ok: true });
});

test('who looks up at a locked till asks nothing under the sign-in behind the lock, whatever is copied', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  await connect(terminal, platform);
  const [copiedId = '', otherId = ''] = platform.stockIds;
  const asked: string[] = [];
  machine.between = (url, next) => {
    if (url.includes('term=')) {
      asked.push(url);
      return next();
    }
    return url.includes(`/stocks/${otherId}/`) ? Promise.resolve(fail({ kind: 'timedOut' })) : next();
  };
  await signIn(terminal, platform);
  expect(await handlers['cashier:setPin']({ pin: anasPin })).toEqual(succeed({}));
  const stock = async () => (await stateOf(terminal)).catalogue.stocks.find(({ stockId }) => stockId === copiedId);
  await expect.poll(async () => (await stock())?.copied, { timeout: 15_000 }).toBe(50);
  await handlers['cashier:lock']({});
  const find = (index: number) =>
    handlers['lookup:find']({ text: String(platform.products.idAt(index)), source: 'scan' });
  expect(await find(0)).toMatchObject(succeed({ kind: 'found' }));
  await handlers['cashier:comeBack']({ email: platform.email, pin: anasPin });
  expect(await find(1)).toMatchObject(succeed({ kind: 'found' }));
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked.filter((url) => !url.includes(`term=${platform.products.idAt(1)}&`))).toEqual([]);
});

test('a manager forbids it, and a restart keeps it forbidden', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const terminal = await signedIn(machine, platform);
  const text = String(platform.products.idAt(0));
  const find = (at: Terminal) => at.handlers['lookup:find']({ text, source: 'scan' });
  expect(await terminal.handlers['lock:setPin']({ pin: '2580' })).toMatchObject({ ok: true });
  expect(await terminal.handlers['settings:update']({ lookupNeedsSignIn: true })).toEqual(fail({ kind: 'locked' }));
  expect(await terminal.handlers['lock:unlock']({ pin: '2580', opens: 'settings' })).toMatchObject({ ok: true });
  expect(await terminal.handlers['settings:update']({ lookupNeedsSignIn: true })).toMatchObject({ ok: true });
  expect(await find(terminal)).toMatchObject({ ok: true });
  await terminal.handlers['session:signOut']({});
  expect(await find(terminal)).toEqual(needed);
  await terminal.close();
  const after = await machine.start();
  expect(await stateOf(after)).toMatchObject({ phase: 'signIn', lookupNeedsSignIn: true });
  expect(await find(after)).toEqual(needed);
});

test('where a manager forbids it, a card that changes behind the lock is told once somebody is back', async () => {
  const { terminal, handlers, platform, bea } = await openTillAtWork();
  await copied(terminal);
  await handlers['settings:update']({ lookupNeedsSignIn: true });
  const [productId, stockId] = ['1000003' as Id, platform.stockIds[0] as Id];
  expect(await handlers['product:read']({ productId, stockId })).toMatchObject(
    succeed({ coupon: { isEnabled: false } }),
  );
  await handlers['coupon:switch']({ productId, isEnabled: true });
  const told: unknown[] = [];
  const heard: string[] = [];
  terminal.subscribe((name, payload) => {
    heard.push(name);
    if (name === 'product:changed') {
      told.push((payload as ProductCard).coupon);
    }
  });
  await handlers['cashier:lock']({});
  await expect.poll(() => platform.couponSettings().get(productId), { timeout: 10_000 }).toBe(true);
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered).toBe(1);
  await expect.poll(() => heard).toContain('coupon:changed');
  expect(told).toEqual([]);
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  await expect.poll(() => told).toEqual([expect.objectContaining({ isEnabled: true, status: 'confirmed' })]);
});
