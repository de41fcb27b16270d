import { later } from '../dom/clock.ts';
import { openDialog } from '../dom/dialogs.ts';
import { isTextField, writeField, type TextField } from '../dom/fields.ts';

/** Many passwords have an @. */
export const isLikeEmail = (text: string): boolean => /^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(text);

/** Of what stands in front, the form of a sign-in: its e-mail, and the field after it. */
function signInFields(): readonly TextField[] {
  const field = (openDialog() ?? document).querySelector<HTMLInputElement>('input[type="email"]:enabled');
  const fields = [...(field?.form?.elements ?? [])].filter(isTextField);
  return field === null ? [] : fields.slice(fields.indexOf(field));
}

/**
 * True when a field has received the scan: the focused one by `data-takes-scans`; or, of an e-mail, the form of a sign-in,
 * wherever the focus is, for a password manager types the password next.
 */
export function scanInto(text: string): boolean {
  const [emailField, next] = isLikeEmail(text) ? signInFields() : [];
  const focused = document.activeElement;
  if (emailField !== undefined) {
    writeField(emailField, text);
    // After the key that has ended it.
    later(0, () => next?.focus());
  } else if (isTextField(focused) && focused.dataset['takesScans'] !== undefined) {
    writeField(focused, text);
  } else {
    return false;
  }
  return true;
}
