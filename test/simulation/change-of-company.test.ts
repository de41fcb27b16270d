import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../app/domain/int64.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createEvidence } from './evidence.ts';
import { createMachine } from './machine.ts';
import { createNetwork } from './network.ts';
import { createReferee } from './referee.ts';
import { drawRules } from './scenario.ts';
import { temporaryRoot } from './temporary-root.ts';
import { createTill } from './till.ts';
import { createTrace } from './trace.ts';
import { sampleProfile as first } from './sample-profile.ts';
import { createWorld } from './virtual-clock.ts';

const email = 'ana@example.com';
const password = 'made-up password';
const clientSecret = 'made-up secret';
const second = { ...first, companyId: '8' as Id, stockIds: ['2' as Id] };

test('I10: what is switched during a change of company is kept for the company that is shown', async () => {
  const random = createSeededRandom('a change of company');
  const world = createWorld();
  const trace = createTrace(() => world.nowMs());
  const root = mkdtempSync(join(temporaryRoot, 'tillside-change-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const rules = drawRules(random.fork('rules'));
  const referee = createReferee(
    {
      nowMs: () => world.nowMs(),
      random: random.fork('referee'),
      trace,
      companyId: first.companyId,
      stockId: '1',
      clientIds: [first.clientId],
      clientSecret,
      users: [{ email, password }],
      products: 10,
      refusedProducts: 0,
      second: { companyId: second.companyId, stockId: '2', products: 10, firstPlace: 10 },
    },
    { ...rules, tokens: { ...rules.tokens, lifeMs: 7_200_000, keys: 'ignored' } },
  );
  const machine = createMachine({
    world,
    random: random.fork('machine'),
    trace,
    network: createNetwork(world, random.fork('network'), trace, referee),
    root,
    inspect: () => undefined,
    onCrash: () => undefined,
    onThrow: (error) => {
      throw error;
    },
  });
  const till = createTill({
    world,
    machine,
    trace,
    evidence: createEvidence(),
    inspect: () => undefined,
    provision: () => ({ profile: first, clientSecret }),
  });
  const finish = async <Value>(working: Promise<Value>, boundMs = 60_000): Promise<Value> => {
    const progress = { isDone: false };
    const noted = working.finally(() => {
      progress.isDone = true;
    });
    await world.runUntil(world.nowMs() + boundMs, () => progress.isDone);
    return noted;
  };
  till.open();
  await world.runUntil(60_000, () => till.isOpen());
  expect(await finish(till.call('session:signIn', { email, password }))).toMatchObject({ ok: true });
  const productId = referee.stock.productIds[0] as Id;

  for (const profile of [second, first]) {
    const shown: string[] = [];
    const progress = { isDone: false };
    const connecting = till.call('profile:connect', { ...profile, clientSecret }).finally(() => {
      progress.isDone = true;
    });
    for (let isEnabled = true; !progress.isDone; isEnabled = !isEnabled) {
      // In one moment: what somebody sees, and what their finger does.
      const reading = till.call('terminal:read', {});
      const switching = till.call('coupon:switch', { productId, isEnabled });
      const [state, switched] = [await reading, await switching];
      if (state?.ok === true && switched?.ok === true) {
        shown.push(state.value.profile?.companyId ?? 'none');
      }
      await world.runUntil(world.nowMs() + 12);
    }
    expect(await connecting).toMatchObject({ ok: true, value: { passed: true } });
    const after = await finish(till.call('queue:list', { statuses: [], offset: 0, limit: 200 }));
    const rows = after?.ok === true ? after.value.rows.slice(0, shown.length) : [];
    expect(shown.length).toBeGreaterThan(3);
    // The newest first, and no more than one call lists.
    expect(rows.map(({ companyId }) => companyId)).toEqual(shown.toReversed().slice(0, rows.length));
  }
  till.quit();
  await world.runUntil(world.nowMs() + 60_000);
});
