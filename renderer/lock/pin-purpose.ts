import type { Channel, InvokeInput } from '../../app/contract/contract.ts';
import type { Id } from '../../app/domain/int64.ts';

/** What a call that waits for the PIN would do, where the kind of lock alone does not say it. */
export type PinPurpose =
  | { readonly does: 'couponOn' | 'couponOff'; readonly productId: Id }
  | { readonly does: 'couponsOn' | 'couponsOff' | 'sets' | 'minima' };

export function purposeOf<Name extends Channel>(channel: Name, input: InvokeInput<Name>): PinPurpose | null {
  if (channel === 'coupon:switch') {
    const { productId, isEnabled } = input as InvokeInput<'coupon:switch'>;
    return { does: isEnabled ? 'couponOn' : 'couponOff', productId };
  }
  if (channel === 'coupon:switchMany') {
    return { does: (input as InvokeInput<'coupon:switchMany'>).isEnabled ? 'couponsOn' : 'couponsOff' };
  }
  if (channel.startsWith('couponSet:')) {
    return { does: 'sets' };
  }
  return channel === 'watchList:set' ? { does: 'minima' } : null;
}
