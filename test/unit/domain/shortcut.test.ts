// The proof that only such keys can call the companion bar as no scanner, no typing and no ordinary command sends.
import { describe, expect, test } from 'vitest';
import { isShortcut, shortcutOf, defaultShortcut } from '../../../app/domain/shortcut.ts';

const press = (code: string, key: string, held = '') => ({
  code,
  key,
  control: held.includes('C'),
  alt: held.includes('A'),
  shift: held.includes('S'),
  super: held.includes('M'),
});

test.each([
  defaultShortcut,
  'Control+Alt+T',
  'Control+Shift+F9',
  'Control+F2',
  'Super+F1',
  'F13',
  'Shift+F24',
  'Control+Alt+Shift+Super+7',
  'Alt+Shift+PageDown',
])('%s may be held', (text) => {
  expect(isShortcut(text)).toBe(true);
});

test.each([
  '',
  'A',
  'Space',
  'F1',
  'F12',
  'Shift+F5',
  'Control+C',
  'Control+]',
  'Alt+F4',
  'Shift+A',
  'Alt+Control+T',
  'Control+Control+T',
  'Control+Alt+Delete',
  'Alt+Tab',
  'Control+Alt',
  'Control+Alt+',
  'F25',
  'Ctrl+Alt+T',
  'Control+Alt+t',
  'CommandOrControl+Alt+T',
])('%j may not', (text) => {
  expect(isShortcut(text)).toBe(false);
});

describe('a press of keys', () => {
  test.each([
    ['the usual one', press('Space', ' ', 'CA'), defaultShortcut],
    ['in the order of writing, however they were pressed', press('F9', 'F9', 'MSAC'), 'Control+Alt+Shift+Super+F9'],
    ['by what the key writes, on a keyboard of another layout', press('KeyQ', 'a', 'CA'), 'Control+Alt+A'],
    ['by its place, when a modifier makes another character of it', press('KeyT', '†', 'CA'), 'Control+Alt+T'],
    ['of a figure under Shift', press('Digit7', '&', 'CS'), 'Control+Shift+7'],
    ['of an arrow', press('ArrowUp', 'ArrowUp', 'CA'), 'Control+Alt+Up'],
    ['of one modifier and a letter', press('KeyC', 'c', 'C'), null],
    ['of a modifier alone', press('ControlLeft', 'Control', 'C'), null],
    ['of a scanner', press('Digit7', '7'), null],
    ['of a separator as scanners send it', press('BracketRight', ']', 'C'), null],
  ])('%s', (_what, pressed, shortcut) => {
    expect(shortcutOf(pressed)).toBe(shortcut);
  });
});
