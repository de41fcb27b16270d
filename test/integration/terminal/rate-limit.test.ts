import { expect, onTestFinished, test } from 'vitest';
import { rateLimitReadingSchema } from '../../../app/contract/rate-limit.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import { stateOf } from '../../support/machine.ts';

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
