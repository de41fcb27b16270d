// The proof that a proxy in between can carry, and refuse to carry, and nothing else: real CONNECT proxies, a real
// https platform under a company's own certificate authority, and the app's own HTTP.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { createOpenFile } from '../../../app/platform/http-file.ts';
import { routesOfAnswer, routesOfEnvironment } from '../../../app/platform/proxy.ts';
import type { HttpOptions } from '../../../app/platform/ways.ts';
import type { HttpRequest } from '../../../app/ports.ts';
import { startConnectProxy, type ConnectProxyOptions } from '../../support/connect-proxy.ts';
import { hasOpenssl, makeCertificate, openssl } from '../../support/openssl.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { listenLocally } from '../../support/listen.ts';

const name = 'platform.example.test';
/** The system connects nobody to it, and says so at once. */
const nobody = '255.255.255.255';
const token = 'canary-access-token-5b1c';
const directory = makeTemporaryDirectory();
const inside = (file: string): string => join(directory.path, file);
const before = getCACertificates('default');
let origin: Server | undefined;
let port = 0;
let arrived: IncomingHttpHeaders[] = [];

/** A certificate of the platform's by this authority, as files of this name. */
function sign(authority: string, file: string): void {
  openssl(directory.path, `req -newkey rsa:2048 -nodes -keyout ${file}.key -out ${file}.csr -subj /CN=${name}`);
  writeFileSync(inside('names'), `subjectAltName=DNS:${name},IP:127.0.0.1`);
  const by = `-CA ${authority}.crt -CAkey ${authority}.key -CAcreateserial`;
  openssl(directory.path, `x509 -req -in ${file}.csr ${by} -days 1 -extfile names -out ${file}.pem`);
}

beforeEach(({ skip }) => {
  skip(!hasOpenssl, 'no openssl');
});

beforeAll(async () => {
  if (!hasOpenssl) {
    return;
  }
  for (const authority of ['company', 'stranger']) {
    makeCertificate(directory.path, authority);
    sign(authority, `${authority}-server`);
  }
  origin = createServer(
    { key: readFileSync(inside('company-server.key')), cert: readFileSync(inside('company-server.pem')) },
    (request, response) => {
      arrived.push(request.headers);
      if (request.url === '/silent') {
        return;
      }
      response.end('{"from":"platform"}');
    },
  );
  port = await listenLocally(origin);
  // As the operating system's store, or NODE_EXTRA_CA_CERTS, gives it.
  setDefaultCACertificates([...before, readFileSync(inside('company.crt'), 'utf8')]);
});

afterAll(() => {
  setDefaultCACertificates(before);
  origin?.close();
  origin?.closeAllConnections();
  directory.remove();
});

async function startProxy(options: Partial<ConnectProxyOptions> = {}) {
  arrived = [];
  const proxy = await startConnectProxy({ port, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

const open = (options: Partial<HttpOptions>) =>
  createAxiosHttp({ userAgent: 'Tillside/test', environment: {}, ...options });
const request = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: `https://${name}:${String(port)}/oauth/token?term=canary-term`,
  headers: { Authorization: `Bearer ${token}` },
  body: '{"password":"canary-password"}',
  timeoutMs: 5000,
  maxBytes: 10_000,
  ...more,
});

const namings = [
  ['the system', (place: string) => ({ proxyOf: () => Promise.resolve(`PROXY ${place}; DIRECT`) })],
  [
    'the environment',
    (place: string) => ({
      environment: { HTTPS_PROXY: `http://cashier:s%40fe[50%é]@${place}`, NO_PROXY: 'other.example.test' },
    }),
  ],
] as const;

describe.each(namings)('a proxy that %s names', (who, optionsFor) => {
  test('carries https in a tunnel and reads nothing of it but the name', async () => {
    const proxy = await startProxy();
    const http = open(optionsFor(proxy.place));
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await http.send(request())).toMatchObject(succeed({ status: 200, body: '{"from":"platform"}' }));
    }
    // The text that the platform received is the one that the proxy must not be able to read.
    expect(arrived).toHaveLength(3);
    expect(arrived[0]?.authorization).toBe(`Bearer ${token}`);
    expect(arrived[0]?.['proxy-authorization']).toBeUndefined();
    expect(proxy.heads[0]).toMatch(new RegExp(`^CONNECT ${name}:${String(port)} HTTP/1\\.1\\r\\n`));
    expect(/Proxy-Authorization: Basic (\S+)/.exec(proxy.heads[0] ?? '')?.[1]).toBe(
      who === 'the environment' ? Buffer.from('cashier:s@fe[50%é]').toString('base64') : undefined,
    );
    // One tunnel serves the calls that follow.
    expect(proxy.heads).toHaveLength(1);
    expect(proxy.seen()).toContain(name);
    for (const secret of [
      token,
      'canary-term',
      'canary-password',
      '/oauth/token',
      Buffer.from(token).toString('base64'),
    ]) {
      expect(proxy.seen()).not.toContain(secret);
    }
  });

  test('is the way of a file, too', async () => {
    const proxy = await startProxy();
    const openFile = createOpenFile({ userAgent: 'Tillside/test', environment: {}, ...optionsFor(proxy.place) });
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const { status, body } = await openFile(`https://${name}:${String(port)}/a.AppImage`, ending.signal);
    expect([status, await text(body)]).toEqual([200, '{"from":"platform"}']);
    expect(proxy.heads).toEqual([expect.stringContaining(`CONNECT ${name}:${String(port)} `)]);
    expect(proxy.heads[0]?.includes('Proxy-Authorization')).toBe(who === 'the environment');
  });

  test.each([
    [
      "a refusal that looks like the platform's",
      'HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 23\r\n\r\n{"code":"unauthorized"}',
    ],
    [
      'a refusal of the client',
      'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 24\r\n\r\n{"error":"invalid_grant"}',
    ],
    ['a success that is none', 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\n\r\n'],
    ['its own sign-in', 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Negotiate\r\n\r\n'],
    ['a way that is open and words already', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a head without end', 'HTTP/1.1 200 OK\r\n'.padEnd(200_000, 'X-More: x\r\n')],
  ])('is no platform when it gives %s', async (_what, says) => {
    const proxy = await startProxy({ says });
    const answer = await open({
      ...optionsFor(proxy.place),
      proxyOf: () => Promise.resolve(`PROXY ${proxy.place}`),
    }).send(request());
    expect(answer).toMatchObject(
      fail({ kind: 'unreachable', message: expect.stringContaining(`the proxy ${proxy.place}`) as string }),
    );
    expect(JSON.stringify(answer)).not.toContain('s@fe');
    expect(arrived).toEqual([]);
    expect(proxy.seen()).not.toContain(token);
  });
});

test('a proxy that hangs up is unreachable; a silent one costs no more than the time of the call', async () => {
  const rude = await startProxy({ says: '', hangsUp: true });
  expect(await open({ proxyOf: () => Promise.resolve(`PROXY ${rude.place}`) }).send(request())).toMatchObject(
    fail({ kind: 'unreachable' }),
  );
  const silent = await startProxy({ says: '' });
  expect(
    await open({ proxyOf: () => Promise.resolve(`PROXY ${silent.place}`) }).send(request({ timeoutMs: 300 })),
  ).toMatchObject({ ok: false, failure: { kind: 'timedOut' } });
});

test('the routes of the system are tried in their order, before anything has left', async () => {
  const refusing = await startProxy({ says: 'HTTP/1.1 503 Service Unavailable\r\n\r\n' });
  const good = await startProxy();
  const answer = await open({
    proxyOf: () => Promise.resolve(`PROXY 127.0.0.1:1; PROXY ${refusing.place}; PROXY ${good.place}; DIRECT`),
  }).send(request());
  expect(answer).toMatchObject({ ok: true });
  expect(arrived).toHaveLength(1);
  expect(refusing.seen()).not.toContain(token);
});

test('what is abandoned inside TLS is reset on its way', async () => {
  const ends: string[] = [];
  const relay = createTcpServer((near) => {
    const far = connectTcp(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    near
      .on('end', () => ends.push('FIN'))
      .on('error', (error) => {
        ends.push((error as NodeJS.ErrnoException).code ?? '');
        far.destroy();
      });
  });
  const place = await listenLocally(relay);
  onTestFinished(() => {
    relay.close();
  });
  arrived = [];
  const http = open({});
  // A busy machine may need longer than that until it leaves: then there is longer.
  for (let timeoutMs = 500; arrived.length === 0; timeoutMs *= 2) {
    ends.length = 0;
    const sending = http.send(request({ url: `https://127.0.0.1:${String(place)}/silent`, timeoutMs }));
    expect(await sending).toMatchObject({ ok: false, failure: { kind: 'timedOut' } });
  }
  expect(arrived).toHaveLength(1);
  await expect.poll(() => ends.slice(-1)).toEqual(['ECONNRESET']);
});

test('a company that opens TLS on the way is trusted by its own authority alone', async () => {
  const stranger = createServer(
    { key: readFileSync(inside('stranger-server.key')), cert: readFileSync(inside('stranger-server.pem')) },
    (incoming, response) => {
      arrived.push(incoming.headers);
      response.end();
    },
  );
  const strangersPort = await listenLocally(stranger);
  onTestFinished(() => {
    stranger.close();
    stranger.closeAllConnections();
  });
  const proxy = await startProxy({ port: strangersPort });
  expect(await open({ proxyOf: () => Promise.resolve(`PROXY ${proxy.place}`) }).send(request())).toMatchObject(
    fail({ kind: 'tlsRejected' }),
  );
  // A certificate for another name is none, either, whoever vouches for it.
  const other = await startProxy();
  expect(
    await open({ proxyOf: () => Promise.resolve(`PROXY ${other.place}`) }).send(
      request({ url: `https://other.example.test:${String(port)}/` }),
    ),
  ).toMatchObject({ ok: false, failure: { kind: 'tlsRejected' } });
  expect(arrived).toEqual([]);
  expect(await open({ proxyOf: () => Promise.resolve(`PROXY ${other.place}`) }).send(request())).toMatchObject({
    ok: true,
  });
});

test('this machine is always reached straight, whatever names a proxy', async () => {
  const proxy = await startProxy();
  const asked: string[] = [];
  const http = open({
    environment: { https_proxy: `http://${proxy.place}`, HTTP_PROXY: `http://${proxy.place}` },
    proxyOf: (url) => {
      asked.push(url);
      return Promise.resolve(`PROXY ${proxy.place}`);
    },
  });
  expect(await http.send(request({ url: `https://127.0.0.1:${String(port)}/` }))).toMatchObject({ ok: true });
  const plain = createPlainServer((_incoming, response) => response.end('plain'));
  const plainPort = await listenLocally(plain);
  onTestFinished(() => {
    plain.close();
    plain.closeAllConnections();
  });
  expect(await http.send(request({ url: `http://127.0.0.1:${String(plainPort)}/` }))).toMatchObject(
    succeed({ body: 'plain' }),
  );
  expect(proxy.heads).toEqual([]);
  expect(asked).toEqual([]);
});

test.each([
  ['fails', () => Promise.reject(new Error('no such thing'))],
  ['never answers', () => new Promise<string>(() => undefined)],
  ['answers nonsense', () => Promise.resolve('PROXY ; SOCKS5 127.0.0.1:1; \u0000; PROXY evil.example/x?y')],
])('a system that %s leaves the straight way', async (_what, proxyOf) => {
  // Nobody is at this address, so the straight way is known by its failure; a name would be asked of the network's DNS.
  const url = `https://${nobody}:${String(port)}/`;
  expect(await open({ proxyOf }).send(request({ url, timeoutMs: 8000 }))).toMatchObject(
    fail({ kind: 'unreachable', message: expect.stringContaining(nobody) as string }),
  );
});

test('the system is told the host alone, and is not asked where the environment has spoken', async () => {
  const proxy = await startProxy();
  const asked: string[] = [];
  const proxyOf = (url: string): Promise<string> => {
    asked.push(url);
    return Promise.resolve(`PROXY ${proxy.place}`);
  };
  await open({ proxyOf }).send(request());
  expect(asked).toEqual([`https://${name}:${String(port)}/`]);
  await open({ proxyOf, environment: { ALL_PROXY: proxy.place } }).send(request());
  expect(asked).toHaveLength(1);
  expect(proxy.heads).toHaveLength(2);
});

test('plain HTTP beyond this machine is refused before anything leaves, through a proxy as well', async () => {
  const proxy = await startProxy();
  const http = open({ environment: { HTTP_PROXY: `http://${proxy.place}`, ALL_PROXY: `http://${proxy.place}` } });
  for (const url of [
    'http://platform.example.test/',
    'http://192.0.2.7/',
    'http://127.0.0.1.example.test/',
    'http://localhost.example.test/',
    'http://[::2]/',
  ]) {
    expect({ url, answer: await http.send(request({ url })) }).toMatchObject({
      url,
      answer: { ok: false, failure: { kind: 'addressNotSecure' } },
    });
  }
  expect(proxy.seen()).toBe('');
});

test.each([301, 302, 303, 307, 308, 300])(
  '%d to another host is an answer, and no Authorization goes there',
  async (status) => {
    const proxy = await startProxy();
    let visits = 0;
    const elsewhere = createPlainServer((_incoming, response) => {
      visits += 1;
      response.end();
    });
    const elsewherePort = await listenLocally(elsewhere);
    const redirecting = createPlainServer((_incoming, response) =>
      response
        .writeHead(status, {
          Location: `http://127.0.0.1:${String(elsewherePort)}/`,
          Refresh: `0; url=http://127.0.0.1:${String(elsewherePort)}/`,
        })
        .end(),
    );
    const redirectingPort = await listenLocally(redirecting);
    onTestFinished(() => {
      for (const server of [elsewhere, redirecting]) {
        server.close();
        server.closeAllConnections();
      }
    });
    const answer = await open({ environment: { HTTPS_PROXY: proxy.place } }).send(
      request({ url: `http://127.0.0.1:${String(redirectingPort)}/` }),
    );
    expect(answer).toMatchObject({ ok: true, value: { status } });
    expect(visits).toBe(0);
  },
);

test("NODE_EXTRA_CA_CERTS and the system's own store are heard; without them the platform is not believed", async () => {
  const proxy = await startProxy();
  const script = `
    import { createAxiosHttp } from ${JSON.stringify(join(import.meta.dirname, '../../../app/platform/http-axios.ts'))};
    const answer = await createAxiosHttp({ userAgent: 'test' }).send({ method: 'GET', url: 'https://${name}:${String(port)}/', headers: {}, timeoutMs: 20000, maxBytes: 1000 });
    console.log(answer.ok ? answer.value.status : answer.failure.kind);`;
  const askIn = (environment: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      // The servers live in this process, so it must not wait without moving.
      execFile(
        process.execPath,
        ['--input-type=module', '-e', script],
        { env: { PATH: process.env['PATH'], HTTPS_PROXY: proxy.place, ...environment } },
        (_error, stdout) => {
          resolve(stdout.trim());
        },
      );
    });
  expect(await askIn({ NODE_EXTRA_CA_CERTS: inside('company.crt') })).toBe('200');
  // Where the system's store lies, OpenSSL is told; the app asks for it besides its own.
  expect(await askIn({ SSL_CERT_FILE: inside('company.crt') })).toBe('200');
  expect(await askIn({})).toBe('tlsRejected');
  // No fuse of the installed app closes this variable, which would have any certificate believed.
  expect(await askIn({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toBe('tlsRejected');
  let tunnels = 0;
  origin?.on('connect', (_request, socket) => {
    tunnels += 1;
    socket.destroy();
  });
  const asProxy = { HTTPS_PROXY: `https://127.0.0.1:${String(port)}`, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(await askIn(asProxy)).not.toBe('200');
  expect(tunnels).toBe(0);
});

test.each([
  ['PROXY one.example:8080; HTTPS two.example:443;DIRECT', ['http://one.example:8080/', 'https://two.example/', null]],
  ['DIRECT', [null]],
  ['', [null]],
  ['SOCKS5 one.example:1080; proxy [2001:db8::1]:3128', ['http://[2001:db8::1]:3128/']],
  ['PROXY user:word@one.example:1', [null]],
  ['x'.repeat(100_000), [null]],
])("the system's answer %.60j", (answer, routes) => {
  expect(routesOfAnswer(answer).map((route) => route?.href ?? null)).toEqual(routes);
});

test.each([
  [{}, undefined],
  [{ HTTP_PROXY: 'http://one.example' }, undefined],
  [{ https_proxy: 'one.example:3128' }, 'http://one.example:3128/'],
  [{ HTTPS_PROXY: 'socks5://one.example' }, undefined],
  [{ HTTPS_PROXY: 'http://one.example', NO_PROXY: 'x, .example.test' }, null],
  [{ HTTPS_PROXY: 'http://one.example', no_proxy: '*' }, null],
  [{ HTTPS_PROXY: 'http://one.example', no_proxy: 'platform.example.test:443' }, null],
  [{ HTTPS_PROXY: 'http://one.example', no_proxy: 'form.example.test,example.tes' }, 'http://one.example/'],
])('the environment %j', (environment, way) => {
  const routes = routesOfEnvironment(new URL(`https://${name}/x`), environment);
  expect(routes === null ? undefined : (routes[0]?.href ?? null)).toBe(way);
});
