// A link that the system hands to Tillside: from any page, mail or program, so it may be anything. There are two kinds:
// `tillside://lookup?code=7891000100103` looks a code up, as a scan does; `tillside://coupon?product=7891000100103&on=true`
// asks the person whether to switch a coupon.
import { isLikeBadge } from '../../domain/codes/badge.ts';

export type Link =
  | { readonly kind: 'lookup'; readonly code: string }
  | { readonly kind: 'coupon'; readonly product: string; readonly isEnabled: boolean };

const maxLinkLength = 1000;
const maxCodeLength = 100;
const lookupLink = /^tillside:\/\/lookup\/?\?code=([^&#?]+)$/i;
const couponLink = /^tillside:\/\/coupon\/?\?product=([^&#?]+)&on=(true|false)$/i;

/** The link among a start's arguments, or null. */
export function findLink(args: readonly string[]): string | null {
  return args.find((argument) => /^tillside:/i.test(argument)) ?? null;
}

function codeOf(written: string): string | null {
  try {
    const code = decodeURIComponent(written);
    // Whoever makes a link holds no scanner: a badge's code is refused.
    return code.trim() === '' || code.length > maxCodeLength || /\p{C}/u.test(code) || isLikeBadge(code) ? null : code;
  } catch {
    return null;
  }
}

/** The request in this link; null for one that is not just of these kinds. */
export function readLink(link: string): Link | null {
  if (link.length > maxLinkLength) {
    return null;
  }
  const code = codeOf(lookupLink.exec(link)?.[1] ?? '');
  if (code !== null) {
    return { kind: 'lookup', code };
  }
  const [, written = '', on = ''] = couponLink.exec(link) ?? [];
  const product = codeOf(written);
  return product === null ? null : { kind: 'coupon', product, isEnabled: on.toLowerCase() === 'true' };
}
