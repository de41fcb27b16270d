import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { readSandbox, watchSandbox } from '../../../../app/hosts/electron/page-sandbox.ts';
import type { PageSandboxState } from '../../../../app/hosts/status-file.ts';

const status = (seccomp: number | null, filters: number | null = null, noNewPrivileges: number | null = 1): string =>
  [
    'Name:\ttillside',
    ...(noNewPrivileges === null ? [] : [`NoNewPrivs:\t${noNewPrivileges}`]),
    ...(seccomp === null ? [] : [`Seccomp:\t${seccomp}`]),
    ...(filters === null ? [] : [`Seccomp_filters:\t${filters}`]),
    '',
  ].join('\n');

const reading = (page: string, own: string): PageSandboxState =>
  readSandbox(7, 'linux', (path) => {
    expect(['/proc/7/status', '/proc/self/status']).toContain(path);
    return path === '/proc/7/status' ? page : own;
  });

test.each([
  ['a filter of its own', status(2, 2), status(0, 0, 0), 'on'],
  ['a kernel that does not count filters', status(2), status(0, null, 0), 'on'],
  ['a container, whose filter all have, and one of its own', status(2, 3), status(2, 1), 'on'],
  ['a container alone', status(2, 1), status(2, 1), 'off'],
  ['no filter', status(0, 0), status(0, 0, 0), 'off'],
  ['the strict mode, which Chromium never uses', status(1, 0), status(0, 0, 0), 'off'],
  ['a filter and new privileges', status(2, 2, 0), status(0, 0, 0), 'off'],
  ['a kernel without filters', status(null), status(null), 'unknown'],
  ['a kernel that is too old to say', status(2, null, null), status(0), 'unknown'],
  ['nothing', '', '', 'unknown'],
] as const)('%s is read as it is', (_, page, own, state) => {
  expect(reading(page, own)).toBe(state);
});

test('a process that cannot be read, and another system, are told apart from one without a sandbox', () => {
  const throws = (): string => {
    throw new Error('ENOENT');
  };
  expect(readSandbox(7, 'linux', throws)).toBe('unknown');
  expect(readSandbox(7, 'win32', () => expect.fail('nothing is read'))).toBe('unknown');
  expect(readSandbox(7, 'darwin', () => expect.fail('nothing is read'))).toBe('unknown');
});

test('each page is looked at whenever it comes; one that had no sandbox stays in the state', async () => {
  const app = new EventEmitter();
  const states = new Map<number, PageSandboxState>([
    [1, 'on'],
    [2, 'off'],
  ]);
  let missing = 0;
  const watch = watchSandbox(
    app as unknown as Parameters<typeof watchSandbox>[0],
    () => {
      missing += 1;
    },
    (pid) => states.get(pid) ?? 'unknown',
  );
  const page = (pid: number) => Object.assign(new EventEmitter(), { getOSProcessId: () => pid });
  const [first, second] = [page(1), page(2)];
  app.emit('web-contents-created', {}, first);
  app.emit('web-contents-created', {}, second);
  expect(watch.state()).toBe('unknown');
  first.emit('did-navigate');
  await watch.looked;
  expect([watch.state(), missing]).toEqual(['on', 0]);
  second.emit('did-navigate');
  expect([watch.state(), missing]).toEqual(['off', 1]);
  first.emit('did-navigate');
  expect([watch.state(), missing]).toEqual(['off', 1]);
  second.emit('did-navigate');
  expect(missing).toBe(2);
});
