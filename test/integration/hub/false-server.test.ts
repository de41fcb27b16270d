// The proof that a server which answers in the hub's place, or has been taken over, gets no password, and neither hangs
// nor ends a till nor fills its memory: servers that lie, and a till in a process of its own.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { HubServer } from '../../../app/hub/address.ts';
import type { HubFailure } from '../../../app/hub/link.ts';
import { nodeEnvironment } from '../../support/child.ts';
import { hasOpenssl, makeCertificate } from '../../support/openssl.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import type { Asked, Asking } from '../../support/asking-till.ts';

const program = resolve(import.meta.dirname, '../../support/asking-till.ts');
/** A till answers its person in the time of a call; this is more, for a machine with other work to do. */
const hangMs = 20_000;
const testMs = 2 * hangMs;

let till: ChildProcess | null = null;
afterAll(() => till?.kill('SIGKILL'));

/** Lets a till read from this server. Throws when it ends, or does not come back. */
async function ask(server: HubServer, times = 1, waitMs = hangMs): Promise<Asked> {
  if (till === null) {
    till = fork(program, { env: nodeEnvironment(), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    till.once('exit', () => {
      till = null;
    });
  }
  const child = till;
  const isOver = new AbortController();
  const signal = AbortSignal.any([isOver.signal, AbortSignal.timeout(waitMs)]);
  const answer = Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`the till ended with ${String(code)}`))),
  ]);
  child.send({ server, times, timeoutMs: 5_000 } satisfies Asking);
  try {
    return ((await answer) as [Asked])[0];
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    isOver.abort();
  }
}

const message = (type: string, body: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(body as string, 'latin1');
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const int32 = (value: number): string => String.fromCharCode(...[24, 16, 8, 0].map((shift) => (value >>> shift) & 255));
const signIn = (kind: number, rest = ''): Buffer => message('R', int32(kind) + rest);
const ready = message('Z', 'I');
const welcome = [
  signIn(0),
  message('S', 'server_version\x0015.9\0'),
  message('K', int32(1) + int32(2)),
  message('N', 'SNOTICE\0C00000\0Mhello\0\0'),
  ready,
];
const columns = [
  ['schema_version', 23, '2'],
  ['version', 701, '1'],
  ['document', 25, null],
  ['is_unused', 16, 't'],
  ['server_ms', 701, '1000'],
] as const;
type Column = readonly [name: string, type: number, value: string | null];
const count = (all: readonly Column[]): string => `\0${String.fromCharCode(all.length)}`;
const describeAs = (all: readonly Column[]): Buffer =>
  message(
    'T',
    `${count(all)}${all.map(([name, type]) => `${name}\0${int32(0)}\0\0${int32(type)}\0\x04${int32(-1)}\0\0`).join('')}`,
  );
const rowOf = (all: readonly Column[]): Buffer =>
  message(
    'D',
    `${count(all)}${all.map(([, , value]) => (value === null ? int32(-1) : int32(value.length) + value)).join('')}`,
  );
const [described, row] = [describeAs(columns), rowOf(columns)];
/** With the server's clock at this. */
const rowAt = (serverMs: string): Buffer => rowOf([...columns.slice(0, -1), ['server_ms', 701, serverMs]]);
const rowsKept: readonly Column[] = [['hasRows', 16, 't']];
const listened = [message('C', 'LISTEN\0'), describeAs(rowsKept), rowOf(rowsKept), message('C', 'SELECT 1\0')];
const reading = [
  message('1', ''),
  message('2', ''),
  described,
  row,
  message('A', `${int32(7)}tillside_hub\0news 1\0`),
  message('C', 'SELECT 1\0'),
  ready,
];

/** What a false server says to each thing that it hears, by its first byte: the start, `listen`, and each reading. */
type Script = (heard: string, text: string) => readonly Uint8Array[];
const honest: Script = (heard) => {
  if (heard === 'Q') return [...listened, ready];
  return heard === 'P' ? reading : welcome;
};
/** Honest up to the reading. */
const answering =
  (...answer: readonly Uint8Array[]): Script =>
  (heard) =>
    heard === 'P' ? answer : honest(heard, '');

interface FalseServer {
  readonly server: HubServer;
  /** All that tills have said, after TLS. */
  readonly heard: Buffer[];
}

/** A server of this test's own; with TLS where it has a certificate. */
async function serve(say: (heard: string, socket: Socket, text: string) => void, hasTls = false): Promise<FalseServer> {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const folder = hasTls ? temporaryDirectory() : null;
  const fingerprint = folder === null ? null : makeCertificate(folder);
  const speak = (socket: Socket): void => {
    let isFirst = true;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      heard.push(bytes);
      const text = bytes.toString('latin1');
      say(isFirst ? '' : text.charAt(0), socket, text);
      isFirst = false;
    });
  };
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (folder === null) {
      speak(socket);
      return;
    }
    socket.once('data', () => {
      socket.write('S');
      const [key, cert] = ['server.key', 'server.crt'].map((name) => readFileSync(join(folder, name)));
      speak(new TLSSocket(socket, { isServer: true, ...(key && cert ? { key, cert } : {}) }));
    });
  });
  await new Promise<void>((done) => {
    listener.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  const who = { user: 'canary-user', password: 'canary-password', database: 'canary-database' };
  return { server: { ...who, host: '127.0.0.1', port, fingerprint }, heard };
}

const play =
  (script: Script) =>
  (heard: string, socket: Socket, text: string): void => {
    for (const bytes of script(heard, text)) socket.write(bytes);
  };

const failed = (detail: string): HubFailure => ({ kind: 'failed', detail });

test(
  'a till reads from a server that speaks as it should',
  async () => {
    const { server } = await serve(play(honest));
    expect((await ask(server)).failures).toEqual([null]);
  },
  testMs,
);

describe('the password is kept from a server that', () => {
  test.each([
    ['asks for it in clear', signIn(3), false],
    ['asks for it as MD5', signIn(5, 'salt'), false],
    ['signs in with what Tillside does not know', signIn(7), false],
    ['offers SCRAM by another hash alone', signIn(10, 'SCRAM-SHA-1\0\0'), false],
    ['asks for it in clear, over TLS', signIn(3), true],
    ['asks for it as MD5, over TLS', signIn(5, 'salt'), true],
    ['does not bind the sign-in to its certificate', signIn(10, 'SCRAM-SHA-256\0\0'), true],
    ['asks for no proof, over TLS', signIn(0), true],
  ] as const)(
    '%s',
    async (_name, first, hasTls) => {
      if (hasTls && !hasOpenssl) return;
      const { server, heard } = await serve(
        play(() => [first, ...welcome.slice(1)]),
        hasTls,
      );
      expect((await ask(server)).failures).toEqual([{ kind: 'weakSignIn' }]);
      // The start alone, with who signs in.
      expect(heard).toHaveLength(1);
      expect(Buffer.concat(heard).toString('latin1')).not.toContain('canary-password');
    },
    testMs,
  );

  const offer = signIn(10, 'SCRAM-SHA-256\0\0');
  const challenge = (text: string): Buffer => signIn(11, `${/r=.*$/.exec(text)?.[0] ?? ''}x,s=AAAA,i=4096`);
  test.each<readonly [string, Script]>([
    ['skips the challenge', (heard) => [heard === '' ? offer : signIn(12, 'v=AAAA')]],
    ['challenges twice', (heard, text) => (heard === '' ? [offer] : [challenge(text), challenge(text)])],
    [
      'skips its own proof',
      (heard, text) => {
        const answer = text.includes('n=*') ? challenge(text) : signIn(0);
        return [heard === '' ? offer : answer];
      },
    ],
    ['asks for it again', () => [signIn(0), offer]],
  ])(
    '%s',
    async (_name, script) => {
      const { server, heard } = await serve(play(script));
      expect((await ask(server)).failures).toEqual([{ kind: 'weakSignIn' }]);
      expect(Buffer.concat(heard).toString('latin1')).not.toContain('canary-password');
    },
    testMs,
  );
});

describe('a till goes on after', () => {
  test.each<readonly [string, Script, string]>([
    ['an error whose text has no end', answering(message('E', 'SERROR')), 'unreadable'],
    ['an error whose list has no end', answering(message('E', 'SERROR\0')), 'unreadable'],
    ['an error without an end before the sign-in', () => [message('E', 'S')], 'unreadable'],
    ['a notice whose list has no end', answering(message('N', 'SWARN\0')), 'unreadable'],
    ['a list of sign-ins without an end', () => [signIn(10, 'SCRAM-SHA-256\0')], 'unreadable'],
    ['a setting without its value', answering(message('S', 'name\0')), 'unreadable'],
    ['a bell without its name', answering(message('A', int32(1))), 'unreadable'],
    ['a row of fewer than no columns', answering(message('D', '\xff\xff')), 'unreadable'],
    ['a row whose value is longer than the row', answering(message('D', `\0\x01${int32(9)}x`)), 'unreadable'],
    ['a row whose value is shorter than nothing', answering(message('D', `\0\x01${int32(-2)}`)), 'unreadable'],
    ['more columns than are described', answering(message('T', '\x7f\xffa\0')), 'unreadable'],
    ['fewer columns than none', answering(message('T', '\xff\xff')), 'unreadable'],
    ['a length below that of a length', answering(Buffer.from('Z\0\0\0\0I', 'latin1')), 'unreadable'],
    ['a message that is longer than it says', answering(message('Z', 'II')), 'unreadable'],
    ['a wish for a file', answering(message('G', '\0\0\0')), 'unreadable'],
    ['rows that wait to be fetched without end', answering(message('s', '')), 'unreadable'],
    ['a message that there is none of', answering(message('\xfe', '')), 'unreadable'],
    [
      'a clock that no calendar has',
      answering(...reading.slice(0, 3), rowAt('1e308'), ...reading.slice(5)),
      'badAnswer',
    ],
    ['a clock before there were any', answering(...reading.slice(0, 3), rowAt('-1'), ...reading.slice(5)), 'badAnswer'],
    ['readiness before the sign-in', () => [ready], 'unreadable'],
    ['a message of two gigabytes', answering(Buffer.from('D\x7f\xff\xff\xff', 'latin1')), 'tooLong'],
    ['a sign-in of a megabyte', () => [signIn(11, 'x'.repeat(1_000_000))], 'tooLong'],
  ])(
    '%s',
    async (_name, script, detail) => {
      const { server } = await serve(play(script));
      expect((await ask(server)).failures).toEqual([failed(detail)]);
    },
    testMs,
  );

  test(
    'an answer without end, of which it takes a few megabytes',
    async () => {
      const before = (await ask((await serve(play(honest))).server)).peakMb;
      for (const part of [row, rowOf(columns.map(([name, type]) => [name, type, 'x'.repeat(70_000)]))]) {
        let sent = 0;
        const { server } = await serve((heard, socket) => {
          if (heard !== 'P') {
            for (const bytes of honest(heard, '')) socket.write(bytes);
            return;
          }
          const block = Buffer.concat(Array.from({ length: Math.ceil(500_000 / part.length) }, () => part));
          const pour = (): void => {
            while (!socket.destroyed && sent < 1e9) {
              sent += block.length;
              if (!socket.write(block)) {
                socket.once('drain', pour);
                return;
              }
            }
          };
          for (const bytes of reading.slice(0, 3)) socket.write(bytes);
          pour();
        });
        const { failures, peakMb } = await ask(server);
        expect(failures).toEqual([failed('tooLong')]);
        expect(peakMb - before).toBeLessThan(100);
      }
    },
    testMs,
  );

  test(
    'records of more values than a hub keeps, which it does not look at',
    async () => {
      const before = (await ask((await serve(play(honest))).server)).peakMb;
      const records: readonly Column[] = [...columns, ['rows', 25, `[${'{},'.repeat(260_000)}{}]`]];
      const { server } = await serve(play(answering(describeAs(records), rowOf(records), ...reading.slice(5))));
      const { failures, peakMb } = await ask(server);
      expect(failures).toEqual([failed('badAnswer')]);
      expect(peakMb - before).toBeLessThan(100);
    },
    testMs,
  );

  test(
    'thousands of messages that are cut, changed and lie about their length',
    async () => {
      const random = createSeededRandom('false server');
      const below = (end: number): number => random.integer(0, end - 1);
      const spoil = (messages: readonly Uint8Array[]): Buffer => {
        const spoilt: Buffer[] = messages.map((bytes) => Buffer.from(bytes));
        const chosen = spoilt[below(spoilt.length)] ?? ready;
        const kind = below(6);
        if (kind === 0) chosen.writeUInt32BE(below(2) === 0 ? below(64) : below(2 ** 32), 1);
        if (kind === 1) chosen.writeUInt8(below(256), 0);
        if (kind === 2) {
          for (let times = below(5); times >= 0; times -= 1) chosen.writeUInt8(below(256), below(chosen.length));
        }
        if (kind === 3) {
          spoilt.splice(below(spoilt.length), 0, message(String.fromCharCode(below(128)), 'x'.repeat(below(9))));
        }
        if (kind === 4) spoilt.splice(below(spoilt.length), below(3), chosen);
        const bytes = Buffer.concat(spoilt);
        return kind === 5 ? bytes.subarray(0, below(bytes.length)) : bytes;
      };
      let told = 0;
      const { server } = await serve((heard, socket) => {
        const messages = honest(heard, '');
        told += messages.length;
        const isSpoilt = below(3) === 0;
        const bytes = isSpoilt ? spoil(messages) : Buffer.concat(messages);
        for (let at = 0; at < bytes.length;) {
          const next = at + 1 + below(bytes.length);
          socket.write(bytes.subarray(at, next));
          at = next;
        }
        // Whoever waits for the rest of a message waits for the end.
        if (isSpoilt) socket.end();
      });
      const before = (await ask((await serve(play(honest))).server)).peakMb;
      const { failures, peakMb } = await ask(server, 1_500, 4 * hangMs);
      expect(told).toBeGreaterThan(10_000);
      expect(failures.filter((failure) => failure === null).length).toBeGreaterThan(200);
      expect(failures.filter((failure) => failure?.detail === 'unreadable').length).toBeGreaterThan(200);
      expect(failures.filter((failure) => failure?.kind === 'noAnswer')).toEqual([]);
      expect(peakMb - before).toBeLessThan(100);
    },
    5 * hangMs,
  );
});
