// What is done to a database's file before it is opened.
import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sharedUrl } from './file-url.ts';
import { retryWhileHeld } from './held-files.ts';
import { freeName, freshName, removeWhole } from './names-beside.ts';
import { canHaveJournal } from './soundness.ts';

/** Sets aside a rollback journal that cannot be the file's own: SQLite would play it in. */
export function setForeignJournalAside(path: string): void {
  const journal = `${path}-journal`;
  if (existsSync(journal) && !canHaveJournal(path)) {
    const aside = `${freeName(`${path}.foreign`)}-journal`;
    retryWhileHeld(() => {
      renameSync(journal, aside);
    });
  }
}

/** A new file stands under its name only once it is a database, so that one of no bytes is never a new one. */
export function makeWhole(path: string): void {
  const beside = freshName(`${path}.new`);
  try {
    const database = new DatabaseSync(sharedUrl(beside));
    try {
      database.exec('PRAGMA journal_mode = WAL');
    } finally {
      database.close();
    }
    retryWhileHeld(() => {
      renameSync(beside, path);
    });
  } finally {
    removeWhole(beside);
  }
}
