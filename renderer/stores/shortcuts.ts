// Pure: the key handler and the dialog that lists the shortcuts read the same table.
//
// Free of meaning elsewhere: F8 and Alt with digits are how scanners send GS1's separator; F3, F5 to F7, F10 to F12,
// Alt with D, E or F and Control with most letters belong to the browser or the system; screen readers take Insert,
// Caps Lock and Control with Alt, which is also how keyboards write their third signs. Control with L, which leads to the
// browser's address, is what people know for locking; Control with +, - and 0 is what they know for larger letters, and in
// a browser it stays the browser's. Enter and Tab end a scan. The letters are in the word for the thing in all three
// languages where there is such a letter.
import type { Screen } from './navigation.ts';

/** Where a key has its meaning; `everywhere` is every screen after the sign-in. */
export const places = ['everywhere', 'lookup', 'stocktakes', 'coupons'] as const;
export type Place = (typeof places)[number];

interface Press {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export const shortcuts = [
  { id: 'home', place: 'everywhere', key: 'Escape' },
  { id: 'help', place: 'everywhere', key: 'F1' },
  { id: 'search', place: 'everywhere', key: 'I', withAlt: true },
  { id: 'lookup', place: 'everywhere', key: 'L', withAlt: true },
  { id: 'stock', place: 'everywhere', key: 'O', withAlt: true },
  { id: 'stocktakes', place: 'everywhere', key: 'T', withAlt: true },
  { id: 'coupons', place: 'everywhere', key: 'C', withAlt: true },
  { id: 'queue', place: 'everywhere', key: 'Q', withAlt: true },
  { id: 'users', place: 'everywhere', key: 'U', withAlt: true },
  { id: 'settings', place: 'everywhere', key: 'A', withAlt: true },
  { id: 'rateLimit', place: 'everywhere', key: 'R', withAlt: true },
  { id: 'lockTill', place: 'everywhere', key: 'L', withCtrl: true },
  { id: 'largerText', place: 'everywhere', key: '+', withCtrl: true },
  { id: 'smallerText', place: 'everywhere', key: '-', withCtrl: true },
  { id: 'normalText', place: 'everywhere', key: '0', withCtrl: true },
  { id: 'details', place: 'lookup', key: 'F2' },
  { id: 'coupon', place: 'lookup', key: 'F4' },
  { id: 'label', place: 'lookup', key: 'F9' },
  { id: 'refresh', place: 'lookup', key: 'N', withAlt: true },
  { id: 'copy', place: 'lookup', key: 'P', withAlt: true },
  { id: 'quantity', place: 'stocktakes', key: 'M', withAlt: true },
  { id: 'undo', place: 'stocktakes', key: 'Z', withAlt: true },
] as const satisfies readonly {
  readonly id: string;
  readonly place: Place;
  readonly key: string;
  readonly withAlt?: true;
  readonly withCtrl?: true;
}[];

export type Shortcut = (typeof shortcuts)[number];
export type ShortcutId = Shortcut['id'];

/** The screens that a key leads to. */
export const screenShortcuts = [
  'lookup',
  'stock',
  'stocktakes',
  'coupons',
  'queue',
  'users',
  'settings',
  'rateLimit',
] as const satisfies readonly (ShortcutId & Screen)[];

/** Keys that fields and lists understand by themselves; the dialog tells them, too. */
export const defaultKeys = [
  { id: 'list', place: 'everywhere', keys: ['↓', '↑'] },
  { id: 'enter', place: 'lookup', keys: ['Enter'] },
  { id: 'arrows', place: 'lookup', keys: ['↑', '↓'] },
  { id: 'number', place: 'lookup', keys: ['1', '2', '…', '9'] },
  { id: 'choose', place: 'coupons', keys: ['Space'] },
  { id: 'range', place: 'coupons', keys: ['Shift', '↑', '↓'] },
  { id: 'all', place: 'coupons', keys: ['Ctrl', 'A'] },
  { id: 'flip', place: 'coupons', keys: ['Enter'] },
] as const satisfies readonly { readonly id: string; readonly place: Place; readonly keys: readonly string[] }[];

const isLetter = /^[a-z]$/i;
const isSign = /^[-+0]$/;

/**
 * The meaning of a key; null when it has none here. A keyboard that writes another sign under Alt is asked for the
 * key's place.
 */
export function shortcutOf({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Press): ShortcutId | null {
  // On many keyboards + is written with Shift, and the key alone writes =.
  const sign = ctrlKey && key === '=' ? '+' : key;
  if (metaKey || (shiftKey && sign !== '+') || (ctrlKey && altKey)) {
    return null;
  }
  const letter = isLetter.test(key) ? key.toUpperCase() : code.replace(/^Key/, '');
  const chord = ctrlKey && isSign.test(sign) ? sign : letter;
  const name = altKey || ctrlKey ? chord : key;
  return (
    shortcuts.find(
      (shortcut) => shortcut.key === name && 'withAlt' in shortcut === altKey && 'withCtrl' in shortcut === ctrlKey,
    )?.id ?? null
  );
}

const shortcutWith = (id: ShortcutId): Shortcut => shortcuts.find((shortcut) => shortcut.id === id) ?? shortcuts[0];

/** Where a shortcut has its meaning. */
export function placeOf(id: ShortcutId): Place {
  return shortcutWith(id).place;
}

/** The keys as they are written on the keyboard. */
export function keysOf(id: ShortcutId): readonly string[] {
  const shortcut = shortcutWith(id);
  const name = shortcut.key === 'Escape' ? 'Esc' : shortcut.key;
  return [...('withAlt' in shortcut ? ['Alt'] : []), ...('withCtrl' in shortcut ? ['Ctrl'] : []), name];
}

/** As `aria-keyshortcuts` wants it. */
export function ariaKeysOf(id: ShortcutId): string {
  const shortcut = shortcutWith(id);
  const alt = 'withAlt' in shortcut ? 'Alt+' : '';
  return `${'withCtrl' in shortcut ? 'Control+' : alt}${shortcut.key}`;
}
