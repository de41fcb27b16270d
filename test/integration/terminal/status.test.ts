// The proof that what a fleet's monitoring is told of a terminal is true, and holds no secret and nobody's name.
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createProgramCalls } from '../../../app/hosts/programs/answers.ts';
import { openTerminal } from '../../../app/terminal/terminal.ts';
import { makeShell } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';
import { openCopied, openMachine } from '../../support/machine.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('tells the copy, what waits, the last answer and the refusals, without secrets and names', async () => {
  const world = { refuses: false };
  const till = await openPracticeTerminal({
    wrapHttp: (http) => ({
      send: (request) => {
        const asks = request.method === 'GET' && request.url.includes('/balance');
        return world.refuses && asks
          ? Promise.resolve(succeed({ status: 429, headers: { 'retry-after': '1' }, body: '{}' }))
          : http.send(request);
      },
    }),
  });
  onTestFinished(() => till.close());
  const { terminal, platform } = till;
  await expect.poll(() => terminal.status().stocks.every(({ ageSeconds }) => ageSeconds !== null)).toBe(true);
  const before = terminal.status();
  expect(before).toMatchObject({
    version: '0.0.0',
    host: 'browser',
    mode: 'practice',
    phase: 'ready',
    connection: 'online',
    refusals: 0,
    queue: { waiting: 0, toDecide: 0 },
    hub: 'none',
  });
  expect(before.stocks.map(({ stockId }) => stockId)).toEqual(platform.stockIds);
  expect(before.stocks.every(({ products }) => products > 0)).toBe(true);
  expect(before.lastAnswerAgeSeconds).toBeLessThan(60);

  world.refuses = true;
  const [stockId] = platform.stockIds as [Id];
  expect(await terminal.handlers['product:refresh']({ stockId, productId: '1' as Id })).toMatchObject({ ok: false });
  expect(terminal.status().refusals).toBeGreaterThan(0);

  platform.setNetworkDown(true);
  await terminal.handlers['coupon:switch']({ productId: '1' as Id, isEnabled: true });
  expect(terminal.status().queue).toEqual({ waiting: 1, toDecide: 0 });

  const text = JSON.stringify(terminal.status());
  const [user = '', domain = ''] = platform.email.split('@');
  for (const hidden of [user, domain, platform.clientSecret, platform.password, platform.platformUrl, till.directory]) {
    expect(text).not.toContain(hidden);
  }
});

test('a terminal that is not set up says so', async () => {
  const http = { send: () => Promise.reject(new Error('nothing is sent')) };
  const terminal = await openTerminal(makePorts({ http, shell: makeShell(temporaryDirectory()) }));
  onTestFinished(() => terminal.close());
  expect(terminal.status()).toMatchObject({
    mode: null,
    phase: 'firstRun',
    lastAnswerAgeSeconds: null,
    stocks: [],
    hub: 'none',
  });
});

test('of a copy that a clock ahead has dated nobody is told an age once the clock is set back', async () => {
  const machine = openMachine();
  machine.aheadMs = 24 * 3_600_000;
  const { terminal } = await openCopied(machine);
  const ages = async () => {
    const programs = await createProgramCalls(terminal.handlers, () => undefined).status(Date.now() + machine.aheadMs);
    return [terminal.status(), programs.ok ? programs.value : null].map((told) => told?.stocks[0]?.ageSeconds);
  };
  expect(await ages()).toEqual([expect.any(Number), expect.any(Number)]);
  machine.isNetworkDown = true;
  machine.aheadMs = 0;
  expect(await ages()).toEqual([null, null]);
});
