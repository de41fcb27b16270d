import type { Database } from '../../storage/database.ts';

/** Ids of the source up to here are used as they are; from here on ids are given to all others. */
const firstGiven = 1_000_000_000_000;
/** Four gigabytes: what a source of ever new ids may fill of the disk. */
const maxPages = 1_048_576;

/** Gives each id of the source a number of its own, for ever the same (API v3 §2: ids are int64). */
export function createIds(database: Database) {
  database.exec(`PRAGMA max_page_count = ${maxPages}`);
  const find = database.prepare<{ id: number }>('SELECT id FROM id_of WHERE source_id = ?');
  const add = database.prepare('INSERT INTO id_of SELECT ?, coalesce(max(id), ?) + 1 FROM id_of');
  const idOf = (sourceId: string): number => {
    const asNumber = /^[1-9]\d{0,11}$/.test(sourceId) ? Number(sourceId) : firstGiven;
    if (asNumber < firstGiven) {
      return asNumber;
    }
    const known = find.get(sourceId);
    if (known !== undefined) {
      return known.id;
    }
    add.run(sourceId, firstGiven);
    return find.get(sourceId)?.id ?? firstGiven;
  };
  /** On disk when the pass is whole, before anybody can be told them. */
  return (sourceIds: readonly string[]): readonly number[] => database.transaction(() => sourceIds.map(idOf));
}
