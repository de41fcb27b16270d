import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  autostartEntryPath,
  isAutostartEntryOn,
  quoteForWindows,
  writeAutostartEntry,
} from '../../../../app/hosts/electron/autostart-entry.ts';

test('the entry starts the program with its flags, whatever stands in them', () => {
  const entry = writeAutostartEntry({
    program: '/home/me/My Apps/Tillside.AppImage',
    flags: ['--data-dir', String.raw`/data/50% $HOME "x" \y`],
  });
  expect(entry).toContain('[Desktop Entry]\nType=Application\n');
  expect(entry.split('\n').find((line) => line.startsWith('Exec='))).toBe(
    String.raw`Exec="/home/me/My Apps/Tillside.AppImage" "--data-dir" "/data/50%% \\$HOME \\"x\\" \\\\y"`,
  );
  expect(isAutostartEntryOn(entry)).toBe(true);
  expect(() => writeAutostartEntry({ program: '/a\nExec=b', flags: [] })).toThrow(/line break/);
});

test.each([
  ['--data-dir', '--data-dir'],
  [String.raw`D:\Tillside`, String.raw`D:\Tillside`],
  [String.raw`D:\Shop data`, String.raw`"D:\Shop data"`],
  ['D:\\Shop data\\', '"D:\\Shop data\\\\"'],
])('on Windows %s stays one flag of the entry', (flag, written) => {
  expect(quoteForWindows(flag)).toBe(written);
});

test('a desktop passes over the entry of a removed program: it tries the path, unquoted', () => {
  const entry = writeAutostartEntry({ program: String.raw`/home/me/My Apps\Tillside`, flags: ['--kiosk'] });
  expect(entry.split('\n')).toContain(String.raw`TryExec=/home/me/My Apps\\Tillside`);
});

test('an entry that a person switched off in the desktop is off', () => {
  const entry = writeAutostartEntry({ program: '/opt/Tillside/tillside', flags: [] });
  expect(isAutostartEntryOn(`${entry}Hidden=true\n`)).toBe(false);
  expect(isAutostartEntryOn(entry.replace('enabled=true', 'enabled=false'))).toBe(false);
});

test("the entry lies among the user's own", () => {
  const [usual, named] = ['/home/me/.config', '/conf'].map((folder) => join(folder, 'autostart', 'tillside.desktop'));
  expect(autostartEntryPath('/home/me', {})).toBe(usual);
  expect(autostartEntryPath('/home/me', { XDG_CONFIG_HOME: '/conf' })).toBe(named);
  expect(autostartEntryPath('/home/me', { XDG_CONFIG_HOME: 'relative' })).toBe(usual);
});
