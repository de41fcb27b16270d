import { describe, expect, it } from 'vitest';
import {
  ariaKeysOf,
  keysOf,
  places,
  screenShortcuts,
  shortcutOf,
  shortcuts,
  defaultKeys,
} from '../../../../renderer/stores/shortcuts.ts';
import { createShortcutActions } from '../../../../renderer/stores/shortcut-actions.ts';
import { screenOf } from '../../../../renderer/stores/navigation.ts';
import { sentences } from '../../../support/sentences.ts';

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const press = (key: string, more: Partial<typeof none> & { code?: string } = {}) =>
  shortcutOf({ key, code: more.code ?? '', ...none, ...more });

describe('the table', () => {
  it('has no key and no meaning twice', () => {
    const keys = shortcuts.map(({ id }) => ariaKeysOf(id));
    expect(new Set(keys).size).toBe(shortcuts.length);
    expect(new Set(shortcuts.map(({ id }) => id)).size).toBe(shortcuts.length);
  });

  it('takes no key that ends or splits scans, or that browsers, screen readers or keyboards need', () => {
    const taken = [
      'Enter',
      'Tab',
      'F8',
      'F3',
      'F5',
      'F6',
      'F7',
      'F10',
      'F11',
      'F12',
      'Alt+D',
      'Alt+E',
      'Alt+F',
      'Alt+F4',
      'Alt+Home',
      'Insert',
      'CapsLock',
      ' ',
    ];
    expect(
      shortcuts
        .map(({ id }) => ariaKeysOf(id))
        .filter((keys) => taken.includes(keys) || /Alt\+\d|Control\+(?![-L+0]$)/.test(keys)),
    ).toEqual([]);
  });

  it('has a key for every screen of the rail, and each leads to a screen that there is', () => {
    expect(screenShortcuts.map((screen) => screenOf(`#${screen}`))).toEqual([...screenShortcuts]);
  });

  it.each(Object.values(sentences))('has a word for each thing and place', (words) => {
    const named = { ...words.help.keyboard.does, ...words.shell.screen } as Record<string, string>;
    expect(shortcuts.map(({ id }) => named[id]).filter((word) => word === undefined)).toEqual([]);
    expect(
      defaultKeys
        .map(({ id }) => (words.help.keyboard.default as Record<string, string>)[id])
        .filter((word) => word === undefined),
    ).toEqual([]);
    expect(places.filter((place) => place !== 'everywhere' && !(place in words.shell.screen))).toEqual([]);
  });
});

describe('a key', () => {
  it('means what is written, alone or with Alt', () => {
    expect([
      press('F2'),
      press('F4'),
      press('Escape'),
      press('l', { altKey: true }),
      press('L', { altKey: true }),
    ]).toEqual(['details', 'coupon', 'home', 'lookup', 'lookup']);
    expect([keysOf('home'), keysOf('lookup'), ariaKeysOf('home'), ariaKeysOf('lookup')]).toEqual([
      ['Esc'],
      ['Alt', 'L'],
      'Escape',
      'Alt+L',
    ]);
  });

  it('means the size of the text with Control, also where Shift writes the sign', () => {
    expect([
      press('+', { ctrlKey: true }),
      press('=', { ctrlKey: true, code: 'Equal' }),
      press('+', { ctrlKey: true, shiftKey: true, code: 'Equal' }),
      press('-', { ctrlKey: true }),
      press('0', { ctrlKey: true }),
    ]).toEqual(['largerText', 'largerText', 'largerText', 'smallerText', 'normalText']);
    expect([
      press('-', { ctrlKey: true, shiftKey: true }),
      press('0', { ctrlKey: true, altKey: true }),
      press('+'),
      press('0'),
      press('=', { altKey: true, code: 'Equal' }),
    ]).toEqual([null, null, null, null, null]);
  });

  it('means nothing with other keys held, and a letter alone is typing', () => {
    expect([
      press('l'),
      press('F2', { altKey: true }),
      press('l', { altKey: true, ctrlKey: true }),
      press('l', { altKey: true, shiftKey: true }),
      press('F2', { metaKey: true }),
      press('F8'),
    ]).toEqual([null, null, null, null, null, null]);
  });

  it('is known by its place where the keyboard writes another sign under Alt', () => {
    expect(press('¬', { altKey: true, code: 'KeyL' })).toBe('lookup');
  });
});

describe('an action', () => {
  it('is the newest that is offered, and the one before it when that has gone', () => {
    const actions = createShortcutActions();
    const done: string[] = [];
    expect(actions.run('copy')).toBe(false);
    actions.offer('copy', () => done.push('first'));
    const takeBack = actions.offer('copy', () => done.push('second'));
    expect(actions.run('copy')).toBe(true);
    takeBack();
    actions.run('copy');
    expect(done).toEqual(['second', 'first']);
  });
});
