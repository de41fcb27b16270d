import { isLikeBadge } from '../../app/domain/codes/badge.ts';
import { openDialog } from '../dom/dialogs.ts';
import { isTextField, writeField, type TextField } from '../dom/fields.ts';
import { provesItself } from './scan-joins.ts';

/** A scan's text has lost them. */
const noMarks = { prefix: '', suffix: '' };

/** Many passwords have an @. */
export const isLikeEmail = (text: string): boolean => /^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(text);

/** Of what stands in front, the form of a sign-in: its e-mail, and the field after it. */
function signInFields(): readonly TextField[] {
  const field = (openDialog() ?? document).querySelector<HTMLInputElement>('input[type="email"]:enabled');
  const fields = [...(field?.form?.elements ?? [])].filter(isTextField);
  return field === null ? [] : fields.slice(fields.indexOf(field));
}

/** Whether the form of a sign-in stands in front. */
export const isSignInShown = (): boolean => signInFields().length > 0;

/** A password's field, or the e-mail's beside it, by `data-takes-typing`. */
export const isSignInField = (element: Element | null): element is TextField =>
  isTextField(element) && element.dataset['takesTyping'] !== undefined;

/**
 * Whether what came into such a field without a pause belongs elsewhere: what a check digit proves to be a product's code, a
 * badge, an e-mail with Tab behind it in a password's field, and in an e-mail's what has no @. `typed` is what the field has
 * got of it, which is not what a scanner of another layout, or with marks around its texts, has read.
 */
export function isElsewhere({ type }: TextField, text: string, typed = text, hasTab = false): boolean {
  const isCode = provesItself(text, noMarks) || isLikeBadge(text);
  return isCode || (type === 'email' ? !typed.includes('@') : hasTab && (isLikeEmail(typed) || isLikeEmail(text)));
}

/**
 * True when a field has received the scan: the focused one, where it asks for scans by `data-takes-scans` or is one of a
 * sign-in; or, of an e-mail, the form of a sign-in, wherever the focus is, for a password manager types the password next.
 */
export function scanInto(text: string): boolean {
  const [emailField, next] = isLikeEmail(text) ? signInFields() : [];
  const focused = document.activeElement;
  if (emailField !== undefined) {
    writeField(emailField, text);
    // At once, for the password may be typed already.
    next?.focus();
    return true;
  }
  const isTaken = isSignInField(focused)
    ? !isElsewhere(focused, text)
    : isTextField(focused) && focused.dataset['takesScans'] !== undefined;
  if (isTaken) {
    writeField(focused as TextField, text);
  }
  return isTaken;
}
