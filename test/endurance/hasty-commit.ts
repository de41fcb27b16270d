// Owns the bug that shows that the kill loop can find one: loaded before the host with `--import`, it lets every commit of SQLite
// return at once and happens a moment later, so that what is acknowledged is not yet in the file. Never loaded but by the test of
// the loop itself.
import { DatabaseSync } from 'node:sqlite';

const lateByMs = 200;
const exec = DatabaseSync.prototype.exec;
const waiting = new WeakSet<DatabaseSync>();

function commit(database: DatabaseSync): void {
  if (waiting.delete(database) && database.isOpen) {
    exec.call(database, 'COMMIT');
  }
}

DatabaseSync.prototype.exec = function execHastily(this: DatabaseSync, sql: string): void {
  commit(this);
  if (sql === 'COMMIT') {
    waiting.add(this);
    setTimeout(() => {
      commit(this);
    }, lateByMs);
    return;
  }
  exec.call(this, sql);
};
