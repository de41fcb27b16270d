// What acts on all that fits waits for the whole listing: a part of it would be taken for all.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { copied, openMachine, openPlatformForTest, profileOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

test('until the first copy is complete no count expects all products, and no search of a set is switched', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers: call } = terminal;
  const stockId = '1201' as Id;
  valueOf(await call['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret }));
  machine.losesListings = true;
  valueOf(await call['session:signIn']({ email: platform.email, password: platform.password }));
  const term = platform.products.nameAt(3).split(' ')[0] ?? '';
  const { setId } = valueOf(
    await call['couponSet:save']({ setId: null, name: 'Sodas', how: { kind: 'search', filter: 'all', term } }),
  );
  const all = { name: 'Everything', stockId, filter: { amount: 'all', term: '' } } as const;
  expect(await call['stocktake:start'](all)).toEqual(fail({ kind: 'notCopied' }));
  expect(await call['couponSet:read']({ setId })).toEqual(fail({ kind: 'notCopied' }));
  // A count that expects nothing can begin.
  valueOf(await call['stocktake:start']({ ...all, filter: null }));

  machine.losesListings = false;
  await copied(terminal);
  expect(valueOf(await call['stocktake:start'](all)).lines.notCounted).toBeGreaterThan(0);
  expect(valueOf(await call['couponSet:read']({ setId })).productIds).not.toEqual([]);
});
