// The coupon settings of a bridge. The ledger has them. Where the source keeps coupons too, a change waits there in the
// same transaction as the answer to the till, and is written to the source in the order in which the changes came; one
// that could not be written waits on. After a crash the last one may be written again, with the value that it had.
import type { Id } from '../domain/int64.ts';
import type { CouponCause, Coupons, CouponSetting, Effect } from '../service/ports.ts';
import type { createLedger } from '../service/ledger.ts';
import type { Database } from '../storage/database.ts';
import type { ShopSource } from './sources/shop-source.ts';
import type { SnapshotSource } from './snapshot/source.ts';

interface Pending {
  readonly sourceId: string;
  readonly isEnabled: number;
  readonly number: number;
}

/** Opens the settings. */
export function createBridgeCoupons(
  database: Database,
  ledger: ReturnType<typeof createLedger>,
  products: Pick<SnapshotSource, 'describe'>,
  writeCoupon: ShopSource['writeCoupon'],
) {
  const wait = database.prepare(
    `INSERT INTO coupon_pending SELECT ?, ?, coalesce(max(number), 0) + 1 FROM coupon_pending WHERE true
     ON CONFLICT (source_id) DO UPDATE SET is_enabled = excluded.is_enabled, number = excluded.number`,
  );
  const nextAfter = database.prepare<Pending>(
    'SELECT source_id AS sourceId, is_enabled AS isEnabled, number FROM coupon_pending WHERE number > ? ORDER BY number LIMIT 1',
  );
  const remove = database.prepare('DELETE FROM coupon_pending WHERE number = ?');
  const count = database.prepare<{ count: number }>('SELECT count(*) AS count FROM coupon_pending');
  let running: Promise<void> | null = null;

  const writeAll = async (write: NonNullable<ShopSource['writeCoupon']>, ending?: AbortSignal): Promise<void> => {
    const failures: unknown[] = [];
    for (let next = nextAfter.get(0); next !== undefined; next = nextAfter.get(next.number)) {
      if (ending?.aborted === true) {
        break;
      }
      try {
        await write(next.sourceId, next.isEnabled === 1);
        remove.run(next.number);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) {
      throw failures[0];
    }
  };

  return {
    list: (companyId: Id, productId: bigint | null) =>
      [...ledger.listCoupons(companyId)]
        .filter(([id]) => productId === null || BigInt(id) === productId)
        .flatMap(([id, isEnabled]) => {
          const product = products.describe(BigInt(id));
          return product === null ? [] : [{ productId: id as Id, isEnabled, productName: product.name }];
        }),
    change:
      (companyId: Id, settings: readonly CouponSetting[], _cause: CouponCause): Effect =>
      () => {
        for (const { productId, isEnabled } of settings) {
          ledger.writeCoupon(companyId, productId, isEnabled);
          const product = writeCoupon === null ? null : products.describe(BigInt(productId));
          if (product !== null) {
            wait.run(product.sourceId, isEnabled ? 1 : 0);
          }
        }
      },
    /**
     * Writes what waits to the source, until it ends; one call at a time does it. One that cannot be written keeps no
     * other back. Throws what the source threw first.
     */
    deliver: (ending?: AbortSignal): Promise<void> => {
      if (writeCoupon === null) {
        return Promise.resolve();
      }
      running ??= writeAll(writeCoupon, ending).finally(() => {
        running = null;
      });
      return running;
    },
    /** How many changes have not reached the source. */
    countPending: (): number => count.get()?.count ?? 0,
  } satisfies Coupons & Record<string, unknown>;
}
