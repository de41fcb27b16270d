import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { DatabaseSync, StatementSync, type SQLInputValue } from 'node:sqlite';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** A row that is not what it was. */
export type Damage =
  | {
      readonly kind: 'update';
      readonly updateId: number;
      readonly companyId: string;
      readonly email: string;
      readonly subjectIds: readonly string[];
      /** The row says that it was made so much later than it was. */
      readonly laterByMs: number;
    }
  | {
      readonly kind: 'request';
      readonly companyId: string;
      readonly email: string;
      readonly idempotencyKey: string;
      readonly body: string;
    };

/**
 * How a disk takes what is written: all of it; no page more than a file has; or nothing, as one that was mounted anew
 * for reading alone. `closed`: what is open goes on, and nothing more can be opened, as with too many open files or no
 * room for the index of a log.
 */
export type DiskState = 'fine' | 'full' | 'readOnly' | 'closed';

export interface DiskFault {
  readonly state: DiskState;
  /** How the names of the files begin that it is about; "" for all. */
  readonly files: '' | 'queue' | 'catalogue' | 'audit' | 'ledger';
  /** So many rows are still written before it begins. */
  readonly afterWrites: number;
}

export const soundDisk: DiskFault = { state: 'fine', files: '', afterWrites: 0 };

/** SQLite's own most. */
const maxPages = 4_294_967_294;

/** By folder; a disk that is fine is in none. */
const faults = new Map<string, { readonly fault: DiskFault; writesLeft: number }>();
/** Where each connection's file lies. */
const opened = new Map<DatabaseSync, string>();
const connections = new WeakMap<StatementSync, DatabaseSync>();

const { prepare, exec } = DatabaseSync.prototype;
const { run } = StatementSync.prototype;

/** SQLite's error where there is no room for the index of a log: https://sqlite.org/rescode.html#ioerr_shmsize */
function refusal(): Error {
  return Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4874 });
}

function diskOf(path: string) {
  for (const [folder, disk] of faults) {
    if (path.startsWith(folder + sep) && basename(path).startsWith(disk.fault.files)) {
      return disk;
    }
  }
  return null;
}

function take(database: DatabaseSync, state: DiskState): void {
  // A limit below the present size is the present size.
  exec.call(database, `PRAGMA max_page_count = ${String(state === 'full' ? 1 : maxPages)}`);
  exec.call(database, `PRAGMA query_only = ${state === 'readOnly' ? 'ON' : 'OFF'}`);
}

/** Every connection comes by here before anything is done with it. */
function note(database: DatabaseSync): void {
  if (opened.has(database)) {
    return;
  }
  const path = database.location() ?? '';
  const disk = faults.size === 0 ? null : diskOf(path);
  const state = disk === null || disk.writesLeft > 0 ? 'fine' : disk.fault.state;
  if (state === 'closed') {
    throw refusal();
  }
  opened.set(database, path);
  if (state !== 'fine') {
    take(database, state);
  }
}

DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...parameters) {
  note(this);
  const statement = prepare.apply(this, parameters);
  connections.set(statement, this);
  return statement;
};
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
  note(this);
  // A disk for reading alone makes no log: what is opened then is opened to be read, where it can be.
  if (faults.size > 0 && sql.includes('journal_mode') && diskOf(opened.get(this) ?? '')?.fault.state === 'readOnly') {
    throw refusal();
  }
  exec.call(this, sql);
};
StatementSync.prototype.run = function (this: StatementSync, ...parameters: SQLInputValue[]) {
  const path = faults.size === 0 ? undefined : opened.get(connections.get(this) as DatabaseSync);
  const disk = path === undefined ? null : diskOf(path);
  if (disk !== null && disk.writesLeft > 0) {
    disk.writesLeft -= 1;
    if (disk.writesLeft === 0) {
      obey();
    }
  }
  return run.apply(this, parameters as Parameters<typeof run>);
} as typeof run;

/** An open file takes each write as its disk does. */
function obey(): void {
  for (const [database, path] of opened) {
    if (database.isOpen) {
      const disk = diskOf(path);
      take(database, disk === null || disk.writesLeft > 0 ? 'fine' : disk.fault.state);
    } else {
      opened.delete(database);
    }
  }
}

/** From now on this is how the disk takes what databases in this folder write, those that are opened later as well. */
export function setDisk(folder: string, fault: DiskFault): void {
  faults.delete(folder);
  if (fault.state !== 'fine') {
    faults.set(folder, { fault, writesLeft: fault.afterWrites });
  }
  obey();
}

/**
 * The statement that makes the newest queue.db one of the version before, by the newest; a new migration needs its own.
 */
const backwards: ReadonlyMap<number, string> = new Map([[18, 'ALTER TABLE attempts DROP COLUMN client']]);

/**
 * queue.db below this folder, which nobody may have open, becomes one of the version before, and where its backup will
 * be written lies what an earlier start has left there.
 */
export function leaveBesideQueue(folder: string, random: SeededRandom): string {
  const path = join(folder, 'store', 'queue.db');
  const newest = queueMigrations.at(-1)?.version ?? 0;
  const former = backwards.get(newest);
  if (former === undefined) {
    throw new Error(`nothing leads back from version ${String(newest)} of queue.db`);
  }
  if (!existsSync(path)) {
    return 'nothing';
  }
  const database = new DatabaseSync(path);
  try {
    if (Number(database.prepare('PRAGMA user_version').get()?.['user_version']) !== newest) {
      return 'nothing';
    }
    database.exec(`${former}; PRAGMA user_version = ${String(newest - 1)}`);
  } finally {
    database.close();
  }
  const suffix = random.pick(['', '', '.new', '.new-journal', '-journal']);
  const place = `${path}.before-${String(newest)}${suffix}`;
  const what = random.pick(['a damaged file', 'a torn copy', 'a folder'] as const);
  rmSync(place, { recursive: true, force: true });
  if (what === 'a folder') {
    mkdirSync(place);
  } else {
    const bytes = readFileSync(path);
    writeFileSync(place, what === 'a torn copy' ? bytes.subarray(0, bytes.length / 2) : bytes.fill(0xa5));
  }
  return `${what} as ${basename(place)}`;
}

interface OpenRow {
  readonly id: number;
  readonly subject_id: string;
  readonly is_enabled: number;
  readonly created_at: number;
  readonly company_id: string;
  readonly email: string;
}

interface RequestRow {
  readonly id: number;
  readonly idempotency_key: string;
  readonly body: string;
  readonly company_id: string;
  readonly email: string;
}

function alterUpdate(database: DatabaseSync, random: SeededRandom): Damage | null {
  const rows = database
    .prepare(
      "SELECT updates.id, subject_id, is_enabled, created_at, company_id, email FROM updates JOIN owners ON owners.id = owner_id WHERE state IN ('pending', 'sealed') ORDER BY updates.id",
    )
    .all() as unknown as readonly OpenRow[];
  const row = rows.length === 0 ? undefined : random.pick(rows);
  if (row === undefined) {
    return null;
  }
  const last = Number(row.subject_id.at(-1));
  // Damage done twice must not undo itself: the time is altered each time.
  const laterByMs = 1024;
  const altered = {
    ...row,
    created_at: row.created_at + laterByMs,
    ...random.pick<Partial<OpenRow>>([
      { is_enabled: 1 - row.is_enabled },
      {},
      { subject_id: `${row.subject_id.slice(0, -1)}${String(last ^ 1)}` },
    ]),
  };
  database
    .prepare('UPDATE updates SET subject_id = ?, is_enabled = ?, created_at = ? WHERE id = ?')
    .run(altered.subject_id, altered.is_enabled, altered.created_at, row.id);
  return {
    kind: 'update',
    updateId: row.id,
    companyId: row.company_id,
    email: row.email,
    subjectIds: [row.subject_id, altered.subject_id],
    laterByMs,
  };
}

function alterRequest(database: DatabaseSync, random: SeededRandom): Damage | null {
  const rows = database
    .prepare(
      'SELECT requests.id, idempotency_key, body, company_id, email FROM requests JOIN owners ON owners.id = owner_id WHERE is_open = 1 ORDER BY requests.id',
    )
    .all() as unknown as readonly RequestRow[];
  const row = rows.length === 0 ? undefined : random.pick(rows);
  if (row === undefined) {
    return null;
  }
  const flip = (text: string): string => {
    const places = [...text].flatMap((character, place) => (/[0-9]/.test(character) ? [place] : []));
    if (places.length === 0) {
      return `${text} `;
    }
    // Not one bit to and fro: damage done twice must not undo itself.
    const place = random.pick(places);
    return `${text.slice(0, place)}${String((Number(text[place]) + 1) % 10)}${text.slice(place + 1)}`;
  };
  const altered = random.chance(0.6)
    ? { ...row, body: flip(row.body) }
    : { ...row, idempotency_key: flip(row.idempotency_key) };
  database
    .prepare('UPDATE requests SET body = ?, idempotency_key = ? WHERE id = ?')
    .run(altered.body, altered.idempotency_key, row.id);
  return {
    kind: 'request',
    companyId: row.company_id,
    email: row.email,
    idempotencyKey: altered.idempotency_key,
    body: altered.body,
  };
}

/**
 * One character of one row that still matters is altered in queue.db below this folder, which nobody may have open.
 * Null when there is none.
 */
export function alterRow(folder: string, random: SeededRandom): Damage | null {
  const path = join(folder, 'store', 'queue.db');
  if (!existsSync(path)) {
    return null;
  }
  const database = new DatabaseSync(path);
  try {
    const hasUpdates = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sealings'").get() !== undefined;
    return hasUpdates
      ? ((random.chance(0.3) ? alterRequest(database, random) : null) ?? alterUpdate(database, random))
      : null;
  } finally {
    database.close();
  }
}
