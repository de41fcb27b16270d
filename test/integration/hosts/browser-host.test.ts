import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { maxCallLength } from '../../../app/contract/limits/calls.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { firstRunState } from '../../support/fake-handlers.ts';
import { ask, openHost } from '../../support/gated-host.ts';

test('the token is exchanged once for a strict cookie; a used one is refused and a fresh one told', async () => {
  const { port, addresses, path } = await openHost();
  const [first] = addresses;
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  const entered = await ask(port, 'GET', path(first));
  expect(entered).toMatchObject({
    status: 303,
    headers: { location: expect.stringMatching(/^\/~[\w-]{22}\/$/) as string },
  });
  const cookie = entered.headers['set-cookie']?.[0] ?? '';
  expect(cookie).toMatch(
    new RegExp(`^tillside-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=${entered.headers.location ?? ''}$`),
  );
  expect(await ask(port, 'GET', path(first))).toMatchObject({
    status: 403,
    body: expect.stringContaining('has been used already') as string,
  });
  expect(await ask(port, 'GET', path(first), { Cookie: cookie.split(';')[0] })).toMatchObject({ status: 403 });
  expect(await ask(port, 'GET', entered.headers.location ?? '', { Cookie: cookie.split(';')[0] })).toMatchObject({
    status: 200,
  });
  expect(addresses).toHaveLength(2);
  expect(addresses[1]).not.toBe(first);
  expect(await ask(port, 'GET', path(addresses[1]))).toMatchObject({ status: 303 });
});

test('a look ahead does not spend the token', async () => {
  const { port, addresses, path } = await openHost();
  expect(await ask(port, 'GET', path(addresses[0]), { 'Sec-Purpose': 'prefetch;prerender' })).toMatchObject({
    status: 204,
  });
  expect(await ask(port, 'HEAD', path(addresses[0]))).toMatchObject({ status: 204 });
  expect(await ask(port, 'GET', path(addresses[0]))).toMatchObject({ status: 303 });
});

test('the page comes with its policy, a nonce of its own each time, and the bridge before the app', async () => {
  const { port, enter } = await openHost();
  const headers = { Cookie: await enter() };
  const [one, two] = [await ask(port, 'GET', '/', headers), await ask(port, 'GET', '/', headers)];
  const nonce = /content="([^"]+)"/.exec(one.body)?.[1] ?? '';
  expect(one.headers['content-security-policy']).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; worker-src 'none'; require-trusted-types-for 'script'; trusted-types default`,
  );
  expect(two.body).not.toContain(nonce);
  expect(one.body.indexOf('<script src="./bridge.js"></script>')).toBeGreaterThan(0);
  expect(one.body.indexOf('./bridge.js')).toBeLessThan(one.body.indexOf('./assets/app.js'));
  expect(await ask(port, 'GET', '/assets/app.js', headers)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
  expect(await ask(port, 'GET', '/bridge.js', headers)).toMatchObject({
    status: 200,
    body: expect.stringMatching(
      /^\(function installBridge\(keyText *\) *\{[^]*defineProperty\(window, ['"]tillside['"][^]*\}\)\("[\w-]{43}"\);\n$/,
    ) as string,
  });
});

test('another Host, as after DNS rebinding, is answered with nothing, token and cookie or not', async () => {
  const { port, addresses, path, enter } = await openHost();
  const cookie = await enter();
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port}.evil.example`,
    `evil.example@127.0.0.1:${port}`,
  ]) {
    expect(await ask(port, 'GET', '/', { Host: host, Cookie: cookie })).toMatchObject({ status: 421 });
    expect(await ask(port, 'GET', path(addresses.at(-1)), { Host: host })).toMatchObject({ status: 421 });
  }
  expect(addresses).toHaveLength(2);
});

test('without the cookie there is no page, no file, no call and no stream', async () => {
  const { port, own } = await openHost();
  for (const path of ['/', '/bridge.js', '/assets/app.js', '/events', '/nothing']) {
    expect(await ask(port, 'GET', path)).toMatchObject({ status: 401 });
    expect(await ask(port, 'GET', path, { Cookie: `tillside-${port}=` })).toMatchObject({ status: 401 });
    expect(await ask(port, 'GET', path, { Cookie: `tillside-${port}=${'A'.repeat(43)}` })).toMatchObject({
      status: 401,
    });
  }
  expect(await ask(port, 'POST', '/invoke/terminal:read', own, '{}')).toMatchObject({ status: 401 });
  expect(await ask(port, 'GET', '/?token=')).toMatchObject({ status: 403 });
});

test('another site cannot call or listen, even with the cookie, and is granted nothing by CORS', async () => {
  let calls = 0;
  const { port, enter } = await openHost({
    'practice:start': () => {
      calls += 1;
      return Promise.resolve(succeed({}));
    },
  });
  const cookie = await enter();
  const json = { Cookie: cookie, 'Content-Type': 'application/json' };
  for (const headers of [
    json,
    { ...json, Origin: 'https://evil.example' },
    { ...json, Origin: 'null' },
    { ...json, Origin: `http://127.0.0.1:${port + 1}` },
    { ...json, Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const refused = await ask(port, 'POST', '/invoke/practice:start', headers, '{}');
    expect(refused.status).toBe(403);
    expect(Object.keys(refused.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  expect(await ask(port, 'GET', '/events', { Cookie: cookie, Origin: 'https://evil.example' })).toMatchObject({
    status: 403,
  });
  expect(await ask(port, 'GET', '/events', { Cookie: cookie, 'Sec-Fetch-Site': 'same-site' })).toMatchObject({
    status: 403,
  });
  expect(
    await ask(port, 'OPTIONS', '/invoke/practice:start', {
      Cookie: cookie,
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
    }),
  ).toMatchObject({ status: 405 });
  // A form of another site can send text, but not JSON.
  expect(
    await ask(
      port,
      'POST',
      '/invoke/practice:start',
      { Cookie: cookie, Origin: `http://127.0.0.1:${port}`, 'Content-Type': 'text/plain' },
      '{}',
    ),
  ).toMatchObject({ status: 415 });
  expect(calls).toBe(0);
});

test('no path leads out of the renderer', async () => {
  const { port, enter } = await openHost();
  const headers = { Cookie: await enter() };
  for (const path of [
    '/../private.js',
    '/..%2fprivate.js',
    '/%2e%2e/private.js',
    '/assets/../../private.js',
    '/assets/..%5c..%5cprivate.js',
    '//private.js',
    '/assets',
    '/assets/',
    '/index.html%00.js',
    '/constructor',
    '/etc/passwd',
  ]) {
    expect(await ask(port, 'GET', path, headers)).toMatchObject({ status: 404 });
  }
  expect(await ask(port, 'GET', 'http://evil.example/private.js', headers)).toMatchObject({ status: 421 });
});

test('a call answers a Result; wrong channels, methods, bodies and sizes are refused', async () => {
  const { port, enter, own, logged } = await openHost();
  const headers = { ...own, Cookie: await enter() };
  expect(JSON.parse((await ask(port, 'POST', '/invoke/terminal:read', headers, '{}')).body)).toEqual(
    succeed(firstRunState),
  );
  expect(JSON.parse((await ask(port, 'POST', '/invoke/terminal%3Aread', headers, '{}')).body)).toMatchObject({
    ok: true,
  });
  for (const channel of ['no:such', '__proto__', '', 'a/b', '..%2f..']) {
    expect(JSON.parse((await ask(port, 'POST', `/invoke/${channel}`, headers, '{}')).body)).toMatchObject(
      fail({ kind: 'inputInvalid' }),
    );
  }
  expect(await ask(port, 'POST', '/invoke/%E0%A4%A', headers, '{}')).toMatchObject({ status: 400 });
  expect(await ask(port, 'GET', '/invoke/terminal:read', headers)).toMatchObject({ status: 405 });
  expect(await ask(port, 'POST', '/invoke/terminal:read', headers, '{')).toMatchObject({ status: 400 });
  expect(
    await ask(port, 'POST', '/invoke/terminal:read', headers, `{"x":"${'y'.repeat(maxCallLength)}"}`),
  ).toMatchObject({ status: 413 });
  // Ten labels of the largest size for a printer of 300 dots an inch, their texts as pictures.
  const text = { text: 'Café', x: 1, y: 9, size: 8, weight: 'bold', width: 98, align: 'left' };
  const picture = { columns: 1181, rows: 100, baseline: 80, bits: Buffer.alloc(148 * 100).toString('base64') };
  const drawing = {
    width: 100,
    height: 50,
    texts: Array.from({ length: 5 }, () => ({ ...text, picture })),
    shapes: [],
  };
  const labels = JSON.stringify({ labels: Array.from({ length: 10 }, () => ({ drawing, copies: 1 })) });
  expect(labels.length).toBeGreaterThan(900_000);
  expect(await ask(port, 'POST', '/invoke/label:print', headers, labels)).toMatchObject({ status: 200 });
  expect(logged.filter((line) => JSON.stringify(line).includes('"error"'))).toEqual([]);
});

/** A call as a page makes it. */
const callText = (number: number, channel = 'practice:start', input: object = {}): string =>
  JSON.stringify({ page: 'a page', number, channel, input });
/** A lookup of its number, and a host that notes each that it begins. */
const findText = (number: number): string => callText(number, 'lookup:find', { text: String(number), source: 'scan' });
const noting = (begun: string[], done = Promise.resolve()): Parameters<typeof openHost>[0] => ({
  'lookup:find': async ({ text }) => {
    begun.push(text);
    await done;
    return fail({ kind: 'notReady' });
  },
});

function sealedFor(keyText: string) {
  const key = Buffer.from(keyText, 'base64url');
  return {
    seal: (text: string, purpose = 'call'): Buffer => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed: Buffer, purpose: string): unknown => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(-16));
      return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8'));
    },
  };
}

/** A page of this host, which has the key of its run. */
async function openPage({ port, enter, own }: Awaited<ReturnType<typeof openHost>>) {
  const cookie = await enter();
  const script = (await ask(port, 'GET', '/bridge.js', { Cookie: cookie })).body;
  const headers = { ...own, Cookie: cookie, 'Content-Type': 'application/octet-stream' };
  return {
    cookie,
    ...sealedFor(/\)\("([\w-]{43})"\);\n$/.exec(script)?.[1] ?? ''),
    call: (sealed: Buffer, more = {}, signal: AbortSignal | null = null): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/sealed/call`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: new Uint8Array(sealed),
        signal,
      }),
  };
}

test('a page calls and listens under the key of the run that served it, and nothing else is heard there', async () => {
  let calls = 0;
  const host = await openHost({
    'practice:start': () => {
      calls += 1;
      return Promise.resolve(succeed({}));
    },
  });
  const { port, events } = host;
  const { cookie, seal, open, call } = await openPage(host);

  const sealed = seal(callText(0));
  const answered = await call(sealed);
  const answer = Buffer.from(await answered.arrayBuffer());
  expect([answered.status, answered.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(open(answer, `answer ${sealed.subarray(0, 12).toString('base64url')}`)).toEqual({ ok: true, value: {} });
  for (const purpose of ['call', 'event', 'answer', `answer ${randomBytes(12).toString('base64url')}`]) {
    expect(() => open(answer, purpose)).toThrow(/authenticate/);
  }

  const altered = Buffer.from(sealed);
  altered.writeUInt8(altered.readUInt8(20) ^ 1, 20);
  const others = sealedFor(randomBytes(32).toString('base64url')).seal(callText(1));
  for (const body of [
    altered,
    others,
    sealed.subarray(0, 27),
    Buffer.alloc(0),
    seal(callText(1), 'event'),
    seal('{'),
    seal('{"input":{}}'),
    seal('{"channel":"practice:start","input":{}}'),
    Buffer.from(callText(1)),
  ]) {
    expect((await call(body)).status).toBe(400);
  }
  expect((await call(sealed, { 'Content-Type': 'application/json' })).status).toBe(415);
  expect((await call(sealed, { Origin: 'https://evil.example' })).status).toBe(403);
  expect((await call(sealed, { Cookie: '' })).status).toBe(401);
  expect((await call(seal(`{"x":"${'y'.repeat(maxCallLength)}"}`))).status).toBe(413);
  expect(calls).toBe(1);

  const stream = await fetch(`http://127.0.0.1:${port}/sealed/events`, { headers: { Cookie: cookie } });
  const reader = (stream.body ?? expect.fail('no stream')).pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel());
  let text = '';
  const received: unknown[] = [];
  while (received.length < 4) {
    text += (await reader.read()).value ?? '';
    const lines = [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, line]) => line ?? '');
    received.splice(0, 9, ...lines.map((line) => open(Buffer.from(line, 'base64url'), 'event')));
    if (received.length === 3) {
      events.fire('queue:changed', { revision: 7 });
    }
  }
  expect(received).toEqual([
    { name: 'terminal:changed', payload: firstRunState },
    { name: 'queue:changed', payload: { revision: 1 } },
    { name: 'coupon:changed', payload: { revision: 1 } },
    { name: 'queue:changed', payload: { revision: 7 } },
  ]);
});

test('the calls of a page begin in the order in which it made them, whichever connection brings them', async () => {
  const begun: string[] = [];
  const host = await openHost(noting(begun));
  const page = await openPage(host);
  const call = (number: number): Promise<Response> => page.call(page.seal(findText(number)));
  const late = [call(2), call(1)];
  await ask(host.port, 'GET', '/', { Cookie: page.cookie });
  expect(begun).toEqual([]);
  await Promise.all([...late, call(0)]);
  expect(begun).toEqual(['0', '1', '2']);
  // The fourth is lost on its way.
  await Promise.all([call(5), call(4)]);
  await expect.poll(() => begun).toEqual(['0', '1', '2', '4', '5']);
  await call(3);
  expect(begun.at(-1)).toBe('3');
});

test('a call that a browser sends again, for its connection broke, is done once and answered again', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const { seal, open, call } = await openPage(await openHost(noting(begun, done)));
  const sealed = seal(findText(0));
  const broken = new AbortController();
  const first = call(sealed, {}, broken.signal).catch(() => null);
  await expect.poll(() => begun).toEqual(['0']);
  broken.abort();
  await first;
  const during = call(sealed);
  finish();
  for (const again of [await during, await call(sealed)]) {
    const answer = Buffer.from(await again.arrayBuffer());
    expect(open(answer, `answer ${sealed.subarray(0, 12).toString('base64url')}`)).toMatchObject({ ok: false });
  }
  expect(begun).toEqual(['0']);
});

test('a page without a stream asks again for an answer that takes long, and holds no connection until then', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const { seal, open, call } = await openPage(await openHost(noting(begun, done)));
  const sealed = seal(findText(0));
  for (let asked = 0; asked < 3; asked += 1) {
    expect((await call(sealed)).status).toBe(202);
  }
  finish();
  const answer = Buffer.from(await (await call(sealed)).arrayBuffer());
  expect(open(answer, `answer ${sealed.subarray(0, 12).toString('base64url')}`)).toMatchObject({ ok: false });
  expect(begun).toEqual(['0']);
});

test('the answers of a page without a stream are kept until it asks again, however many come at once', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const { seal, call } = await openPage(await openHost(noting(begun, done)));
  const sealed = Array.from({ length: 60 }, (_, number) => seal(findText(number)));
  const askAll = async () => Object.groupBy(await Promise.all(sealed.map((one) => call(one))), ({ status }) => status);
  expect((await askAll())[202]).toHaveLength(60);
  finish();
  await new Promise(setImmediate);
  expect((await askAll())[200]).toHaveLength(60);
  // Then no longer than any others.
  expect(await askAll()).toMatchObject({ 200: { length: 30 }, 409: { length: 30 } });
  expect(begun).toHaveLength(60);
});

test('a call that comes again when its answer is remembered no more is not done a second time', async () => {
  const begun: string[] = [];
  const { seal, call } = await openPage(await openHost(noting(begun)));
  const calls = Array.from({ length: 40 }, (_unused, number) => seal(findText(number)));
  const statuses: number[] = [];
  for (const sealed of [...calls, ...calls]) {
    statuses.push((await call(sealed)).status);
  }
  expect(begun).toEqual(calls.map((_sealed, number) => String(number)));
  expect(statuses.slice(40)).toEqual([...Array(10).fill(409), ...Array(30).fill(200)]);
});

test('every page receives the state when it comes, to read again what it shows, and every event after it', async () => {
  const { port, enter, events } = await openHost();
  const cookie = await enter();
  const listen = async (): Promise<() => Promise<string>> => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      path: '/events',
      headers: { Cookie: cookie },
      agent: false,
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    onTestFinished(() => {
      request.destroy();
    });
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', () => undefined);
    return async () => {
      await expect.poll(() => text).toContain('"revision":7');
      return text;
    };
  };
  const pages = [await listen(), await listen()];
  await ask(port, 'GET', '/', { Cookie: cookie });
  events.fire('queue:changed', { revision: 7 });
  for (const page of pages) {
    const text = await page();
    expect(text).toContain(`data: ${JSON.stringify({ name: 'terminal:changed', payload: firstRunState })}\n\n`);
    expect(text).toContain('data: {"name":"coupon:changed","payload":{"revision":1}}\n\n');
    expect(text).toContain('data: {"name":"queue:changed","payload":{"revision":7}}\n\n');
  }
});
