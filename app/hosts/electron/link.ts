// A link that the system hands to Tillside: from any page, mail or program, so it may be anything. There are two kinds:
// `tillside://lookup?code=7891000100103` looks a code up, as a scan does; `tillside://coupon?product=7891000100103&on=true`
// asks the person whether to switch a coupon.
import type { App } from 'electron';
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

type Answer = (meant: unknown) => void;

/** A start takes seconds; a person who sees nothing yet asks a few times. */
const maxHeld = 10;

/** What later starts of the app ask for, the first of which may come before there is a terminal. */
export type HeldStarts = ReturnType<typeof holdStarts>;

/** Holds what later starts hand over until something answers them. */
export function holdStarts(app: Pick<App, 'on' | 'whenReady'>) {
  const held: unknown[] = [];
  let answer: Answer = (meant) => {
    held.push(meant);
    held.splice(0, held.length - maxHeld);
  };
  // The command line that comes along has been rearranged by Chromium; what was meant is handed over beside it.
  app.on('second-instance', (_event, _line, _folder, meant) => answer(meant));
  // macOS hands over a link by itself: one by which it starts the app comes before the app is ready, and does nothing else.
  void app.whenReady().then(() => {
    app.on('open-url', (event, link) => {
      event.preventDefault();
      answer({ companion: false, link });
    });
  });
  return {
    /** Answers those that wait, and all that come. To be called once. */
    answerWith: (given: Answer): void => {
      answer = given;
      held.splice(0).forEach((meant) => given(meant));
    },
  };
}
