// Proves the invariants A1 to A4 of the list of who did what on a real SQLite file: durable, in order, bounded by
// number alone, never in anybody's way.
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createListInMemory, openAudit, type Actor, type AuditParts } from '../../../app/lock/audit-log.ts';
import type { AuditAction, AuditWithin } from '../../../app/contract/audit.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { Database } from '../../../app/storage/database.ts';
import { auditMigrations } from '../../../app/lock/migrations.ts';
import { setDisk, soundDisk } from '../../simulation/disk.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const ana: Actor = { email: 'ana@example.com', companyId: '9007199254740993' as Id, isPractice: false };
const signIn: AuditAction = { kind: 'signIn' };

function place(more: Partial<AuditParts> = {}) {
  const path = join(temporaryDirectory(), 'audit.db');
  const clock = createManualClock();
  const troubles: string[] = [];
  const setAside: string[] = [];
  const open = async () => {
    const audit = await openAudit({
      path,
      clock,
      onTrouble: (error) => troubles.push(error.failure.kind),
      onSetAside: (at) => setAside.push(at),
      ...more,
    });
    onTestFinished(() => audit.close());
    return audit;
  };
  return { path, clock, troubles, setAside, open };
}

test('of more people than can be chosen those are named who did something last, by name', async () => {
  const { open } = place();
  for (const audit of [await open(), createListInMemory(createManualClock())]) {
    const note = (email: string): void => audit.note({ ...ana, email }, signIn, false);
    for (let person = 0; person < 120; person += 1) {
      note(`cashier${String(person).padStart(3, '0')}@example.com`);
    }
    note('Zoe@example.com');
    note('CASHIER000@example.com');
    const { people } = audit.around();
    expect(people).toHaveLength(100);
    expect([people[0], people[1], people.at(-1)]).toEqual([
      'CASHIER000@example.com',
      'cashier022@example.com',
      'Zoe@example.com',
    ]);
  }
});

test('A1: entries last over a restart, newest first, with whole ids, and can be narrowed to a group', async () => {
  const { open, clock } = place();
  const first = await open();
  first.note({ email: null, companyId: null, isPractice: false }, signIn, false);
  await clock.advance(1_000);
  first.note(ana, { kind: 'coupon', productId: '9223372036854775807' as Id, name: 'Café', isEnabled: true }, true);
  first.note({ ...ana, isPractice: true }, { kind: 'pinWrong' }, false);
  first.close();
  const second = await open();
  expect(second.newest()).toBe(3);
  const { total, rows } = second.list('all', 0, 10);
  expect(total).toBe(3);
  expect(rows).toEqual([
    { id: 3, at: clock.now(), ...ana, isPractice: true, isWithPin: false, action: { kind: 'pinWrong' } },
    {
      id: 2,
      at: clock.now(),
      ...ana,
      isWithPin: true,
      action: { kind: 'coupon', productId: '9223372036854775807', name: 'Café', isEnabled: true },
    },
    {
      id: 1,
      at: clock.now() - 1_000,
      email: null,
      companyId: null,
      isPractice: false,
      isWithPin: false,
      action: signIn,
    },
  ]);
  expect(second.list('coupons', 0, 10)).toMatchObject({ total: 1, rows: [{ id: 2 }] });
  expect(second.list('all', 1, 1).rows.map(({ id }) => id)).toEqual([2]);
  expect(second.page(1, 10, 'all').map(({ id }) => id)).toEqual([2, 3]);
});

test.each(['in its file', 'in memory'])(
  'is narrowed to a day and a person, and says to which it can be, %s',
  async (where) => {
    const { open, clock } = place();
    const audit = where === 'in memory' ? createListInMemory(clock) : await open();
    expect(audit.around()).toEqual({ people: [], oldestAt: null });
    const begin = clock.now();
    for (const email of ['Ana@example.com', 'bea@example.com', null, ana.email]) {
      audit.note({ ...ana, email }, signIn, false);
      await clock.advance(1_000);
    }
    const idsOf = (within: AuditWithin): readonly number[] => audit.list('all', 0, 10, within).rows.map(({ id }) => id);
    expect(audit.around()).toEqual({ people: ['ana@example.com', 'bea@example.com'], oldestAt: begin });
    expect(idsOf({ from: begin + 1_000, until: begin + 3_000 })).toEqual([3, 2]);
    expect(['ANA@example.com', 'bea@example.com', null].map((email) => idsOf({ email }))).toEqual([[4, 1], [2], [3]]);
    expect(audit.list('signIns', 1, 1, { email: 'ana@example.com', from: begin })).toMatchObject({
      total: 2,
      rows: [{ id: 1 }],
    });
    expect(audit.list('coupons', 0, 10, { email: 'ana@example.com' }).total).toBe(0);
    const ofAna = { email: ana.email, until: begin + 9_000 };
    expect([0, 1].map((after) => audit.page(after, 10, 'signIns', ofAna).length)).toEqual([2, 1]);
    expect(audit.page(0, 10, 'coupons', ofAna)).toEqual([]);
  },
);

test.each(['in its file', 'in memory'])(
  'one person is one whatever capitals they are written in, %s',
  async (where) => {
    const { open, clock } = place();
    const audit = where === 'in memory' ? createListInMemory(clock) : await open();
    for (const email of ['ÉRICA@example.com', 'érica@example.com', 'bea@example.com', 'Érica@example.com']) {
      audit.note({ ...ana, email }, signIn, false);
    }
    expect(audit.around().people).toEqual(['bea@example.com', 'Érica@example.com']);
    const email = 'érica@EXAMPLE.com';
    expect(audit.list('all', 0, 10, { email })).toMatchObject({ total: 3, rows: [{ id: 4 }, { id: 2 }, { id: 1 }] });
    expect(audit.page(1, 10, 'all', { email }).map(({ id }) => id)).toEqual([2, 4]);
    expect(audit.list('all', 0, 10, { email: 'erica@example.com' }).total).toBe(0);
  },
);

test('A2: what a full disk did not take is kept, said once, and written in its order when there is room', async () => {
  const { path, open, troubles } = place();
  const audit = await open();
  audit.note(ana, signIn, false);
  setDisk(dirname(path), { ...soundDisk, state: 'readOnly' });
  audit.note(ana, { kind: 'signOut' }, false);
  audit.note(ana, signIn, false);
  expect(troubles).toEqual(['storageFailed']);
  expect(audit.newest()).toBe(1);
  setDisk(dirname(path), { ...soundDisk, state: 'fine' });
  audit.note(ana, { kind: 'unlocked' }, true);
  expect(audit.list('all', 0, 10).rows.map(({ action }) => action.kind)).toEqual([
    'unlocked',
    'signIn',
    'signOut',
    'signIn',
  ]);
  setDisk(dirname(path), { ...soundDisk, state: 'full' });
  for (let count = 0; count < 600; count += 1) {
    audit.note(ana, { kind: 'restoreUser', userId: String(count) as Id }, false);
  }
  expect(troubles).toEqual(['storageFailed', 'storageFull']);
  setDisk(dirname(path), { ...soundDisk, state: 'fine' });
  audit.note(ana, { kind: 'signOut' }, false);
  const { rows } = audit.list('all', 0, 600);
  expect(rows[0]).toMatchObject({ action: { kind: 'signOut' } });
  expect(rows[1]).toMatchObject({ action: { userId: '599' } });
});

test('A2: what still waits is written at the end, when there is room by then', async () => {
  const { path, open } = place();
  const audit = await open();
  setDisk(dirname(path), { ...soundDisk, state: 'full' });
  audit.note(ana, signIn, false);
  setDisk(dirname(path), { ...soundDisk, state: 'fine' });
  audit.close();
  const next = await open();
  expect(next.list('all', 0, 10)).toMatchObject({ total: 1, rows: [{ action: signIn }] });
  setDisk(dirname(path), { ...soundDisk, state: 'full' });
  next.note(ana, { kind: 'signOut' }, false);
  next.close();
});

test('A3: the newest entries stay, and a clock that is wrong forgets none', async () => {
  const { clock, open } = place({ maxEntriesInMemory: 5 });
  const audit = await open();
  for (let count = 0; count < 5; count += 1) {
    clock.jumpWall(count % 2 === 0 ? 100 * 365 * 86_400_000 : -100 * 365 * 86_400_000);
    audit.note(ana, signIn, false);
  }
  expect(audit.list('all', 0, 10).rows.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
  audit.note(ana, signIn, false);
  expect(audit.list('all', 0, 10).rows.map(({ id }) => id)).toEqual([6, 5, 4, 3, 2]);
});

test('A4: a damaged list is set aside under another name and said, and a new one begins', async () => {
  const { path, open, setAside, troubles } = place();
  writeFileSync(path, 'this is no database at all, but long enough to look at. '.repeat(100));
  const audit = await open();
  audit.note(ana, signIn, false);
  expect(audit.newest()).toBe(1);
  expect(setAside).toHaveLength(1);
  expect(existsSync(setAside[0] ?? '')).toBe(true);
  expect(troubles).toEqual([]);
});

test('A4: so is one that was emptied', async () => {
  const { path, open, setAside, troubles } = place();
  const audit = await open();
  audit.note(ana, signIn, false);
  audit.close();
  truncateSync(path, 0);
  expect((await open()).newest()).toBe(0);
  expect([setAside.length, troubles]).toEqual([1, []]);
});

test('A4: a list that is newer or cannot be opened is said, left as it is, and holds nothing up', async () => {
  const { path, open, troubles } = place();
  const newer = await Database.open(path, {
    kind: 'precious',
    migrations: [...auditMigrations, { version: 99, sql: 'CREATE TABLE later (id INTEGER) STRICT' }],
  });
  newer.close();
  const audit = await open();
  audit.note(ana, signIn, false);
  expect([audit.newest(), audit.list('all', 0, 5), audit.page(0, 5, 'all'), troubles]).toEqual([
    0,
    { total: 0, rows: [] },
    [],
    ['storageFromFuture'],
  ]);
  const blocked = place();
  mkdirSync(blocked.path);
  (await blocked.open()).note(ana, signIn, false);
  expect(blocked.troubles).toHaveLength(1);
  expect(readdirSync(blocked.path)).toEqual([]);
});

test('A4: so is one whose tables are not those of this app', async () => {
  const { open, path, troubles } = place();
  const first = await open();
  first.note(ana, signIn, false);
  first.close();
  const other = await Database.open(path, { kind: 'precious', migrations: auditMigrations });
  other.exec('ALTER TABLE entries RENAME COLUMN is_with_pin TO was_with_pin');
  other.close();
  const second = await open();
  expect(troubles).toEqual(['storageFailed']);
  second.note(ana, signIn, false);
  expect(second.list('all', 0, 10)).toEqual({ total: 0, rows: [] });
  second.close();
  const left = await Database.open(path, { kind: 'precious', migrations: auditMigrations });
  expect(left.prepare('SELECT count(*) AS entries FROM entries').get()).toEqual({ entries: 1 });
  left.close();
});

test('what ends after the list was closed fails nobody', async () => {
  const { open, troubles } = place();
  const audit = await open();
  audit.note(ana, signIn, false);
  audit.close();
  audit.note(ana, { kind: 'signOut' }, false);
  expect([audit.newest(), audit.list('all', 0, 5), audit.page(0, 5, 'all'), troubles]).toEqual([
    1,
    { total: 0, rows: [] },
    [],
    [],
  ]);
});

test('a list of the first version is read and goes on', async () => {
  const { path, open } = place();
  const first = await Database.open(path, { kind: 'precious', migrations: auditMigrations.slice(0, 1) });
  first.exec(
    `INSERT INTO entries (at, email, is_practice, is_with_pin, kind, deed) VALUES (5, 'ana@example.com', 0, 0, 'signOut', '{"kind":"signOut"}')`,
  );
  first.close();
  const audit = await open();
  audit.note(ana, signIn, false);
  expect(audit.list('signIns', 0, 5).rows.map(({ id, action }) => [id, action])).toEqual([
    [2, signIn],
    [1, { kind: 'signOut' }],
  ]);
});

test('an entry that this version does not know is shown as another one', async () => {
  const { path, open } = place();
  const first = await open();
  first.note(ana, signIn, false);
  first.note(ana, signIn, false);
  first.close();
  const database = await Database.open(path, { kind: 'precious', migrations: auditMigrations });
  database.exec(
    `UPDATE entries SET action = '{"kind":"ofLater","much":1}' WHERE id = 1; UPDATE entries SET action = 'damaged' WHERE id = 2`,
  );
  database.close();
  expect((await open()).list('all', 0, 5).rows.map(({ action }) => action)).toEqual([
    { kind: 'other' },
    { kind: 'other' },
  ]);
});
