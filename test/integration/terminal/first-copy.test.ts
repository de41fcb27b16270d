// What acts on all that fits waits for the whole listing: a part of it would be taken for all.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { lookupOf } from '../../../app/hosts/programs/answers.ts';
import {
  connect,
  copied,
  openCopied,
  openMachine,
  openPlatformForTest,
  signIn,
  stateOf,
} from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

test('until the first copy is complete nothing is counted, and no search of a set is switched', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers: call } = terminal;
  const stockId = '1201' as Id;
  await connect(terminal, platform);
  machine.losesListings = true;
  await signIn(terminal, platform);
  const term = platform.products.nameAt(3).split(' ')[0] ?? '';
  const { setId } = valueOf(
    await call['couponSet:save']({ setId: null, name: 'Sodas', how: { kind: 'search', filter: 'all', term } }),
  );
  const all = { name: 'Everything', stockId, filter: { amount: 'all', term: '' } } as const;
  expect(await call['stocktake:start'](all)).toEqual(fail({ kind: 'notCopied' }));
  expect(await call['couponSet:read']({ setId })).toEqual(fail({ kind: 'notCopied' }));
  const told = async (): Promise<boolean | null> =>
    lookupOf(valueOf(await call['lookup:find']({ text: '1', source: 'program' })), await stateOf(terminal)).isWhole;
  expect(await told()).toBe(false);
  // Nor does one that expects nothing: a product that is still to come may have the code of another.
  expect(await call['stocktake:start']({ ...all, filter: null })).toEqual(fail({ kind: 'notCopied' }));

  machine.losesListings = false;
  await copied(terminal);
  expect(await told()).toBe(true);
  expect(valueOf(await call['stocktake:start'](all)).lines.notCounted).toBeGreaterThan(0);
  expect(valueOf(await call['couponSet:read']({ setId })).productIds).not.toEqual([]);
});

test('a count goes on once a copy that was begun anew is whole', async () => {
  const { platform, machine, terminal: before } = await openCopied();
  const stockId = '1201' as Id;
  const count = valueOf(await before.handlers['stocktake:start']({ name: 'Shelf', stockId, filter: null }));
  await before.close();
  for (const file of readdirSync(machine.store).filter((name) => name.startsWith('catalogue'))) {
    rmSync(join(machine.store, file));
  }
  machine.losesListings = true;
  const terminal = await machine.start();
  const scan = { stocktakeId: count.id, text: platform.products.codeAt(3), source: 'scan' } as const;
  expect(await terminal.handlers['stocktake:scan'](scan)).toEqual(fail({ kind: 'notCopied' }));
  machine.losesListings = false;
  await copied(terminal);
  expect(valueOf(await terminal.handlers['stocktake:scan'](scan))).toMatchObject({ kind: 'counted' });
});
