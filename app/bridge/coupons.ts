// The coupon settings of a bridge. The ledger has them. Where the source keeps coupons too, a change waits there in the
// same transaction as the answer to the till, and is written to the source in the order in which the changes came; one
// that could not be written waits on. After a crash the last one may be written again, with the value that it had.
import type { Id } from '../domain/int64.ts';
import type { CouponCause, Coupons, CouponSetting, Effect } from '../service/ports.ts';
import type { BridgeLedger, Outbox } from './ledger/ledger.ts';
import type { ShopSource } from './sources/shop-source.ts';
import type { SnapshotSource } from './snapshot/source.ts';

/** Opens the settings. */
export function createBridgeCoupons(
  ledger: BridgeLedger,
  products: Pick<SnapshotSource, 'describe'>,
  writeCoupon: ShopSource['writeCoupon'],
) {
  let running: Promise<void> | null = null;

  const writeAll = async (
    outbox: Outbox,
    write: NonNullable<ShopSource['writeCoupon']>,
    ending?: AbortSignal,
  ): Promise<void> => {
    const failures: unknown[] = [];
    for (let next = await outbox.next(0); next !== null; next = await outbox.next(next.number)) {
      if (ending?.aborted === true) {
        break;
      }
      try {
        await write(next.sourceId, next.isEnabled);
        await outbox.remove(next.number);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) {
      throw failures[0];
    }
  };

  return {
    list: async (companyId: Id, productId: bigint | null) =>
      [...(await ledger.listCoupons(companyId))]
        .filter(([id]) => productId === null || BigInt(id) === productId)
        .flatMap(([id, isEnabled]) => {
          const product = products.describe(BigInt(id));
          return product === null ? [] : [{ productId: id as Id, isEnabled, productName: product.name }];
        }),
    change:
      (companyId: Id, settings: readonly CouponSetting[], _cause: CouponCause): Effect =>
      () => {
        for (const { productId, isEnabled } of settings) {
          const product = writeCoupon === null ? null : products.describe(BigInt(productId));
          ledger.writeCoupon(companyId, productId, isEnabled, product?.sourceId ?? null);
        }
      },
    /**
     * Writes what waits to the source, until it ends; of all bridges of the ledger one at a time does it. One that cannot
     * be written keeps no other back. Throws what the source threw first, and LedgerError.
     */
    deliver: (ending?: AbortSignal): Promise<void> => {
      running ??= ledger
        .withOutbox(async (outbox) => {
          await (writeCoupon === null ? null : writeAll(outbox, writeCoupon, ending));
        })
        .finally(() => {
          running = null;
        });
      return running;
    },
  } satisfies Coupons & Record<string, unknown>;
}
