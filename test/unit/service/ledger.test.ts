import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLedger } from '../../../app/service/ledger.ts';
import { ledgerTables } from '../../../app/service/migrations.ts';
import { Database } from '../../../app/storage/database.ts';

let database: Database;
beforeEach(async () => {
  const migrations = [{ version: 1, sql: ledgerTables }];
  database = await Database.open(':memory:', { kind: 'disposable', migrations });
});
afterEach(() => {
  database.close();
});

it('never gives up an access token for refresh tokens, which last longer, or for another application', () => {
  const ledger = createLedger(database, null);
  const mine = { kind: 'access', clientId: 'till', userId: '1', expiresAt: 10 } as const;
  ledger.addToken('mine', mine);
  database.exec(`
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 9999)
    INSERT INTO token SELECT 'refresh-' || n, 'refresh', 'till', '1', 100 + n FROM number
    UNION ALL SELECT 'other-' || n, 'access', 'other', '1', 100 + n FROM number
  `);
  ledger.addToken('newest', { ...mine, kind: 'refresh', expiresAt: 100_000 });
  ledger.addToken('other', { ...mine, clientId: 'other', expiresAt: 100_000 });
  expect(ledger.readToken('mine')).toEqual(mine);
  expect([ledger.readToken('refresh-0'), ledger.readToken('refresh-1')?.kind]).toEqual([null, 'refresh']);
});

it('lets requests pass again after a clock that was far ahead', () => {
  const ledger = createLedger(database, null);
  const admission = { clientId: 'till', limit: 2, isRefusalCounted: false };
  const admit = (now: number): number | null => ledger.admit({ ...admission, now, since: now - 60_000 });
  expect([admit(86_400_000), admit(86_400_000), admit(86_400_000)]).toEqual([null, null, 86_400_000]);
  expect(admit(120_000)).toBeNull();
});
