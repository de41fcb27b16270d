// Proves over whole terminals that one till's minimums, sets and plans come to another by a file; that the manager's PIN is
// asked for both ways; that a file of practice or of another company changes nothing; and that a restart keeps all of it.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { openCopied, openMachine, openPlatformForTest, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const idAt = (platform: TrainingPlatform, index: number): Id => String(platform.products.idAt(index)) as Id;
const fridays = { repeats: 'weekly', day: '2027-01-01', on: '18:00', off: '23:00' } as const;

/** A till with a minimum, and a set with a plan. */
async function openFirst(platform: TrainingPlatform): Promise<Terminal> {
  const { terminal: first } = await openCopied(openMachine(), platform);
  const [stockId] = platform.stockIds as Id[];
  const productId = idAt(platform, 0);
  valueOf(await first.handlers['watchList:set']({ minima: [{ stockId: stockId as Id, productId, minimum: 4.5 }] }));
  const how = { kind: 'list' as const, productIds: [productId] };
  const { setId } = valueOf(await first.handlers['couponSet:save']({ setId: null, name: 'Happy hour', how }));
  valueOf(await first.handlers['couponSet:plan']({ setId, times: fridays }));
  return first;
}

test('what one till has comes to another, is asked for by PIN, told in the list, and outlives a restart', async () => {
  const platform = await openPlatformForTest();
  const first = await openFirst(platform);
  const { text } = valueOf(await first.handlers['shopLists:export']({}));
  expect(text).not.toContain(platform.email);
  const { terminal: second, machine } = await openCopied(openMachine(), platform);
  valueOf(await second.handlers['lock:setPin']({ pin: '2580' }));
  valueOf(await second.handlers['lock:lockNow']({}));
  const counts = { minimum: 1, set: 1, plan: 1 };
  expect(valueOf(await second.handlers['shopLists:foresee']({ text }))).toMatchObject({
    fault: null,
    counts,
    changes: [{ kind: 'set' }, { kind: 'plan' }, { kind: 'minimum', name: expect.any(String) as string, to: 4.5 }],
  });
  expect(await second.handlers['shopLists:export']({})).toEqual(fail({ kind: 'locked' }));
  expect(await second.handlers['shopLists:take']({ text })).toEqual(fail({ kind: 'locked' }));
  expect(valueOf(await second.handlers['couponSet:list']({})).sets).toEqual([]);
  valueOf(await second.handlers['lock:unlock']({ pin: '2580', opens: 'provisioning' }));
  expect(valueOf(await second.handlers['shopLists:take']({ text }))).toEqual({ counts });
  await second.close();

  const again = await machine.start();
  await expect.poll(async () => (await stateOf(again)).watchList).toMatchObject({ watched: 1 });
  expect(valueOf(await again.handlers['couponSet:list']({})).sets).toMatchObject([
    { name: 'Happy hour', plans: [{ times: fridays, email: platform.email, isShared: true }] },
  ]);
  expect(valueOf(await again.handlers['shopLists:foresee']({ text }))).toMatchObject({ changes: [] });
  valueOf(await again.handlers['lock:unlock']({ pin: '2580', opens: 'audit' }));
  const { rows } = valueOf(await again.handlers['audit:list']({ group: 'settings', offset: 0, limit: 50 }));
  expect(rows).toContainEqual(expect.objectContaining({ isWithPin: true, action: { kind: 'listsTaken', count: 3 } }));
});

test('a file of practice, or of another company, changes nothing', async () => {
  const platform = await openPlatformForTest();
  const first = await openFirst(platform);
  const { text } = valueOf(await first.handlers['shopLists:export']({}));
  const second = await openMachine().start();
  valueOf(await second.handlers['practice:start']({}));
  await expect.poll(async () => (await stateOf(second)).phase).toBe('ready');
  const ofPractice = valueOf(await second.handlers['shopLists:export']({})).text;
  for (const [terminal, file] of [
    [second, text],
    [first, ofPractice],
    [first, text.replace(/"companyId":"[^"]*"/, '"companyId":"987"')],
  ] as const) {
    expect(valueOf(await terminal.handlers['shopLists:foresee']({ text: file }))).toMatchObject({ fault: 'otherShop' });
    expect(await terminal.handlers['shopLists:take']({ text: file })).toEqual(fail({ kind: 'inputInvalid' }));
  }
  expect(valueOf(await first.handlers['couponSet:list']({})).sets).toHaveLength(1);
});
