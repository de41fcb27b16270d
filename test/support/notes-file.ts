import { join } from 'node:path';
import { Database, type DatabaseOptions } from '../../app/storage/database.ts';
import { temporaryDirectory } from './temporary.ts';

export const migrations = [
  { version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' },
] as const;
export const kinds = ['precious', 'disposable'] as const;

/** Makes a database with one note, closed again. */
export async function fileOf(options: DatabaseOptions): Promise<string> {
  const path = join(temporaryDirectory(), 'notes.db');
  const database = await Database.open(path, options);
  database.prepare("INSERT INTO notes (text) VALUES ('kept')").run();
  database.close();
  return path;
}
