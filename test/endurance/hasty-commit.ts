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
