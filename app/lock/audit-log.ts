//   A1  An entry is on disk when the call that it tells of is answered, or the trouble has been told.
//   A2  What could not be written is written with the next entry, or at the end, in its order; the oldest of too many
//       give way.
//   A3  The list keeps its newest entries by number alone: a clock that is wrong forgets nothing.
//   A4  A damaged file is set aside, never overwritten; any other trouble leaves the file as it is.
import type { AuditAction, AuditAround, AuditEntry, AuditGroup, AuditWithin } from '../contract/audit.ts';
import { auditActionSchema, auditGroups } from '../contract/audit.ts';
import { parseId } from '../domain/int64.ts';
import { parseJson } from '../domain/json.ts';
import { isSameUser, usersAmong } from '../domain/same-user.ts';
import type { Clock } from '../ports.ts';
import { auditMigrations } from './migrations.ts';
import { onlyStorageError, type Database, type StorageError } from '../storage/database.ts';
import { openOrReplace } from '../storage/recover.ts';

/** At fifty a day, more than a year. */
const maxEntries = 20_000;
/** The contract takes no more names. */
const maxPeople = 100;
/** Entries that are kept in memory: practice's, and those that wait while the file takes none. */
const maxInMemory = 500;

/** Who was at the terminal, at which shop. */
export interface Actor {
  readonly email: string | null;
  readonly companyId: AuditEntry['companyId'];
  readonly isPractice: boolean;
}

type NewEntry = Omit<AuditEntry, 'id'>;

interface EntryRow {
  readonly id: number;
  readonly at: number;
  readonly email: string | null;
  readonly company_id: string | null;
  readonly is_practice: number;
  readonly is_with_pin: number;
  readonly action: string;
}

export interface Audit {
  /** Notes it now. */
  note(actor: Actor, action: AuditAction, isWithPin: boolean): void;
  list(
    group: AuditGroup,
    offset: number,
    limit: number,
    within?: AuditWithin,
  ): { readonly total: number; readonly rows: readonly AuditEntry[] };
  around(): Readonly<AuditAround>;
  /** Up to `limit` entries after this one, oldest first. */
  page(afterId: number, limit: number, group: AuditGroup, within?: AuditWithin): readonly AuditEntry[];
  /** The number of the newest one; 0 for none. */
  newest(): number;
  close(): void;
}

export interface AuditParts {
  readonly path: string;
  readonly clock: Clock;
  /** The list could not be opened or written; said once until it can be again. */
  readonly onTrouble: (error: StorageError) => void;
  /** A damaged list now lies there. */
  readonly onSetAside: (path: string) => void;
  readonly maxEntriesInMemory?: number;
}

function toEntry(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    email: row.email === null ? null : row.email.slice(0, 320),
    companyId: parseId(row.company_id),
    isPractice: row.is_practice === 1,
    isWithPin: row.is_with_pin === 1,
    action: auditActionSchema.safeParse(parseJson(row.action)).data ?? { kind: 'other' },
  };
}

/** Each person once, by name; of too many those who are last among them. */
const peopleAmong = (emails: readonly string[]): string[] =>
  usersAmong(emails)
    .slice(-maxPeople)
    .toSorted((one, other) => one.localeCompare(other));

function statementsOf(database: Database, maxEntriesInMemory: number) {
  // Of SQLite's own comparisons none knows capitals beyond those of ASCII.
  const written = database.prepare<{ email: string }>(
    'SELECT email FROM entries WHERE email IS NOT NULL GROUP BY email ORDER BY max(id)',
  );
  const emails = (): readonly string[] => written.all().map(({ email }) => email);
  const isTheirs = (email: string | null): readonly [string, ...string[]] => {
    const own = email === null ? [] : emails().filter((one) => isSameUser(one, email));
    return email === null ? ['email IS NULL'] : [`email IN (${own.map(() => '?').join(', ')})`, ...own];
  };
  const filterOf = (group: AuditGroup, { from, until, email }: AuditWithin, afterId = 0) => {
    const kinds: readonly string[] = auditGroups[group];
    const parts: readonly (readonly [string, ...(string | number | null)[]])[] = [
      ['id > ?', afterId],
      ...(kinds.length === 0 ? [] : [[`kind IN (${kinds.map(() => '?').join(', ')})`, ...kinds] as const]),
      ...(from === undefined ? [] : [['at >= ?', from] as const]),
      ...(until === undefined ? [] : [['at < ?', until] as const]),
      ...(email === undefined ? [] : [isTheirs(email)]),
    ];
    return {
      where: `WHERE ${parts.map(([sql]) => sql).join(' AND ')}`,
      values: parts.flatMap(([, ...values]) => values),
    };
  };
  const insert = database.prepare(
    'INSERT INTO entries (at, email, company_id, is_practice, is_with_pin, kind, action) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const forget = database.prepare(
    `DELETE FROM entries WHERE id <= (SELECT max(id) FROM entries) - ${maxEntriesInMemory}`,
  );
  const oldest = database.prepare<{ at: number | null }>('SELECT min(at) AS at FROM entries');
  const newest = database.prepare<{ id: number | null }>('SELECT max(id) AS id FROM entries');
  return {
    write: (entries: readonly NewEntry[]) => {
      database.transaction(() => {
        for (const { at, email, companyId, isPractice, isWithPin, action } of entries) {
          insert.run(at, email, companyId, isPractice ? 1 : 0, isWithPin ? 1 : 0, action.kind, JSON.stringify(action));
        }
        forget.run(); // A3
      });
    },
    list: (group: AuditGroup, offset: number, limit: number, within: AuditWithin = {}) => {
      const { where, values } = filterOf(group, within);
      return {
        total:
          database.prepare<{ total: number }>(`SELECT count(*) AS total FROM entries ${where}`).get(...values)?.total ??
          0,
        rows: database
          .prepare<EntryRow>(`SELECT * FROM entries ${where} ORDER BY id DESC LIMIT ? OFFSET ?`)
          .all(...values, limit, offset)
          .map(toEntry),
      };
    },
    around: () => ({
      people: peopleAmong(emails()).map((email) => email.slice(0, 320)),
      oldestAt: oldest.get()?.at ?? null,
    }),
    page: (afterId: number, limit: number, group: AuditGroup, within: AuditWithin = {}) => {
      const { where, values } = filterOf(group, within, afterId);
      return database
        .prepare<EntryRow>(`SELECT * FROM entries ${where} ORDER BY id LIMIT ?`)
        .all(...values, limit)
        .map(toEntry);
    },
    newest: () => newest.get()?.id ?? 0,
  };
}

/** A list in memory alone, as practice has it. */
export function createListInMemory(clock: Clock): Audit {
  let entries: readonly AuditEntry[] = [];
  const newest = (): number => entries.at(-1)?.id ?? 0;
  const fittingIn = (group: AuditGroup, { from = -Infinity, until = Infinity, email }: AuditWithin = {}) => {
    const kinds: readonly string[] = auditGroups[group];
    return entries
      .filter(({ action: { kind } }) => kinds.length === 0 || kinds.includes(kind))
      .filter(({ at }) => at >= from && at < until)
      .filter((entry) => email === undefined || isSameUser(entry.email, email));
  };
  return {
    note: (actor, action, isWithPin) => {
      const entry = { id: newest() + 1, at: clock.now(), ...actor, isWithPin, action };
      entries = [...entries, entry].slice(-maxInMemory);
    },
    list: (group, offset, limit, within) => {
      const fitting = fittingIn(group, within).toReversed();
      return { total: fitting.length, rows: fitting.slice(offset, offset + limit) };
    },
    around: () => ({
      people: peopleAmong(entries.flatMap(({ email }) => email ?? [])),
      oldestAt: entries.length === 0 ? null : Math.min(...entries.map(({ at }) => at)),
    }),
    page: (afterId, limit, group, within) =>
      fittingIn(group, within)
        .filter(({ id }) => id > afterId)
        .slice(0, limit),
    newest,
    close: () => undefined,
  };
}

/** Opens the list; one that cannot be opened is told, and takes entries in memory until the next start. */
export async function openAudit({
  path,
  clock,
  onTrouble,
  onSetAside,
  maxEntriesInMemory = maxEntries,
}: AuditParts): Promise<Audit> {
  let isTroubled = false;
  let waiting: readonly NewEntry[] = [];

  function report(error: unknown): void {
    const trouble = onlyStorageError(error);
    if (!isTroubled) {
      isTroubled = true;
      onTrouble(trouble);
    }
  }

  async function openFile() {
    const { database, replaced } = await openOrReplace(
      path,
      { kind: 'precious', check: 'integrity_check', migrations: auditMigrations },
      clock.now(),
    );
    if (replaced !== null) {
      onSetAside(replaced);
    }
    try {
      const statements = statementsOf(database, maxEntriesInMemory);
      return { database, statements, newest: statements.newest() };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  const opened = await openFile().catch((error: unknown) => {
    report(error);
    return null;
  });
  // None once it is closed: what ends after that is not told any more, and fails nobody.
  let statements = opened?.statements ?? null;
  let newest = opened?.newest ?? 0;

  /** A2 */
  function writeWaiting(): void {
    if (statements === null) {
      return;
    }
    try {
      statements.write(waiting);
      waiting = [];
      newest = statements.newest();
      isTroubled = false;
    } catch (error) {
      report(error);
    }
  }

  return {
    note: (actor, action, isWithPin) => {
      waiting = [
        ...waiting,
        {
          at: clock.now(),
          email: actor.email,
          companyId: actor.companyId,
          isPractice: actor.isPractice,
          isWithPin,
          action,
        },
      ].slice(-maxInMemory);
      writeWaiting();
    },
    list: (...asked) => statements?.list(...asked) ?? { total: 0, rows: [] },
    around: () => statements?.around() ?? { people: [], oldestAt: null },
    page: (...asked) => statements?.page(...asked) ?? [],
    newest: () => newest,
    close: () => {
      if (waiting.length > 0) {
        writeWaiting();
      }
      statements = null;
      opened?.database.close();
    },
  };
}
