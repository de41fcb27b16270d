import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { menuOf } from '../../../../app/hosts/electron/menu.ts';

test('the keys that quit on macOS ask who may end Tillside: a kiosk stays, and what waits is asked about', () => {
  let asked = 0;
  const [ofApp, ...others] = menuOf('pt-BR', () => {
    asked += 1;
  });
  const items = ofApp?.submenu as MenuItemConstructorOptions[];
  const quit = items.find(({ accelerator }) => accelerator === 'Command+Q');
  expect([quit?.label, quit?.role]).toEqual(['Encerrar o Tillside', undefined]);
  (quit?.click as (() => void) | undefined)?.();
  expect(asked).toBe(1);
  expect(items.map(({ role }) => role)).not.toContain('quit');
  expect(others.map(({ role }) => role)).toEqual(['editMenu', 'windowMenu']);
});
