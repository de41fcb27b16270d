import { expect, onTestFinished, test } from 'vitest';
import { rateLimitReadingSchema } from '../../../app/contract/rate-limit.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { connect, copied, openMachine, openPlatformForTest, signIn, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

test('a lowered limit holds at once, and what was sent before goes on counting', async () => {
  const { terminal, close } = await openPracticeTerminal();
  onTestFinished(close);
  const read = async () => {
    const answer = await terminal.handlers['rateLimit:read']({});
    return rateLimitReadingSchema.parse(answer.ok ? answer.value : null);
  };
  const before = await read();
  expect(before).toMatchObject({ limits: { limit: 60, windowSeconds: 60, reserve: 3 }, limit: 60, pausedUntil: null });
  const used = Object.values(before.used).reduce((sum, count) => sum + count, 0);
  // A sign-in at least.
  expect(used).toBeGreaterThan(0);
  expect(before.history.at(-1)?.limit).toBe(60);

  expect(
    await terminal.handlers['settings:update']({ allowanceLimits: { limit: 1, windowSeconds: 600, reserve: 0 } }),
  ).toMatchObject({ ok: true });
  const after = await read();
  expect(after).toMatchObject({ limits: { limit: 1, windowSeconds: 600, reserve: 0 }, limit: 1 });
  expect(Object.values(after.used).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(used);

  void terminal.handlers['product:refresh']({ stockId: await stockOf(terminal), productId: '1' as never });
  await expect
    .poll(async () => (await read()).waiting.some(({ lane, purpose }) => lane === 'person' && purpose === 'balance'))
    .toBe(true);
  expect(await terminal.handlers['lookup:find']({ text: 'nothing', source: 'scan' })).toMatchObject({ ok: true });
  await expect.poll(async () => (await read()).waiting.some(({ purpose }) => purpose === 'balance')).toBe(false);
});

async function stockOf(terminal: Awaited<ReturnType<typeof openPracticeTerminal>>['terminal']) {
  const stockId = (await stateOf(terminal)).profile?.stockIds[0];
  if (stockId === undefined) {
    throw new Error('the practice store has no stock');
  }
  return stockId;
}

async function usedAt({ handlers }: Pick<Terminal, 'handlers'>): Promise<number> {
  const { used } = valueOf(await handlers['rateLimit:read']({}));
  return Object.values(used).reduce((sum, count) => sum + count, 0);
}

test('set to count each client ID, a till counts one client apart from another', async () => {
  const [platform, machine] = [await openPlatformForTest(), openMachine()];
  const terminal = await machine.start();
  const { handlers } = terminal;
  expect(await handlers['settings:update']({ rateLimitAccount: 'client' })).toMatchObject({ ok: true });
  await connect(terminal, platform);
  await signIn(terminal, platform);
  await copied(terminal);
  for (let place = 0; place < 20; place += 1) {
    const productId = String(platform.products.idAt(place)) as Id;
    await handlers['product:refresh']({ stockId: platform.stockIds[0] as Id, productId });
  }
  const first = await usedAt(terminal);
  expect(first).toBeGreaterThan(20);
  // The trial of the other counts at both.
  await connect(terminal, platform, platform.otherClient);
  await signIn(terminal, platform);
  const second = await usedAt(terminal);
  expect(second).toBeGreaterThan(0);
  expect(second).toBeLessThan(20);
  await connect(terminal, platform);
  await signIn(terminal, platform);
  expect(await usedAt(terminal)).toBeGreaterThan(first);

  // What was sent at either counts at once, and whoever is signed in stays so.
  expect(await handlers['settings:update']({ rateLimitAccount: 'platform' })).toMatchObject({ ok: true });
  expect(await usedAt(terminal)).toBeGreaterThanOrEqual(first + 1);
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    rateLimitAccount: 'platform',
    session: { state: 'signedIn', email: platform.email },
  });
});
