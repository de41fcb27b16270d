import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appImageOf } from '../../../../app/hosts/updates/app-image.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

describe.skipIf(process.platform === 'win32')('the AppImage of a program', () => {
  it('is the one whose folder it lies in, also by a link', () => {
    const folder = temporaryDirectory();
    const mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    symlinkSync(mounted, join(folder, 'link'));
    const program = join(mounted, 'tillside');
    expect(appImageOf({ APPIMAGE: '/a.AppImage', APPDIR: mounted }, program)).toBe('/a.AppImage');
    expect(appImageOf({ APPIMAGE: '/a.AppImage', APPDIR: join(folder, 'link') }, program)).toBe('/a.AppImage');
    // Of another AppImage the folder may have a name that begins alike.
    expect(appImageOf({ APPIMAGE: '/a.AppImage', APPDIR: mounted }, join(`${mounted}2`, 'tillside'))).toBe(null);
  });

  it.each([
    ['another folder', { APPIMAGE: '/a.AppImage', APPDIR: '/usr' }],
    ['no folder', { APPIMAGE: '/a.AppImage' }],
    ['a folder that is gone', { APPIMAGE: '/a.AppImage', APPDIR: '/gone' }],
    ['no AppImage', { APPDIR: '/usr/bin' }],
  ])('is none where the environment names %s', (_what, environment) => {
    const program =
      'APPDIR' in environment && environment.APPDIR === '/usr' ? '/opt/Tillside/tillside' : '/usr/bin/tillside';
    expect(appImageOf(environment, program)).toBe(null);
  });
});
