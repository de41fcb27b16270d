import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

const opened = new Set<DatabaseSync>();
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...parameters) {
  opened.add(this);
  return prepare.apply(this, parameters);
};

/** SQLite's own most. */
const maxPages = 4_294_967_294;

/**
 * How a disk takes what is written: all of it; no page more than it has; or nothing, as one that was mounted anew for
 * reading alone.
 */
export type DiskState = 'fine' | 'full' | 'readOnly';

/** From now on this is how the disk takes what the open databases in this folder write. */
export function setDisk(folder: string, state: DiskState): void {
  for (const database of opened) {
    if (!database.isOpen) {
      opened.delete(database);
    } else if (database.location()?.startsWith(folder + sep) === true) {
      // A limit below the present size is the present size.
      database.exec(`PRAGMA max_page_count = ${String(state === 'full' ? 1 : maxPages)}`);
      database.exec(`PRAGMA query_only = ${state === 'readOnly' ? 'ON' : 'OFF'}`);
    }
  }
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
