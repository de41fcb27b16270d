//   M1  Nothing is accepted when the queue has no room for all of it.
//   M2  Each slice is one durable transaction, for the user for whom it was counted; the answer names what is on disk
//       and no more.
//   M3  A crash between two slices leaves whole slices: ordinary updates, each sent once.
//   M4  What has not left can be taken back for a few seconds, in which nothing new is sealed, and not after a minute,
//       whatever waits; what gave way to it stands again then, unless somebody else has asked for something of the same
//       product since.
//   M5  What an old reading, or another till alone, shows to be so is asked for all the same; it is compared before
//       anything of it is sent.
import type { CouponState, ManyCounted, ManySwitched, ManyTakenBack, SwitchMany } from '../contract/coupons.ts';
import { couponFrom } from './coupon-state.ts';
import type { CouponScope, CouponRepository } from './repository.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import type { CouponWish } from '../queue/intake-many.ts';
import type { Queue } from '../queue/queue.ts';
import type { Owner } from '../queue/rows.ts';
import type { QueueRepository } from '../queue/repository.ts';

/** For so long after a slice nothing new is sealed. */
export const undoForMs = 8_000;

export interface CouponManyPorts {
  readonly scope: CouponScope;
  readonly clock: Clock;
  readonly owner: () => Owner | null;
  readonly isOnline: () => boolean;
  /** Whether the settings were read whole just now. */
  readonly isReadFresh: () => boolean;
  readonly queue: Pick<Queue, 'rest' | 'noticeRows'>;
  readonly queueRepository: Pick<
    QueueRepository,
    'ownerId' | 'openOfProduct' | 'openCoupons' | 'enqueueMany' | 'isJustAsked' | 'takeBack' | 'find' | 'room'
  >;
  readonly coupons: Pick<CouponRepository, 'confirmedOf' | 'hearsay'>;
}

export interface WishPorts extends Pick<CouponManyPorts, 'scope' | 'coupons'> {
  readonly queueRepository: Pick<QueueRepository, 'openOfProduct' | 'openCoupons'>;
}

/** For so many all open updates are read at once. */
const manyFrom = 500;

/** Each call takes a slice, and fails with `signInNeeded` or throws StorageError. */
export type CouponMany = ReturnType<typeof createCouponMany>;

/**
 * The settings asked of these products, and how many of them take a new place in the queue, or are shown as
 * wanted already; nothing of one that is, where `isSettled` trusts that. What another till alone says is so, nobody has
 * seen.
 */
export function couponWishes(
  { scope, queueRepository, coupons }: WishPorts,
  productIds: readonly Id[],
  isEnabled: boolean,
  ownerId: number,
  isSettled: (coupon: CouponState) => boolean,
): {
  readonly wishes: readonly CouponWish[];
  readonly needed: number;
  readonly unsure: number;
  readonly hasHearsay: boolean;
} {
  let [needed, unsure, hasHearsay] = [0, 0, false];
  const hearsay = coupons.hearsay(scope);
  const isMany = productIds.length >= manyFrom;
  // Oldest first: the newest of a product stays.
  const newest = new Map((isMany ? queueRepository.openCoupons(ownerId) : []).map((row) => [row.subject_id, row]));
  const confirmed = coupons.confirmedOf(scope, productIds);
  const wishes = productIds.flatMap((productId) => {
    const open = isMany ? newest.get(productId) : queueRepository.openOfProduct(ownerId, productId);
    const coupon = couponFrom(confirmed(productId), open, null);
    const isSo = coupon.isEnabled === isEnabled;
    const isHearsay = isSo && (coupon.status === 'confirmed' || coupon.status === 'parked') && hearsay.has(productId);
    if (isSo && !isHearsay && isSettled(coupon)) {
      return [];
    }
    unsure += isSo ? 1 : 0;
    hasHearsay ||= isHearsay;
    needed += open === undefined || open.state === 'sealed' ? 1 : 0;
    return [{ productId, isEnabled, seen: isHearsay ? null : coupon.isEnabled }];
  });
  return { wishes, needed, unsure, hasHearsay };
}

/** Whether what a switch shows needs nothing more: it waits to be so, or the platform has said so just now. */
export function isSettledNow({ status }: Pick<CouponState, 'status'>, isReadFresh: boolean): boolean {
  // mutant: many switched at once leave out what an old reading shows to be so already (M5)
  return status === 'waiting' || status === 'sending' || isReadFresh;
}

/** Makes the switching of one open store. */
export function createCouponMany(ports: CouponManyPorts) {
  const { clock, owner, isOnline, isReadFresh, queue, queueRepository } = ports;

  function wishesOf(productIds: readonly Id[], isEnabled: boolean, ownerId: number) {
    const isFresh = isReadFresh();
    return couponWishes(ports, productIds, isEnabled, ownerId, (coupon) => isSettledNow(coupon, isFresh)); // M5
  }

  function asOwner<Value>(action: (ownerId: number) => Result<Value, Failure>): Result<Value, Failure> {
    const now = owner();
    return now === null ? fail({ kind: 'signInNeeded' }) : action(queueRepository.ownerId(now));
  }

  return {
    count: (productIds: readonly Id[], isEnabled: boolean): Result<ManyCounted, Failure> =>
      asOwner((ownerId) => {
        const { wishes, needed, unsure } = wishesOf(productIds, isEnabled, ownerId);
        return succeed({
          willChange: wishes.length - unsure,
          unsure,
          already: productIds.length - wishes.length,
          needed,
          room: queueRepository.room(),
          ownerId,
        });
      }),
    /** Fails with `queueFull`, with nothing accepted, without the room that is needed (M1). */
    switchSlice: ({ productIds, isEnabled, ownerId: countedFor, needed }: SwitchMany): Result<ManySwitched, Failure> =>
      asOwner((ownerId) => {
        if (ownerId !== countedFor) {
          return fail({ kind: 'signInNeeded' });
        }
        if (needed > 0 && needed > queueRepository.room()) {
          return fail({ kind: 'queueFull' }); // M1
        }
        const { wishes, hasHearsay } = wishesOf(productIds, isEnabled, ownerId);
        const isSeenFresh = isOnline() && !hasHearsay;
        const updateIds = queueRepository.enqueueMany(wishes, { ownerId, isSeenFresh, now: clock.now() });
        if (updateIds.length > 0) {
          queue.rest(undoForMs);
          queue.noticeRows();
        }
        return succeed({ updateIds: [...updateIds], already: productIds.length - wishes.length, undoForMs });
      }),
    /** Fails with `notFoundHere` when it is too late for all of them or they are another's. */
    takeBack: (updateIds: readonly number[], isLast: boolean): Result<ManyTakenBack, Failure> =>
      asOwner((ownerId) => {
        const now = clock.now();
        const taken = updateIds.filter((updateId) => {
          const row = queueRepository.find(updateId);
          return row?.owner_id === ownerId && row.kind === 'coupon' && queueRepository.isJustAsked(row, now);
        });
        if (taken.length === 0) {
          return fail({ kind: 'notFoundHere' });
        }
        const answer = queueRepository.takeBack(taken, now);
        queue.rest(isLast ? 0 : undoForMs);
        queue.noticeRows();
        return succeed(answer);
      }),
  };
}
