import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchFile, type FileToFetch } from '../../../app/hosts/updates/fetch-file.ts';
import { createOpenFile, type OpenFile } from '../../../app/platform/http-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startUpdateServer, type Release, type UpdateServer } from '../../support/update-server.ts';

const file = Buffer.alloc(300_000, 7);
const open = createOpenFile({ userAgent: 'Tillside/test', environment: {} });
const named = { size: file.length, sha512: createHash('sha512').update(file).digest('base64') };

async function offer(change: Partial<Release> = {}): Promise<{ server: UpdateServer; wanted: FileToFetch }> {
  const server = await startUpdateServer();
  onTestFinished(() => server.close());
  server.offer({ version: '99.0.0', fileName: 'a.AppImage', file, ...change });
  const url = `${server.source.url}/a.AppImage`;
  return { server, wanted: { ...named, url, path: join(temporaryDirectory(), 'a'), open } };
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
  ['is cut', 'aborted', { cutAfterBytes: 10 }],
  ['is packed', 'not the one', { packed: { encoding: 'gzip', bytes: gzipSync(file) } }],
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
])('a file that %s is left at once, also where the server has fallen silent', async (_words, message, isTaken) => {
  const path = join(temporaryDirectory(), 'a');
  if (isTaken) {
    writeFileSync(path, '');
  }
  let isLeft = false;
  const answer: OpenFile = (_url, signal) => {
    const body = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(isTaken ? 1000 : file.length + 1);
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isLeft = true;
          reject(new Error('aborted'));
        });
      });
    };
    return Promise.resolve({ status: 200, body: body() });
  };
  await expect(fetchFile({ ...named, url: 'http://127.0.0.1', path, open: answer })).rejects.toThrow(message);
  // One that was told to end before it has fallen silent has ended as well.
  expect(isLeft).toBe(isTaken);
});

test('no redirect is followed, in circles or to another machine', async () => {
  const { server, wanted } = await offer({ redirects: true });
  await expect(fetchFile(wanted)).rejects.toThrow('answers 302');
  expect(server.asked).toHaveLength(1);
  expect(existsSync(wanted.path)).toBe(false);
});

test.each([
  ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'],
  ['promises an answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['says nothing', ''],
])('a server that %s, and then ends, is left at once', async (_words, answer) => {
  const server = createServer((socket) => {
    socket.once('error', () => undefined).once('data', () => socket.end(answer));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.AppImage`;
  const path = join(temporaryDirectory(), 'a');
  await expect(fetchFile({ ...named, url, path, open })).rejects.toThrow(/hang up|no answer/);
});

test.skipIf(process.platform === 'win32')('what lies there already, such as a link, is not written to', async () => {
  const { wanted } = await offer();
  const other = join(temporaryDirectory(), 'other');
  symlinkSync(other, wanted.path);
  await expect(fetchFile(wanted)).rejects.toThrow('EEXIST');
  expect(existsSync(other)).toBe(false);
});

test.each(['http://updates.example.test/a.AppImage', 'ftp://127.0.0.1/a.AppImage', 'file:///etc/hostname'])(
  'nothing is asked of %s: https alone, but to this machine',
  async (url) => {
    const path = join(temporaryDirectory(), 'a');
    await expect(fetchFile({ ...named, url, path, open })).rejects.toThrow(/not secure|Protocol/);
    expect(existsSync(path)).toBe(false);
  },
);
