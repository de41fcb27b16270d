// The proof of what the port says of leaving: it is told before the first byte and only then, it can be refused, and
// what is abandoned is reset.
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import type { HttpRequest } from '../../../app/ports.ts';
import { listenLocally } from '../../support/listen.ts';

const http = createAxiosHttp({ userAgent: 'Tillside/test' });

/** A server that notes what comes, and answers with `says`; with nothing, never. */
async function listen(says: string | null) {
  const bytes: string[] = [];
  const ends: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => {
      bytes.push(chunk.toString('latin1'));
      if (says !== null) {
        socket.write(says);
      }
    });
    socket.on('error', (error) => ends.push((error as NodeJS.ErrnoException).code ?? ''));
    socket.on('end', () => ends.push('FIN'));
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  return { url: `http://127.0.0.1:${port}`, bytes, ends, connections: () => sockets.size };
}

function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: {}, timeoutMs: 5000, maxBytes: 100_000, ...more };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

test('a request counts as leaving once its connection stands, before its first byte; also on a kept one', async () => {
  const server = await listen(ok);
  const seen: { readonly connections: number; readonly bytes: number }[] = [];
  const onLeaving = (): null => {
    seen.push({ connections: server.connections(), bytes: server.bytes.length });
    return null;
  };
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await http.send(get(server.url, { onLeaving }))).toMatchObject({ ok: true });
    expect(server.bytes).toHaveLength(turn + 1);
  }
  expect(seen.map(({ bytes }) => bytes)).toEqual([0, 1, 2]);
  expect(server.connections()).toBe(1);
});

test('what may not leave does not, and says why', async () => {
  const server = await listen(ok);
  const refusal = { kind: 'storageFull' } as const;
  expect(await http.send(get(server.url, { onLeaving: () => refusal }))).toEqual({ ok: false, failure: refusal });
  // On a kept connection too.
  expect(await http.send(get(server.url))).toMatchObject({ ok: true });
  expect(await http.send(get(server.url, { onLeaving: () => refusal }))).toEqual({ ok: false, failure: refusal });
  await expect.poll(() => server.ends.length).toBe(2);
  expect(server.bytes).toHaveLength(1);
});

test.each([
  ['nobody listens', 'http://127.0.0.1:1'],
  ['the name is unknown', 'https://nowhere.invalid'],
  ['the address is not secure', 'http://platform.example.com'],
])('nothing is said to leave where %s', async (_where, url) => {
  let calls = 0;
  const answer = await http.send(
    get(url, {
      onLeaving: () => {
        calls += 1;
        return null;
      },
    }),
  );
  expect({ isOk: answer.ok, calls }).toEqual({ isOk: false, calls: 0 });
});

test('no request counts as leaving where TLS fails or the request is given up before that', async () => {
  const server = await listen(null);
  let calls = 0;
  const onLeaving = (): null => {
    calls += 1;
    return null;
  };
  expect(await http.send(get(server.url.replace('http:', 'https:'), { timeoutMs: 200, onLeaving }))).toMatchObject(
    fail({ kind: 'timedOut' }),
  );
  const cancellation = new AbortController();
  const before = server.connections();
  const sending = http.send(get(server.url.replace('http:', 'https:'), { signal: cancellation.signal, onLeaving }));
  await expect.poll(() => server.connections()).toBeGreaterThan(before);
  cancellation.abort();
  expect(await sending).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(calls).toBe(0);
});

test.each(['a time-out', 'a withdrawal'])(
  'after %s the connection is reset, so that nothing is sent later',
  async (why) => {
    const server = await listen(null);
    const cancellation = new AbortController();
    let hasLeft = false;
    const onLeaving = (): null => {
      hasLeft = true;
      return null;
    };
    const send = async (timeoutMs: number): ReturnType<typeof http.send> => {
      const answer = await http.send(get(server.url, { timeoutMs, signal: cancellation.signal, onLeaving }));
      // A busy machine may need longer than that until it leaves: then there is longer.
      return hasLeft ? answer : send(2 * timeoutMs);
    };
    const sending = send(why === 'a time-out' ? 300 : 5000);
    await expect.poll(() => server.bytes.length).toBe(1);
    if (why === 'a withdrawal') {
      cancellation.abort();
    }
    expect(await sending).toMatchObject(fail({ kind: why === 'a time-out' ? 'timedOut' : 'cancelled' }));
    await expect.poll(() => server.ends.slice(-1)).toEqual(['ECONNRESET']);
  },
);
