export type TextField = HTMLInputElement | HTMLTextAreaElement;

const textTypes = new Set(['text', 'search', 'password', 'email', 'url', 'tel', 'number']);

/** True for what a person can type into: not for one that is switched off, which has the focus until the page is drawn. */
export function isTextField(element: unknown): element is TextField {
  return (
    (element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && textTypes.has(element.type))) &&
    !element.matches(':disabled')
  );
}

/** A field as it stood at some moment, with its caret or what was selected in it. */
export interface FieldState {
  readonly field: TextField;
  readonly value: string;
  /** Null for the kinds of field that do not tell it. */
  readonly selection: readonly [number, number, 'forward' | 'backward' | 'none'] | null;
}

/** The field as it stands now. */
export function readField(field: TextField): FieldState {
  const { value, selectionStart, selectionEnd, selectionDirection } = field;
  return {
    field,
    value,
    selection:
      selectionStart === null || selectionEnd === null
        ? null
        : [selectionStart, selectionEnd, selectionDirection ?? 'none'],
  };
}

/** Writes a value so that React sees it, as if it had been typed. */
export function writeField(field: TextField, value: string): void {
  if (field.value === value) {
    return;
  }
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Writes a character at the caret, as if its key had been pressed there; an empty one takes the one before it off. */
export function typeInto(field: TextField, character: string): void {
  const { value, selectionStart, selectionEnd } = field;
  const end = selectionEnd ?? value.length;
  const caret = selectionStart ?? end;
  const start = character === '' && caret === end ? Math.max(0, caret - 1) : caret;
  const typed = value.slice(0, start) + character + value.slice(end);
  if (field.readOnly || field.disabled || (field.maxLength >= 0 && typed.length > field.maxLength)) {
    return;
  }
  writeField(field, typed);
  if (selectionStart !== null) {
    field.setSelectionRange(start + character.length, start + character.length);
  }
}

/** Puts a field back as it stood, with its caret. */
export function restoreField({ field, value, selection }: FieldState): void {
  writeField(field, value);
  if (selection !== null) {
    field.setSelectionRange(...selection);
  }
}
