// The proof that a hub's tills can be told apart and shut out one by one, and that none can hold up or fill what is
// another's: a real server.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeRoles } from '../../../../app/hub/roles.ts';
import type { HubAddress } from '../../../../app/hub/address.ts';
import { maxAccountsOfTill, maxBytesOfTill, maxDocumentLength, maxTextsOfTill } from '../../../../app/hub/link.ts';
import { makeSignIn } from '../../../../app/hosts/hub/own-sign-in.ts';
import type { PgConnection } from '../../../../app/hosts/hub/pg-connection.ts';
import { hubMigrations } from '../../../../app/hub/schema.ts';
import { runHubCommand } from '../../../../app/hosts/hub/set-up.ts';
import type { HubCommand } from '../../../../app/hosts/flags.ts';
import { startTill, type Till } from '../../../support/hub-till.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../../support/postgres.ts';
import { addressIn, ownerAddressOf, setUpHub } from '../../../support/set-up-hub.ts';
import { ask, askOnce, opens, patientMs, saying, signIn } from './hub-sessions.ts';

let postgres: Postgres;
/** As the superuser, in the hub's database. */
let owner: PgConnection;
let database = '';
let hubs = 0;

const asOwner = (sql: string): ReturnType<typeof ask> => ask(owner, sql);

async function run(action: HubCommand['action'], more: Partial<HubCommand> = {}, at = database, as = postgres.owner) {
  const ownerAddress = ownerAddressOf({ ...as, database: at });
  return runHubCommand({ action, ownerAddress, isConfirmed: false, ...more }, { language: 'en', environment: {} });
}

/** Makes a hub in a database of its own. */
async function makeHub(name: string, as = postgres.owner): Promise<HubAddress> {
  await askOnce(postgres.owner, `create database ${name} owner ${as.user}`);
  return (await setUpHub({ ...as, database: name })).address;
}

async function joinAs(hub: HubAddress, name: string): Promise<HubAddress> {
  const own = await makeSignIn(hub, name);
  if (own === null || !(await own.arrive())) throw new Error('no role');
  return { ...hub, user: own.user, password: own.password };
}

const write = (session: PgConnection, account: string, text: string, version = 0): ReturnType<typeof ask> =>
  ask(session, `select tillside_hub.hub_write($1, $2, extract(epoch from clock_timestamp()) * 1000, $3) as written`, [
    account,
    version,
    text,
  ]);

/** The roles that may sign in to this hub. */
async function rolesOfHub(): Promise<string[]> {
  const found = await asOwner(`select r.rolname from pg_auth_members t join pg_roles r on r.oid = t.member
    join pg_roles g on g.oid = t.roleid join tillside_hub.meta m on m.tills = g.rolname`);
  return found.map(({ rolname }) => String(rolname));
}

const sessionsOf = (role: string): string => `select from pg_stat_activity where usename = '${role}'`;

const refusedAs = (detail: string) => ({ failure: { detail } });

describe.skipIf(!hasPostgres())('a till of a hub', () => {
  let hub: HubAddress;

  beforeAll(async () => {
    postgres = await startPostgres({
      settings: ['fsync = off', 'max_connections = 20', 'max_prepared_transactions = 10'],
    });
  });
  afterAll(() => postgres.remove());
  beforeEach(async () => {
    hubs += 1;
    database = `hub_${hubs}`;
    hub = await makeHub(database);
    owner = await signIn({ ...postgres.owner, database });
  });

  test('loses its session at each set-up, and holds none up with the lock of set-ups', async () => {
    // As an earlier version, or an owner who may refuse nothing, has left it.
    await asOwner('grant execute on function pg_advisory_xact_lock(bigint) to public');
    const [idle, holder] = [await signIn(hub), await signIn(await joinAs(hub, 'Till 1'))];
    await ask(holder, "begin; select pg_advisory_xact_lock(hashtext('tillside_hub'))");
    const outcome = await run('setUp');
    expect(outcome).toMatchObject({ exitCode: 0, lines: [expect.stringContaining('a hub already'), {}, {}, {}, {}] });
    await expect.poll(() => [idle.isOpen(), holder.isOpen()]).toEqual([false, false]);
    expect(await opens(hub)).toBe(true);
  });

  test('takes five connections with its own role, and all tills of one address three quarters', async () => {
    const own = await joinAs(hub, 'Till 1');
    for (let count = 0; count < 5; count += 1) await signIn(own);
    await expect(signIn(own)).rejects.toMatchObject(refusedAs('53300'));
    const [limit] = await asOwner(`select rolconnlimit::int4 as limit from pg_roles where rolname = '${hub.user}'`);
    expect(limit).toEqual({ limit: 15 });
    expect(await opens(hub)).toBe(true);
  });

  test('takes no lock that is not a row’s or a table’s: one could take all that the server has', async () => {
    const take = `do $$ declare one text; begin
      for one in select p.oid::regprocedure from pg_proc p where p.proname ~ 'advisory.*lock' and p.proname !~ 'unlock'
      loop
        if has_function_privilege(one, 'execute') then raise exception '%', one; end if;
      end loop;
    end $$`;
    for (const before of ['select 1', 'grant execute on function pg_try_advisory_lock(int, int) to public']) {
      await asOwner(before);
      expect(await run('setUp')).toMatchObject({
        exitCode: 0,
        lines: [{}, {}, {}, expect.stringContaining('pg_hba'), {}],
      });
      for (const server of [hub, await joinAs(hub, 'Till 1')]) {
        const session = await signIn(server);
        await ask(session, take);
        await expect(ask(session, 'select pg_advisory_lock(1)')).rejects.toMatchObject(refusedAs('42501'));
      }
    }
    // Who owns the database goes on setting up and removing, also where that is no superuser.
    await asOwner(`create role other_${database} login createrole password 'x'`);
    const other = { ...postgres.owner, user: `other_${database}`, password: 'x' };
    await asOwner(`alter database ${database} owner to ${other.user}`);
    await run('setUp');
    expect(await run('remove', { isConfirmed: true })).toMatchObject({ exitCode: 0 });
    const anew = addressIn(await run('setUp', {}, database, other));
    expect(await opens(await joinAs(anew, 'Till 1'))).toBe(true);
  });

  test('waits for no lock for which everybody would have to wait behind it, also to sign in', async () => {
    await asOwner('begin; select from pg_roles, tillside_hub.accounts');
    for (const server of [hub, await joinAs(hub, 'Till 1')]) {
      const session = await signIn(server);
      await ask(session, "set lock_timeout = '1s'");
      for (const table of ['pg_catalog.pg_authid', 'tillside_hub.accounts']) {
        const rule = ask(session, `create rule one as on insert to ${table} do instead nothing`);
        await expect(rule).rejects.toMatchObject(refusedAs('42501'));
      }
    }
    await asOwner('commit');
    // Others make what they like there, and nothing is left behind.
    await asOwner('create table public.mine (); create rule one as on insert to public.mine do instead nothing');
    await asOwner('drop table public.mine');
    expect(await run('remove', { isConfirmed: true })).toMatchObject({ exitCode: 0 });
    expect(await asOwner('select from pg_event_trigger')).toEqual([]);
  });

  test('that has taken every lock of a server whose owner may refuse none is shut out once that was stopped', async () => {
    await asOwner(`create role locker login createrole password 'x'`);
    const locker = { ...postgres.owner, user: 'locker', password: 'x' };
    const kept = await makeHub(`${database}_locked`, locker);
    expect((await run('setUp', {}, kept.database, locker)).lines).toContainEqual(
      expect.stringContaining('a superuser'),
    );
    const [one, other] = [await joinAs(kept, 'Till 1'), await joinAs(kept, 'Till 2')];
    const thief = await signIn(one);
    const takeAll = async (): Promise<void> => {
      for (let at = 0; at < 100_000; at += 100) {
        await ask(thief, `select count(pg_advisory_lock(i)) from generate_series(${at}, ${at + 99}) i`);
      }
    };
    await expect(takeAll()).rejects.toMatchObject(refusedAs('53200'));
    const remove = () => run('removeTill', { till: 'Till 1', isConfirmed: true }, kept.database, locker);
    expect(await remove()).toEqual(saying(1, /Stop the server.*superuser/));
    await postgres.kill();
    await postgres.start();
    expect(await remove()).toMatchObject({ exitCode: 0 });
    expect([await opens(one), await opens(other)]).toEqual([false, true]);
  });

  test.each([
    ['texts', maxTextsOfTill, '1'],
    ['bytes', maxBytesOfTill / maxDocumentLength, `repeat('x', ${maxDocumentLength})`],
  ])('writes so many %s and no more, and another goes on', async (_what, count, text) => {
    const [one, other] = [await signIn(await joinAs(hub, 'Till 1')), await signIn(await joinAs(hub, 'Till 2'))];
    await write(one, 'mine', 'x');
    await asOwner(`alter table tillside_hub.accounts disable trigger keep_quota;
      insert into tillside_hub.accounts select 'text ' || n, 1, ${text}, now(), a.writer
        from generate_series(2, ${count}) n, tillside_hub.accounts a;
      alter table tillside_hub.accounts enable trigger keep_quota`);
    const most = 'x'.repeat(maxDocumentLength);
    await expect(write(one, 'more', most)).rejects.toMatchObject(refusedAs('54000'));
    // What is there can be written again, and what another has written, too.
    expect(await write(one, 'mine', 'y', 1)).toEqual([{ written: true }]);
    expect(await write(other, 'more', most)).toEqual([{ written: true }]);
    expect(await write(one, 'more', most.slice(1), 1)).toEqual([{ written: true }]);
  });

  test('cannot make a short text long beyond its part', async () => {
    const one = await signIn(await joinAs(hub, 'Till 1'));
    await write(one, 'mine', 'x');
    await asOwner(`alter table tillside_hub.accounts disable trigger keep_quota;
      insert into tillside_hub.accounts select 'text ' || n, 1, repeat('x', ${maxDocumentLength}), now(), a.writer
        from generate_series(1, ${maxBytesOfTill / maxDocumentLength}) n, tillside_hub.accounts a;
      alter table tillside_hub.accounts enable trigger keep_quota`);
    await expect(write(one, 'mine', 'x'.repeat(4_096), 1)).rejects.toMatchObject(refusedAs('54000'));
    expect(await write(one, 'mine', 'short', 1)).toEqual([{ written: true }]);
  });

  test('writes records of so many accounts and no more', async () => {
    const [one, other] = [await signIn(await joinAs(hub, 'Till 1')), await signIn(await joinAs(hub, 'Till 2'))];
    const writeRows = (session: PgConnection, account: string): ReturnType<typeof ask> =>
      ask(
        session,
        `select tillside_hub.hub_write_rows($1, 0, extract(epoch from clock_timestamp()) * 1000, 'x', '{a}', '{b}') as written`,
        [account],
      );
    for (let at = 0; at < maxAccountsOfTill; at += 1) await writeRows(one, `account ${at}`);
    await expect(writeRows(one, 'more')).rejects.toMatchObject(refusedAs('54000'));
    expect(await writeRows(other, 'more')).toEqual([{ written: true }]);
  });

  test.each(['with a role of its own', 'with the role of the address'])(
    'that holds a row %s makes others wait a second at most, and loses its session',
    async (how) => {
      const holder = await signIn(how.includes('own') ? await joinAs(hub, 'Till 1') : hub);
      const other = await signIn(await joinAs(hub, 'Till 2'));
      await write(other, 'shared', 'first');
      await ask(holder, 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; begin');
      await write(holder, 'shared', 'held', 1);
      // It is answered while the row is still held.
      expect(await write(other, 'shared', 'second', 1)).toEqual([{ written: false }]);
      expect(holder.isOpen()).toBe(true);
      await expect.poll(() => write(other, 'shared', 'second', 1), { timeout: patientMs }).toEqual([{ written: true }]);
      await expect.poll(() => holder.isOpen()).toBe(false);
    },
  );

  test('that keeps old rows from being cleared loses its session within so many readings of another', async () => {
    const [one, other] = [await signIn(await joinAs(hub, 'Till 1')), await signIn(await joinAs(hub, 'Till 2'))];
    await ask(one, 'set idle_in_transaction_session_timeout = 0');
    await ask(one, 'begin isolation level repeatable read; select txid_current()');
    const read = async (): Promise<boolean> => {
      for (const call of ["hub_read('a' || i)", "hub_read_rows('a' || i, 0)"]) {
        await ask(other, `select count(tillside_hub.${call}) from generate_series(1, 150) i`);
      }
      return one.isOpen();
    };
    expect(await read()).toBe(true);
    await expect.poll(read, { timeout: patientMs, interval: 500 }).toBe(false);
    expect(other.isOpen()).toBe(true);
  });

  test('that keeps the bells of all from being cleared loses its session before they fill a tenth', async () => {
    const [own, other] = [await joinAs(hub, 'Till 1'), await signIn(await joinAs(hub, 'Till 2'))];
    const [holder, ringer] = [await signIn(own), await signIn(own)];
    await ask(holder, 'set idle_in_transaction_session_timeout = 0; listen x');
    // Never long in one transaction, and never out of all.
    const hold = (): Promise<unknown> => ask(holder, 'commit; begin; select 1');
    const used = async (): Promise<number> => {
      const [found] = await asOwner('select pg_notification_queue_usage() as used');
      return Number(found?.['used']);
    };
    await ask(holder, 'begin; select 1');
    let most = 0;
    for (let rung = 0; rung < 60 && holder.isOpen(); rung += 1) {
      await ask(ringer, "select count(pg_notify('y', repeat('z', 7980) || i)) from generate_series(1, 2000) i");
      await hold().catch(() => undefined);
      most = Math.max(most, await used());
      await ask(other, "select from tillside_hub.hub_read('a')");
    }
    expect(holder.isOpen()).toBe(false);
    expect(most).toBeLessThan(0.1);
    // The server clears them when the next bells fill a few pages.
    const usedAfterMore = async (): Promise<number> => {
      await ask(ringer, "select count(pg_notify('y', repeat('z', 7980) || i)) from generate_series(1, 8) i");
      return used();
    };
    await expect.poll(usedAfterMore, { timeout: patientMs }).toBeLessThan(0.01);
    expect(other.isOpen()).toBe(true);
  });

  test('can end, alter and impersonate no other, and makes no role with its own', async () => {
    const [one, two] = [await joinAs(hub, 'Till 1'), await joinAs(hub, 'Till 2')];
    const [session, others] = [await signIn(one), [await signIn(two), await signIn(hub)]];
    for (const victim of others) {
      const [found] = await ask(victim, 'select pg_backend_pid()::int4 as pid');
      const pid = String(found?.['pid']);
      for (const sql of [`select pg_terminate_backend(${pid})`, `select pg_cancel_backend(${pid})`]) {
        await expect(ask(session, sql), sql).rejects.toMatchObject(refusedAs('42501'));
      }
    }
    for (const { user } of [two, hub]) {
      for (const sql of [
        `alter role ${user} password 'x'`,
        `alter role ${user} set search_path = a`,
        `set role ${user}`,
      ]) {
        await expect(ask(session, sql), sql).rejects.toMatchObject(refusedAs('42501'));
      }
    }
    for (const sql of [
      "select tillside_hub.hub_join('Till 3', 'x')",
      'select tillside_hub.end_stuck()',
      'select * from tillside_hub.tills',
      'create temporary table mine (a int)',
      'select lo_create(0)',
    ]) {
      await expect(ask(session, sql), sql).rejects.toMatchObject(refusedAs('42501'));
    }
    // The group itself has nothing that is worth taking.
    const [meta] = await asOwner('select tills from tillside_hub.meta');
    const group = String(meta?.['tills']);
    await ask(session, `set role ${group}; alter role ${group} password 'x'`);
    expect([await opens(one), await opens(two), await opens(hub)]).toEqual([true, true, true]);
    expect(await opens({ ...hub, user: group, password: 'x' })).toBe(false);
    expect(others.map((victim) => victim.isOpen())).toEqual([true, true]);
  });

  test('is shut out by its name when that is confirmed, and the others go on untouched', async () => {
    const [one, same, two] = [
      await joinAs(hub, "Caixa '1"),
      await joinAs(hub, "Caixa '1"),
      await joinAs(hub, 'Caixa 2'),
    ];
    const [thief, other] = [await signIn(one), await signIn(two)];
    await ask(thief, `alter role ${one.user} set search_path = nowhere`);
    await asOwner('grant execute on function lo_create to public');
    await ask(thief, 'select lo_create(0)');
    // What it has written would be left alone by the others, as a newer version's.
    for (const account of ['news of the shop', 'shared text', 'the document']) await write(thief, account, 'spoilt');
    await write(other, 'shared by another', 'good');
    expect(await run('removeTill', { till: 'Caixa 3', isConfirmed: true })).toEqual(
      saying(1, "Those that do: Caixa '1, Caixa 2."),
    );
    expect(await run('removeTill', { till: "Caixa '1" })).toEqual(saying(1, /shut Caixa '1 out.*2 roles.*--yes/));
    expect(await opens(one)).toBe(true);
    expect(await run('removeTill', { till: "Caixa '1", isConfirmed: true })).toEqual(
      saying(0, "Caixa '1 has been shut out"),
    );
    await expect.poll(() => thief.isOpen()).toBe(false);
    expect([await opens(one), await opens(same), await opens(two)]).toEqual([false, false, true]);
    expect(await ask(other, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(
      await asOwner('select account, document, version::int4 from tillside_hub.accounts order by account'),
    ).toEqual([
      { account: 'news of the shop', document: '', version: 1 },
      { account: 'shared by another', document: 'good', version: 1 },
      { account: 'shared text', document: '', version: 1 },
      { account: 'the document', document: 'spoilt', version: 1 },
    ]);
    expect((await rolesOfHub()).toSorted()).toEqual([hub.user, two.user].toSorted());
    expect(await asOwner('select from pg_largeobject_metadata')).toEqual([]);
    // By the address it joins again: that is another matter.
    expect(await opens(await joinAs(hub, "Caixa '1"))).toBe(true);
  });

  test('has a name that commands no terminal, and can be shut out by what was printed of it', async () => {
    const own = await joinAs(hub, 'Caixa\u001b[2J\u202e\r\n 3');
    const printed = 'Caixa�[2J��� 3';
    const unknown = await run('removeTill', { till: 'Caixa 9', isConfirmed: true });
    expect(unknown.lines.join('\n')).toContain(`Those that do: ${printed}.`);
    expect(unknown.lines.join('')).not.toMatch(/[\p{C}]/u);
    expect(await run('removeTill', { till: printed, isConfirmed: true })).toEqual(
      saying(0, `${printed} has been shut out`),
    );
    expect(await opens(own)).toBe(false);
  });

  test('holds up nobody by a transaction that it has prepared once it is shut out, nor the commands', async () => {
    await asOwner(`create role preparer_${database} login createrole password 'x'`);
    const keeper = { ...postgres.owner, user: `preparer_${database}`, password: 'x' };
    const kept = await makeHub(`${database}_prepared`, keeper);
    const [thief, other] = [await joinAs(kept, "Till '1"), await signIn(await joinAs(kept, 'Till 2'))];
    const prepare = async (as: HubAddress, version: number): Promise<void> => {
      const session = await signIn(as);
      await ask(session, 'begin');
      expect(await write(session, 'a', 'held', version)).toEqual([{ written: true }]);
      await ask(session, `prepare transaction 'for ''ever ${version}'`);
      session.destroy();
    };
    const doAs = (action: HubCommand['action'], till = '') =>
      run(action, { till, isConfirmed: true }, kept.database, keeper);
    await prepare(thief, 0);
    expect(await doAs('removeTill', "Till '1")).toMatchObject({ exitCode: 0 });
    expect(await write(other, 'a', 'good')).toEqual([{ written: true }]);
    await prepare(kept, 1);
    expect(await doAs('setUp')).toMatchObject({
      exitCode: 0,
      lines: expect.arrayContaining([expect.stringContaining('max_prepared_transactions')]) as unknown,
    });
    await prepare(kept, 1);
    expect(await doAs('reset')).toMatchObject({ exitCode: 0 });
    await prepare(kept, 0);
    expect(await doAs('remove')).toMatchObject({ exitCode: 0 });
  }, 60_000);

  test('holds up nobody by what it has prepared as the tills’ group once it is shut out, nor the commands', async () => {
    const keeper = { ...postgres.owner, user: `grouper_${database}`, password: 'x' };
    await asOwner(`create role ${keeper.user} login createrole password 'x'`);
    const kept = await makeHub(`${database}_group`, keeper);
    const inKept = (sql: string) => askOnce({ ...postgres.owner, database: kept.database }, sql);
    const [group] = await inKept('select tills from tillside_hub.meta');
    const prepare = async (till: string): Promise<void> => {
      const session = await signIn(await joinAs(kept, till));
      await ask(session, `set role ${String(group?.['tills'])}; select lo_create(0)`);
      await ask(session, 'begin');
      expect(await write(session, 'a', 'held')).toEqual([{ written: true }]);
      await ask(session, `prepare transaction '${till}'`);
      session.destroy();
    };
    const doAs = (action: HubCommand['action'], till = '') =>
      run(action, { till, isConfirmed: true }, kept.database, keeper);
    await prepare('Till 1');
    expect(await doAs('removeTill', 'Till 1')).toMatchObject({ exitCode: 0 });
    expect(await asOwner('select gid from pg_prepared_xacts')).toEqual([]);
    expect(await inKept('select from pg_largeobject_metadata')).toEqual([]);
    for (const action of ['setUp', 'reset', 'remove'] as const) {
      await prepare(action);
      expect(await doAs(action), action).toMatchObject({ exitCode: 0 });
      expect(await asOwner('select gid from pg_prepared_xacts'), action).toEqual([]);
    }
  }, 60_000);

  test('of a hub whose owner is no superuser is held to the same, and shut out by that owner', async () => {
    await asOwner("create role keeper login createrole password 'x'");
    const keeper = { ...postgres.owner, user: 'keeper', password: 'x' };
    const kept = await makeHub(`${database}_kept`, keeper);
    const [one, other] = [await joinAs(kept, 'Till 1'), await signIn(await joinAs(kept, 'Till 2'))];
    const holders = [await signIn(one), await signIn(kept)];
    for (const [at, holder] of holders.entries()) {
      await ask(
        holder,
        `begin; select tillside_hub.hub_write('${at}', 0, extract(epoch from clock_timestamp()) * 1000, 'x')`,
      );
    }
    for (const at of holders.keys()) {
      await expect.poll(() => write(other, String(at), 'y'), { timeout: patientMs }).toEqual([{ written: true }]);
    }
    expect(await run('setUp', {}, kept.database, keeper)).toMatchObject({ exitCode: 0 });
    const removed = await run('removeTill', { till: 'Till 1', isConfirmed: true }, kept.database, keeper);
    expect(removed).toMatchObject({ exitCode: 0 });
    expect([await opens(one), await opens(kept)]).toEqual([false, true]);
    expect(await run('remove', { isConfirmed: true }, kept.database, keeper)).toMatchObject({ exitCode: 0 });
    expect(await opens(kept)).toBe(false);
  });

  test('is shut out whatever the owner of another database of the server has given its role', async () => {
    const own = await joinAs(hub, 'Till 1');
    await asOwner(`create role shop_${database} login password 'x'`);
    const another = { ...postgres.owner, user: `shop_${database}`, password: 'x', database: `${database}_shop` };
    await asOwner(`create database ${another.database} owner ${another.user}`);
    await askOnce(another, `create schema s; grant usage on schema s to ${own.user}`);
    expect(await run('removeTill', { till: 'Till 1', isConfirmed: true })).toMatchObject({ exitCode: 0 });
    expect([await opens(own), await opens(hub)]).toEqual([false, true]);
  });

  test('has no command run what it has made, in a database in which anybody may make functions', async () => {
    // As one of PostgreSQL 14 or before has been brought along, with others' tables.
    await asOwner('create table public.others (a int); grant create on schema public to public');
    expect(await run('setUp')).toMatchObject({ exitCode: 0 });
    // Nor has an owner who is no superuser refused the tills to make any.
    await asOwner('drop event trigger tillside_hub');
    const own = await joinAs(hub, 'Till 1');
    const thief = await signIn(own);
    for (const [name, types] of [
      ['starts_with', 'name, text'],
      ['pg_has_role', 'text, text'],
      ['aclexplode', 'anyarray'],
    ]) {
      await ask(
        thief,
        `create function public.${name}(${types}) returns boolean language plpgsql as $$ begin
          execute 'alter role ${own.user} superuser'; return true;
        end $$`,
      );
    }
    for (const action of ['setUp', 'removeTill', 'reset', 'remove'] as const) {
      await run(action, { till: 'Till 2' });
      await run(action, { till: 'Till 2', isConfirmed: true });
    }
    expect(await asOwner(`select from pg_roles where rolname = '${own.user}' and rolsuper`)).toEqual([]);
  });

  test('that was half shut out is so by the next try', async () => {
    const own = await joinAs(hub, 'Till 1');
    await signIn(own);
    // Where the first try ended: the role lets nobody in, and all else is there.
    await asOwner(`alter role ${own.user} nologin`);
    expect(await run('removeTill', { till: 'Till 1', isConfirmed: true })).toMatchObject({ exitCode: 0 });
    expect(await rolesOfHub()).toEqual([hub.user]);
  });

  test.each(['select pg_sleep(0.3); commit', "prepare transaction '{id}'"])(
    'that is back at once, and holds the row of its role by %j, is shut out by the first try',
    async (end) => {
      await joinAs(hub, 'Till 1');
      const own = await joinAs(hub, 'Till 2');
      const over = new AbortController();
      // A role may give itself another password.
      const holdAndComeBack = async (id: string): Promise<void> => {
        for (let tries = 0; !over.signal.aborted; tries += 1) {
          const sql = `begin; alter role ${own.user} password '${own.password}'; ${end.replace('{id}', `${id} ${tries}`)}`;
          await askOnce(own, sql).catch(() => undefined);
        }
      };
      const thieves = ['a', 'b', 'c', 'd', 'e'].map((id) => holdAndComeBack(`${database} ${id}`));
      await expect.poll(() => asOwner(sessionsOf(own.user))).not.toEqual([]);
      const removed = await run('removeTill', { till: 'Till 2', isConfirmed: true });
      over.abort();
      await Promise.all(thieves);
      expect(removed).toMatchObject({ exitCode: 0 });
      expect(await rolesOfHub()).toHaveLength(2);
      expect(await asOwner('select from pg_prepared_xacts')).toEqual([]);
    },
  );

  test('that ends at the same time what it has prepared is shut out all the same', async () => {
    const own = await joinAs(hub, 'Till 1');
    await askOnce(
      own,
      `begin; alter role ${own.user} password '${own.password}'; prepare transaction '${database} end'`,
    );
    const beside = await signIn({ ...postgres.owner, database });
    let ends = 0;
    const endFirst = async (sql: string) => {
      if (sql.startsWith('rollback prepared')) {
        ends += 1;
        await askOnce(own, sql);
      }
      return asOwner(sql);
    };
    await closeRoles(endFirst, (sql) => ask(beside, sql), [own.user]);
    expect([ends, await opens(own)]).toEqual([1, false]);
  });

  test('whose role is not there, as where the database alone has come back, is named by no command', async () => {
    const [gone] = [await joinAs(hub, 'Till 1'), await joinAs(hub, 'Till 2')];
    await asOwner(`drop role ${gone.user}`);
    expect(await run('setUp')).toMatchObject({ exitCode: 0 });
    expect(await run('removeTill', { till: 'Till 1', isConfirmed: true })).toEqual(saying(1, 'Those that do: Till 2.'));
  });

  test.each([
    ['removeTill', 'Till 1 has been shut out'],
    ['remove', 'The hub has been removed'],
  ] as const)('whose group has not come back with its role is no obstacle to %s', async (action, said) => {
    await joinAs(hub, 'Till 1');
    const [found] = await asOwner('select tills from tillside_hub.meta');
    await asOwner(`drop owned by ${String(found?.['tills'])}; drop role ${String(found?.['tills'])}`);
    expect(await run(action, { till: 'Till 1', isConfirmed: true })).toEqual(saying(0, said));
  });

  /** Who has the address of all tills joins as often as it likes by one name. */
  async function whileNoneCanBeEnded(count: number, action: () => Promise<void>): Promise<void> {
    const pids: number[] = [];
    while (pids.length < count) {
      const thief = await signIn(await joinAs(hub, 'Till 1'));
      const [found] = await ask(thief, 'select pg_backend_pid() as pid');
      pids.push(Number(found?.['pid']));
    }
    // Like one that computes something within which no signal is looked for.
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      await action();
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  }

  test('whose session the server cannot end is said to go on, and is shut out by the next try', async () => {
    const remove = () => run('removeTill', { till: 'Till 1', isConfirmed: true });
    await whileNoneCanBeEnded(3, async () => {
      expect(await remove()).toEqual(saying(1, /Till 1 .* goes on.*immediate/));
    });
    expect(await remove()).toMatchObject({ exitCode: 0 });
  });

  test('whose sessions the server cannot end keeps no hub from being removed', async () => {
    await whileNoneCanBeEnded(5, async () => {
      expect(await run('remove', { isConfirmed: true })).toMatchObject({ exitCode: 0 });
    });
  });

  test('that has said that it leaves, and stays, is named and shut out', async () => {
    const [own, preparing] = [await joinAs(hub, 'Till 1'), await joinAs(hub, 'Till 2')];
    const thief = await signIn(own);
    await ask(thief, 'set idle_session_timeout = 0; select tillside_hub.hub_leave()');
    expect(await write(thief, 'a', 'x')).toEqual([{ written: true }]);
    const leaving = await signIn(preparing);
    await ask(leaving, 'begin');
    await write(leaving, 'b', 'x');
    await ask(leaving, "prepare transaction 'for ever'; select tillside_hub.hub_leave()");
    leaving.destroy();
    expect(await run('removeTill', { till: 'Till 3' })).toEqual(saying(1, 'Those that do: Till 1, Till 2.'));
    for (const till of ['Till 1', 'Till 2']) {
      expect(await run('removeTill', { till, isConfirmed: true })).toEqual(saying(0, `${till} has been shut out`));
    }
    await expect.poll(() => thief.isOpen()).toBe(false);
    expect(await asOwner('select from pg_prepared_xacts')).toEqual([]);
    expect(await rolesOfHub()).toEqual([hub.user]);
  });

  test('whose role is gone, and whose session is not, loses that at each command that ends sessions', async () => {
    // The hub's owner is no superuser; whoever runs the commands is.
    const keeper = { ...postgres.owner, user: `keeper_${database}`, password: 'x' };
    await asOwner(`create role ${keeper.user} login createrole password 'x'`);
    const kept = await makeHub(`${database}_kept`, keeper);
    for (const action of ['setUp', 'reset', 'removeTill', 'remove'] as const) {
      const own = await joinAs(kept, 'Till 1');
      const [thief, preparing] = [await signIn(own), await signIn(own)];
      await ask(thief, 'set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0');
      await ask(preparing, 'begin');
      await write(preparing, action, 'held');
      await ask(preparing, `prepare transaction '${action}'`);
      preparing.destroy();
      await ask(thief, 'select tillside_hub.hub_leave()');
      // Whoever joins drops the role of one that has left.
      await joinAs(kept, 'Till 2');
      await ask(thief, 'begin isolation level repeatable read; select 1');
      const more = { isConfirmed: action !== 'setUp', ...(action === 'removeTill' && { till: 'Till 2' }) };
      expect(await run(action, more, kept.database), action).toMatchObject({ exitCode: 0 });
      await expect.poll(() => thief.isOpen(), { message: action }).toBe(false);
      expect(await asOwner('select from pg_prepared_xacts'), action).toEqual([]);
    }
  });

  test('of one hub knows nothing of another on the same server, and goes without it', async () => {
    const first = { hub, own: await joinAs(hub, 'Till 1'), at: database };
    const second = await makeHub(`${database}_second`);
    const own = await joinAs(second, 'Till 1');
    expect(await opens({ ...first.own, database: second.database })).toBe(false);
    expect(await opens({ ...own, database: first.at })).toBe(false);
    expect(await run('removeTill', { till: 'Till 1', isConfirmed: true })).toMatchObject({ exitCode: 0 });
    expect([await opens(first.own), await opens(own), await opens(second)]).toEqual([false, true, true]);
    expect(await run('remove', { isConfirmed: true })).toMatchObject({ exitCode: 0 });
    expect([await opens(first.hub), await opens(own), await opens(second)]).toEqual([false, true, true]);
    expect(await run('remove', { isConfirmed: true }, second.database)).toMatchObject({ exitCode: 0 });
    expect([await opens(own), await opens(second)]).toEqual([false, false]);
    const left = await asOwner(
      `select rolname from pg_roles where rolname in ('${own.user}', '${second.user}', '${first.own.user}')`,
    );
    expect(left).toEqual([]);
  });

  test.each([
    ['that leaves', (till: Till) => till.membership.leave(), []],
    ['of another name', (till: Till) => till.membership.keep(hub, 'Till 2', 'hand'), ['Till 2']],
    ['of another name by a file', (till: Till) => till.membership.keep(hub, 'Till 2', 'file'), ['Till 2']],
  ])('%s lets nobody sign in by the role that it had, and the next one drops it', async (_how, change, names) => {
    const till = startTill(hub);
    expect(await till.read()).toBeNull();
    const before = till.kept();
    const thief = await signIn(before);
    await change(till);
    if (names.length > 0) expect(await till.open().read()).toBeNull();
    await till.membership.endFormer();
    await expect.poll(() => opens(before)).toBe(false);
    await expect.poll(() => thief.isOpen()).toBe(false);
    const outcome = await run('removeTill', { till: 'nobody' });
    expect(outcome.lines).toEqual([expect.stringContaining(`Those that do: ${names[0] ?? '–'}.`)]);
    const next = await joinAs(hub, 'Till 3');
    expect(await rolesOfHub()).not.toContain(before.user);
    expect(await opens(next)).toBe(true);
  });

  test('that moves to another hub lets nobody sign in to the first by the role that it had', async () => {
    const other = await makeHub(`${database}_next`);
    const till = startTill(hub);
    await till.read();
    const before = till.kept();
    await till.membership.keep(other, 'Till 1', 'hand');
    expect(await opens(before)).toBe(true);
    await till.open().read();
    await till.membership.endFormer();
    expect([await opens(before), await opens(till.kept())]).toEqual([false, true]);
    expect(till.kept().user).not.toBe(before.user);
  });

  test('that the server does not let in keeps the address that it has, and leaves one role at most', async () => {
    await asOwner(
      `revoke connect on database ${database} from public; grant connect on database ${database} to ${hub.user}`,
    );
    for (let start = 0; start < 3; start += 1) expect(await makeSignIn(hub, 'Till 1')).toBeNull();
    expect(await rolesOfHub()).toHaveLength(2);
    await asOwner(`grant connect on database ${database} to public`);
    expect(await opens(await joinAs(hub, 'Till 1'))).toBe(true);
    expect(await rolesOfHub()).toHaveLength(2);
  });

  test('whose role another of its name replaces before it is kept is told, and one that is kept stays', async () => {
    const first = await makeSignIn(hub, 'Till 1');
    const second = await makeSignIn(hub, 'Till 1');
    expect(await first?.arrive()).toBe(false);
    expect(await second?.arrive()).toBe(true);
    expect((await makeSignIn(hub, 'Till 1'))?.user).not.toBe(second?.user);
    expect(await second?.arrive()).toBe(true);
  });

  test('of an earlier version goes on with its owner, whoever has upgraded it', async () => {
    await asOwner("create role former login createrole password 'x'");
    const former = { ...postgres.owner, user: 'former', password: 'x' };
    const kept = await makeHub(`${database}_former`, former);
    const session = await signIn({ ...former, database: kept.database });
    const sql = hubMigrations.slice(0, 3).map((migration) => migration.sql);
    await ask(
      session,
      `drop schema tillside_hub cascade; ${sql.join(';')}; update tillside_hub.meta set schema_version = 3;
        grant usage on schema tillside_hub to ${kept.user}`,
    );
    expect(await run('setUp', {}, kept.database)).toMatchObject({ exitCode: 0 });
    const owners = await ask(
      session,
      `select distinct proowner::regrole::text as owner, prorettype = 'event_trigger'::regtype as "isRunBySuperusers"
        from pg_proc where pronamespace = 'tillside_hub'::regnamespace order by 2`,
    );
    expect(owners).toEqual([
      { owner: 'former', isRunBySuperusers: false },
      { owner: postgres.owner.user, isRunBySuperusers: true },
    ]);
    expect(await run('setUp', {}, kept.database, former)).toMatchObject({ exitCode: 0 });
    expect(await opens(await joinAs(kept, 'Till 1'))).toBe(true);
    expect(await run('remove', { isConfirmed: true }, kept.database, former)).toMatchObject({ exitCode: 0 });
  });

  test('whose owner has made the function first that superusers run leaves that to the superuser', async () => {
    await asOwner("create role sly login createrole password 'x'");
    const sly = { ...postgres.owner, user: 'sly', password: 'x' };
    const theirs = await makeHub(`${database}_sly`, sly);
    const session = await signIn({ ...sly, database: theirs.database });
    const make = (body: string) =>
      ask(
        session,
        `create or replace function tillside_hub.keep_made() returns event_trigger language plpgsql as $$ begin ${body} end $$`,
      );
    await make('');
    expect(await run('setUp', {}, theirs.database)).toMatchObject({ exitCode: 0 });
    await expect(make('alter role sly superuser;')).rejects.toMatchObject(refusedAs('42501'));
    expect(await run('setUp', {}, theirs.database, sly)).toMatchObject({ exitCode: 0 });
  });

  test('brings no superuser into the tills’ group, whom pg_hba.conf would let in', async () => {
    await joinAs(hub, 'Till 1');
    expect(await run('setUp')).toMatchObject({ exitCode: 0 });
    const members = await asOwner(`select r.rolname as name from pg_auth_members m join pg_roles r on r.oid = m.member
      join pg_roles g on g.oid = m.roleid where g.rolname like 'tillside\\_t%' and r.rolsuper`);
    expect(members).toEqual([]);
  });

  test('is still let in after a copy of its hub has been removed', async () => {
    const one = await joinAs(hub, 'Till 1');
    const copy = `${database}_copy`;
    const server = await signIn(postgres.owner);
    // A database that somebody uses cannot be copied.
    const endAll = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`;
    for (const sql of [endAll, `create database ${copy} template ${database}`]) await ask(server, sql);
    expect(await run('remove', { isConfirmed: true }, copy)).toMatchObject({ exitCode: 0 });
    expect([await opens(one), await opens(hub)]).toEqual([true, true]);
  });

  test('gets no role of a hub that has a thousand, or was set up by an earlier version', async () => {
    await asOwner("insert into tillside_hub.tills select 'r' || n, 'some', true from generate_series(1, 1000) n");
    expect(await makeSignIn(hub, 'Till 1')).toBeNull();
    await asOwner('drop function tillside_hub.hub_join');
    expect(await makeSignIn(hub, 'Till 1')).toBeNull();
  });
});
