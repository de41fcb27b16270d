import { isLikeBadge } from '../../app/domain/codes/badge.ts';
import { isBehindDialog, openDialog } from '../dom/dialogs.ts';
import { isTextField, writeField, type TextField } from '../dom/fields.ts';
import { provesItself } from './scan-joins.ts';

/** A scan's text has lost them. */
const noMarks = { prefix: '', suffix: '' };

/** Many passwords have an @. */
export const isLikeEmail = (text: string): boolean => /^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(text);

/** The dialog that stands in front, or the page. */
const front = (): ParentNode => openDialog() ?? document;

/** Of what stands in front, the form of a sign-in: its e-mail, and the field after it. */
function signInFields(): readonly TextField[] {
  const field = front().querySelector<HTMLInputElement>('input[type="email"]:enabled');
  const fields = [...(field?.form?.elements ?? [])].filter(isTextField);
  return field === null ? [] : fields.slice(fields.indexOf(field));
}

const secretField = '[data-takes-typing], [data-takes-digits]';

/** Whether a secret can be typed into what stands in front, also while it is tried. */
export const isSecretAsked = (): boolean => front().querySelector(secretField) !== null;

/** The field of a PIN, which has `data-takes-digits`, of another secret, which has `data-takes-typing`, or one beside it. */
export const isBesideSecret = (element: Element | null): boolean =>
  isTextField(element) && element.form !== null && element.form.querySelector(secretField) !== null;

/** So many digits as a PIN's field takes; null of any other field. */
export const digitsOf = ({ dataset: { takesDigits } }: TextField): number | null =>
  takesDigits === undefined ? null : Number(takesDigits);

/**
 * Whether what came into such a field without a pause belongs elsewhere: what a check digit proves to be a product's code, a
 * badge, in a PIN's what is no PIN, an e-mail with Tab behind it in a sign-in's other fields, and in an e-mail's what has no @.
 * `typed` is what the field has got of it, which is not what a scanner of another layout, or with marks around its texts, has
 * read.
 */
export function isElsewhere(field: TextField, text: string, typed = text, hasTab = false): boolean {
  if (provesItself(text, noMarks) || isLikeBadge(text)) {
    return true;
  }
  const atMost = digitsOf(field);
  if (atMost !== null) {
    return !/^\d+$/.test(text) || text.length > atMost;
  }
  return field.type === 'email'
    ? !typed.includes('@')
    : hasTab &&
        (isLikeEmail(typed) || isLikeEmail(text)) &&
        (field.form?.querySelector('[type="email"]') ?? null) !== null;
}

/**
 * True when the scan is not to be looked up. A field has received it: the focused one, where it asks for scans by
 * `data-takes-scans` or is one beside a secret; or, of an e-mail, the form of a sign-in, wherever the focus is, for a password
 * manager types the password next. An e-mail that no field takes is dropped: it is no product's code.
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
  const isTaken =
    isTextField(focused) &&
    !isBehindDialog(focused) &&
    (isBesideSecret(focused)
      ? digitsOf(focused) === null && !isElsewhere(focused, text)
      : focused.dataset['takesScans'] !== undefined);
  if (isTaken) {
    writeField(focused, text);
  }
  return isTaken || isLikeEmail(text);
}
