// The coupon settings of a bridge. The ledger has them. Where the source keeps coupons too, a change waits there in the
// same transaction as the answer to the till, and is written to the source in the order in which the changes came; one
// that could not be written waits on. After a crash the last one may be written again, with the value that it had.
import { parseId, type Id } from '../domain/int64.ts';
import type { CouponCause, Coupons, CouponSetting, Effect } from '../service/ports.ts';
import { beforeFirst, type BridgeLedger, type Outbox, type Pending } from './ledger/ledger.ts';
import type { ShopSource } from './sources/shop-source.ts';
import type { SnapshotSource } from './snapshot/source.ts';

type Write = NonNullable<ShopSource['writeCoupon']>;

/** Opens the settings. */
export function createBridgeCoupons(
  ledger: BridgeLedger,
  products: Pick<SnapshotSource, 'describe' | 'keyOf' | 'listCoupons' | 'namesOf' | 'readAt'>,
  writeCoupon: ShopSource['writeCoupon'],
  /** Told of a product for which the source says that nothing has changed, or then another coupon than it was told. */
  note: (event: 'couponChangedNothing' | 'couponOtherwise', sourceId: string) => void,
) {
  const changed = new Set<Id>();
  /** What the source has been told, and the ledger could not note. */
  const told = new Set<bigint>();
  let running: Promise<void> | null = null;

  const writeOne = async ({ sourceId, isEnabled }: Pending, write: Write): Promise<void> => {
    const isWritten = await write(products.keyOf(sourceId) ?? sourceId, isEnabled);
    if (!isWritten) {
      note('couponChangedNothing', sourceId);
    }
  };
  const writeAll = async (outbox: Outbox, write: Write, ending?: AbortSignal): Promise<void> => {
    const failures: unknown[] = [];
    for (let next = await outbox.next(beforeFirst); next !== null; next = await outbox.next(next.number)) {
      if (ending?.aborted === true) {
        break;
      }
      try {
        await (told.has(next.number) ? null : writeOne(next, write));
      } catch (error) {
        failures.push(error);
        continue;
      }
      told.add(next.number);
      // Where that fails, no other could be noted either.
      await outbox.remove(next.number);
    }
    // A number that is free is given again.
    told.clear();
    if (failures.length > 0) {
      throw failures[0];
    }
  };

  /** Those of rows that are whole: another one is no product's, and must cost none its coupon. */
  const switchedHere = async (companyId: Id): Promise<readonly (readonly [Id, boolean])[]> =>
    [...(await ledger.listCoupons(companyId))].flatMap(([written, isEnabled]) => {
      const id = parseId(written);
      return id === written ? [[id, isEnabled] as const] : [];
    });
  const ofSource = (productId: bigint | null): readonly (readonly [string, boolean])[] => {
    const named = productId === null ? null : (products.describe(productId)?.coupon ?? null);
    const all = productId === null ? products.listCoupons().map((id) => [id, true] as const) : [];
    return named === null ? all : [[String(productId), named]];
  };

  return {
    /** Those of the source, and over them what was switched here and the source may not say yet. */
    list: async (companyId: Id, productId: bigint | null) => {
      const settings = [...new Map([...ofSource(productId), ...(await switchedHere(companyId))])].filter(
        ([id]) => productId === null || BigInt(id) === productId,
      );
      const names = products.namesOf(settings.map(([id]) => id as Id));
      return settings.flatMap(([id, isEnabled]) => {
        const productName = names.get(id as Id);
        return productName === undefined ? [] : [{ productId: id as Id, isEnabled, productName }];
      });
    },
    change:
      (companyId: Id, settings: readonly CouponSetting[], _cause: CouponCause): Effect =>
      () => {
        for (const { productId, isEnabled } of settings) {
          const product = writeCoupon === null ? null : products.describe(BigInt(productId));
          ledger.writeCoupon(companyId, productId, isEnabled, product?.sourceId ?? null);
          changed.add(productId);
        }
      },
    /**
     * Before the source is read. Where it says how coupons are, it is believed, when it has been read, for all that it
     * had been told before; what is answered does so.
     */
    beforePass: async (companyId: Id): Promise<() => void> => {
      const { leaving } = ledger;
      changed.clear();
      // What the source is never told, it cannot say.
      if (leaving === null || writeCoupon === null) {
        return () => undefined;
      }
      const waiting = leaving.listPending();
      const before = await switchedHere(companyId);
      return () => {
        const forgotten = before.flatMap(([id, isEnabled]) => {
          // Of a product that was gone until now, the new reading alone has the source's id.
          const { coupon = null, sourceId = '' } = products.describe(BigInt(id)) ?? {};
          if (changed.has(id) || waiting.has(sourceId) || coupon === null) {
            return [];
          }
          if (coupon !== isEnabled) {
            note('couponOtherwise', sourceId);
          }
          return [id];
        });
        leaving.forgetCoupons(companyId, forgotten);
      };
    },
    /**
     * Writes what waits to the source, until it ends; of all bridges of the ledger one at a time does it. One that cannot
     * be written keeps no other back. Throws what the source threw first, and LedgerError.
     */
    deliver: (ending?: AbortSignal): Promise<void> => {
      running ??= ledger
        .withOutbox(async (outbox) => {
          // Before the first reading nobody knows how the source writes its ids.
          await (writeCoupon === null || products.readAt() === null ? null : writeAll(outbox, writeCoupon, ending));
        })
        .finally(() => {
          running = null;
        });
      return running;
    },
  } satisfies Coupons & Record<string, unknown>;
}
