import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import { startBrowserHost } from '../../support/browser-host.ts';
import { findSecretsIn } from '../../support/canary.ts';
import { ask, openHost } from '../../support/gated-host.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

interface Spoken {
  readonly socket: Socket;
  /** The answer so far. */
  text(): string;
  /** Settles with everything that was answered once the host has hung up. */
  readonly ended: Promise<string>;
}

function speak(port: number, text: string): Spoken {
  let answered = '';
  const socket = connect(port, '127.0.0.1', () => {
    if (text !== '') {
      socket.write(text);
    }
  });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.setEncoding('latin1').on('data', (chunk: string) => (answered += chunk));
  socket.on('error', () => undefined);
  return { socket, text: () => answered, ended: new Promise((resolve) => socket.on('close', () => resolve(answered))) };
}

async function openCounting() {
  let calls = 0;
  const host = await openHost({
    'practice:start': () => {
      calls += 1;
      return Promise.resolve(succeed({}));
    },
  });
  return { ...host, calls: () => calls };
}

test('no other protocol is spoken: a web socket is refused with the cookie and without', async () => {
  const { port, enter } = await openHost();
  const cookie = await enter();
  const upgrade = (path: string, more: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;
  for (const path of ['/', '/events', '/invoke/terminal:read']) {
    for (const more of ['', `Cookie: ${cookie}\r\n`, `Cookie: ${cookie}\r\nOrigin: http://127.0.0.1:${port}\r\n`]) {
      const spoken = speak(port, upgrade(path, more));
      await expect.poll(() => spoken.text()).toMatch(/^HTTP\/1\.1 400 /);
      expect(spoken.text()).not.toContain('text/event-stream');
      spoken.socket.destroy();
    }
  }
});

test('a token is good once, also when two ask at the same time, and a hundred guesses do not wear it out', async () => {
  const { port, addresses, path } = await openHost();
  for (const guess of ['A'.repeat(43), 'A', '', '%00', '..', 'x'.repeat(8000)]) {
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await ask(port, 'GET', `/?token=${guess}`)).status).toBe(403);
    }
  }
  expect(addresses).toHaveLength(1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port, 'GET', path(addresses[0]))));
  expect(answers.map(({ status }) => status).sort((left, right) => left - right)).toEqual([
    303,
    ...Array.from({ length: 19 }, () => 403),
  ]);
});

test('a cookie is taken whole and by its name alone', async () => {
  const { port, enter } = await openHost();
  const cookie = await enter();
  const [name = '', value = ''] = cookie.split('=');
  for (const forged of [
    `${name}=${value}x`,
    `${name}=${value.slice(0, -1)}`,
    `x${cookie}`,
    `tillside-${port + 1}=${value}`,
    `${name}="${value}"`,
    `${name.toUpperCase()}=${value}`,
    `${name}=A; ${cookie}`,
  ]) {
    expect({ forged, status: (await ask(port, 'GET', '/', { Cookie: forged })).status }).toEqual({
      forged,
      status: 401,
    });
  }
  expect((await ask(port, 'GET', '/', { Cookie: `other=1; ${cookie}; more=2` })).status).toBe(200);
});

test('neither token nor cookie is in the log, in a file, or in what other users see of the process', async () => {
  const { port, enter, addresses, logged, own } = await openHost();
  const cookie = await enter();
  await ask(port, 'POST', '/invoke/no:such', { ...own, Cookie: cookie }, '{}');
  await ask(port, 'GET', '/?token=wrong', { Referer: addresses.at(-1) ?? '' });
  const secrets = { session: cookie.split('=')[1] ?? '', next: /token=(.*)/.exec(addresses.at(-1) ?? '')?.[1] ?? '' };
  expect(logged.length).toBeGreaterThan(0);
  expect(JSON.stringify(logged)).not.toMatch(new RegExp(Object.values(secrets).join('|')));

  const data = temporaryDirectory();
  const { url, child } = await startBrowserHost(['--data-dir', data]);
  onTestFinished(() => child.kill());
  const entered = await fetch(url, { redirect: 'manual' });
  const shown = {
    token: new URL(url).searchParams.get('token') ?? '',
    session: /=([^;]+)/.exec(entered.headers.getSetCookie()[0] ?? '')?.[1] ?? '',
  };
  expect(findSecretsIn(data, shown)).toEqual([]);
  if (process.platform === 'linux') {
    // The command line, which `ps` shows to everybody.
    expect(readFileSync(`/proc/${String(child.process.pid)}/cmdline`, 'latin1')).not.toMatch(
      new RegExp(Object.values(shown).join('|')),
    );
  }
});

test("it listens on this machine's loopback alone", async () => {
  const { port } = await openHost();
  const others = [
    '::1',
    ...Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? [])
        .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
        .map(({ address }) => address),
    ),
  ];
  for (const address of others) {
    const outcome = await new Promise((resolve) => {
      const socket = connect({ port, host: address, timeout: 2000 }, () => {
        socket.destroy();
        resolve('connected');
      });
      socket.on('error', () => resolve('refused'));
      socket.on('timeout', () => {
        socket.destroy();
        resolve('refused');
      });
    });
    expect({ address, outcome }).toEqual({ address, outcome: 'refused' });
  }
});

test.each(['100-continue', 'anything'])('a request that expects %s passes the same gate', async (expected) => {
  const { port, enter, own, calls } = await openCounting();
  const headers = { ...own, Expect: expected };
  const call = (more: object) => ask(port, 'POST', '/invoke/practice:start', { ...headers, ...more }, '{}');
  expect((await call({})).status).toBe((await ask(port, 'POST', '/invoke/practice:start', own, '{}')).status);
  expect((await call({ Host: 'evil.example' })).status).toBe(
    (await ask(port, 'POST', '/invoke/practice:start', { ...own, Host: 'evil.example' }, '{}')).status,
  );
  expect(calls()).toBe(0);
  expect((await call({ Cookie: await enter() })).status).toBe(200);
  expect(calls()).toBe(1);
});

test('methods are taken for what they are, whatever a header says', async () => {
  const { port, enter, own, calls } = await openCounting();
  const headers = { ...own, Cookie: await enter() };
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    expect({
      method,
      status: (
        await ask(
          port,
          method,
          '/invoke/practice:start',
          { ...headers, 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST' },
          '{}',
        )
      ).status,
    }).toEqual({ method, status: 405 });
  }
  expect((await ask(port, 'POST', '/', headers, '_method=GET')).status).toBe(405);
  expect((await ask(port, 'POST', '/events', headers, '{}')).status).toBe(405);
  const tunnel = speak(
    port,
    `CONNECT example.com:443 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${headers.Cookie}\r\n\r\n`,
  );
  expect(await tunnel.ended).not.toContain('200');
  expect(calls()).toBe(0);
});

test('crooked requests are refused, and nothing hides behind another', async () => {
  const { port, enter, calls } = await openCounting();
  const cookie = await enter();
  const host = `Host: 127.0.0.1:${port}\r\n`;
  const call = `POST /invoke/practice:start HTTP/1.1\r\n${host}Cookie: ${cookie}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
  const hidden = `${call}Content-Length: 2\r\n\r\n{}`;
  const crooked: Record<string, string> = {
    'two lengths': `${call}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    'length and chunks': `${call}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'chunks in disguise': `${call}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    'a folded header': `${call}X: 1\r\n Content-Length: 2\r\n\r\n{}`,
    'a blank before the colon': `${call}Content-Length : 2\r\n\r\n{}`,
    'bare line feeds': hidden.replaceAll('\r\n', '\n'),
    'no host': hidden.replace(host, ''),
    'two hosts': hidden.replace(host, `Host: evil.example\r\n${host}`),
    'an absolute address': hidden.replace('/invoke', 'http://evil.example/invoke'),
    'a zero in the path': hidden.replace('/invoke/', '/invoke/\0'),
    'a version that is none': hidden.replace('HTTP/1.1', 'HTTP/9.9'),
    'a head without end': `${call}${'X-More: x\r\n'.repeat(3000)}\r\n`,
  };
  for (const [what, text] of Object.entries(crooked)) {
    const spoken = speak(port, text);
    await expect.poll(() => spoken.text(), { message: what }).toMatch(/^HTTP\/1\.1 4\d\d /);
    spoken.socket.end();
    await spoken.ended;
    expect({ what, isAdmitted: /HTTP\/1\.1 2/.test(spoken.text()) }).toEqual({ what, isAdmitted: false });
  }
  expect(calls()).toBe(0);
  // The same request, straight, is one.
  const straight = speak(port, hidden);
  await expect.poll(() => straight.text()).toContain('"ok":true');
  expect(calls()).toBe(1);
});

test('who asks again before the last answer is taken is hung up on', async () => {
  const { port, calls, enter } = await openCounting();
  const cookie = await enter();
  const call = `POST /invoke/practice:start HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const many = speak(port, call.repeat(100));
  await many.ended;
  expect(many.text()).toBe('');
  expect(calls()).toBeLessThanOrEqual(1);
});

test('every refusal carries what guards the page, and nothing that lets others in', async () => {
  const { port, enter, own } = await openHost();
  const cookie = await enter();
  const answers = await Promise.all([
    ask(port, 'GET', '/'),
    ask(port, 'GET', '/?token=x'),
    ask(port, 'GET', '/', { Host: 'evil.example' }),
    ask(port, 'GET', '/nothing', { Cookie: cookie }),
    ask(port, 'DELETE', '/', { Cookie: cookie }),
    ask(port, 'POST', '/invoke/terminal:read', { Cookie: cookie, Origin: 'https://evil.example' }, '{}'),
    ask(port, 'POST', '/invoke/terminal:read', { ...own, Cookie: cookie }, '{'),
    ask(port, 'POST', '/invoke/terminal:read', { ...own, Cookie: cookie }, '{}'),
  ]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(
      Object.keys(headers).filter(
        (name) => name.startsWith('access-control') || name === 'server' || name === 'x-powered-by',
      ),
    ).toEqual([]);
    if (headers['content-type']?.includes('html')) {
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  }
});

test(
  'whoever is silent, or sends drop by drop, loses the connection, and costs nobody else anything',
  { timeout: 60_000 },
  async () => {
    const { port, enter, own } = await openHost({}, { patience: { headMs: 1000, requestMs: 2000, lookEveryMs: 200 } });
    const cookie = await enter();
    const slow = [
      ...Array.from({ length: 30 }, () => speak(port, '')),
      ...Array.from({ length: 30 }, () => speak(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`)),
      ...Array.from({ length: 30 }, () =>
        speak(
          port,
          `POST /invoke/terminal:read HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
        ),
      ),
    ];
    const drops = setInterval(() => {
      for (const { socket } of slow.slice(30)) {
        if (!socket.destroyed) {
          socket.write('X');
        }
      }
    }, 200);
    onTestFinished(() => {
      clearInterval(drops);
    });
    expect((await ask(port, 'POST', '/invoke/terminal:read', { ...own, Cookie: cookie }, '{}')).status).toBe(200);
    // Without the host's own bounds those of Node would end them: a body's after five minutes.
    await Promise.all(slow.map(({ ended }) => ended));
    expect((await ask(port, 'POST', '/invoke/terminal:read', { ...own, Cookie: cookie }, '{}')).status).toBe(200);
  },
);

test('pages beyond the limit are turned away, and who holds connections keeps the page neither out nor off', async () => {
  const { port, enter, own } = await openHost();
  const cookie = await enter();
  const streams = Array.from({ length: 60 }, () =>
    speak(port, `GET /events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`),
  );
  await expect
    .poll(() => streams.filter(({ text }) => text().startsWith('HTTP/1.1 200')).length, { timeout: 10_000 })
    .toBe(50);
  await expect.poll(() => streams.filter(({ text }) => text().startsWith('HTTP/1.1 503')).length).toBe(10);
  const many = Array.from({ length: 400 }, () => speak(port, ''));
  await expect
    .poll(() => many.filter(({ socket }) => socket.destroyed).length, { timeout: 10_000 })
    .toBeGreaterThan(200);
  expect((await ask(port, 'POST', '/invoke/terminal:read', { ...own, Cookie: cookie }, '{}')).status).toBe(200);
  expect(streams.filter(({ socket }) => !socket.destroyed).length).toBeGreaterThanOrEqual(50);
});
