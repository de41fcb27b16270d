// The proof that what is said of the disk is of the store that is open.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  connect,
  copied,
  openCopied,
  openMachine,
  openPlatformForTest,
  signIn,
  stateOf,
} from '../../support/machine.ts';
import { refuseLogs } from '../../support/refuse-logs.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';

async function noticesOf(terminal: Terminal): Promise<readonly string[]> {
  return (await stateOf(terminal)).notices.map(({ kind }) => kind).filter((kind) => kind.startsWith('storage'));
}

test('a store that the disk refuses is told while it is open, and not of the store that takes its place', async () => {
  const [one, other] = [await openPlatformForTest(), await openPlatformForTest()];
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  for (const platform of [one, other]) {
    await connect(terminal, platform);
    await signIn(terminal, platform);
    await copied(terminal);
  }
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  const copy = join(machine.store, 'catalogue-2.db');
  rmSync(copy);
  mkdirSync(copy);
  expect(await handlers['profile:switch']({ profileId: 2 })).toMatchObject({ ok: true });
  expect([await noticesOf(terminal), terminal.status().storage]).toEqual([['storageRefused'], 'refusing']);
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect([await noticesOf(terminal), terminal.status().storage]).toEqual([[], 'fine']);
  expect(await handlers['profile:switch']({ profileId: 2 })).toMatchObject({ ok: true });
  expect([await noticesOf(terminal), terminal.status().storage]).toEqual([['storageRefused'], 'refusing']);
});

test('files that could only be read at a start take changes as soon as they can be written to', async () => {
  const { terminal: before, machine } = await openCopied();
  await before.close();
  const takeLogs = refuseLogs();
  const terminal = await machine.start();
  const { handlers } = terminal;
  const change = { productId: '1000003' as Id, isEnabled: true };
  expect(await handlers['coupon:switch'](change)).toMatchObject({ ok: false, failure: { kind: 'storageFailed' } });
  expect(await noticesOf(terminal)).toEqual(['storageRefused']);
  takeLogs();
  expect(await handlers['coupon:switch'](change)).toMatchObject({ ok: true });
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 10_000 }).toBe(1);
});
