import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { invokes } from '../../../app/contract/contract.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { platformLimit } from '../../../app/rate-limit/rules.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { Database } from '../../../app/storage/database.ts';
import { openTerminal, type Terminal } from '../../../app/terminal/terminal.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { makeSettingsFile, makeShell, makeVault } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import { alterRows } from '../../support/loose-tables.ts';
import { openCopied, stateOf } from '../../support/machine.ts';

/** A terminal with one profile, whose network is down. */
async function openTill(dataDirectory: string, mode: 'platform' | null): Promise<Terminal> {
  const profile = {
    id: 1,
    name: null,
    vaultName: 'made-up',
    platformUrl: 'https://platform.example.com',
    clientId: 'till',
    companyId: '7' as Id,
    stockIds: ['1' as Id],
  };
  const ports = makePorts({
    http: { send: () => Promise.resolve(fail({ kind: 'unreachable' as const })) },
    vault: makeVault(true),
    settingsFile: makeSettingsFile({ version: 2, mode, profiles: [profile], profileId: 1, signIns: [] }),
    shell: makeShell(dataDirectory),
  });
  const terminal = await openTerminal(ports);
  onTestFinished(() => terminal.close());
  return terminal;
}

test('B2: with a damaged queue.db the whole rate limit counts as used, also after a restart', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'store'));
  writeFileSync(join(directory, 'store', 'queue.db'), 'not a database at all, '.repeat(500));
  const terminal = await openTill(directory, 'platform');
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'signIn',
    rateLimit: { limit: platformLimit, used: platformLimit },
    notices: [{ kind: 'queueSetAside' }],
  });
  await terminal.close();
  expect(await stateOf(await openTill(directory, 'platform'))).toMatchObject({
    phase: 'signIn',
    rateLimit: { used: platformLimit },
    notices: [],
  });
});

test('B2: so it does with a queue.db that is gone from a store that has been used', async () => {
  const directory = temporaryDirectory();
  await (await openTill(directory, 'platform')).close();
  rmSync(join(directory, 'store', 'queue.db'));
  expect(await stateOf(await openTill(directory, 'platform'))).toMatchObject({
    rateLimit: { used: platformLimit },
    notices: [{ kind: 'queueSetAside' }],
  });
});

test('a damaged queue.db is told also where a connection is tried before any store is open', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'store'));
  writeFileSync(join(directory, 'store', 'queue.db'), 'not a database at all, '.repeat(500));
  const terminal = await openTill(directory, null);
  const profile = { platformUrl: 'https://platform.example.com', clientId: 'till', companyId: '7' as Id };
  // It waits for the rate limit, all of which counts as used.
  void terminal.handlers['profile:connect']({ ...profile, stockIds: ['1' as Id], clientSecret: 'made-up' });
  await expect.poll(async () => (await stateOf(terminal)).notices).toMatchObject([{ kind: 'queueSetAside' }]);
});

test.for(['slots', 'confirmed_settings', 'updates', 'owners'])(
  'a store that cannot read its %s stays closed, and opens when it can',
  async (table) => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'store'));
    const change = async (sql: string): Promise<void> => {
      const database = await openQueueDatabase(join(directory, 'store'));
      database.exec(`PRAGMA legacy_alter_table = ON; ${sql}`);
      database.close();
    };
    await change(`ALTER TABLE ${table} RENAME TO away`);
    const terminal = await openTill(directory, null);
    expect(await terminal.handlers['profile:switch']({ profileId: 1 })).toMatchObject(fail({ kind: 'storageFailed' }));
    expect(await stateOf(terminal)).toMatchObject({ phase: 'firstRun' });
    // Another process may have it, for nothing of it is open here.
    await change(`ALTER TABLE away RENAME TO ${table}`);
    expect(await terminal.handlers['profile:switch']({ profileId: 1 })).toEqual({ ok: true, value: {} });
    expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn' });
  },
);

test('what waits for a company whose id a failing disk has altered hides nothing else', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'store'));
  const database = await openQueueDatabase(join(directory, 'store'));
  database.exec(`
    INSERT INTO owners (platform, company_id, email) VALUES ('https://platform.example.com', '4\u00e91', 'ana@example.com');
    INSERT INTO updates (owner_id, kind, subject_id, is_enabled, created_at, changed_at, state, checksum)
      VALUES (1, 'coupon', '5', 1, 1, 1, 'pending', '');
  `);
  database.close();
  const state = await stateOf(await openTill(directory, 'platform'));
  expect(state.queue.elsewhere).toMatchObject([{ companyId: '0', count: 1, emails: ['ana@example.com'] }]);
  expect(invokes['terminal:read'].output.safeParse(state).success).toBe(true);
});

test.each(['UPDATE owners SET id = 5', 'UPDATE updates SET owner_id = 5'])(
  'a change whose owner a failing disk has altered is shown, for nobody sends it: %s',
  async (sql) => {
    const { machine, terminal, platform, handlers } = await openCopied();
    machine.isNetworkDown = true;
    const productId = String(platform.products.at(0).id) as Id;
    expect(await handlers['coupon:switch']({ productId, isEnabled: true })).toMatchObject({ ok: true });
    await terminal.close();
    alterRows(join(machine.store, 'queue.db'), sql);
    machine.isNetworkDown = false;
    const again = await machine.start();
    expect(await stateOf(again)).toMatchObject({ queue: { elsewhere: [{ count: 1 }] } });
    const query = { statuses: [], offset: 0, limit: 10 };
    const listed = await dispatch(again.handlers, 'queue:list', query, () => undefined);
    expect(listed).toMatchObject({
      value: { total: 1, rows: [{ id: 1, productId, status: 'pending', isOwn: false }] },
    });
    expect(await dispatch(again.handlers, 'queue:history', { updateId: 1 }, () => undefined)).toMatchObject({
      ok: true,
    });
    expect(await dispatch(again.handlers, 'terminal:read', {}, () => undefined)).toMatchObject({ ok: true });
    const exported = await dispatch(again.handlers, 'queue:export', { after: 0 }, () => undefined);
    expect(JSON.stringify(exported)).toContain(productId);
  },
);

test('a store that cannot be read for a while is said once, and shown again with the next change', async () => {
  const opened = vi.spyOn(Database, 'open');
  onTestFinished(() => opened.mockRestore());
  const directory = temporaryDirectory();
  const terminal = await openTill(directory, 'platform');
  const databases = await Promise.all(opened.mock.results.map((result): unknown => result.value));
  const database = databases.find(
    (one): one is Database => one instanceof Database && one.path === join(directory, 'store', 'queue.db'),
  );
  const emitted: TerminalState[] = [];
  terminal.subscribe(
    (channel, payload) => channel === 'terminal:changed' && 'notices' in payload && emitted.push(payload),
  );
  const change = async (theme: 'dark' | 'light'): Promise<void> => {
    expect(await terminal.handlers['settings:update']({ theme })).toMatchObject({ ok: true });
  };
  database?.exec('PRAGMA legacy_alter_table = ON; ALTER TABLE updates RENAME TO away');
  await change('dark');
  await change('light');
  // Long enough for what would be told.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(emitted).toEqual([]);
  database?.exec('ALTER TABLE away RENAME TO updates');
  await change('dark');
  await expect.poll(() => emitted.at(-1)).toMatchObject({ theme: 'dark', notices: [{ id: 1, kind: 'storageFull' }] });
});
