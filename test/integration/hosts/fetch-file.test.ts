import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchFile, type FileToFetch } from '../../../app/hosts/updates/fetch-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startUpdateServer, type Release, type UpdateServer } from '../../support/update-server.ts';

const file = Buffer.alloc(300_000, 7);
const named = { size: file.length, sha512: createHash('sha512').update(file).digest('base64') };

async function offer(change: Partial<Release> = {}): Promise<{ server: UpdateServer; wanted: FileToFetch }> {
  const server = await startUpdateServer();
  onTestFinished(() => server.close());
  server.offer({ version: '99.0.0', fileName: 'a.AppImage', file, ...change });
  const url = `${server.source.url}/a.AppImage`;
  return { server, wanted: { ...named, url, path: join(temporaryDirectory(), 'a'), fetch } };
}

test('a file is fetched whole, for its owner alone', async () => {
  const { wanted } = await offer();
  await fetchFile(wanted);
  expect(readFileSync(wanted.path).equals(file)).toBe(true);
  expect(statSync(wanted.path).mode & 0o077 & (process.platform === 'win32' ? 0 : 0o777)).toBe(0);
});

test.for<readonly [words: string, message: string, change: Partial<Release>, wish?: Partial<FileToFetch>]>([
  ['has no end', 'larger than its feed says', { isEndless: true }],
  ['is larger than its feed says', 'larger than its feed says', {}, { size: file.length - 1 }],
  ['is smaller than its feed says', 'not the one', {}, { size: file.length + 1 }],
  ['is another', 'not the one', {}, { sha512: `${'A'.repeat(86)}==` }],
  ['is cut', 'terminated', { cutAfterBytes: 10 }],
  ['is not there', 'answers 404', { status: 404 }],
  ['is refused without an end', 'answers 404', { status: 404, isEndless: true }],
  ['is not finished in time', 'aborted', { isEndless: true }, { size: 1e12, deadlineMs: 300 }],
])(
  'of a file that %s no byte is taken after that, and the connection is closed',
  async ([, message, change, wish = {}]) => {
    const { server, wanted } = await offer(change);
    await expect(fetchFile({ ...wanted, ...wish })).rejects.toThrow(message);
    await vi.waitFor(() => expect(server.sending()).toBe(0));
    const size = existsSync(wanted.path) ? statSync(wanted.path).size : 0;
    expect(size).toBeLessThanOrEqual(wish.size ?? file.length);
  },
);

test.each([
  ['is larger than its feed says', 'larger than its feed says', false],
  ['finds no place', 'EEXIST', true],
])('a file that %s is left by the abort alone: its stream is not cancelled', async (_words, message, isTaken) => {
  const path = join(temporaryDirectory(), 'a');
  if (isTaken) {
    writeFileSync(path, '');
  }
  let isCancelled = false;
  let signal: AbortSignal | null | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const answer = (_url: string, how: RequestInit): Promise<Response> => {
    ({ signal } = how);
    return Promise.resolve(new Response(body));
  };
  await expect(fetchFile({ ...named, url: 'http://127.0.0.1', path, fetch: answer })).rejects.toThrow(message);
  expect([isCancelled, signal?.aborted]).toEqual([false, true]);
});

test('a file that finds no place is left at once, also where the server has fallen silent', async () => {
  const path = join(temporaryDirectory(), 'a');
  writeFileSync(path, '');
  const answer = (_url: string, { signal }: RequestInit): Promise<Response> => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
      controller.enqueue(new Uint8Array(1000));
      signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
    };
    return Promise.resolve(new Response(new ReadableStream({ start })));
  };
  await expect(fetchFile({ ...named, url: 'http://127.0.0.1', path, fetch: answer })).rejects.toThrow('EEXIST');
});

test('no redirect is followed, in circles or to another machine', async () => {
  const { server, wanted } = await offer({ redirects: true });
  await expect(fetchFile(wanted)).rejects.toThrow('fetch failed');
  expect(server.asked).toHaveLength(1);
  expect(existsSync(wanted.path)).toBe(false);
});

test.skipIf(process.platform === 'win32')('what lies there already, such as a link, is not written to', async () => {
  const { wanted } = await offer();
  const other = join(temporaryDirectory(), 'other');
  symlinkSync(other, wanted.path);
  await expect(fetchFile(wanted)).rejects.toThrow('EEXIST');
  expect(existsSync(other)).toBe(false);
});
