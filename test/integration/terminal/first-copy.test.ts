// What acts on all that fits waits for the whole listing: a part of it would be taken for all.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import { lookupOf } from '../../../app/hosts/programs/answers.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
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

test.each([Number.MAX_SAFE_INTEGER, 1e15])('a platform that names a total of %d stops no till', async (total) => {
  const [platform, machine] = [await openPlatformForTest(), openMachine()];
  machine.between = async (url, next) => {
    const answer = await next();
    const body = answer.ok && url.includes('/products?') ? answer.value.body : '';
    const told = body.replaceAll(/"(total|last_page)":\s*\d+/g, `"$1":${total}`);
    return answer.ok && told !== '' ? succeed({ ...answer.value, body: told }) : answer;
  };
  const failures = new Set<string>();
  const ask = async ({ handlers }: Terminal): Promise<void> => {
    for (const [channel, input] of [
      ['terminal:read', {}],
      ['lookup:find', { text: 'nowhere', source: 'typed' }],
    ] as const) {
      const answer = await dispatch(handlers, channel, input, () => undefined);
      if (!answer.ok) failures.add(`${channel} ${answer.failure.kind}`);
    }
  };
  const terminal = await machine.start();
  await connect(terminal, platform);
  await signIn(terminal, platform);
  for (let stocks: readonly unknown[] = []; stocks.length < 2;) {
    await ask(terminal);
    stocks = (await stateOf(terminal)).catalogue.stocks.filter((stock) => stock.total === total);
    await setTimeout(10);
  }
  await ask(terminal);
  await terminal.close();
  machine.isNetworkDown = true;
  await ask(await machine.start());
  expect([...failures]).toEqual([]);
});
