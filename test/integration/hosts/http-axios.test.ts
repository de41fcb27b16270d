import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import type { HttpRequest } from '../../../app/ports.ts';
import { hasOpenssl, makeCertificate } from '../../support/openssl.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { mostMemoryOf, writeBytes } from '../../support/byte-by-byte.ts';
import { listenLocally } from '../../support/listen.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) {
    await close();
  }
});

async function listen(server: Server): Promise<number> {
  const port = await listenLocally(server);
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return port;
}

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

const http = createAxiosHttp({ userAgent: 'Tillside/test' });

function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: {}, timeoutMs: 5000, maxBytes: 100_000, ...more };
}

test('sends the exact bytes and headers, and hands over any status with header names in lower case', async () => {
  const seen: { method?: string | undefined; headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const url = await serve((request, response) => {
    void (async () => {
      seen.push({ method: request.method, headers: request.headers, body: await readAll(request) });
      response.writeHead(422, { 'X-Two': ['one', 'two'], 'Idempotency-Key': 'k' }).end('{"code":"não"}');
    })();
  });
  const body = '{"items":[{"product_id":9007199254740993,"is_enabled":true}],  "name":"açaí"}';
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'Idempotency-Key': 'k' };
  const answer = await http.send(get(`${url}/api?term=a%20b`, { method: 'PUT', headers, body }));
  expect(answer).toMatchObject(
    succeed({ status: 422, body: '{"code":"não"}', headers: { 'x-two': 'one, two', 'idempotency-key': 'k' } }),
  );
  expect(seen[0]?.method).toBe('PUT');
  expect(seen[0]?.body.toString('utf8')).toBe(body);
  expect(seen[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'idempotency-key': 'k',
    'user-agent': 'Tillside/test',
  });
});

test('sends Content-Type with a GET too, as API v3 §1 asks, and no body', async () => {
  let seen: IncomingMessage['headers'] = {};
  const url = await serve((request, response) => {
    seen = request.headers;
    response.end('{}');
  });
  await http.send(get(url, { headers: { 'Content-Type': 'application/json' } }));
  expect(seen['content-type']).toBe('application/json');
  expect(seen['content-length']).toBeUndefined();
});

test('JSON stays text, digit for digit, and an empty answer is an empty text', async () => {
  const url = await serve((request, response) => {
    response
      .writeHead(request.url === '/empty' ? 204 : 200, { 'Content-Type': 'application/json' })
      .end(request.url === '/empty' ? '' : '{"id":9007199254740993}');
  });
  expect(await http.send(get(url))).toMatchObject({ ok: true, value: { body: '{"id":9007199254740993}' } });
  expect(await http.send(get(`${url}/empty`))).toMatchObject({ ok: true, value: { status: 204, body: '' } });
});

test('a redirect is an answer, and is not followed', async () => {
  let visits = 0;
  const elsewhere = await serve((_request, response) => {
    visits += 1;
    response.end();
  });
  const url = await serve((_request, response) => {
    response.writeHead(307, { Location: elsewhere }).end();
  });
  const answer = await http.send(get(url, { headers: { Authorization: 'Bearer made-up' } }));
  expect(answer).toMatchObject({ ok: true, value: { status: 307, headers: { location: elsewhere } } });
  expect(visits).toBe(0);
});

test('reads gzip', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"name":"pão"}'));
  });
  expect(await http.send(get(url))).toMatchObject({ ok: true, value: { body: '{"name":"pão"}' } });
});

test('a hang before the answer, and one inside it, are timedOut', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/inside') {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half');
    }
  });
  expect(await http.send(get(url, { timeoutMs: 100 }))).toMatchObject({ ok: false, failure: { kind: 'timedOut' } });
  expect(await http.send(get(`${url}/inside`, { timeoutMs: 200 }))).toMatchObject(fail({ kind: 'timedOut' }));
});

test('nobody listening, an unknown name, a reset at once and a reset inside the body are unreachable', async () => {
  const gone = createServer();
  const port = await listen(gone);
  await closers.pop()?.();
  expect(await http.send(get(`http://127.0.0.1:${port}`))).toMatchObject(fail({ kind: 'unreachable' }));
  expect(await http.send(get('https://nowhere.invalid'))).toMatchObject(fail({ kind: 'unreachable' }));
  const url = await serve((request, response) => {
    if (request.url === '/inside') {
      response.writeHead(200);
      response.write('half');
      setTimeout(() => request.socket.resetAndDestroy(), 50);
    } else {
      request.socket.resetAndDestroy();
    }
  });
  expect(await http.send(get(url))).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  expect(await http.send(get(`${url}/inside`))).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
});

test('a body shorter than its Content-Length, plain or gzip, is unreachable and never half an answer', async () => {
  const packed = gzipSync('x'.repeat(5000));
  const url = await serve((request, response) => {
    const isPacked = request.url === '/gzip';
    response.writeHead(200, { 'Content-Length': '1000', ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}) });
    response.write(isPacked ? packed.subarray(0, 20) : '{"data":');
    setTimeout(() => request.socket.end(), 50);
  });
  expect(await http.send(get(url))).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  expect(await http.send(get(`${url}/gzip`))).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
});

test('a body beyond maxBytes is answerTooLarge, also when only its unpacked form is', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/gzip') {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
    } else {
      response.end(Buffer.alloc(2000, 'a'));
    }
  });
  expect(await http.send(get(url, { maxBytes: 1999 }))).toMatchObject(fail({ kind: 'answerTooLarge' }));
  expect(await http.send(get(url, { maxBytes: 2000 }))).toMatchObject({ ok: true });
  expect(await http.send(get(`${url}/gzip`, { maxBytes: 100_000 }))).toMatchObject(fail({ kind: 'answerTooLarge' }));
});

test('an answer takes memory by its bytes, however small the parts are that it comes in', async () => {
  const url = await serve(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    writeBytes(socket, 50_000);
  });
  const most = await mostMemoryOf(async () => {
    const answer = await http.send(get(url, { maxBytes: 2_000_000, timeoutMs: 60_000 }));
    expect(answer.ok && answer.value.body.length).toBe(50_000);
  });
  expect(most).toBeLessThan(6);
});

test('a signal calls it off before it leaves and while it waits', async () => {
  let arrivals = 0;
  const url = await serve(() => {
    arrivals += 1;
  });
  expect(await http.send(get(url, { signal: AbortSignal.abort() }))).toMatchObject(fail({ kind: 'cancelled' }));
  expect(arrivals).toBe(0);
  const cancellation = new AbortController();
  const sending = http.send(get(url, { signal: cancellation.signal }));
  await expect.poll(() => arrivals).toBe(1);
  cancellation.abort();
  expect(await sending).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
});

test('what is not an address, or not HTTP, fails and does not throw', async () => {
  for (const url of ['', 'no address', 'file:///etc/hostname', 'data:text/plain,hello']) {
    expect({ url, answer: await http.send(get(url)) }).toMatchObject({
      url,
      answer: { ok: false, failure: { kind: 'unreachable' } },
    });
  }
  expect(await http.send(get('http://127.0.0.1:1', { headers: { 'X-Bad': 'a\nb' } }))).toMatchObject({ ok: false });
});

test.skipIf(!hasOpenssl)(
  'a certificate that nobody vouches for, and plain HTTP where TLS is expected, are tlsRejected',
  async () => {
    const folder = temporaryDirectory();
    makeCertificate(folder);
    const server = createTlsServer(
      { key: readFileSync(join(folder, 'server.key')), cert: readFileSync(join(folder, 'server.crt')) },
      (_request, response) => {
        response.end('never');
      },
    );
    const port = await listen(server);
    expect(await http.send(get(`https://127.0.0.1:${port}`))).toMatchObject(fail({ kind: 'tlsRejected' }));
    const plain = await serve((_request, response) => {
      response.end('plain');
    });
    expect(await http.send(get(plain.replace('http:', 'https:')))).toMatchObject(fail({ kind: 'tlsRejected' }));
  },
);

test.each([
  ['UTF-8 without a word', 'application/json', Buffer.from('{"name":"pão"}')],
  ['UTF-8 that calls itself something else', 'application/json; charset=ISO-8859-1', Buffer.from('{"name":"pão"}')],
  ['UTF-8 with a byte order mark', 'application/json', Buffer.from('\uFEFF{"name":"pão"}')],
  ['Latin 1 that says so', 'application/json; charset="iso-8859-1"', Buffer.from('{"name":"pão"}', 'latin1')],
])('letters come through: %s', async (_what, type, body) => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': type }).end(body);
  });
  expect(await http.send(get(url))).toMatchObject({ ok: true, value: { body: '{"name":"pão"}' } });
});

test.each(['application/json', 'application/json; charset=made-up', 'application/json; charset='])(
  'what is no text in any way comes with its gaps marked, %j',
  async (type) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': type }).end(Buffer.from([0x22, 0xff, 0x22]));
    });
    expect(await http.send(get(url))).toMatchObject({ ok: true, value: { body: '"\uFFFD"' } });
  },
);
