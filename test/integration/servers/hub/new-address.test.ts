// The proof that a hub's address can be replaced: whoever has the one before is shut out, and the tills follow by
// themselves, whatever ends half-way: a real server.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { succeed } from '../../../../app/domain/result.ts';
import { printHubAddress, type HubAddress } from '../../../../app/hub/address.ts';
import { hubAddressName } from '../../../../app/hub/membership.ts';
import { findTills } from '../../../../app/hub/roles.ts';
import { keyIdOf, sealNextKey } from '../../../../app/hub/sealing.ts';
import { createNodeRandom } from '../../../../app/hosts/node/node-ports.ts';
import { findNextKey, makeSignIn } from '../../../../app/hosts/hub/own-sign-in.ts';
import type { PgConnection } from '../../../../app/hosts/hub/pg-connection.ts';
import { runHubCommand } from '../../../../app/hosts/hub/set-up.ts';
import type { HubCommand } from '../../../../app/hosts/flags.ts';
import { memberOf } from '../../../support/hub-document.ts';
import { startTill, type Till } from '../../../support/hub-till.ts';
import { shareOf } from '../../../support/night.ts';
import { hasPostgres, postgresVersions, startPostgres, type Postgres } from '../../../support/postgres.ts';
import { addressIn, ownerAddressOf } from '../../../support/set-up-hub.ts';
import { openWay } from '../../../support/silent-way.ts';
import { ask, askOnce, opens, patientMs, saying, signIn } from './hub-sessions.ts';

let postgres: Postgres;
/** As the superuser, in the hub's database. */
let owner: PgConnection;
let database = '';
let hubs = 0;
let hub: HubAddress;

const asOwner = (sql: string): ReturnType<typeof ask> => ask(owner, sql);

function run(
  action: HubCommand['action'],
  before?: HubAddress,
  at = database,
  isConfirmed = before !== undefined,
  port = postgres.owner.port,
) {
  const ownerAddress = ownerAddressOf({ ...postgres.owner, database: at, port });
  const environment = before === undefined ? {} : { TILLSIDE_HUB_ADDRESS: printHubAddress(before) };
  return runHubCommand({ action, ownerAddress, isConfirmed }, { language: 'en', environment });
}

const replace = async (before = hub): Promise<HubAddress> => addressIn(await run('newAddress', before));

const tills = { one: memberOf(), two: memberOf({ share: 30 }) };
const hasAll = expect.objectContaining({ members: tills }) as unknown;
const reads = (till: Till): Promise<unknown> => expect.poll(till.read, { timeout: patientMs }).toEqual(hasAll);

describe.skipIf(!hasPostgres()).each(postgresVersions())('another address on PostgreSQL $version', (programs) => {
  beforeAll(async () => {
    postgres = await startPostgres({
      programs,
      settings: ['fsync = off', 'max_connections = 30', 'log_statement = all'],
    });
  });
  afterAll(() => postgres.remove());
  beforeEach(async () => {
    hubs += 1;
    database = `hub_${hubs}`;
    await askOnce(postgres.owner, `create database ${database}`);
    hub = addressIn(await run('setUp'));
    owner = await signIn({ ...postgres.owner, database });
  });

  test('shuts out whoever has the one before, and all tills in touch follow with what they share', async () => {
    const [one, two] = [startTill(hub), startTill(hub, 'Till 2')];
    expect(await one.write(tills)).toEqual(succeed(true));
    await reads(two);
    const thief = await signIn(hub);
    await ask(thief, `alter role ${hub.user} set search_path = nowhere`);
    await asOwner(
      "insert into tillside_hub.accounts values ('shared page', 1, 'x', now()), ('news of it', 1, 'x', now())",
    );
    expect(await run('newAddress')).toMatchObject(saying(1, 'TILLSIDE_HUB_'));
    const now = await replace();
    expect(now).toEqual({ ...hub, password: now.password, storeKey: now.storeKey });
    expect([now.password === hub.password, now.storeKey === hub.storeKey]).toEqual([false, false]);
    await expect.poll(() => thief.isOpen()).toBe(false);
    expect(await makeSignIn(hub, 'Till 3')).toBeNull();
    expect(await startTill(hub, 'Till 3').read()).toBe('wrongPassword');
    await Promise.all([reads(one), reads(two), reads(startTill(now, 'Till 4'))]);
    expect(await two.write({ ...tills, two: memberOf() })).toEqual(succeed(true));
    expect(await one.read()).toMatchObject({ members: { two: { share: 0 } } });
    expect(one.kept().storeKey).toBe(now.storeKey);
    // What was sealed with the key before is gone.
    expect(await asOwner('select account from tillside_hub.accounts')).toEqual([{ account: 'a' }]);
    const log = postgres.log();
    expect(log).toContain('tillside_hub.keys');
    for (const secret of [now.password, now.storeKey, hub.storeKey]) expect(log).not.toContain(secret);
  });

  test('says first which tills would follow, how often each, and what is wrong, and changes nothing', async () => {
    const till = startTill(hub);
    await till.write(tills);
    for (const name of ['Till 2', 'Till 2']) await (await makeSignIn(hub, name))?.arrive();
    const environment = { TILLSIDE_HUB_ADDRESS: printHubAddress(hub) };
    const ownerAddress = ownerAddressOf({ ...postgres.owner, database });
    const unconfirmed = { action: 'newAddress', ownerAddress, isConfirmed: false } as const;
    expect(await runHubCommand(unconfirmed, { language: 'en', environment })).toEqual(
      saying(1, /within a week: Till 1, Till 2 \(2\)\. One of version 1\.0\.0 .*--remove-till.*--yes/),
    );
    const other = { ...hub, storeKey: Buffer.alloc(32, 7).toString('base64url') };
    expect(await run('newAddress', other)).toEqual(saying(1, 'does not open'));
    await reads(till);
    await reads(startTill(hub, 'Till 5'));
    expect(await run('newAddress', hub, 'postgres')).toMatchObject(saying(1, 'no hub'));
  });

  test('names also who joins by the one before until that is closed', async () => {
    await startTill(hub).write(tills);
    const holding = await signIn({ ...postgres.owner, database });
    await ask(holding, `begin; alter role ${hub.user} login`);
    const replaced = run('newAddress', hub);
    await expect.poll(() => asOwner('select from pg_locks where not granted')).not.toEqual([]);
    // Its sessions are ended as soon as they are there.
    const joins = async (): Promise<boolean> => (await makeSignIn(hub, 'Late').catch(() => null)) !== null;
    await expect.poll(joins, { timeout: patientMs, interval: 1 }).toBe(true);
    await ask(holding, 'rollback');
    const { lines } = await replaced;
    expect(lines[0]).toMatch(/: Late, Till 1\./);
    expect(addressIn({ lines }).user).toBe(hub.user);
  });

  test('keeps a till with the one before from writing over what it cannot read, whatever its version', async () => {
    const till = startTill(hub);
    await till.write(tills);
    const before = await signIn(till.kept());
    await replace();
    expect(before.isOpen()).toBe(false);
    const session = await signIn(till.kept());
    for (const call of [
      "hub_read('a')",
      "hub_read_rows('a', 0)",
      "hub_write('b', 0, extract(epoch from clock_timestamp()) * 1000, 'old')",
      "hub_write('a', 2, extract(epoch from clock_timestamp()) * 1000, 'old')",
    ]) {
      const asked = ask(session, `select tillside_hub.${call}`);
      await expect(asked, call).rejects.toMatchObject({ failure: { kind: 'wrongPassword' } });
    }
    await reads(till);
  });

  test('is followed by a till that ended after it had kept the key, and through several at once', async () => {
    const till = startTill(hub);
    await till.write(tills);
    const second = await replace();
    // It has kept the key, and the hub has not heard of it.
    till.secrets.set(hubAddressName, printHubAddress({ ...till.kept(), storeKey: second.storeKey }));
    await reads(startTill(hub, 'Till 1', till.secrets));
    await replace(await replace(second));
    await reads(till);
    expect(await startTill(hub, 'Till 1', till.secrets).read()).toEqual(hasAll);
  });

  test('waits for a keychain that does not take it, and tells a till that was off for a week', async () => {
    const [locked, off] = [startTill(hub), startTill(hub, 'Till 2')];
    await locked.write(tills);
    await reads(off);
    locked.faults.isVaultLocked = true;
    await replace();
    for (let tries = 0; tries < 4; tries += 1) expect(await locked.read()).toBe('wrongPassword');
    locked.faults.isVaultLocked = false;
    await reads(locked);
    await asOwner("update tillside_hub.keys set made_at = made_at - interval '8 days'");
    for (let tries = 0; tries < 4; tries += 1) expect(await off.read()).toBe('wrongPassword');
    await reads(locked);
    expect(await asOwner('select from tillside_hub.keys')).toEqual([]);
  });

  test('can be made again by the one before, after an end at any step, and by two at once', async () => {
    const [one, two] = [startTill(hub), startTill(hub, 'Till 2')];
    await one.write(tills);
    await reads(two);
    // Before anything was written: nobody is let in by the address, and the set-up lets it in again.
    await asOwner(`alter role ${hub.user} nologin`);
    expect(await startTill(hub, 'Till 3').read()).toBe('notLetIn');
    await run('setUp');
    await reads(startTill(hub, 'Till 3'));
    // After all of it, before it was printed.
    await replace();
    await reads(one);
    const printed = await Promise.all([run('newAddress', hub), run('newAddress', hub)]);
    expect(printed.map(({ exitCode }) => exitCode)).toContain(0);
    const opened = await Promise.all(
      printed
        .filter(({ exitCode }) => exitCode === 0)
        .map((outcome, at) => startTill(addressIn(outcome), `Till ${at + 4}`).read()),
    );
    expect(opened.filter((found) => found !== 'wrongPassword')).toEqual([hasAll]);
    await Promise.all([reads(one), reads(two)]);
  });

  test('can be made again after the way to the server fell silent while it was made', async () => {
    const till = startTill(hub);
    await till.write(tills);
    const way = await openWay(postgres.owner.port);
    const replaceBy = (address: HubAddress) => run('newAddress', address, database, true, way.port);
    const made = { ...addressIn(await replaceBy(hub)), port: hub.port };
    // The last that it says are the end of its transaction, and two goodbyes.
    const lastHeard = 2 * way.heard() - 6;
    way.fallSilent(() => way.heard() > lastHeard);
    void replaceBy(made);
    const open = "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
    await expect.poll(() => asOwner(open)).toHaveLength(1);
    const again = await run('newAddress', made);
    expect(again).toMatchObject({ exitCode: 0 });
    await Promise.all([reads(till), reads(startTill(addressIn(again), 'Till 2'))]);
  });

  test('is followed by a till that joined after the backup from which the database has come back', async () => {
    const [one, two] = [startTill(hub), startTill(hub, 'Till 2')];
    await one.write(tills);
    await reads(two);
    const [found] = await asOwner("delete from tillside_hub.tills where name = 'Till 2' returning role");
    const role = String(found?.['role']);
    expect(await run('newAddress', hub, database, false)).toMatchObject(saying(1, `Till 1, ${role}`));
    const now = await replace();
    await Promise.all([reads(one), reads(two)]);
    expect([one.kept().storeKey, two.kept().storeKey]).toEqual([now.storeKey, now.storeKey]);
    const removed = await runHubCommand(
      {
        action: 'removeTill',
        till: role,
        ownerAddress: ownerAddressOf({ ...postgres.owner, database }),
        isConfirmed: true,
      },
      { language: 'en', environment: {} },
    );
    expect(removed).toMatchObject(saying(0, role));
    // As a removal leaves one that owns something elsewhere.
    await asOwner(`create role ${role} in role ${role.replace(/_[^_]+$/, '')}`);
    expect(await findTills(asOwner)).toEqual([expect.objectContaining({ name: 'Till 1' })]);
    await asOwner(`drop role ${role}`);
    await expect.poll(two.read, { timeout: patientMs }).toBe('wrongPassword');
  });

  test('is followed by name by whoever joins while the tills are being looked for', async () => {
    let joined = 0;
    const asking = async (sql: string): ReturnType<PgConnection['query']> => {
      joined += 1;
      await (await makeSignIn(hub, `Till ${joined}`))?.arrive();
      return asOwner(sql);
    };
    const found = await findTills(asking);
    expect(joined).toBeGreaterThan(2);
    expect(found.filter(({ role, name }) => role === name)).toEqual([]);
  });

  test('is made beside whatever else somebody with the address before has written', async () => {
    const till = startTill(hub);
    await till.write(tills);
    // More than one answer holds, and one that no answer holds.
    await asOwner(`set session_replication_role = replica;
      insert into tillside_hub.accounts select concat(g), 1, 'x', now() from generate_series(1, 11000) g;
      set session_replication_role = origin`);
    await askOnce(
      hub,
      `select tillside_hub.hub_write_rows('b', 0, extract(epoch from clock_timestamp()) * 1000, repeat('x', 399999),
        array_agg(concat('m', g)), array_agg(repeat('x', 1999))) from generate_series(1, 290) g`,
    );
    const second = await replace();
    await reads(till);
    expect(await asOwner('select account from tillside_hub.accounts')).toEqual([{ account: 'a' }]);
    expect(await asOwner('select distinct account from tillside_hub.members')).toEqual([{ account: 'a' }]);
    // The hub knows this key, whatever it opens.
    await asOwner("update tillside_hub.accounts set document = 'x'");
    expect(await startTill(await replace(second), 'Till 2').read()).toBeNull();
  });

  test('waits for a till that writes back what somebody has made unreadable', async () => {
    const till = startTill(hub);
    await till.write(tills);
    await asOwner("update tillside_hub.accounts set document = 'x'");
    const replaced = run('newAddress', hub);
    await setTimeout(1_500);
    expect(await opens(hub)).toBe(false);
    await asOwner('delete from tillside_hub.accounts');
    await expect.poll(() => till.write(tills), { timeout: patientMs }).toEqual(succeed(true));
    expect(await startTill(addressIn(await replaced), 'Till 2').read()).toEqual(hasAll);
  });

  test('makes no hub of one that somebody removes meanwhile', async () => {
    await startTill(hub).write(tills);
    await asOwner("begin; select pg_advisory_xact_lock(hashtext('tillside_hub'))");
    const replaced = run('newAddress', hub);
    await expect
      .poll(() => asOwner("select from pg_locks where locktype = 'advisory' and not granted"))
      .toHaveLength(1);
    await asOwner('drop schema tillside_hub cascade; commit');
    expect(await replaced).toEqual(saying(1, 'no hub'));
    expect(await asOwner("select to_regnamespace('tillside_hub') is null as gone")).toEqual([{ gone: true }]);
  });

  test('names no till that follows, where the server has another certificate than the address names', async () => {
    const before = { ...hub, fingerprint: '0'.repeat(64) };
    await startTill(hub).read();
    for (const isConfirmed of [false, true]) {
      const { lines } = await run('newAddress', before, database, isConfirmed);
      expect(lines[0]).toContain('another certificate');
      expect(lines[1]).toContain('within a week: –.');
    }
  });

  test('is not made where the role of the address opens another hub, too', async () => {
    await asOwner(`create database ${database}_other`);
    const other = await signIn({ ...hub, ...postgres.owner, database: `${database}_other` });
    await ask(other, `create schema tillside_hub; grant usage on schema tillside_hub to ${hub.user}`);
    expect(await run('newAddress', hub)).toEqual(saying(1, 'another hub'));
    expect(await startTill(hub).read()).toBeNull();
  });

  test('is kept by a till that has followed and whose file names the one before, and by no other', async () => {
    const till = startTill(hub);
    await till.write(tills);
    await replace();
    await reads(till);
    expect(await till.membership.isJoined(hub, 'Till 1')).toBe(true);
    await till.membership.keep(hub, 'Till 2', 'file');
    await expect.poll(till.open().read, { timeout: patientMs }).toEqual(hasAll);
    expect(await startTill(hub, 'Till 3').read()).toBe('wrongPassword');
  });

  test.each(shareOf([false, true], 1))(
    'is made by the newest one after an older backup; emptied: %s',
    async (isEmptied) => {
      const till = startTill(hub);
      await till.write(tills);
      const first = await replace();
      await reads(till);
      // What a backup of now has of the keys.
      await asOwner('create table public.then as select key from tillside_hub.meta');
      const second = await replace(first);
      await reads(till);
      await asOwner(`update tillside_hub.meta set key = (select key from public.then); drop table public.then;
      update tillside_hub.tills t set key = m.key from tillside_hub.meta m;
      delete from tillside_hub.keys where id = '${keyIdOf(first.storeKey)}'`);
      const other = { ...second, storeKey: Buffer.alloc(32, 7).toString('base64url') };
      expect(await run('newAddress', other)).toEqual(saying(1, 'does not open'));
      if (isEmptied) {
        await run('reset', second);
        // Nothing is there that it would open, nor would another, such as one whose next key was kept for a week.
        for (const one of [other, second]) expect(await run('newAddress', one)).toEqual(saying(1, 'is empty'));
        expect(await till.write(tills)).toEqual(succeed(true));
      }
      const third = await replace(second);
      await reads(till);
      expect(till.kept().storeKey).toBe(third.storeKey);
      expect([await makeSignIn(first, 'Till 2'), await makeSignIn(second, 'Till 2')]).toEqual([null, null]);
    },
  );

  test('is made where the server is another one that no till has reached, by the address that opens it alone', async () => {
    const till = startTill(hub);
    await till.write(tills);
    // As a restored dump has it. With another certificate no till comes before the new address.
    await asOwner("update tillside_hub.meta set home = 'another server'");
    const other = { ...hub, storeKey: Buffer.alloc(32, 7).toString('base64url') };
    expect(await run('newAddress', other)).toEqual(saying(1, 'does not open'));
    await replace();
    // What was lent there counts as lost all the same.
    await expect.poll(till.read, { timeout: patientMs }).toBeNull();
    expect(await till.write(tills)).toEqual(succeed(true));
    await reads(till);
  });

  test('leads to no key that the key before has not sealed', async () => {
    const till = startTill(hub);
    await till.write(tills);
    await replace();
    const wrong = Buffer.alloc(32, 9).toString('base64url');
    await asOwner(`update tillside_hub.keys set next = '${sealNextKey(wrong, wrong, createNodeRandom())}'`);
    for (let tries = 0; tries < 3; tries += 1) expect(await till.read()).toBe('wrongPassword');
    expect(till.kept().storeKey).toBe(hub.storeKey);
    expect(await findNextKey(till.kept(), keyIdOf(wrong))).toBeNull();
  });
});
