import type { Database } from './database.ts';

/** Counts the rows of a table that this connection adds, changes or removes from now on. */
export function countChanges(database: Database, table: string): () => number {
  const counter = `changes_of_${table}`;
  const triggers = ['insert', 'update', 'delete'].map(
    (event) =>
      `CREATE TEMP TRIGGER after_${event}_of_${table} AFTER ${event} ON main.${table} BEGIN UPDATE ${counter} SET count = count + 1; END;`,
  );
  database.execOwn(
    `CREATE TEMP TABLE ${counter} (count INTEGER NOT NULL); INSERT INTO ${counter} VALUES (0); ${triggers.join(' ')}`,
  );
  const count = database.prepare<{ count: number }>(`SELECT count FROM ${counter}`);
  return () => count.get()?.count ?? 0;
}
