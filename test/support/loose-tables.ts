import { DatabaseSync } from 'node:sqlite';

/** Rewrites the statements by which the file says what its tables are; answers what they were. */
function rewriteTables(path: string, rewrite: (sql: string, rowid: number) => string): Map<number, string> {
  const database = new DatabaseSync(path);
  try {
    database.enableDefensive(false);
    database.exec('PRAGMA writable_schema = ON');
    const tables = database.prepare("SELECT rowid, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL");
    const before = new Map(tables.all().map(({ rowid, sql }) => [Number(rowid), String(sql)]));
    const write = database.prepare('UPDATE sqlite_schema SET sql = ? WHERE rowid = ?');
    for (const [rowid, sql] of before) {
      write.run(rewrite(sql, rowid), rowid);
    }
    const version = Number(database.prepare('PRAGMA schema_version').get()?.['schema_version']);
    database.exec(`PRAGMA schema_version = ${version + 1}`);
    return before;
  } finally {
    database.close();
  }
}

/**
 * Alters the rows of a database as a failing disk may, which knows no types. `isLeftLoose`: as another program that has
 * written it anew, whose tables take values of any type.
 */
export function alterRows(path: string, sql: string, isLeftLoose = false): void {
  const before = rewriteTables(path, (table) => table.replace(/ STRICT\b,?/, '').replaceAll(' NOT NULL', ''));
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
  if (!isLeftLoose) {
    rewriteTables(path, (_table, rowid) => before.get(rowid) ?? '');
  }
}
