// Owns the confirmed coupon settings in queue.db: what the platform is known to have, learnt from its listing (API v3 §4.6)
// and from delivered updates. Never holds what merely waits.
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';

/** Settings belong to a company at a platform. */
export interface CouponScope {
  readonly platform: string;
  readonly companyId: Id;
}

export interface CouponSettingRow {
  readonly productId: Id;
  readonly isEnabled: boolean;
}

export interface CouponStore {
  /** The confirmed setting; false for a product that a whole reading did not list; null when nothing was ever read. */
  confirmed(scope: CouponScope, productId: Id): boolean | null;
  /** Delivered updates; `mark` is the attempt that delivered them. Call it inside the queue's transaction. */
  confirm(scope: CouponScope, settings: readonly CouponSettingRow[], mark: number): void;
  /** A whole reading; `mark` is the newest attempt that it surely knows of, so that it never undoes what was delivered since. */
  replaceAll(scope: CouponScope, settings: readonly CouponSettingRow[], mark: number, now: number): void;
  /** All confirmed settings. */
  list(scope: CouponScope): readonly CouponSettingRow[];
  /** When the settings were last read whole, in milliseconds since 1970; null when never. */
  readAt(scope: CouponScope): number | null;
}

/** Opens the confirmed settings over queue.db. */
export function openCouponStore(database: Database): CouponStore {
  const one = database.prepare<{ is_enabled: number }>('SELECT is_enabled FROM confirmed_settings WHERE platform = ? AND company_id = ? AND product_id = ?');
  const all = database.prepare<{ product_id: Id; is_enabled: number }>('SELECT product_id, is_enabled FROM confirmed_settings WHERE platform = ? AND company_id = ?');
  const put = database.prepare(
    `INSERT INTO confirmed_settings (platform, company_id, product_id, is_enabled, mark) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET is_enabled = excluded.is_enabled, mark = excluded.mark WHERE mark <= excluded.mark`,
  );
  const removeOlder = database.prepare('DELETE FROM confirmed_settings WHERE platform = ? AND company_id = ? AND mark <= ?');
  const reading = database.prepare<{ read_at: number }>('SELECT read_at FROM settings_readings WHERE platform = ? AND company_id = ?');
  const putReading = database.prepare('INSERT INTO settings_readings (platform, company_id, read_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET read_at = excluded.read_at');

  function putEach(scope: CouponScope, settings: readonly CouponSettingRow[], mark: number): void {
    for (const setting of settings) {
      put.run(scope.platform, scope.companyId, setting.productId, Number(setting.isEnabled), mark);
    }
  }

  function readAt(scope: CouponScope): number | null {
    return reading.get(scope.platform, scope.companyId)?.read_at ?? null;
  }

  return {
    confirmed: (scope, productId) => {
      const row = one.get(scope.platform, scope.companyId, productId);
      return row === undefined ? (readAt(scope) === null ? null : false) : row.is_enabled === 1;
    },
    confirm: putEach,
    replaceAll: (scope, settings, mark, now) => {
      database.transaction(() => {
        removeOlder.run(scope.platform, scope.companyId, mark);
        putEach(scope, settings, mark);
        putReading.run(scope.platform, scope.companyId, now);
      });
    },
    list: (scope) => all.all(scope.platform, scope.companyId).map((row) => ({ productId: row.product_id, isEnabled: row.is_enabled === 1 })),
    readAt,
  };
}
