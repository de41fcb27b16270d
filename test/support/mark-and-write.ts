import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Database, onlyStorageError, type DatabaseOptions } from '../../app/storage/database.ts';

/** A folder, the kind of file, and what is marked as not to be written to. */
const [folder = '', kind = '', what = ''] = process.argv.slice(2);
const path = join(folder, 'notes.db');
const options: DatabaseOptions = {
  kind: kind === 'precious' ? 'precious' : 'disposable',
  migrations: [{ version: 1, sql: 'CREATE TABLE notes (text TEXT NOT NULL) STRICT' }],
};
const first = await Database.open(path, options);
first.prepare("INSERT INTO notes VALUES ('kept')").run();
first.close();

const marked = what === 'file' ? path : folder;
const { mode } = statSync(marked);
chmodSync(marked, what === 'file' ? 0o444 : 0o555);
const database = await Database.open(path, options);
const add = database.prepare("INSERT INTO notes VALUES ('taken')");
const failureOf = (write: () => void): string | null => {
  try {
    write();
    return null;
  } catch (error) {
    return onlyStorageError(error).failure.kind;
  }
};
const whileMarked = failureOf(() => database.transaction(() => add.run()));
chmodSync(marked, mode);
database.transaction(() => add.run());
const after = database.prepare<{ text: string }>('SELECT text FROM notes').all();
database.close();
console.log(JSON.stringify({ whileMarked, after: after.map(({ text }) => text) }));
