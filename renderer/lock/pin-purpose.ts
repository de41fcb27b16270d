import type { Channel, InvokeInput } from '../../app/contract/contract.ts';
import type { Id } from '../../app/domain/int64.ts';
import { countProducts } from '../formats/products.ts';

/** What a call that waits for the PIN would do, where the kind of lock alone does not say it. */
export type PinPurpose =
  | { readonly does: 'couponOn' | 'couponOff'; readonly productId: Id }
  | { readonly does: 'minimum'; readonly productId: Id; readonly minimum: number }
  | { readonly does: 'noMinimum'; readonly productId: Id }
  | { readonly does: 'minima'; readonly count: number; readonly minimum: number }
  | { readonly does: 'mixedMinima'; readonly count: number }
  | { readonly does: 'saveSet'; readonly name: string }
  | { readonly does: 'couponsOn' | 'couponsOff' | (typeof plain)[keyof typeof plain] };

/** What a call does is said by its name alone. */
const plain = {
  'couponSet:plan': 'planSet',
  'couponSet:remove': 'removeSet',
  'couponSet:removePlan': 'removePlan',
  'couponSet:skip': 'skipPlan',
  'hub:join': 'joinHub',
  'hub:leave': 'leaveHub',
  'hub:remove': 'removeTill',
  'provisioning:export': 'saveShopFile',
  'provisioning:open': 'openShopFile',
  'shopLists:export': 'saveLists',
  'shopLists:take': 'takeLists',
} as const;

function purposeOfMinima({ minima }: InvokeInput<'watchList:set'>): PinPurpose {
  const count = countProducts(minima);
  const [productId, minimum] = [minima[0]?.productId ?? null, minima[0]?.minimum ?? null];
  const isOne = minima.every((each) => each.minimum === minimum);
  if (count === 1 && productId !== null && isOne) {
    return minimum === null ? { does: 'noMinimum', productId } : { does: 'minimum', productId, minimum };
  }
  return isOne && minimum !== null ? { does: 'minima', count, minimum } : { does: 'mixedMinima', count };
}

export function purposeOf<Name extends Channel>(channel: Name, input: InvokeInput<Name>): PinPurpose | null {
  if (channel === 'coupon:switch') {
    const { productId, isEnabled } = input as InvokeInput<'coupon:switch'>;
    return { does: isEnabled ? 'couponOn' : 'couponOff', productId };
  }
  if (channel === 'coupon:switchMany') {
    return { does: (input as InvokeInput<'coupon:switchMany'>).isEnabled ? 'couponsOn' : 'couponsOff' };
  }
  if (channel === 'couponSet:save') {
    return { does: 'saveSet', name: (input as InvokeInput<'couponSet:save'>).name };
  }
  if (channel in plain) {
    return { does: plain[channel as keyof typeof plain] };
  }
  return channel === 'watchList:set' ? purposeOfMinima(input as InvokeInput<'watchList:set'>) : null;
}
