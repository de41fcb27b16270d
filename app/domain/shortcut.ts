/** In the order in which a shortcut names them. */
const shortcutModifiers = ['Control', 'Alt', 'Shift', 'Super'] as const;

const namedKeys = ['Space', 'Insert', 'Home', 'End', 'PageUp', 'PageDown', 'Up', 'Down', 'Left', 'Right'] as const;
type NamedKey = (typeof namedKeys)[number];

/** The shortcut that calls the bar until somebody chooses another. */
export const defaultShortcut = 'Control+Alt+Space';

/** A press of keys as a page is told of it; `code` is the key's place, `key` what it writes (UI Events §6). */
export interface KeyPress {
  readonly code: string;
  readonly key: string;
  readonly control: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly super: boolean;
}

function functionKeyOf(key: string): number {
  const number = /^F([1-9]|1\d|2[0-4])$/.exec(key)?.[1];
  return number === undefined ? 0 : Number(number);
}

/** True for one of the ten keys that are named and not written. */
function isNamedKey(key: string): key is NamedKey {
  return namedKeys.some((name) => name === key);
}

/**
 * True for a shortcut that may be held in the whole system: a letter, figure or named key with two modifiers, one of F1
 * to F12 with Control, Alt or Super, or one of F13 to F24. One modifier and a letter is some program's command, and
 * what scanners send as control characters.
 */
export function isShortcut(text: string): boolean {
  const parts = text.split('+');
  const key = parts.at(-1) ?? '';
  const held = parts.slice(0, -1);
  const inOrder = shortcutModifiers.filter((modifier) => held.includes(modifier));
  if (inOrder.join('+') !== held.join('+') || text === 'Alt+F4') {
    return false;
  }
  const number = functionKeyOf(key);
  if (number > 0) {
    return number > 12 || held.some((modifier) => modifier !== 'Shift');
  }
  return held.length >= 2 && (/^[A-Z0-9]$/.test(key) || isNamedKey(key));
}

function keyOf({ code, key }: KeyPress): string | null {
  const named = code.startsWith('Arrow') ? code.slice('Arrow'.length) : code;
  if (isNamedKey(named) || functionKeyOf(named) > 0) {
    return named;
  }
  if (/^[a-z]$/i.test(key)) {
    return key.toUpperCase();
  }
  // A modifier may have made another character of it.
  return (
    /^(?:Key([A-Z])|Digit(\d))$/
      .exec(code)
      ?.slice(1)
      .find((found) => found !== undefined) ?? null
  );
}

/** The shortcut that a press of keys stands for; null when it may not be one. */
export function shortcutOf(press: KeyPress): string | null {
  const key = keyOf(press);
  const held = { Control: press.control, Alt: press.alt, Shift: press.shift, Super: press.super };
  const text = [...shortcutModifiers.filter((modifier) => held[modifier]), key].join('+');
  return key !== null && isShortcut(text) ? text : null;
}
