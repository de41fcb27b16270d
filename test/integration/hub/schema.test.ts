// The proof that the hub's SQL is the register that its port promises: the same statements on PostgreSQL in this very
// process, against a model of ten lines.
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { maxDocumentLength, maxReadingAgeMs, type HubRow, type HubRowChange } from '../../../app/hub/link.ts';
import { createStoredText } from '../../../app/hub/stored-text.ts';
import { makeTerminalRole, terminalRole, type MadeRole } from '../../../app/hub/roles.ts';
import {
  bellChannel,
  hubMigrations,
  hubSchemaVersion,
  inTransaction,
  migrateHub,
  oldestHubSchemaVersion,
  readRowsSql,
  readSchemaVersion,
  readSql,
  writeRowsSql,
  writeSql,
  type RunSql,
} from '../../../app/hub/schema.ts';

let database: PGlite;
const run: RunSql = async (sql) => (await database.exec(sql)).at(-1)?.rows ?? [];
const set = (): ReturnType<typeof migrateHub> => inTransaction(run, () => migrateHub(run));

interface Document {
  readonly version: number;
  readonly document: string | null;
}

async function read(
  account: string,
): Promise<Document & { readonly server_ms: number; readonly schema_version: number }> {
  const { rows } = await database.query<Document & { server_ms: number; schema_version: number }>(readSql, [account]);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

async function readRows(
  account: string,
  since: number,
): Promise<Document & { readonly life: string; readonly rows: readonly HubRow[] }> {
  const { rows } = await database.query<Document & { life: string; rows: string }>(readRowsSql, [account, since]);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return { ...row, rows: JSON.parse(row.rows) as readonly HubRow[] };
}

/** Writes as if the reading were so old at the very moment of the call. */
async function write(
  account: string,
  version: number,
  ageMs: number,
  document: string,
  rows: readonly HubRowChange[] = [],
): Promise<unknown> {
  const records = rows.length === 0 ? [] : [rows.map(({ member }) => member), rows.map(({ record }) => record)];
  const sql = (rows.length === 0 ? writeSql : writeRowsSql).replace(
    '$3',
    'extract(epoch from clock_timestamp()) * 1000 - $3::float8',
  );
  const values = [account, version, ageMs, document, ...records];
  return (await database.query<{ written: unknown }>(sql, values)).rows[0]?.written;
}

beforeAll(async () => {
  database = await PGlite.create();
  await set();
});
afterAll(() => database.close());

/** The database without a hub, which is set up anew when the test is over: another server takes seconds to start. */
async function openEmpty(): Promise<PGlite> {
  const empty = 'drop schema tillside_hub cascade; drop schema public cascade; create schema public';
  await run(empty);
  onTestFinished(async () => {
    await run(empty);
    await set();
  });
  return database;
}

// The first test, for it writes first.
test('a hub says that it is as it was made until something of it is removed', async () => {
  expect(await read('first')).toMatchObject({ version: 0, document: null, is_unused: true });
  expect(await write('first', 0, 0, 'new')).toBe(true);
  const before = await readRows('second', 0);
  // No other account has been lost.
  expect(before).toMatchObject({ version: 0, document: null, is_unused: true });
  expect(await readRows('second', 0)).toEqual({ ...before, server_ms: expect.any(Number) as number });
  await run('delete from tillside_hub.accounts');
  expect(await read('first')).toMatchObject({ version: 0, document: null, is_unused: false });
  const after = await readRows('second', 0);
  expect(after).toMatchObject({ is_unused: false });
  expect(after.life).not.toBe(before.life);
});

test('a hub whose copy from the first day was put back is not taken for a new one', async () => {
  const server = await openEmpty();
  const runHere: RunSql = async (sql) => (await server.exec(sql)).at(-1)?.rows ?? [];
  await inTransaction(runHere, () => migrateHub(runHere));
  const readHere = async () =>
    (await server.query<{ is_unused: boolean; life: string }>(readRowsSql, ['a', 0])).rows[0];
  const tables = ['meta', 'life', 'accounts'];
  // As pg_dump and pg_restore do it, data alone or with the tables.
  await runHere(tables.map((name) => `create table dump_${name} as table tillside_hub.${name};`).join(''));
  const lives = [(await readHere())?.life];
  expect(await readHere()).toMatchObject({ is_unused: true });
  for (const before of ['alter table tillside_hub.accounts disable trigger all', 'select 1']) {
    await runHere(before);
    await runHere(
      tables
        .map((name) => `delete from tillside_hub.${name}; insert into tillside_hub.${name} table dump_${name};`)
        .join(''),
    );
    const found = await readHere();
    expect(found).toMatchObject({ is_unused: false });
    expect(lives).not.toContain(found?.life);
    lives.push(found?.life);
  }
});

test('on another server what is lent counts as lost, and other texts are kept', async () => {
  const texts = ['news home', 'shared home'];
  for (const account of ['home', ...texts]) {
    expect(await write(account, 0, 0, account, [{ member: 'a', record: 'record' }])).toBe(true);
  }
  const { life } = await readRows('home', 0);
  const elsewhere = `update tillside_hub.meta set home = 'another server'`;
  // As a dump brings it: what is in the table is as it was.
  const restored = `alter table tillside_hub.meta rename to dump; create table tillside_hub.meta as table tillside_hub.dump;
    drop table tillside_hub.dump`;
  // The second one reads nothing first, as a till whose connection has ended between its reading and its write.
  for (const [change, ask, answer] of [
    [elsewhere, () => readRows('home', 0), expect.objectContaining({ document: null })],
    [elsewhere, () => write('home', 1, 0, 'next'), false],
    [restored, () => readRows('home', 0), expect.objectContaining({ document: null })],
  ] as const) {
    await run(change);
    expect(await ask()).toEqual(answer);
    const after = await readRows('home', 0);
    expect(after).toMatchObject({ version: 0, document: null, rows: [], is_unused: false });
    expect(after.life).not.toBe(life);
    expect(await write('home', 0, 0, 'written back', [{ member: 'a', record: 'record' }])).toBe(true);
  }
  // It has become the hub's own: nothing is lost any more.
  expect(await readRows('home', 0)).toMatchObject({ version: 1, document: 'written back' });
  for (const account of texts) expect(await read(account)).toMatchObject({ version: 1, document: account });
});

test('every history of reads and writes is answered as the model answers it', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((some) => !some.includes('\0'));
  const account = fc.constantFrom('', 'a', 'B', 'ação', "'; drop table x; --");
  const step = fc.record({
    account,
    /** Beside the version that the account has. */
    off: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 2 })),
    ageMs: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      fc.constantFrom(maxReadingAgeMs / 2, maxReadingAgeMs + 1, 1e9, -1_000, -1e9),
    ),
    document: text,
    rows: fc.uniqueArray(fc.record({ member: fc.constantFrom('a', 'b', '"c,{'), record: fc.option(text) }), {
      selector: ({ member }) => member,
    }),
    since: fc.nat(5),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const texts = new Map<string, ReturnType<typeof createStoredText>>();
      await database.exec('truncate tillside_hub.accounts, tillside_hub.members');
      const inOrder = (rows: readonly HubRow[] | null) =>
        rows?.toSorted((one, two) => (one.member < two.member ? -1 : 1));
      for (const { account: name, off, ageMs, document, rows, since } of steps) {
        const model = texts.get(name) ?? createStoredText(() => 0);
        texts.set(name, model);
        const version = model.read().version + off;
        expect(await write(name, version, ageMs, document, rows)).toBe(model.write(version, -ageMs, document, rows));
        const expected = model.read(since);
        const found = await readRows(name, since);
        expect(found).toMatchObject({ version: expected.version, document: expected.document });
        expect(inOrder(found.rows)).toEqual(inOrder(expected.rows));
        expect(await read(name)).toMatchObject({ version: expected.version, document: expected.document });
      }
    }),
    { numRuns: 100 },
  );
});

test('the time of a reading rises, and a write that names it is taken', async () => {
  const [first, second] = [await read('clock'), await read('clock')];
  expect(second.server_ms).toBeGreaterThanOrEqual(first.server_ms);
  expect((await database.query(writeSql, ['clock', 0, second.server_ms, 'x'])).rows).toEqual([{ written: true }]);
  // Neither a number nor a time.
  expect((await database.query(writeSql, ['clock', 1, Number.NaN, 'x'])).rows).toEqual([{ written: false }]);
  expect((await database.query(writeSql, ['clock', 1, null, 'x'])).rows).toEqual([{ written: null }]);
  expect(await read('clock')).toMatchObject({ version: 1, document: 'x', schema_version: oldestHubSchemaVersion });
});

test('the longest account and document are kept whole, longer ones are refused', async () => {
  const [longest, account] = ['x'.repeat(maxDocumentLength), 'a'.repeat(200)];
  expect(await write(account, 0, 0, longest)).toBe(true);
  expect(await read(account)).toMatchObject({ version: 1, document: longest });
  await expect(write(account, 1, 0, `${longest}x`)).rejects.toMatchObject({ code: '22001' });
  await expect(write(`${account}a`, 0, 0, 'x')).rejects.toMatchObject({ code: '22001' });
  expect(await read(account)).toMatchObject({ version: 1, document: longest });
});

test('set up again changes nothing; a newer schema and somebody else’s are refused', async () => {
  await write('kept', 0, 0, 'kept');
  expect(await set()).toEqual({ ok: true, value: hubSchemaVersion });
  expect(await read('kept')).toMatchObject({ version: 1, document: 'kept' });

  await run(`update tillside_hub.meta set schema_version = ${hubSchemaVersion + 1}`);
  expect(await set()).toEqual({ ok: false, failure: 'newerVersion' });
  await run(`update tillside_hub.meta set schema_version = ${hubSchemaVersion}`);

  for (const change of [
    'alter table tillside_hub.meta rename to other',
    'alter table tillside_hub.meta alter column schema_version type text',
    'delete from tillside_hub.meta',
  ]) {
    await run('begin');
    await run(change);
    expect(await readSchemaVersion(run)).toEqual({ ok: false, failure: 'otherSchema' });
    expect(await migrateHub(run)).toEqual({ ok: false, failure: 'otherSchema' });
    await run('rollback');
  }
});

test('a hub of the first version is brought forward, and loses nothing', async () => {
  const old = await openEmpty();
  const runOld: RunSql = async (sql) => (await old.exec(sql)).at(-1)?.rows ?? [];
  await inTransaction(runOld, () => migrateHub(runOld, hubMigrations.slice(0, 1)));
  await old.exec("insert into tillside_hub.accounts values ('kept', 3, 'document', now())");
  expect(await inTransaction(runOld, () => migrateHub(runOld))).toEqual({ ok: true, value: 1 });
  // To a till of the version before it is as it was.
  expect((await old.query(readSql, ['kept'])).rows).toMatchObject([
    { version: 3, document: 'document', schema_version: oldestHubSchemaVersion },
  ]);
  expect((await old.query(readRowsSql, ['kept', 0])).rows).toMatchObject([
    { version: 3, document: 'document', schema_version: 3, rows: '[]', is_unused: false },
  ]);
});

test('a write to news rings with the name of its register, and no other write does', async () => {
  const rung: string[] = [];
  const stop = await database.listen(bellChannel, (payload) => rung.push(payload));
  await write('quiet', 0, 0, 'x');
  await write('news 1', 0, 0, 'x');
  // A write that did not take place.
  await write('news 1', 0, 0, 'y');
  await write('news 1', 1, maxReadingAgeMs + 1, 'y');
  await write('news 1', 1, 0, 'y');
  await vi.waitFor(() => {
    expect(rung).toEqual(['news 1', 'news 1']);
  });
  await stop();
});

test('the role of the terminals is made once, and may call the functions alone', async () => {
  const make = (): Promise<MadeRole> => inTransaction(run, () => makeTerminalRole(run, 'any'));
  expect([await make(), await make()]).toEqual([
    { role: terminalRole, group: 'tillside_tills', isNew: true },
    { role: terminalRole, group: 'tillside_tills', isNew: false },
  ]);
  await run(`set role ${terminalRole}`);
  try {
    expect(await write('as terminal', 0, 0, 'x')).toBe(true);
    expect(await read('as terminal')).toMatchObject({ version: 1, document: 'x' });
    await expect(run('select * from tillside_hub.accounts')).rejects.toMatchObject({ code: '42501' });
    await expect(run('update tillside_hub.meta set schema_version = 9')).rejects.toMatchObject({ code: '42501' });
  } finally {
    await run('reset role');
  }
});

test('steps are taken in their order from where the schema is, all of them or none', async () => {
  const past = Array.from({ length: hubSchemaVersion }, (_, place) => ({ version: place + 1, sql: 'never run' }));
  const steps = [
    ...past,
    { version: hubSchemaVersion + 1, sql: 'create table tillside_hub.one (a int)' },
    { version: hubSchemaVersion + 2, sql: 'alter table tillside_hub.one rename to two' },
  ];
  const broken = [...steps, { version: hubSchemaVersion + 3, sql: 'select 1 / 0' }];
  await expect(inTransaction(run, () => migrateHub(run, broken))).rejects.toMatchObject({ code: '22012' });
  expect(await readSchemaVersion(run)).toEqual({ ok: true, value: hubSchemaVersion });

  expect(await inTransaction(run, () => migrateHub(run, steps))).toEqual({ ok: true, value: hubSchemaVersion });
  expect(await readSchemaVersion(run)).toEqual({ ok: true, value: hubSchemaVersion + 2 });
  expect(await run('select * from tillside_hub.two')).toEqual([]);
  await run('drop schema tillside_hub cascade');
  expect(await readSchemaVersion(run)).toEqual({ ok: true, value: 0 });
  expect(await set()).toEqual({ ok: true, value: 0 });
});
