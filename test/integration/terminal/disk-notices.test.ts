// The proof that what is said of the disk is of the store that is open.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect, copied, openMachine, openPlatformForTest, signIn, stateOf } from '../../support/machine.ts';
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
