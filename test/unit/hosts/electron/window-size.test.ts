import { expect, test } from 'vitest';
import { sizeOnScreen } from '../../../../app/hosts/electron/window-size.ts';

const kept = { width: 1200, height: 800, isMaximized: true };

test.each([
  ['a first start', undefined, { width: 1920, height: 1040 }, { width: 1100, height: 760, isMaximized: false }],
  ['a kept size', kept, { width: 1920, height: 1040 }, kept],
  [
    '1024×768 with a taskbar',
    undefined,
    { width: 1024, height: 728 },
    { width: 1024, height: 728, isMaximized: false },
  ],
  ['1366×768 at 150 %', kept, { width: 911, height: 485 }, { width: 911, height: 485, isMaximized: true }],
  ['1366×768 at 125 %', undefined, { width: 1093, height: 582 }, { width: 1093, height: 582, isMaximized: false }],
  [
    'a size that is none',
    { width: 5, height: '9' },
    { width: 1920, height: 1040 },
    { width: 1100, height: 760, isMaximized: false },
  ],
])('%s fits the screen', (_, stored, screen, shown) => {
  expect(sizeOnScreen(stored, screen)).toEqual(shown);
});
