import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';

/**
 * From now on no log can be made beside a database that is opened, so that it is opened to be read where it can be; until
 * the test is over, or what is answered is called.
 */
export function refuseLogs(): () => void {
  const { exec } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql.includes('journal_mode')) {
      throw Object.assign(new Error('unable to open database file'), { code: 'ERR_SQLITE_ERROR', errcode: 14 });
    }
    exec.call(this, sql);
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}
