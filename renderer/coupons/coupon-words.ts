import type { TFunction } from 'i18next';
import type { CouponState } from '../../app/contract/coupons.ts';
import { refusesProduct } from '../formats/field-problems.ts';
import type { ShownCoupon } from './coupons-store.ts';

/** The setting in one word, as far as it is known. */
export function settingOf(isEnabled: boolean | null, t: TFunction): string {
  if (isEnabled === null) {
    return t('coupons.status.unknown');
  }
  return t(isEnabled ? 'coupons.settingOn' : 'coupons.settingOff');
}

/** Where the setting stands, with why it was refused. */
export function wordsOfState({ status, failure }: ShownCoupon, t: TFunction): string {
  return status === 'parked' && failure !== null
    ? t('coupons.status.parkedBecause', {
        reason: t(`failure.${refusesProduct(failure) ? 'notFound' : failure.kind}.says`),
      })
    : t(`coupons.status.${status}`);
}

function stateOfOther({ isParked, isSignInNeeded }: NonNullable<CouponState['ofOther']>) {
  if (isParked) {
    return 'parked';
  }
  return isSignInNeeded ? 'waitsForSignIn' : 'waits';
}

/** Whose change of the same product waits, here or at another till, or needs a decision; null when nobody else's does. */
export function wordsOfOther(
  { ofOther, ofTill }: Pick<CouponState, 'ofOther' | 'ofTill'>,
  t: TFunction,
): string | null {
  const words = [
    ofOther &&
      t(`coupons.ofOther.${stateOfOther(ofOther)}`, {
        email: ofOther.email,
        setting: t(ofOther.isEnabled ? 'coupons.settingOn' : 'coupons.settingOff'),
      }),
    ofTill &&
      t(ofTill.isParked ? 'coupons.ofTill.parked' : 'coupons.ofTill.waits', {
        till: ofTill.till,
        setting: t(ofTill.isEnabled ? 'coupons.settingOn' : 'coupons.settingOff'),
      }),
  ].filter((one) => one !== undefined);
  return words.length === 0 ? null : words.join(' · ');
}
