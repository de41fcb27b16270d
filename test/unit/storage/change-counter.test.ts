import { expect, test } from 'vitest';
import { countChanges } from '../../../app/storage/change-counter.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('rows that are added, changed or removed are counted, and no others, nor what was not kept', async () => {
  const database = await openQueueDatabase(temporaryDirectory());
  const count = countChanges(database, 'confirmed_settings');
  const settings = countChanges(database, 'settings_readings');
  const counts: number[] = [];
  for (const sql of [
    "INSERT INTO confirmed_settings (platform, company_id, product_id, is_enabled, mark) VALUES ('p', '7', '1', 1, 0), ('p', '7', '2', 1, 0)",
    'UPDATE confirmed_settings SET is_enabled = 0 WHERE is_enabled = 0',
    'UPDATE confirmed_settings SET is_enabled = 0',
    "INSERT INTO owners (platform, company_id, email) VALUES ('p', '7', 'ana@example.com')",
    'DELETE FROM confirmed_settings',
    "BEGIN; INSERT INTO confirmed_settings (platform, company_id, product_id, is_enabled, mark) VALUES ('p', '7', '1', 1, 0); ROLLBACK",
  ]) {
    database.exec(sql);
    counts.push(count());
  }
  expect([counts, settings()]).toEqual([[2, 2, 4, 4, 6, 6], 0]);
  database.close();
});
