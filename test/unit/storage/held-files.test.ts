import { expect, test, vi } from 'vitest';
import { retryWhileHeld } from '../../../app/storage/held-files.ts';

const heldBy = (code: string): Error => Object.assign(new Error(code), { code });

test.each(['EACCES', 'EBUSY', 'EPERM'])('what a program holds for a moment is done when it lets go: %s', (code) => {
  const rename = vi.fn<() => void>();
  rename.mockImplementationOnce(() => {
    throw heldBy(code);
  });
  retryWhileHeld(rename, 'win32');
  expect(rename).toHaveBeenCalledTimes(2);
});

test('what a program does not let go fails at last, and every other failure at once', () => {
  const held = vi.fn<() => void>(() => {
    throw heldBy('EPERM');
  });
  expect(() => {
    retryWhileHeld(held, 'win32');
  }).toThrow('EPERM');
  expect(held).toHaveBeenCalledTimes(8);
  for (const [system, code] of [
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
  ] as const) {
    const failing = vi.fn<() => void>(() => {
      throw heldBy(code);
    });
    expect(() => {
      retryWhileHeld(failing, system);
    }).toThrow(code);
    expect(failing).toHaveBeenCalledTimes(1);
  }
});
