// Owns the list of the products whose coupon is on, waits or was refused, in the order of their names, one page at a time. It
// remembers names and their order between two pages, for finding them takes longest. Never writes.
import type { Catalogue } from './catalogue/catalogue.ts';
import type { CouponRow } from './contract/contract.ts';
import { couponFrom } from './coupon-state.ts';
import type { CouponScope, CouponStore } from './coupons/store.ts';
import type { Failure } from './domain/failure.ts';
import type { Id } from './domain/int64.ts';
import { fail, succeed, type Result } from './domain/result.ts';
import type { OpenCoupon, Owner } from './queue/rows.ts';
import type { QueueStore } from './queue/store.ts';

export type CouponFilter = 'all' | 'enabled' | 'waiting';

export interface CouponListPorts {
  readonly scope: CouponScope;
  readonly owner: () => Owner | null;
  readonly queueStore: Pick<QueueStore, 'openCoupons' | 'knownOwnerId'>;
  readonly coupons: Pick<CouponStore, 'list' | 'readAt'>;
  readonly catalogue: Pick<Catalogue, 'nameOf'>;
  /** Lets everything else have its turn. Answers whether to go on. */
  readonly pause: () => Promise<boolean>;
}

export interface CouponList {
  /** Fails with `notReady` when the store is closed meanwhile. */
  page(filter: CouponFilter, offset: number, limit: number): Promise<Result<{ readonly total: number; readonly rows: readonly CouponRow[] }, Failure>>;
  /** Names may have changed. */
  forgetNames(): void;
}

interface Name {
  readonly productName: string | null;
  readonly code: string | null;
}

const namesAtOnce = 1000;
const byName = new Intl.Collator(['pt-BR', 'en'], { sensitivity: 'base', numeric: true });

/** Makes the list of one open store. */
export function createCouponList({ scope, owner, queueStore, coupons, catalogue, pause }: CouponListPorts): CouponList {
  let names = new Map<Id, Name>();
  // Of all whose names were ever asked for. What is nearly in order already is soon in order again.
  let order: Id[] = [];

  function isWanted(filter: CouponFilter, confirmed: boolean, open: OpenCoupon | undefined): boolean {
    const isEnabled = open === undefined || open.state === 'parked' ? confirmed : open.is_enabled === 1;
    return filter === 'waiting' ? open !== undefined : isEnabled || (filter === 'all' && open !== undefined);
  }

  function compare(left: Id, right: Id): number {
    return byName.compare(names.get(left)?.productName ?? '', names.get(right)?.productName ?? '') || byName.compare(left, right);
  }

  function learn(productIds: readonly Id[]): void {
    for (const productId of productIds) {
      const known = catalogue.nameOf(productId);
      names.set(productId, { productName: known?.name ?? null, code: known?.code ?? null });
    }
  }

  function sort(): void {
    const had = new Set(order);
    order = [...order.filter((productId) => names.has(productId)), ...[...names.keys()].filter((productId) => !had.has(productId))].sort(compare);
  }

  return {
    page: async (filter, offset, limit) => {
      for (;;) {
        const reader = owner();
        // The newest open update of a product is the one that counts; rows come oldest first.
        const open = new Map((reader === null ? [] : queueStore.openCoupons(queueStore.knownOwnerId(reader))).map((row) => [row.subject_id, row]));
        const confirmed = new Map(coupons.list(scope).map((setting) => [setting.productId, setting.isEnabled]));
        const wanted = new Set([...confirmed.keys(), ...open.keys()].filter((productId) => isWanted(filter, confirmed.get(productId) === true, open.get(productId))));
        const unknown = [...wanted].filter((productId) => !names.has(productId));
        if (unknown.length <= namesAtOnce) {
          learn(unknown);
          if (unknown.length > 0 || order.length !== names.size) {
            sort();
          }
          const hasReading = coupons.readAt(scope) !== null;
          const rows = order.filter((productId) => wanted.has(productId)).slice(offset, offset + limit).map((productId): CouponRow => ({
            productId,
            productName: names.get(productId)?.productName ?? null,
            code: names.get(productId)?.code ?? null,
            coupon: couponFrom(confirmed.get(productId) ?? (hasReading ? false : null), open.get(productId)),
          }));
          return succeed({ total: wanted.size, rows });
        }
        for (let place = 0; place < unknown.length; place += namesAtOnce) {
          learn(unknown.slice(place, place + namesAtOnce));
          if (!(await pause())) {
            return fail({ kind: 'notReady' });
          }
        }
        sort();
        if (!(await pause())) {
          return fail({ kind: 'notReady' });
        }
      }
    },
    forgetNames: () => {
      names = new Map();
    },
  };
}
