import { closeSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { lookingUrl } from './file-url.ts';

/** The version that a database says it has. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/**
 * How a database is looked through. The quick check does not compare indexes with tables: rows that are found by one may
 * be missing in silence. The other one takes half as long again of a queue, three times as long of counts, and seconds of
 * a bridge's million ids.
 */
type Check = 'integrity_check' | 'quick_check';

/** The fault of a database; null when it is whole. */
export function faultOf(database: DatabaseSync, check: Check = 'quick_check'): string | null {
  const found = database.prepare(`PRAGMA ${check}(1)`).get()?.[check];
  return found === 'ok' ? null : String(found).slice(0, 500);
}

/**
 * The same of its tables alone, quickly: all of ours take values of their columns' types alone, which whoever reads them
 * counts on. In one that takes any, anything may stand, and no looking through finds it.
 */
export function faultOfTables(database: DatabaseSync): string | null {
  const loose = database
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
    )
    .get()?.['name'];
  return loose === undefined ? null : `the table ${String(loose).slice(0, 100)} takes values of any type`;
}

/** Whether no log lies beside the file, or an empty one. */
export function isWithoutLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** The bytes of a file from a place on, its first unless told; null when it has fewer. */
function headOf(path: string, length: number, from = 0): Buffer | null {
  const head = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return readSync(file, head, 0, length, from) < length ? null : head;
  } finally {
    closeSync(file);
  }
}

/** The version in the file itself, whatever its log says: https://sqlite.org/fileformat2.html#user_version_number */
function versionInHead(path: string): number {
  return headOf(path, 64)?.readUInt32BE(60) ?? 0;
}

const pageBytes = 4096;
const journalMagic = 'd9d505f920a163d7';

/**
 * Whether a rollback journal ends with the name of one for several databases, which none of ours has. Former versions of
 * SQLite, as 3.51.3, delete the file of that name, whatever it is (https://sqlite.org/fileformat2.html#the_rollback_journal).
 */
function namesAnother(journal: string): boolean {
  const from = statSync(journal).size - journalMagic.length / 2;
  return from > 0 && headOf(journal, journalMagic.length / 2, from)?.toString('hex') === journalMagic;
}

/**
 * Whether a rollback journal beside the file can be its own; SQLite plays in whichever lies there. A database of ours has
 * one only while it is made, before its second page and its log, and else one in rollback mode
 * (https://sqlite.org/fileformat2.html#file_format_version_numbers).
 */
export function canHaveJournal(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return (
    size !== undefined &&
    (size > pageBytes ? headOf(path, 20)?.[18] === 1 : isWithoutLog(path)) &&
    !namesAnother(`${path}-journal`)
  );
}

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/**
 * Whether SQLite passes over all of a log, for it was cut off while its header was written, or before its first page
 * (https://sqlite.org/fileformat2.html#walformat). Looking at one takes SQLite ten seconds, and it then refuses.
 */
function isPassedOver(log: string): boolean {
  const header = headOf(log, logHeaderBytes);
  const magic = header?.readUInt32BE(0) ?? 0;
  if (header === null || (magic !== 0x377f0682 && magic !== 0x377f0683)) {
    return true;
  }
  const word = (place: number): number => (magic % 2 === 1 ? header.readUInt32BE(place) : header.readUInt32LE(place));
  let [one, other] = [0, 0];
  for (let place = 0; place < 24; place += 8) {
    one = (one + word(place) + other) >>> 0;
    other = (other + word(place + 4) + one) >>> 0;
  }
  const isWhole = one === header.readUInt32BE(24) && other === header.readUInt32BE(28);
  return !isWhole || statSync(log).size < logHeaderBytes + frameHeaderBytes + header.readUInt32BE(8);
}

function faultThroughLog(path: string, leastVersion: number, busyTimeoutMs: number, check?: Check): string | null {
  const index = `${path}-shm`;
  const isIndexOurs = !existsSync(index);
  if (isIndexOurs) {
    closeSync(openSync(index, 'a', 0o600));
  }
  const looking = new DatabaseSync(lookingUrl(path), { readOnly: true, timeout: busyTimeoutMs });
  try {
    // A log that is whole may still be another database's: SQLite does not tell, and reads that one. Its own never
    // takes a version back.
    return (
      faultOf(looking, check) ?? (versionOf(looking) < leastVersion ? 'the log beside the file is not its own' : null)
    );
  } finally {
    looking.close();
    if (isIndexOurs) {
      rmSync(index, { force: true });
    }
  }
}

/**
 * The fault of a database whose log lies beside it; null when it is whole, or has none. Does not take the log in:
 * whoever opens it to write takes it in at the latest when closing, and a log that is damaged, or another database's,
 * would then have spoilt what is to be set aside. Beside no file, or one of no bytes, SQLite would delete a log that may
 * hold the whole database: it is read over one page of noughts, which stays only where nothing is at fault.
 */
export function faultOfLog(path: string, busyTimeoutMs: number, check?: Check): string | null {
  if (isWithoutLog(path)) {
    return null;
  }
  const isLost = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isPassedOver(`${path}-wal`)) {
    // SQLite writes the first page before it begins a log.
    return isLost ? 'the file is empty, and its log cannot be read' : null;
  }
  if (!isLost) {
    return faultThroughLog(path, versionInHead(path), busyTimeoutMs, check);
  }
  closeSync(openSync(path, 'a', 0o600));
  let isWhole = false;
  try {
    truncateSync(path, pageBytes);
    // The first that a log of ours holds is what gives the file its version.
    const fault = faultThroughLog(path, 1, busyTimeoutMs, check);
    isWhole = fault === null;
    return fault;
  } finally {
    if (!isWhole) {
      truncateSync(path, 0);
    }
  }
}
