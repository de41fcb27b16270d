// A file of an earlier version has gone through the steps of that version. A step that has shipped says the same for
// ever, under the same number: only then do an old file and a new one have the same tables.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { batchesMigrations } from '../../../../app/expiring/migrations.ts';
import { auditMigrations } from '../../../../app/lock/migrations.ts';
import { stocktakeMigrations } from '../../../../app/stocktakes/migrations.ts';
import type { Migration } from '../../../../app/storage/database.ts';
import { queueMigrations } from '../../../../app/terminal/workspace/queue-migrations.ts';

/** Of what a step says, without its comments and however it is laid out. */
function digestOf({ sql }: Migration): string {
  const text = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').replace(/; ?$/, '').trim();
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

test.each([
  [
    'queue.db',
    queueMigrations,
    [
      'c55dd904',
      'e9773831',
      'b77ca891',
      '8504f06d',
      '02eb6e71',
      '2414d66d',
      'c657343c',
      '059b45e5',
      '20a0bab6',
      '43e0a765',
      'dc8337b2',
      '0386ee66',
      'cbd3523b',
      'dc54c117',
      'fdf12a02',
      '9c8dda9d',
      '9fa9b246',
      'ee8e1bd6',
    ],
  ],
  [
    'catalogue.db',
    catalogueMigrations,
    [
      '35c3399a',
      '3e95050f',
      '458be0b7',
      '99e883f4',
      'e0707fd1',
      'e33d0d56',
      '4f4d540b',
      '72014ceb',
      '9449853e',
      '0a2b0dfb',
      'c337ae93',
      '08fa7539',
      '1a63786b',
    ],
  ],
  ['stocktakes.db', stocktakeMigrations, ['d25adabf']],
  ['batches.db', batchesMigrations, ['fc20733b']],
  ['audit.db', auditMigrations, ['3583eb4a', '33889f74']],
])('the steps of %s are those that have shipped, in their order; a new one comes last', (_, migrations, shipped) => {
  expect(migrations.map(digestOf)).toEqual(shipped);
  expect(migrations.map(({ version }) => version)).toEqual(shipped.map((_digest, place) => place + 1));
});
