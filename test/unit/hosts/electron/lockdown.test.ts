// The proof, without Electron, of what a page cannot ask for there: devices have no way to be asked for in a test's
// page.
import type { DevicePermissionHandlerHandlerDetails, ProxyConfig, SaveDialogOptions, Session } from 'electron';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { isOwnPanel, lockSession } from '../../../../app/hosts/electron/lockdown.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

type DeviceHandler = (details: DevicePermissionHandlerHandlerDetails) => boolean;
type Answer = (isGranted: boolean) => void;
type DownloadListener = (event: { preventDefault: () => void }, item: EventEmitter) => void;

/** A locked session's handlers, as it registered them. */
function locked(dataDirectory = temporaryDirectory()) {
  const handlers: {
    device?: DeviceHandler;
    check?: () => boolean;
    request?: (contents: null, permission: string, answer: Answer) => void;
    proxy?: ProxyConfig;
    download?: DownloadListener;
  } = {};
  const unsaved: string[] = [];
  const session = {
    setDevicePermissionHandler: (handler: DeviceHandler) => (handlers.device = handler),
    setPermissionCheckHandler: (handler: () => boolean) => (handlers.check = handler),
    setPermissionRequestHandler: (handler: NonNullable<typeof handlers.request>) => (handlers.request = handler),
    on: (_name: 'will-download', listener: DownloadListener) => {
      handlers.download = listener;
      return session;
    },
    webRequest: { onBeforeRequest: () => undefined },
    setProxy: (proxy: ProxyConfig) => {
      handlers.proxy = proxy;
      return Promise.resolve();
    },
  };
  const misplaced: string[] = [];
  void lockSession(session as unknown as Session, true, {
    dataDirectory,
    onMisplaced: (name, ending) => misplaced.push(`${name} ${ending}`),
    onUnsaved: (name) => unsaved.push(name),
  });
  return { ...handlers, unsaved, misplaced };
}

test.each(['hid', 'usb', 'serial'] as const)('no page is given a device, by %s', (deviceType) => {
  const details = {
    deviceType,
    origin: 'app://tillside',
    device: { deviceId: '1' },
  } as unknown as DevicePermissionHandlerHandlerDetails;
  expect(locked().device?.(details)).toBe(false);
});

test('no page is given a permission, whether it is asked for or looked up', () => {
  const answers: boolean[] = [];
  const handlers = locked();
  handlers.request?.(null, 'media', (isGranted) => answers.push(isGranted));
  expect([handlers.check?.(), ...answers]).toEqual([false, false]);
});

test('what a page sends past its policy goes to a proxy that nothing can be, this machine included', () => {
  expect(locked().proxy).toEqual({
    mode: 'fixed_servers',
    proxyRules: '255.255.255.255:1',
    proxyBypassRules: '<-loopback>',
  });
});

test.each([
  ['http://127.0.0.1:9/', true],
  ['http://127.0.0.1:9/panel?token=x', true],
  ['https://127.0.0.1:9/', false],
  ['http://127.0.0.1.example/', false],
  ['http://127.0.0.1@evil.example/', false],
  ['http://user@127.0.0.1:9/', false],
  ['http://:word@127.0.0.1:9/', false],
  ['http://127.0.0.2:9/', false],
  ['http://evil.example/127.0.0.1', false],
  ['file:///127.0.0.1/etc/passwd', false],
  ['file://127.0.0.1/share/program', false],
  ['javascript:alert(1)', false],
  ['127.0.0.1:9', false],
  ['', false],
])("the system's browser may be sent to %j: %j", (address, isAllowed) => {
  expect(isOwnPanel(address)).toBe(isAllowed);
});

/** Hands a list of the page over to be saved there, which began at this moment and ends in this state. */
function save(path: string, state: string, begunMs = Date.now(), wholeBytes = 1_000) {
  const { download, unsaved } = locked();
  const item = Object.assign(new EventEmitter(), {
    getURL: () => 'blob:app://tillside/1',
    getMimeType: () => 'text/csv;charset=utf-8',
    getSavePath: () => path,
    getFilename: () => 'list.csv',
    getStartTime: () => begunMs / 1000,
    getTotalBytes: () => wholeBytes,
    setSaveDialogOptions: () => undefined,
    pause: () => undefined,
  });
  let isPrevented = false;
  download?.({ preventDefault: () => (isPrevented = true) }, item);
  expect(isPrevented).toBe(false);
  if (path !== '' && !existsSync(path)) {
    writeFileSync(path, 'a half');
  }
  item.emit('done', {}, state);
  return unsaved;
}

test.each([
  ['list.csv', 'text/csv', true],
  ['report.txt', 'text/plain', true],
  ['support.json', 'application/json', true],
  ['label.pdf', 'application/pdf', true],
  ['stock.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', true],
  ['list.bat', 'text/csv', false],
  ['label.pdf.exe', 'application/pdf', false],
  ['list.csv', 'text/html', false],
  ['constructor', 'constructor', false],
  ['page.html', 'text/html', false],
])('a file %j of type %s that the page hands over may be saved: %s', (name, type, isLetThrough) => {
  let isPrevented = false;
  const dialogs: SaveDialogOptions[] = [];
  const item = Object.assign(new EventEmitter(), {
    getURL: () => 'blob:app://tillside/1',
    getMimeType: () => type,
    getFilename: () => name,
    setSaveDialogOptions: (options: SaveDialogOptions) => dialogs.push(options),
    pause: () => undefined,
  });
  locked().download?.({ preventDefault: () => (isPrevented = true) }, item);
  expect(!isPrevented).toBe(isLetThrough);
  // The dialog's title; without one it is the address.
  const extensions = [name.slice(name.lastIndexOf('.') + 1)];
  expect(dialogs).toMatchObject(isLetThrough ? [{ title: name, filters: [{ extensions }] }] : []);
});

test.each([
  ['elsewhere/list.csv', true],
  ['elsewhere/LIST.CSV', true],
  ['data-beside/list.csv', true],
  ['elsewhere/list', false],
  ['elsewhere/.profile', false],
  ['elsewhere/list.csv.desktop', false],
  ['data/list.csv', false],
  ['data/electron/list.csv', false],
  ['data/../data/new/list.csv', false],
])('a list that a person would save as %j is written there: %s', (within, isWritten) => {
  const folder = temporaryDirectory();
  ['data', 'data-beside', 'elsewhere'].forEach((name) => mkdirSync(join(folder, name)));
  const { download, misplaced } = locked(join(folder, 'data'));
  const did: string[] = [];
  let path = '';
  const item = Object.assign(new EventEmitter(), {
    getURL: () => 'blob:app://tillside/1',
    getMimeType: () => 'text/csv;charset=utf-8',
    getSavePath: () => path,
    getFilename: () => 'list.csv',
    setSaveDialogOptions: () => undefined,
    pause: () => did.push('pause'),
    resume: () => did.push('resume'),
    cancel: () => did.push('cancel'),
  });
  download?.({ preventDefault: () => undefined }, item);
  // Bytes come while the dialog is open still.
  item.emit('updated', {}, 'progressing');
  expect(did).toEqual(['pause']);
  path = `${folder}/${within}`;
  item.emit('updated', {}, 'progressing');
  item.emit('updated', {}, 'progressing');
  expect(did).toEqual(['pause', isWritten ? 'resume' : 'cancel']);
  expect(misplaced).toEqual(isWritten ? [] : [`${basename(path)} .csv`]);
});

test('one that was saved whole just before under that name stays', () => {
  const path = join(temporaryDirectory(), 'count.csv');
  expect(save(path, 'interrupted', Date.now(), 'a half'.length)).toEqual(['count.csv']);
  expect(existsSync(path)).toBe(true);
});

test('a list that could not be saved whole is told, and its cut file removed', () => {
  const path = join(temporaryDirectory(), 'count.csv');
  expect(save(path, 'interrupted')).toEqual(['count.csv']);
  expect(existsSync(path)).toBe(false);
});

test.each(['completed', 'cancelled'])('of one that is %s nothing is told, and its file stays', (state) => {
  const path = join(temporaryDirectory(), 'count.csv');
  expect(save(path, state)).toEqual([]);
  expect(existsSync(path)).toBe(true);
});

test('an older file stays, and what Chromium began beside it is removed', () => {
  const folder = temporaryDirectory();
  const begunMs = Date.now();
  for (const name of ['count.csv', 'count (2).csv']) {
    writeFileSync(join(folder, name), 'older');
    utimesSync(join(folder, name), begunMs / 1000 - 60, begunMs / 1000 - 60);
  }
  for (const name of ['count (1).csv', 'count (of June).csv', 'count (1).json']) {
    writeFileSync(join(folder, name), 'new');
  }
  expect(save(join(folder, 'count.csv'), 'interrupted', begunMs)).toEqual(['count.csv']);
  expect(readdirSync(folder).toSorted()).toEqual([
    'count (1).json',
    'count (2).csv',
    'count (of June).csv',
    'count.csv',
  ]);
});

test('one that fails before a place for it is chosen is told by the name that it came with', () => {
  expect(save('', 'interrupted')).toEqual(['list.csv']);
});
