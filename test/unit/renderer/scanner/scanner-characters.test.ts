// Checks what each key adds to a scan: on whichever keyboard, with Caps Lock, for GS1's separator; and what is taken
// off around a code.
import { describe, expect, it } from 'vitest';
import { readScan } from '../../../../app/domain/codes/scan.ts';
import {
  characterOf,
  separator,
  withoutMarks,
  type KeyPress,
} from '../../../../renderer/scanner/scanner-characters.ts';
import { keyPress } from './played-keys.ts';

const press = (key: string, code = '', more: Partial<KeyPress> = {}): KeyPress => keyPress(key, 0, { code, ...more });

describe('a character', () => {
  it.each([
    ['control and ]', press(']', 'BracketRight', { isChord: true })],
    [
      'control and ] by its place, where the keyboard has another sign there',
      press('+', 'BracketRight', { isChord: true }),
    ],
    ['itself with control', press(separator, '', { isChord: true })],
    ['itself', press(separator)],
    ['F8', press('F8', 'F8')],
  ])('is the separator as %s', (_, key) => {
    expect(characterOf(key, 'asThisComputer')).toBe(separator);
  });

  it.each([
    ['capital without shift under Caps Lock', press('E', 'KeyE', { isCapsLock: true }), 'e'],
    ['small with shift under Caps Lock', press('e', 'KeyE', { isCapsLock: true, isShift: true }), 'E'],
    ['capital with shift', press('E', 'KeyE', { isShift: true }), 'E'],
    ['small that no keys make under Caps Lock', press('e', '', { isCapsLock: true }), 'e'],
    ['digit under Caps Lock', press('7', 'Digit7', { isCapsLock: true }), '7'],
    ['letter of another alphabet', press('Ã', 'KeyA', { isCapsLock: true }), 'ã'],
  ])('is right for a %s', (_, key, character) => {
    expect(characterOf(key, 'asThisComputer')).toBe(character);
  });

  it.each([
    [press('+', 'BracketRight'), ']'],
    [press('&', 'Digit1'), '1'],
    [press('1', 'Digit1', { isShift: true }), '!'],
    [press('Dead', 'Backquote', { isShift: true }), '~'],
    [press('a', 'KeyA', { isCapsLock: true, isShift: true }), 'A'],
    [press('Home', 'Numpad7'), '7'],
    [press('F8', 'F8'), separator],
    [press('ArrowDown', 'ArrowDown'), null],
  ])('is read by its place for an American scanner: %j', (key, character) => {
    expect(characterOf(key, 'american')).toBe(character);
  });
});

describe('what is added around a code', () => {
  it.each([
    ['~7891', '~', '', '7891'],
    ['7891', '~', '', '7891'],
    [']E0~7891', '~', '', ']E07891'],
    ['~]E07891#', '~', '#', ']E07891'],
    ['~', '~', '', '~'],
    ['##', '#', '#', '##'],
    ['~~', '~', '~', '~~'],
    ['0100012345678905<GS>10A{gs}21B', '', '', `0100012345678905${separator}10A${separator}21B`],
  ])('is taken off %j (%j, %j), unless nothing would be left', (text, prefix, suffix, code) => {
    expect(withoutMarks(text, { prefix, suffix })).toBe(code);
  });

  it.each([
    [']E07891234567895', '7891234567895', 'barcode'],
    [']C10107891234567895', '7891234567895', 'gs1'],
    [']d20107891234567895', '7891234567895', 'gs1'],
    [']e00107891234567895', '7891234567895', 'gs1'],
    [']Q30107891234567895', '7891234567895', 'gs1'],
  ])('leaves the symbology identifier, by which the code is read: %s', (text, gtin, as) => {
    const reading = readScan(withoutMarks(`~${text}`, { prefix: '~', suffix: '' }), { year: 2026, layouts: [] });
    expect(as === 'barcode' ? reading.code : reading.meanings[0]).toEqual(
      as === 'barcode' ? gtin : expect.objectContaining({ as, gtin }),
    );
  });
});
