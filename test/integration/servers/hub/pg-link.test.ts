// The proof that a terminal and a hub understand each other over PostgreSQL's own protocol, and that every way in which
// they cannot is told by its name, in time, without a secret: a real server, and servers that misbehave.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { HubServer } from '../../../../app/hub/address.ts';
import { maxRecordLength, maxRows, type HubLink, type HubReading } from '../../../../app/hub/link.ts';
import { createHubMember } from '../../../../app/hub/member.ts';
import { terminalRole } from '../../../../app/hub/roles.ts';
import { hubSchemaVersion, oldestHubSchemaVersion } from '../../../../app/hub/schema.ts';
import { connectPg, type PgConnection } from '../../../../app/hosts/hub/pg-connection.ts';
import { createPgLink } from '../../../../app/hosts/hub/pg-link.ts';
import { createNodeClock, createNodeRandom } from '../../../../app/hosts/node/node-ports.ts';
import { openRateLimit } from '../../../../app/rate-limit/rate-limit.ts';
import { createMemoryLog } from '../../../simulation/memory-log.ts';
import { hasOpenssl, makeCertificate } from '../../../support/openssl.ts';
import { hasPostgres, postgresVersions, startPostgres, type Postgres } from '../../../support/postgres.ts';
import { setUpHub } from '../../../support/set-up-hub.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { listenLocally } from '../../../support/listen.ts';
import { ask, askOnce, linkTo, patientMs, signIn } from './hub-sessions.ts';

let postgres: Postgres;
let owner: PgConnection;
let terminal: HubServer;

const asOwner = (sql: string): ReturnType<typeof ask> => ask(owner, sql);
const restart = async (): Promise<void> => {
  await postgres.start();
  owner = await connectPg(postgres.owner, AbortSignal.timeout(patientMs));
};

const openLink = (changes: Partial<HubServer> = {}): HubLink => linkTo({ ...terminal, ...changes });

async function readWhole(link: HubLink, account: string): Promise<HubReading> {
  const reading = await link.read(account, patientMs);
  if (!reading.ok) throw new Error(JSON.stringify(reading.failure));
  return reading.value;
}

const failedAs = (kind: string, detail?: string) => ({
  ok: false,
  failure: { kind, ...(detail === undefined ? {} : { detail }) },
});

/** A server of this test's own that hears `hear`; answers its port. */
async function listen(hear: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    hear(socket);
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return port;
}

describe.skipIf(!hasPostgres()).each(postgresVersions())('a link to PostgreSQL $version', (programs) => {
  beforeAll(async () => {
    // A server that would answer before a write is on its disk, if the hub let it.
    postgres = await startPostgres({ programs, settings: ['synchronous_commit = off', 'wal_writer_delay = 10s'] });
    owner = await connectPg(postgres.owner, AbortSignal.timeout(patientMs));
    terminal = (await setUpHub(postgres.owner)).address;
  });
  afterAll(async () => {
    owner.destroy();
    await postgres.remove();
  });

  // The first test: of a hub that has been used nothing is lent at once.
  test('lets two terminals send as much as the limit together, and no more', async () => {
    const clock = createNodeClock();
    const terminals = ['one', 'two'].map((id) => {
      const member = createHubMember({
        clock,
        random: createNodeRandom(),
        link: createPgLink(terminal),
        account: 'limit',
        key: new Uint8Array(32),
        windowMs: () => 60_000,
        self: { id, name: id, appVersion: '1.0.0' },
        repository: { place: 'hub', read: () => null, write: () => undefined },
        onChange: () => undefined,
        onTwin: () => undefined,
      });
      const rateLimit = openRateLimit(clock, createMemoryLog(), undefined, member.turns);
      member.start(rateLimit);
      onTestFinished(async () => {
        rateLimit.close();
        await member.close();
      });
      return { member, rateLimit };
    });
    // Whoever is there first has no reason to leave anything to one that has not come yet.
    await expect
      .poll(() => terminals.map(({ member }) => Object.keys(member.state().document?.members ?? {}).length), {
        timeout: patientMs,
      })
      .toEqual([2, 2]);
    const granted = [0, 0];
    for (const [at, { rateLimit }] of terminals.entries()) {
      for (let slot = 0; slot < 60; slot += 1) {
        void rateLimit.take('queue').then((taken) => {
          granted[at] = (granted[at] ?? 0) + (taken.ok ? 1 : 0);
        });
      }
    }
    const all = (): number => granted.reduce((sum, one) => sum + one, 0);
    // Each keeps three for persons.
    await expect.poll(all, { timeout: patientMs }).toBe(54);
    expect(Math.min(...granted)).toBeGreaterThan(20);
    const persons = await Promise.all(terminals.map(({ rateLimit }) => rateLimit.take('person')));
    expect(persons.every(({ ok }) => ok)).toBe(true);
    expect(all()).toBe(54);
  }, 60_000);

  test('reads nothing, writes, and reads it back; another link sees the same', async () => {
    const [one, other] = [openLink(), openLink()];
    const empty = await readWhole(one, 'shop');
    expect(empty).toMatchObject({ version: 0, document: null });
    expect(Math.abs(empty.serverMs - Date.now())).toBeLessThan(60_000);
    const text = 'Bom dia — ¿qué tal? 😀 "\'\\ \n';
    expect(await one.write('shop', empty, text, patientMs)).toEqual({ ok: true, value: true });
    expect(await readWhole(other, 'shop')).toMatchObject({ version: 1, document: text, isIntact: false });
    expect(await other.write('shop', empty, 'late', patientMs)).toEqual({ ok: true, value: false });
    expect(await other.write('shop', { version: 1, serverMs: empty.serverMs - 5_001 }, 'old', patientMs)).toEqual({
      ok: true,
      value: false,
    });
    expect(await readWhole(one, 'elsewhere')).toMatchObject({ version: 0, document: null });
  });

  test('writes records with the text, or neither, and answers those of later versions alone', async () => {
    const [one, other] = [openLink(), openLink()];
    const rowsOf = async (link: HubLink, since: number) => {
      const read = await link.read('rows', patientMs, since);
      return read.ok ? read.value : expect.fail(read.failure.kind);
    };
    const empty = await rowsOf(one, 0);
    expect(empty).toMatchObject({ version: 0, document: null, rows: [] });
    const rows = ['a', 'b', 'c'].map((member) => ({ member, record: `of ${member}` }));
    expect(await one.write('rows', empty, 'first', patientMs, rows)).toEqual({ ok: true, value: true });
    expect(await other.write('rows', empty, 'late', patientMs, rows)).toEqual({ ok: true, value: false });
    const changes = [
      { member: 'b', record: 'new' },
      { member: 'c', record: null },
    ];
    expect(await other.write('rows', await rowsOf(other, 0), 'second', patientMs, changes)).toMatchObject({
      value: true,
    });
    expect(await rowsOf(one, 1)).toMatchObject({
      document: 'second',
      rows: [{ member: 'b', version: 2, record: 'new' }],
    });
    expect((await rowsOf(one, 0)).rows?.map(({ member }) => member).toSorted()).toEqual(['a', 'b']);
    expect((await one.read('rows', patientMs)).ok).toBe(true);
    const tooLong = [{ member: 'a', record: 'x'.repeat(maxRecordLength + 1) }];
    expect(await one.write('rows', await rowsOf(one, 0), 'x', patientMs, tooLong)).toEqual(failedAs('failed', '22001'));
    const tooMany = Array.from({ length: maxRows + 1 }, (_, at) => ({ member: `m${at}`, record: 'x' }));
    expect(await one.write('rows', await rowsOf(one, 0), 'x', patientMs, tooMany)).toEqual(failedAs('failed', '54000'));
    expect(await rowsOf(one, 1)).toMatchObject({ version: 2, document: 'second', rows: [{ member: 'b' }] });
  });

  test('of those who write at once one succeeds, and no answered write is lost', async () => {
    const links = Array.from({ length: 4 }, () => openLink());
    const written: string[] = [];
    await Promise.all(
      links.map(async (link, place) => {
        for (let count = 0; count < 25; count += 1) {
          const reading = await readWhole(link, 'busy');
          const line = `${place}.${count}`;
          const answer = await link.write('busy', reading, `${reading.document ?? ''}${line} `, patientMs);
          if (answer.ok && answer.value) written.push(line);
        }
      }),
    );
    const { version, document } = await readWhole(openLink(), 'busy');
    expect(version).toBe(written.length);
    expect(document?.trim().split(' ').toSorted()).toEqual(written.toSorted());
  });

  test('a write that had to wait until its reading was too old is refused', async () => {
    const link = openLink();
    await link.write('waits', await readWhole(link, 'waits'), 'first', patientMs);
    // The others' state, as one transaction sees it, stays the same within it.
    const watcher = await signIn(postgres.owner);
    const watch = (sql: string): ReturnType<typeof ask> => ask(watcher, sql);
    await asOwner("begin; select from tillside_hub.accounts where account = 'waits' for update");
    const reading = await readWhole(link, 'waits');
    const answer = link.write('waits', { ...reading, serverMs: reading.serverMs - 4_900 }, 'second', patientMs);
    await expect
      .poll(() => watch("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%hub_write%'"))
      .toHaveLength(1);
    await expect
      .poll(async () => (await watch('select extract(epoch from clock_timestamp())::float8 * 1000 as now'))[0]?.['now'])
      .toBeGreaterThan(reading.serverMs + 100);
    await asOwner('rollback');
    expect(await answer).toEqual({ ok: true, value: false });
    expect(await readWhole(link, 'waits')).toMatchObject({ version: 1, document: 'first' });
  });

  test('a written document outlives the killing of the server, and the link finds the next one', async () => {
    const link = openLink();
    const reading = await readWhole(link, 'killed');
    expect(await link.write('killed', reading, 'on the disk', patientMs)).toEqual({ ok: true, value: true });
    await postgres.kill();
    expect(await link.read('killed', patientMs)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
    await restart();
    expect(await readWhole(link, 'killed')).toMatchObject({ version: 1, document: 'on the disk' });
  });

  test('a server that goes on from a copy counts as one that has lost what was lent, and keeps other texts', async () => {
    const link = openLink();
    for (const account of ['copied', 'shared copied']) {
      expect(await link.write(account, await readWhole(link, account), 'written', patientMs)).toMatchObject({
        value: true,
      });
    }
    const before = await readWhole(link, 'copied');
    // As a standby that takes the server's place, or a backup that is played up to its end: from then on another timeline.
    await asOwner("alter system set restore_command = 'false'");
    const [found] = await asOwner('show data_directory');
    await postgres.kill();
    writeFileSync(join(String(found?.['data_directory']), 'recovery.signal'), '');
    await restart();
    expect(await link.write('copied', before, 'next', patientMs)).toMatchObject({ value: false });
    const after = await readWhole(link, 'copied');
    expect(after).toMatchObject({ version: 0, document: null, isIntact: false });
    expect(await readWhole(link, 'shared copied')).toMatchObject({ version: 1, document: 'written' });
    expect(await link.write('copied', after, 'written back', patientMs)).toMatchObject({ value: true });
    expect(await readWhole(link, 'copied')).toMatchObject({ version: 1, document: 'written back' });
  });

  test('rings at every link when news are written, and again after its connection was lost', async () => {
    const [one, other] = [openLink(), openLink()];
    const rung: string[] = [];
    other.onBell((account) => rung.push(account));
    const isReached = async (link: HubLink): Promise<boolean> => (await link.read('news 1', patientMs)).ok;
    expect(await isReached(other)).toBe(true);
    await one.write('quiet', await readWhole(one, 'quiet'), 'first', patientMs);
    await one.write('news 1', await readWhole(one, 'news 1'), 'first', patientMs);
    await expect.poll(() => rung, { timeout: patientMs }).toEqual(['news 1']);
    await postgres.kill();
    await restart();
    await expect.poll(() => isReached(other), { timeout: patientMs }).toBe(true);
    await expect.poll(() => isReached(one), { timeout: patientMs }).toBe(true);
    await one.write('news 1', await readWhole(one, 'news 1'), 'second', patientMs);
    await expect.poll(() => rung, { timeout: patientMs }).toEqual(['news 1', 'news 1']);
  });

  test('a server that dies while it is asked is unreachable, at once', async () => {
    const link = openLink();
    await readWhole(link, 'dies');
    postgres.freeze();
    const answer = link.read('dies', patientMs);
    await postgres.kill();
    expect(await answer).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
    await restart();
    expect(await readWhole(link, 'dies')).toMatchObject({ version: 0 });
  });

  test('a frozen server is given up in time, by all who wait, and works again when it goes on', async () => {
    const [known, stuck, fresh] = [openLink(), openLink(), openLink()];
    await readWhole(known, 'frozen');
    await readWhole(stuck, 'frozen');
    postgres.freeze();
    let isFirstOver = false;
    const first = known.read('frozen', patientMs).finally(() => {
      isFirstOver = true;
    });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => known.read('frozen', 300)),
      known.write('frozen', { version: 0, serverMs: 0 }, 'x', 300),
      stuck.read('frozen', 300),
      fresh.read('frozen', 300),
    ]);
    // Those behind it have not waited for its end.
    expect(isFirstOver).toBe(false);
    postgres.thaw();
    expect(answers).toEqual(answers.map(() => failedAs('noAnswer')));
    expect(await first).toMatchObject({ ok: true });
    for (const link of [known, stuck, fresh]) {
      expect(await readWhole(link, 'frozen')).toMatchObject({ version: 0, document: null });
    }
  });

  test('a call whose time is over before its turn is not sent, and one with more time is answered', async () => {
    const link = openLink();
    await readWhole(link, 'turn');
    await asOwner('begin; lock table tillside_hub.accounts');
    const [first, second, third] = [link.read('turn', patientMs), link.read('turn', 50), link.read('turn', patientMs)];
    expect(await second).toEqual(failedAs('noAnswer'));
    await asOwner('rollback');
    expect(await first).toMatchObject({ ok: true });
    expect(await third).toMatchObject({ ok: true });
  });

  test('wrong parts of an address are told apart', async () => {
    const port = await listen((socket) => socket.end());
    expect(await openLink({ port }).read('a', patientMs)).toEqual(failedAs('unreachable'));
    expect(await openLink({ port: 1 }).read('a', patientMs)).toEqual(failedAs('unreachable', 'ECONNREFUSED'));
    const unknown = await openLink({ host: `${'no'.repeat(40)}.invalid` }).read('a', patientMs);
    expect(unknown).toMatchObject({ ok: false, failure: { kind: 'unknownName' } });
    expect(await openLink({ password: 'canary-wrong' }).read('a', patientMs)).toEqual(
      failedAs('wrongPassword', '28P01'),
    );
    expect(await openLink({ user: 'nobody' }).read('a', patientMs)).toEqual(failedAs('wrongPassword', '28P01'));
    await asOwner("create role shut nologin password 'x'");
    const shut = { user: 'shut', password: 'x' };
    expect(await openLink(shut).read('a', patientMs)).toEqual(failedAs('notLetIn', '28000'));
    expect(await openLink({ database: 'none' }).read('a', patientMs)).toEqual(failedAs('noDatabase', '3D000'));
    expect(await openLink({ database: 'template1' }).read('a', patientMs)).toEqual(failedAs('notSetUp', '3F000'));
    await asOwner('create database others');
    const others = { ...postgres.owner, database: 'others' };
    await askOnce(others, 'create schema tillside_hub; create table tillside_hub.accounts (a int)');
    expect(await openLink({ database: 'others' }).read('a', patientMs)).toEqual(failedAs('notSetUp', '42501'));
    expect(await openLink({ fingerprint: '0'.repeat(64) }).read('a', patientMs)).toEqual(failedAs('otherCertificate'));
    // Loopback, where none is needed.
    expect(await openLink({ fingerprint: null }).read('a', patientMs)).toMatchObject({ ok: true });
    expect(await openLink({ host: 'localhost', fingerprint: null }).read('a', patientMs)).toMatchObject({ ok: true });
  });

  test('what is wrong with the hub itself is told apart', async () => {
    const link = openLink();
    for (const [version, kind] of [
      [hubSchemaVersion + 1, 'newerVersion'],
      [oldestHubSchemaVersion - 1, 'olderVersion'],
    ] as const) {
      await asOwner(`update tillside_hub.meta set schema_version = ${version}`);
      expect(await link.read('a', patientMs)).toEqual(failedAs(kind));
    }
    await asOwner(`update tillside_hub.meta set schema_version = ${hubSchemaVersion}`);
    await asOwner(`alter role ${terminalRole} connection limit 0`);
    expect(await openLink().read('a', patientMs)).toEqual(failedAs('tooManyConnections', '53300'));
    await asOwner(`alter role ${terminalRole} connection limit 7`);
    // The server's error when its disk is full.
    await asOwner(`create function pg_temp.full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger is_full before insert on tillside_hub.accounts for each row execute function pg_temp.full()`);
    expect(await link.write('full', await readWhole(link, 'full'), 'x', patientMs)).toEqual(
      failedAs('diskFull', '53100'),
    );
    await asOwner('drop trigger is_full on tillside_hub.accounts');
    expect(await link.write('full', await readWhole(link, 'full'), 'x'.repeat(400_001), patientMs)).toEqual(
      failedAs('failed', '22001'),
    );
    await asOwner('alter function tillside_hub.hub_read rename to elsewhere');
    expect(await link.read('a', patientMs)).toEqual(failedAs('notSetUp', '42883'));
    await asOwner('alter function tillside_hub.elsewhere rename to hub_read');
    expect(await link.read('a', patientMs)).toMatchObject({ ok: true });
  });

  test('the terminals’ role can read no table, make none, and call nothing else of the hub', async () => {
    const session = await signIn(terminal);
    const refused = { failure: { kind: 'notSetUp', detail: '42501' } };
    for (const sql of [
      'select * from tillside_hub.accounts',
      'select * from tillside_hub.meta',
      'select * from tillside_hub.members',
      "insert into tillside_hub.accounts values ('a', 1, 'x', now())",
      'update tillside_hub.meta set schema_version = 9',
      'delete from tillside_hub.accounts',
      'create table tillside_hub.mine (a int)',
      'create table public.mine (a int)',
      'create schema mine',
      'create role mine',
      'alter table tillside_hub.meta add column a int',
      'drop function tillside_hub.hub_read(text)',
      'select * from pg_authid',
      `alter role ${terminalRole} createdb`,
    ]) {
      await expect(ask(session, sql), sql).rejects.toMatchObject(refused);
    }
    const may = await ask(
      session,
      `select proname from pg_proc where pronamespace = 'tillside_hub'::regnamespace and has_function_privilege(oid, 'execute') order by proname`,
    );
    expect(may.map(({ proname }) => proname)).toEqual([
      'hub_arrive',
      'hub_follow',
      'hub_join',
      'hub_leave',
      'hub_read',
      'hub_read_rows',
      'hub_write',
      'hub_write_rows',
    ]);
    expect(await ask(session, 'show statement_timeout')).toEqual([{ statement_timeout: '10s' }]);
  });

  test('objects of the caller do not stand in for those of the functions', async () => {
    const session = await signIn(terminal);
    await asOwner(`create schema trap; grant usage on schema trap to public;
      create function trap.char_length(text) returns int language sql as 'select 0'`);
    await ask(session, 'set search_path = trap, pg_catalog');
    expect(await ask(session, "select char_length('long')")).toEqual([{ char_length: 0 }]);
    const tooLong = "select tillside_hub.hub_write('nothing', 0, 0, repeat('x', 400001))";
    await expect(ask(session, tooLong)).rejects.toMatchObject({ failure: { detail: '22001' } });
  });

  test('a closed link answers so', async () => {
    const link = createPgLink(terminal);
    await readWhole(link, 'a');
    const last = link.read('a', patientMs);
    await link.close();
    expect(await last).toMatchObject({ ok: true });
    expect(await link.read('a', patientMs)).toEqual(failedAs('failed', 'closed'));
    await link.close();
    await expect.poll(() => asOwner(`select from pg_stat_activity where usename = '${terminalRole}'`)).toEqual([]);
  });
});

describe('before the certificate has proved to be the named one', () => {
  const server: HubServer = {
    user: 'canary-user',
    password: 'canary-password',
    host: '127.0.0.1',
    port: 0,
    database: 'canary-database',
    fingerprint: '0'.repeat(64),
  };
  const link = (port: number): HubLink => linkTo({ ...server, port });

  test.skipIf(!hasOpenssl)('nothing is sent but the wish for TLS, and then nothing at all', async () => {
    const folder = temporaryDirectory();
    const fingerprint = makeCertificate(folder);
    const [key, cert] = ['server.key', 'server.crt'].map((name) => readFileSync(join(folder, name)));
    const plain: Buffer[] = [];
    const encrypted: Buffer[] = [];
    const ended: Promise<void>[] = [];
    const sockets: Socket[] = [];
    const port = await listen((socket) => {
      socket.once('data', (bytes) => {
        plain.push(bytes);
        socket.write('S');
        sockets.push(socket);
        const secure = new TLSSocket(socket, { isServer: true, ...(key && cert ? { key, cert } : {}) });
        secure.on('error', () => undefined);
        secure.on('data', (more: Buffer) => encrypted.push(more));
        ended.push(
          new Promise((resolve) => {
            secure.once('close', () => {
              resolve();
            });
          }),
        );
      });
    });
    const answer = await link(port).read('canary-account', patientMs);
    expect(answer).toEqual(failedAs('otherCertificate'));
    await Promise.all(ended);
    expect(plain).toEqual([Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])]);
    expect(encrypted).toEqual([]);

    // The control: to the named certificate it speaks, of who signs in.
    const named = linkTo({ ...server, port, fingerprint });
    const second = named.read('canary-account', patientMs);
    await expect.poll(() => Buffer.concat(encrypted).toString('latin1')).toContain('canary-user');
    expect(Buffer.concat(encrypted).toString('latin1')).not.toContain('canary-password');
    expect(plain).toHaveLength(2);
    for (const socket of sockets) socket.destroy();
    expect(await second).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  });

  test.each([
    ['N', 'noTls', undefined],
    ['E', 'failed', 'noPostgres'],
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'failed', 'noPostgres'],
    // Bytes before the encryption that would pass for the server's own.
    ['SR\0\0\0\x08\0\0\0\0', 'failed', 'noPostgres'],
  ])('a server that answers %j is told as %s', async (text, kind, detail) => {
    const heard: Buffer[] = [];
    const port = await listen((socket) => {
      socket.on('data', (bytes) => {
        heard.push(bytes);
        socket.write(text);
      });
    });
    expect(await link(port).read('a', patientMs)).toEqual(failedAs(kind, detail));
    expect(heard).toHaveLength(1);
  });

  test('a server that accepts and says nothing, in whichever stage, is given up in time', async () => {
    const silent = await listen(() => undefined);
    const handshake = await listen((socket) => {
      socket.once('data', () => socket.write('S'));
    });
    for (const port of [silent, handshake]) {
      expect(await link(port).read('a', 200)).toEqual(failedAs('noAnswer'));
    }
    const plain = linkTo({ ...server, port: silent, fingerprint: null });
    expect(await plain.read('a', 200)).toEqual(failedAs('noAnswer'));
  });
});
