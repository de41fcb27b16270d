import type { MenuItemConstructorOptions } from 'electron';
import { wordsFor } from '../messages.ts';

/**
 * The menu that carries macOS' shortcuts, in the language of this tag. Its usual way to quit asks nobody: it would end a
 * kiosk and a check station without the PIN.
 */
export const menuOf = (tag: string, quit: () => void): MenuItemConstructorOptions[] => [
  {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { label: wordsFor(tag).electron.tray.quit, accelerator: 'Command+Q', click: quit },
    ],
  },
  { role: 'editMenu' },
  { role: 'windowMenu' },
];
