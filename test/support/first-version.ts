import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCouponRepository } from '../../app/coupons/repository.ts';
import type { Id } from '../../app/domain/int64.ts';
import { checksumOf } from '../../app/queue/rows.ts';
import { catalogueMigrations } from '../../app/catalogue/repository/migrations.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';

export const firstVersion = {
  now: Date.UTC(2025, 5, 1),
  key: '0f8fad5b-d9cb-469f-a165-70867728950e',
  body: '{"items":[{"product_id":9007199254740993,"is_enabled":true}]}',
  states: ['pending', 'sealed', 'delivered', 'parked', 'superseded', 'discarded'],
  migrations: queueMigrations.filter(({ version }) => version === 1),
} as const;

/**
 * Writes queue.db as the first version left it: one update in each state, one request under way with two attempts, a
 * newer id forgotten.
 */
export async function writeFirstQueue(path: string): Promise<void> {
  const { now, key, body, states, migrations } = firstVersion;
  const database = await Database.open(path, { kind: 'precious', migrations });
  database.exec("INSERT INTO owners VALUES (1, 'https://platform.example.com', '7', 'ana@example.com')");
  database
    .prepare(
      'INSERT INTO requests (id, owner_id, idempotency_key, body, created_at, checksum) VALUES (4, 1, ?, ?, ?, ?)',
    )
    .run(key, body, now, checksumOf([1, key, body]));
  const insert = database.prepare(
    `INSERT INTO updates (id, owner_id, product_id, is_enabled, seen, created_at, changed_at, state, request_id, split_group, checked_at, attempts, failure, parked_because, theirs, checksum)
     VALUES (?, 1, ?, 1, 0, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
  );
  states.forEach((state, place) => {
    const product = state === 'sealed' ? '9007199254740993' : String(place + 1);
    const isSealed = state === 'sealed';
    const [because, theirs] = state === 'parked' ? ['conflict', 0] : [null, null];
    insert.run(
      place + 1,
      product,
      now,
      now,
      state,
      isSealed ? 4 : null,
      now,
      isSealed ? 2 : 0,
      null,
      because,
      theirs,
      checksumOf([1, product, 1, now]),
    );
  });
  database.exec(
    "INSERT INTO updates (id, owner_id, product_id, is_enabled, created_at, changed_at, state, checksum) VALUES (90, 1, 1, 1, 0, 0, 'discarded', '')",
  );
  database.exec('DELETE FROM updates WHERE id = 90');
  database
    .prepare(
      'INSERT INTO attempts (request_id, sent_at, settled_at, outcome) VALUES (4, ?, ?, \'{"kind":"noAnswer","failure":{"kind":"timedOut"}}\')',
    )
    .run(now, now + 1);
  database.prepare('INSERT INTO attempts (request_id, sent_at) VALUES (4, ?)').run(now + 2);
  openCouponRepository(database).confirm(
    { platform: 'https://platform.example.com', companyId: '7' as Id },
    [{ productId: '3' as Id, isEnabled: true }],
    1,
  );
  database.close();
}

/** Writes a whole data directory of the first version. */
export async function writeFirstDirectory(directory: string): Promise<void> {
  const store = join(directory, 'store');
  mkdirSync(store, { recursive: true });
  await writeFirstQueue(join(store, 'queue.db'));
  (
    await Database.open(join(store, 'catalogue.db'), {
      kind: 'disposable',
      migrations: catalogueMigrations.filter(({ version }) => version === 1),
    })
  ).close();
  const profile = { platformUrl: 'https://platform.example.com', clientId: 'till', companyId: '7', stockIds: ['1'] };
  writeFileSync(
    join(directory, 'settings.json'),
    JSON.stringify({
      document: {
        version: 1,
        language: 'es',
        theme: 'dark',
        mode: 'platform',
        profile,
        session: null,
        isSecretInVault: false,
      },
    }),
  );
}
