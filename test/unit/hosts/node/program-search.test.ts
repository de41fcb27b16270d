import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listsOfAppRun, searchNamedFoldersAlone } from '../../../../app/hosts/node/program-search.ts';

/** As electron-builder writes it; its package is not one of ours. */
const { generateAppRunScript } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
  'app-builder-lib/out/targets/appimage/appImageUtil.js',
) as { generateAppRunScript: (names: Readonly<Record<string, string>>) => string };

test('on Windows no program is looked for in the folder of the start, elsewhere nothing is changed', () => {
  for (const [system, left] of [
    ['win32', { Path: 'C:\\Windows\\System32', NoDefaultCurrentDirectoryInExePath: '1' }],
    ['linux', { Path: 'C:\\Windows\\System32' }],
    ['darwin', { Path: 'C:\\Windows\\System32' }],
  ] as const) {
    const environment: NodeJS.ProcessEnv = { Path: 'C:\\Windows\\System32' };
    searchNamedFoldersAlone(system, environment);
    expect([system, environment]).toEqual([system, left]);
  }
});

test('that holds before a start does anything else, in both hosts', () => {
  const start = readFileSync(join(resolve(import.meta.dirname, '../../../..'), 'app/hosts/start.ts'), 'utf8');
  expect(start).toMatch(
    /async function startTerminal\([^)]*\): Promise<StartedTerminal> \{\s+searchNamedFoldersAlone\(\);/,
  );
});

test('nothing is looked for in the folder of an AppImage, which goes with it', () => {
  const own = '/var/tmp/run';
  for (const [name, list, left] of [
    ['PATH', `${own}:${own}/usr/sbin:/tmp/.mount_TillsiAbCdEf:/tmp/.mount_TillsiAbCdEf/usr/sbin:/usr/bin`, '/usr/bin'],
    ['PATH', '/home/ana/bin:/usr/bin', '/home/ana/bin:/usr/bin'],
    ['PATH', `${own}ning/bin:/opt/mount_it/bin`, `${own}ning/bin:/opt/mount_it/bin`],
    ['LD_LIBRARY_PATH', `${own}/usr/lib:/tmp/.mount_TillsiAbCdEf/usr/lib`, undefined],
    ['LD_LIBRARY_PATH', '/tmp/appimage_extracted_0cc175b9c0f1b6a831c399e269772661/usr/lib', undefined],
    ['LD_LIBRARY_PATH', undefined, undefined],
    ['XDG_DATA_DIRS', `${own}/usr/share/:/usr/share/gnome:/usr/share/`, '/usr/share/gnome:/usr/share/'],
  ] as const) {
    const environment: NodeJS.ProcessEnv = { APPDIR: own, HOME: `${own}/home` };
    if (list !== undefined) {
      environment[name] = list;
    }
    searchNamedFoldersAlone('linux', environment);
    expect(environment).toEqual({ APPDIR: own, HOME: `${own}/home`, ...(left === undefined ? {} : { [name]: left }) });
  }
  // Started by no AppImage, or by one that has said no folder.
  for (const APPDIR of ['', undefined]) {
    const environment = { PATH: '/usr/bin', APPDIR };
    searchNamedFoldersAlone('linux', environment);
    expect(environment).toEqual({ PATH: '/usr/bin', APPDIR });
  }
});

test('those are all lists in front of which the start of an AppImage puts its folder', () => {
  const names = ['ExecutableName', 'ProductName', 'ProductFilename', 'DesktopFileName', 'ResourceName'];
  const script = generateAppRunScript(Object.fromEntries(names.map((name) => [name, 'tillside'])));
  const exported = [...script.matchAll(/^ *export (\w+)=.*APPDIR/gm)].map(([, name]) => name);
  expect(new Set(exported)).toEqual(new Set(listsOfAppRun));
});
