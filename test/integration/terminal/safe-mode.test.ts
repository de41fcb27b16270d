import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';

test('after a failed call nothing asks whether the network is back; the next call finds out', async () => {
  let requests = 0;
  const { platform, terminal, close } = await openPracticeTerminal({
    shell: { isSafeMode: true },
    wrapHttp: (http) => ({ send: (request) => ((requests += 1), http.send(request)) }),
  });
  onTestFinished(close);
  const connection = async (): Promise<string> => {
    const state = await terminal.handlers['terminal:read']({});
    return state.ok ? state.value.connection.state : '';
  };
  platform.setFaults({ faults: [{ kind: 'dropBeforeEffect' }] });
  expect(await terminal.handlers['coupon:refresh']({})).toMatchObject({ ok: false });
  expect(await connection()).toBe('offline');
  expect(await terminal.handlers['coupon:switch']({ productId: '1' as Id, isEnabled: true })).toMatchObject({
    ok: true,
  });
  const before = requests;
  await expect.poll(connection, { timeout: 10_000 }).toBe('resting');
  expect(requests).toBe(before);
  platform.setFaults({});
  expect(await terminal.handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  expect(await connection()).toBe('online');
  expect(requests).toBe(before + 1);
});
