// The proof that one command makes a database the terminals' hub, that making it twice changes nothing, and that what is
// not ours stays as it is: a real server.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { HubServer } from '../../../../app/hub/address.ts';
import { terminalRole } from '../../../../app/hub/roles.ts';
import { hubMigrations, hubSchemaVersion } from '../../../../app/hub/schema.ts';
import type { HubSignIn } from '../../../../app/hub/link.ts';
import { makeSignIn } from '../../../../app/hosts/hub/own-sign-in.ts';
import { runHubCommand, type HubOutcome } from '../../../../app/hosts/hub/set-up.ts';
import type { HubCommand } from '../../../../app/hosts/flags.ts';
import { createSealedDocument } from '../../../../app/hub/sealed-document.ts';
import { createNodeRandom } from '../../../../app/hosts/node/node-ports.ts';
import { succeed } from '../../../../app/domain/result.ts';
import { startChild } from '../../../support/child.ts';
import { documentOf, memberOf } from '../../../support/hub-document.ts';
import { hasPostgres, postgresVersions, startPostgres, type Postgres } from '../../../support/postgres.ts';
import { addressIn, ownerAddressOf } from '../../../support/set-up-hub.ts';
import { ask, askOnce, linkTo, opens, patientMs, saying, signIn } from './hub-sessions.ts';

const entry = resolve(import.meta.dirname, '../../../../app/serve.ts');
/** The tills' rights at a hub of the version before. */
const earlierGrants = `grant usage on schema tillside_hub to ${terminalRole};
  grant execute on function tillside_hub.hub_read(text) to ${terminalRole};
  grant execute on function tillside_hub.hub_write(text, bigint, float8, text) to ${terminalRole}`;

const rowGrants = `grant execute on function tillside_hub.hub_read_rows(text, bigint) to ${terminalRole};
  grant execute on function tillside_hub.hub_write_rows(text, bigint, float8, text, text[], text[]) to ${terminalRole}`;

let postgres: Postgres;

/** Runs SQL as the superuser, or as whom the changes say, in this database. */
const query = (database: string, sql: string, changes: Partial<HubServer> = {}): ReturnType<typeof ask> =>
  askOnce({ ...postgres.owner, database, ...changes }, sql);

/** New databases of these names, which go with the test, as does the terminals' role. */
async function makeDatabases(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await query('postgres', `create database ${name}`);
  }
  onTestFinished(async () => {
    for (const name of names) {
      await query('postgres', `drop database ${name} with (force)`);
    }
    const left = await query('postgres', "select rolname from pg_roles where starts_with(rolname, 'tillside_t')");
    for (const { rolname } of left) {
      await query('postgres', `drop owned by ${String(rolname)}; drop role ${String(rolname)}`);
    }
  });
}

async function command(
  action: HubCommand['action'],
  database: string,
  changes: Partial<HubServer> = {},
  isConfirmed = false,
): Promise<HubOutcome> {
  const outcome = await runHubCommand(
    { action, ownerAddress: ownerAddressOf({ ...postgres.owner, ...changes, database }), isConfirmed },
    { language: 'en', environment: {} },
  );
  expect(outcome.lines.join('\n')).not.toContain(postgres.owner.password);
  return outcome;
}

/** Tillside's objects in a database. */
async function everything(database: string) {
  return query(
    database,
    `select (select json_agg(c order by c.oid) from pg_class c where relnamespace = to_regnamespace('tillside_hub')) as tables,
      (select json_agg(p order by p.oid) from pg_proc p where pronamespace = to_regnamespace('tillside_hub')) as functions,
      (select json_agg(n) from pg_namespace n) as schemas, (select json_agg(r) from pg_authid r) as roles,
      (select json_agg(s) from pg_db_role_setting s) as settings, (select json_agg(a) from tillside_hub.accounts a) as accounts`,
  );
}

describe.skipIf(!hasPostgres()).each(postgresVersions())('a hub on PostgreSQL $version', (programs) => {
  beforeAll(async () => {
    postgres = await startPostgres({
      programs,
      settings: ['log_statement = all', 'log_connections = on', 'fsync = off'],
    });
  });
  afterAll(() => postgres.remove());

  test('is made, used by the printed address, and made again without a change', async () => {
    await makeDatabases('shop');
    await query('shop', 'create table public.others (a int); insert into public.others values (1)');
    const first = await command('setUp', 'shop');
    expect(first).toMatchObject({
      exitCode: 0,
      lines: [
        expect.stringContaining('now a hub'),
        expect.stringContaining(postgres.owner.fingerprint),
        // Others have a table here.
        expect.stringContaining("without others' tables"),
        expect.stringContaining('hostssl "shop" +tillside_tills samenet'),
        expect.stringContaining('in the place of 127.0.0.1'),
        expect.anything(),
        expect.anything(),
      ],
    });
    const address = addressIn(first);
    expect(address).toMatchObject({
      user: terminalRole,
      database: 'shop',
      port: postgres.owner.port,
      fingerprint: postgres.owner.fingerprint,
    });

    const link = linkTo(address);
    const reading = await link.read('a', patientMs, 0);
    expect(reading).toMatchObject({ ok: true, value: { version: 0, isIntact: true } });
    expect(
      await link.write('a', { version: 0, serverMs: reading.ok ? reading.value.serverMs : 0 }, 'x', patientMs),
    ).toEqual({ ok: true, value: true });

    const before = await everything('shop');
    const second = await command('setUp', 'shop');
    expect(second).toMatchObject({
      exitCode: 0,
      lines: [
        expect.stringContaining('a hub already'),
        expect.stringContaining(postgres.owner.fingerprint),
        // Others have a table here.
        expect.stringContaining("without others' tables"),
        expect.stringContaining('hostssl "shop" +tillside_tills samenet'),
        expect.stringContaining('cannot be shown again'),
      ],
    });
    expect(await everything('shop')).toEqual(before);
    // Its session has been ended, and it comes back.
    await expect.poll(() => link.read('a', patientMs)).toMatchObject({ value: { version: 1, document: 'x' } });
    expect(await query('shop', 'select * from public.others')).toEqual([{ a: 1 }]);
    // The server's log has every statement.
    const log = postgres.log();
    expect(log).toContain(`create role ${terminalRole}`);
    expect(log).not.toContain(address.password);
    expect(log).not.toContain(address.storeKey);
  });

  test('lets its tills in where the database is closed to everybody else', async () => {
    await makeDatabases('closed');
    await query('postgres', 'revoke connect on database closed from public');
    const address = addressIn(await command('setUp', 'closed'));
    expect(await opens(address)).toBe(true);
    const mayConnect = `select has_database_privilege('tillside_tills', 'closed', 'connect') as may`;
    expect(await query('postgres', mayConnect)).toEqual([{ may: true }]);
    await query('postgres', `revoke connect on database closed from ${terminalRole}, tillside_tills`);
    expect(await opens(address)).toBe(false);
    await command('setUp', 'closed');
    expect(await opens(address)).toBe(true);
    expect(await command('remove', 'closed', {}, true)).toMatchObject({ exitCode: 0 });
    expect(await query('postgres', `select 1 from pg_roles where starts_with(rolname, 'tillside_t')`)).toEqual([]);
  });

  test('says that it is as it was made until its server is started again', async () => {
    await makeDatabases('started');
    const address = addressIn(await command('setUp', 'started'));
    const link = linkTo(address);
    const read = async () => {
      const reading = await link.read('a', patientMs, 0);
      return reading.ok ? reading.value : null;
    };
    const before = await read();
    expect(before).toMatchObject({ isIntact: true, life: expect.any(String) as string });
    expect(await read()).toMatchObject({ isIntact: true, life: before?.life });
    await command('setUp', 'started');
    await expect.poll(read).toMatchObject({ isIntact: true, life: before?.life });
    await postgres.kill();
    await postgres.start();
    await expect.poll(read, { timeout: patientMs }).toMatchObject({ isIntact: false });
    expect((await read())?.life).not.toBe(before?.life);
  });

  test('in a copy of its database counts what is lent as lost, and goes on where it was', async () => {
    await makeDatabases('copied', 'copy');
    await command('setUp', 'copied');
    const now = 'extract(epoch from clock_timestamp()) * 1000';
    await query('copied', `select tillside_hub.hub_write('a', 0, ${now}, 'written')`);
    const read = (database: string) =>
      query(database, `select document, is_unused from tillside_hub.hub_read_rows('a', 0)`);
    await query('postgres', 'drop database copy');
    await query('postgres', 'create database copy template copied');
    expect(await read('copy')).toEqual([{ document: null, is_unused: false }]);
    expect(await read('copied')).toEqual([{ document: 'written', is_unused: true }]);
  });

  test('has its tills in their group again, which a backup of an earlier PostgreSQL leaves out', async () => {
    await makeDatabases('restored');
    const address = addressIn(await command('setUp', 'restored'));
    const [own, gone] = [await makeSignIn(address, 'Till 1'), await makeSignIn(address, 'Till 2')];
    if (own === null || gone === null) throw new Error('no role');
    await query('restored', `revoke tillside_tills from ${own.user}, ${gone.user}; drop role ${gone.user}`);
    expect(await opens({ ...address, ...own })).toBe(false);
    expect(await command('setUp', 'restored')).toMatchObject({ exitCode: 0 });
    expect(await opens({ ...address, ...own })).toBe(true);
  });

  test('is made once by several at once', async () => {
    await makeDatabases('race');
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => command('setUp', 'race')));
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
    expect(outcomes.filter(({ lines }) => lines.at(-1)?.startsWith('tillside-hub://'))).toHaveLength(1);
    expect(await query('race', 'select schema_version from tillside_hub.meta')).toEqual([
      { schema_version: hubSchemaVersion },
    ]);
  });

  test('is removed only when that is confirmed, and then made anew with another address', async () => {
    await makeDatabases('gone');
    await query('gone', 'create table public.others (a int)');
    expect(await command('remove', 'gone', {}, true)).toEqual(saying(0, 'is no hub'));
    const address = addressIn(await command('setUp', 'gone'));
    await query('gone', "insert into tillside_hub.accounts values ('a', 1, 'x', now()), ('b', 1, 'x', now())");
    const before = await everything('gone');
    expect(await command('remove', 'gone')).toEqual(saying(1, /what 2 accounts share.*--yes/));
    expect(await everything('gone')).toEqual(before);
    expect(await command('remove', 'gone', {}, true)).toEqual(saying(0, 'has been removed'));
    expect(
      await query(
        'gone',
        "select to_regnamespace('tillside_hub') as schema, to_regclass('public.others')::text as others",
      ),
    ).toEqual([{ schema: null, others: 'public.others' }]);
    const link = linkTo(address);
    expect(await link.read('a', patientMs)).toMatchObject({ ok: false, failure: { kind: 'wrongPassword' } });
    const anew = addressIn(await command('setUp', 'gone'));
    expect(anew.password).not.toBe(address.password);
    expect(anew.storeKey).not.toBe(address.storeKey);
  });

  test('whatever a thief with the address has done, it is of no use once the hub is removed', async () => {
    await makeDatabases('stolen');
    const address = addressIn(await command('setUp', 'stolen'));
    const thief = await signIn(address);
    // As in a database that others use, set up by an owner who may refuse none of it.
    await query(
      'stolen',
      'grant temporary on database stolen to public; grant execute on function lo_create to public; drop event trigger tillside_hub',
    );
    await ask(
      thief,
      `select lo_create(0); create temporary table mine (a int);
        alter role ${terminalRole} set search_path = nowhere;
        alter role ${terminalRole} in database stolen set statement_timeout = 1`,
    );
    expect(await command('remove', 'stolen', {}, true)).toEqual(saying(0, 'has been removed. Its address'));
    await expect.poll(() => thief.isOpen()).toBe(false);
    expect(await opens(address)).toBe(false);
    expect(await query('stolen', 'select from pg_largeobject_metadata')).toEqual([]);
    const anew = addressIn(await command('setUp', 'stolen'));
    expect(anew.password).not.toBe(address.password);
    expect([await opens(address), await opens(anew)]).toEqual([false, true]);
  });

  test('is removed with the role of whoever has joined until its address was closed', async () => {
    await makeDatabases('joined');
    const address = addressIn(await command('setUp', 'joined'));
    const holding = await signIn({ ...postgres.owner, database: 'joined' });
    await ask(holding, `begin; alter role ${terminalRole} login`);
    const removed = command('remove', 'joined', {}, true);
    await expect.poll(() => query('joined', 'select from pg_locks where not granted')).not.toEqual([]);
    // Its sessions are ended as soon as they are there.
    const late: HubSignIn[] = [];
    const joins = async (): Promise<number> =>
      late.push(...[await makeSignIn(address, 'Late')].filter((one) => one !== null));
    await expect.poll(joins, { timeout: patientMs, interval: 1 }).toBe(1);
    const thief = await signIn({ ...address, ...late[0] });
    await ask(holding, 'rollback');
    expect(await removed).toEqual(saying(0, 'has been removed. Its address'));
    await expect.poll(() => thief.isOpen()).toBe(false);
    expect(await query('joined', "select from pg_roles where starts_with(rolname, 'tillside_t')")).toEqual([]);
  });

  test('is emptied only when that is confirmed, whoever holds it up, and its address stays', async () => {
    await makeDatabases('damaged');
    expect((await command('reset', 'damaged', {}, true)).lines).toEqual([expect.stringContaining('is no hub')]);
    await query('postgres', "create role keeper login createrole password 'x'");
    await query('postgres', 'alter database damaged owner to keeper');
    const keeper = { user: 'keeper', password: 'x' };
    const address = addressIn(await command('setUp', 'damaged', keeper));
    await query('damaged', "insert into tillside_hub.accounts values ('a', 1, 'x', now()), ('b', 1, 'x', now())");
    expect(await command('reset', 'damaged', keeper)).toEqual(saying(1, /forget 2 texts.*--yes/));
    const thief = await signIn(address);
    const hold = `set idle_in_transaction_session_timeout = 0; begin;
      select tillside_hub.hub_write('a', 1, extract(epoch from clock_timestamp()) * 1000, 'y')`;
    await ask(thief, hold);
    expect(await command('reset', 'damaged', keeper, true)).toEqual(saying(0, 'empty now'));
    expect(thief.isOpen()).toBe(false);
    const link = linkTo(address);
    // A used one: nothing is lent before all that was lent has run out.
    const empty = { version: 0, document: null, isIntact: false };
    expect(await link.read('a', patientMs)).toMatchObject({ ok: true, value: empty });
    expect(await query('damaged', 'select from tillside_hub.accounts')).toEqual([]);
  });

  test.each([2, 3, 4, 5, 6])('of version %i is used as it is, and upgraded with tills in touch', async (version) => {
    await makeDatabases('earlier');
    const address = addressIn(await command('setUp', 'earlier'));
    await query(
      'earlier',
      `drop schema tillside_hub cascade; drop role tillside_tills;
        alter role ${terminalRole} connection limit -1;
        ${hubMigrations
          .slice(0, version)
          .map(({ sql }) => sql)
          .join(';')};
        update tillside_hub.meta set schema_version = ${version}; ${earlierGrants};
        ${version === 2 ? '' : rowGrants}`,
    );
    expect(await makeSignIn(address, 'Till 1')).toBeNull();
    const link = linkTo(address);
    const till = createSealedDocument({ random: createNodeRandom(), link, account: 'a', key: new Uint8Array(32) });
    const write = async () => {
      const read = await till.read();
      return read.ok ? till.write(read.value.reading, documentOf({ one })) : read;
    };
    const one = memberOf();
    const members = (): Promise<unknown> => query('earlier', 'select member from tillside_hub.members');
    expect(await write()).toEqual(succeed(true));
    expect(await command('setUp', 'earlier')).toMatchObject({
      exitCode: 0,
      lines: [expect.stringContaining(`from version ${version} to version ${hubSchemaVersion}`), {}, {}, {}],
    });
    expect(await members()).toEqual(version === 2 ? [] : [{ member: 'one' }]);
    // A till of each earlier version sees the hub that it knows.
    const seen = `select r.schema_version as one, s.schema_version as other
      from tillside_hub.hub_read('a') r, tillside_hub.hub_read_rows('a', 0) s`;
    expect(await query('earlier', seen, address)).toEqual([{ one: 2, other: 3 }]);
    const own = await makeSignIn(address, 'Till 1');
    expect(own !== null && (await opens({ ...address, ...own }))).toBe(true);
    // Its session has been ended, and the next one sees what is new.
    await expect.poll(write, { timeout: patientMs }).toEqual(succeed(true));
    expect(await members()).toEqual([{ member: 'one' }]);
    expect(await till.read()).toMatchObject({ ok: true, value: { document: { members: { one } } } });
  });

  test('a role that owns something in another database is locked, and is as new for the next hub', async () => {
    await makeDatabases('stolen', 'other');
    const address = addressIn(await command('setUp', 'stolen'));
    await query(
      'other',
      `select lo_create(0); alter role ${terminalRole} in database stolen set statement_timeout = 1`,
      { user: address.user, password: address.password },
    );
    expect(await command('remove', 'stolen', {}, true)).toEqual(saying(0, 'nobody can sign in with it'));
    expect(await opens(address)).toBe(false);
    const anew = addressIn(await command('setUp', 'stolen'));
    expect(anew).toMatchObject({ user: terminalRole });
    expect([await opens(address), await opens(anew)]).toEqual([false, true]);
    const [timeout] = await query('stolen', 'show statement_timeout', { user: anew.user, password: anew.password });
    expect(timeout).toEqual({ statement_timeout: '10s' });
    await query('other', `drop owned by ${terminalRole}`);
  });

  test('a second hub of one server has a role and an address of its own', async () => {
    await makeDatabases('one', 'two');
    const one = addressIn(await command('setUp', 'one'));
    const outcome = await command('setUp', 'two');
    const two = addressIn(outcome);
    expect(two.user).toMatch(/^tillside_terminal_\d+$/);
    expect(outcome.lines.join('\n')).toMatch(/ \+tillside_tills_\d+ samenet/);
    expect([await opens(one), await opens(two), await opens({ ...two, database: 'one' })]).toEqual([true, true, false]);
    expect((await command('setUp', 'two')).lines.at(-1)).toContain(`when the role ${two.user} was made`);
    expect((await command('remove', 'one', {}, true)).lines).toEqual([expect.stringContaining('has been removed')]);
    expect([await opens(one), await opens(two)]).toEqual([false, true]);
    await command('remove', 'two', {}, true);
    expect(await opens(two)).toBe(false);
  });

  test('two hubs of an earlier version share their role: it stays for the one that is left', async () => {
    await makeDatabases('one', 'two');
    const one = addressIn(await command('setUp', 'one'));
    const { user } = addressIn(await command('setUp', 'two'));
    // As the versions before left it.
    await query('two', `drop owned by ${user}; drop role ${user}; ${earlierGrants}`);
    const two = { ...one, database: 'two' };
    expect((await command('setUp', 'two')).lines.at(-1)).toContain('cannot be shown again');
    expect([await opens(one), await opens(two)]).toEqual([true, true]);
    expect(await command('remove', 'two', {}, true)).toEqual(saying(0, 'another hub of this server uses it'));
    expect([await opens(one), await opens(two)]).toEqual([true, false]);
    await command('remove', 'one', {}, true);
    expect(await opens(one)).toBe(false);
  });

  test("is not made of somebody else's schema, nor of a newer one, and neither is changed", async () => {
    await makeDatabases('other', 'newer');
    await query('other', 'create schema tillside_hub; create table tillside_hub.meta (a int)');
    for (const [action, isConfirmed] of [
      ['setUp', false],
      ['remove', true],
    ] as const) {
      expect(await command(action, 'other', {}, isConfirmed)).toEqual(saying(1, 'Tillside has not made'));
    }
    expect(await query('other', 'select * from tillside_hub.meta')).toEqual([]);
    await command('setUp', 'newer');
    await query('newer', 'update tillside_hub.meta set schema_version = 99');
    expect(await command('setUp', 'newer')).toEqual(saying(1, 'newer version of Tillside'));
    expect(await query('newer', 'select schema_version from tillside_hub.meta')).toEqual([{ schema_version: 99 }]);
  });

  test('leaves no right to make tables in "public", unless others make theirs there', async () => {
    const may = `select has_schema_privilege('${terminalRole}', 'public', 'create') as may`;
    await makeDatabases('alone', 'shared');
    for (const [name, sql, left] of [
      ['alone', 'select 1', false],
      ['shared', 'create table public.others (a int)', true],
    ] as const) {
      // As PostgreSQL 14 comes.
      await query(name, `grant create on schema public to public; ${sql}`);
      await command('setUp', name);
      expect(await query(name, may)).toEqual([{ may: left }]);
    }
  });

  test('is made by an owner without more rights than it takes, and not by one with less', async () => {
    await query('postgres', "create role owner login createrole password 'x'; create role poor login password 'x'");
    await makeDatabases('owned');
    await query('postgres', 'alter database owned owner to owner');
    expect(await command('setUp', 'owned', { user: 'poor', password: 'x' })).toEqual(saying(1, 'may not do that'));
    const address = addressIn(await command('setUp', 'owned', { user: 'owner', password: 'x' }));
    expect(await opens(address)).toBe(true);
    // An owner of that kind cannot refuse them.
    await query('owned', 'select lo_create(0)', { user: address.user, password: address.password });
    expect(await command('remove', 'owned', { user: 'owner', password: 'x' }, true)).toEqual(
      saying(0, 'has been removed. Its address'),
    );
    expect(await opens(address)).toBe(false);
  });

  test('at another machine is made once its certificate has been named, and before nothing is sent', async () => {
    await makeDatabases('far');
    // This machine, by a name that says nothing of that.
    const far = { host: '127.1' };
    const signedIn = 'connection authorized: user=postgres database=far';
    const { fingerprint } = postgres.owner;
    const shown = fingerprint.toUpperCase().match(/../g)?.join(':') ?? '';
    for (const action of ['setUp', 'remove'] as const) {
      expect(await command(action, 'far', far, action === 'remove')).toEqual(saying(1, `again with #${shown} at`));
    }
    expect(postgres.log()).not.toContain(signedIn);
    const other = await command('setUp', `far#${'0'.repeat(64)}`, far);
    expect(other).toEqual(saying(1, 'is not the one that the address names'));
    const made = await command('setUp', `far#${shown}`, far);
    expect(addressIn(made)).toMatchObject({ host: '127.1', fingerprint });
    await expect.poll(() => postgres.log()).toContain(signedIn);
  });

  test('without TLS is for terminals of the same machine', async () => {
    const plain = await startPostgres({ programs, hasTls: false, settings: ['fsync = off'] });
    onTestFinished(() => plain.remove());
    const outcome = await runHubCommand(
      { action: 'setUp', ownerAddress: ownerAddressOf(plain.owner), isConfirmed: false },
      { language: 'en', environment: {} },
    );
    expect(outcome).toMatchObject({ exitCode: 0, lines: [{}, expect.stringContaining('ssl = on'), {}, {}, {}] });
    const address = addressIn(outcome);
    expect(address.fingerprint).toBeNull();
    expect(await linkTo(address).read('a', patientMs)).toMatchObject({ ok: true });
    const other = linkTo({ ...address, fingerprint: plain.owner.fingerprint });
    expect(await other.read('a', patientMs)).toEqual({ ok: false, failure: { kind: 'noTls' } });
  });

  test('is not reached with what is wrong, which is said in words and without the password', async () => {
    const password = 'canary-wrong';
    expect(await command('setUp', 'none')).toEqual(saying(1, /no such database.*3D000/));
    const refused = await command('setUp', 'postgres', { password });
    expect(refused).toEqual(saying(1, /refuses this user.*28P01/));
    expect((await command('setUp', 'postgres', { password: '' })).lines[0]).toContain('refuses this user');
    expect((await command('setUp', `postgres#${'0'.repeat(64)}`)).lines[0]).toContain(
      'not the one that the address names',
    );
    for (const language of ['en', 'pt-BR', 'es']) {
      const outcome = await runHubCommand(
        { action: 'setUp', ownerAddress: `postgres://a:${password}@h:0/d`, isConfirmed: false },
        { language, environment: {} },
      );
      expect(outcome).toMatchObject(saying(2, /the port|a porta|el puerto/));
      expect(outcome.lines.join('')).not.toContain(password);
    }
  });

  test('is made by the command line, which ends after it', async () => {
    await makeDatabases('line');
    const { user, port, password } = postgres.owner;
    const owner = `postgres://${user}@127.0.0.1:${port}/line`;
    const run = async (...flags: string[]) => {
      const child = startChild(process.execPath, [entry, ...flags], { environment: { PGPASSWORD: password } });
      await expect.poll(() => child.process.exitCode, { timeout: patientMs }).not.toBeNull();
      const { code } = await child.stop();
      return { code, lines: child.lines, errorLines: child.errorLines };
    };
    const made = await run('--set-up-hub', owner, '--lang', 'pt-BR');
    expect(made).toMatchObject({ code: 0, errorLines: [] });
    expect(made.lines[0]).toBe('Este banco de dados agora é uma central.');
    expect(addressIn(made).database).toBe('line');
    expect(await run('--remove-hub', owner)).toMatchObject({
      code: 1,
      lines: [],
      errorLines: [expect.stringContaining('--yes')],
    });
    expect(await run('--remove-hub', owner, '--yes')).toMatchObject({ code: 0, errorLines: [] });
  });
});
