// The proof that the loopback address holds against pages in a browser (DNS rebinding, CSRF), other users of the
// machine, who has no token, and who is slow, large or many.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { succeed } from '../../../app/domain/result.ts';
import { createFakeHandlers, firstRunState } from '../../support/fake-handlers.ts';
import { listedOrigin, openLoopback, patience } from '../../support/loopback.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const isRoot = process.getuid?.() === 0;
/** Some machines have no ::1. */
const ownAddresses = ['127.0.0.1', '::1'].filter((own) =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === own)),
);

/** Counts the calls that get through. */
async function openCounting(chosen: Parameters<typeof openLoopback>[1] = {}) {
  let calls = 0;
  const counted = () => {
    calls += 1;
    return Promise.resolve(succeed({ ...firstRunState, mode: 'practice' as const }));
  };
  const loopback = await openLoopback(
    { handlers: createFakeHandlers({ 'terminal:read': counted }) },
    { origins: [listedOrigin], mayChangeCoupons: true, ...chosen },
  );
  return { ...loopback, port: await loopback.until('open'), calls: () => calls };
}

/** All that is answered to these bytes, until it hangs up. */
function speak(port: number, text: string, host = '127.0.0.1') {
  let answered = '';
  const socket = connect(port, host, () => socket.write(text));
  onTestFinished(() => void socket.destroy());
  socket.setEncoding('latin1').on('data', (chunk: string) => (answered += chunk));
  socket.on('error', () => undefined);
  return { socket, ended: new Promise<string>((done) => socket.on('close', () => done(answered))) };
}

/** The status with which an upgrade is refused; 101 where it is not. */
async function upgradeStatus(
  port: number,
  { protocols = ['tillside.v1'], headers = {} }: { protocols?: string[]; headers?: Record<string, string> },
): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/events`, protocols, { headers });
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  return new Promise((done) => {
    socket.on('open', () => done(101));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
  });
}

test('another name for this machine is refused, with the right token too (DNS rebinding)', async () => {
  const { port, get, good, calls } = await openCounting();
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `127.0.0.2:${port}`,
  ]) {
    const answer = await get('/v1/status', { ...good, Host: host });
    expect({ host, status: answer.status }).toEqual({ host, status: 421 });
    // Node answers what a request expects by itself, before anybody looks at the name, unless it is told not to.
    expect((await get('/v1/status', { ...good, Host: host, Expect: 'anything' })).status).toBe(421);
    expect(await upgradeStatus(port, { headers: { ...good, Host: host } })).toBe(421);
  }
  expect(calls()).toBe(0);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    expect((await get('/v1/status', { ...good, Host: host })).status).toBe(200);
    expect((await get('/v1/status', { ...good, Host: host, Expect: 'anything' })).status).toBe(200);
  }
});

test('a page asks only from an origin that is listed, and only then may it read the answer (CSRF)', async () => {
  const { port, get, put, good, calls } = await openCounting();
  const json = { ...good, 'Content-Type': 'application/json' };
  for (const origin of [
    'https://evil.example',
    'null',
    'http://till.example.com',
    'https://till.example.com:444',
    'https://till.example.com.evil.example',
    'https://xtill.example.com',
    `http://127.0.0.1:${port}`,
    '',
  ]) {
    for (const answer of [
      await get('/v1/status', { ...good, Origin: origin }),
      await put('/v1/coupons/1', '{"isOn":true}', { ...json, Origin: origin }),
    ]) {
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(await upgradeStatus(port, { headers: { ...good, Origin: origin } })).toBe(403);
  }
  // A picture, a script or a link of any page: without an origin, and said to be a browser's.
  for (const site of ['cross-site', 'same-site', 'same-origin', 'none']) {
    expect((await get('/v1/status', { ...good, 'Sec-Fetch-Site': site })).status).toBe(403);
  }
  expect(calls()).toBe(0);
  const answer = await get('/v1/status', { ...good, Origin: listedOrigin, 'Sec-Fetch-Site': 'cross-site' });
  expect([answer.status, answer.headers['access-control-allow-origin'], answer.headers['vary']]).toEqual([
    200,
    listedOrigin,
    'Origin',
  ]);
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test('a preflight is answered to listed origins alone, without a token, and allows what the settings allow', async () => {
  const { port, choose } = await openCounting();
  const preflight = async (origin: string, more = '') => {
    const text = `OPTIONS /v1/lookup HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: PUT\r\n${more}Connection: close\r\n\r\n`;
    return speak(port, text).ended;
  };
  const allowed = await preflight(listedOrigin, 'Access-Control-Request-Private-Network: true\r\n');
  expect(allowed).toMatch(/^HTTP\/1\.1 204 /);
  expect(allowed).toContain(`Access-Control-Allow-Origin: ${listedOrigin}\r\n`);
  expect(allowed).toContain('Access-Control-Allow-Methods: GET, PUT\r\n');
  expect(allowed).toContain('Access-Control-Allow-Private-Network: true\r\n');
  const refused = await preflight('https://evil.example');
  expect(refused).toMatch(/^HTTP\/1\.1 403 /);
  expect(refused).not.toContain('Access-Control');
  choose({ mayChangeCoupons: false });
  expect(await preflight(listedOrigin)).toContain('Access-Control-Allow-Methods: GET\r\n');
  choose({ origins: [] });
  expect(await preflight(listedOrigin)).toMatch(/^HTTP\/1\.1 403 /);
});

test('without the token nothing is answered, wherever else it stands, and the log never has it', async () => {
  const clock = createManualClock();
  const { port, get, token, good, calls, logged } = await openCounting({ clock });
  const late = async (asked: Promise<{ status: number }>) => {
    let status = 0;
    void asked.then((answer) => (status = answer.status));
    await expect.poll(async () => (await clock.advance(1000), status), patience).not.toBe(0);
    return status;
  };
  for (const headers of [
    {},
    { Authorization: '' },
    { Authorization: token },
    { Authorization: `Basic ${token}` },
    { Authorization: `Bearer ${token}x` },
    { Authorization: `Bearer ${token.slice(1)}` },
    { Authorization: `Bearer ${'A'.repeat(43)}` },
    { Cookie: `token=${token}` },
    { 'Sec-WebSocket-Protocol': `tillside.v1, token.${token}` },
  ]) {
    expect(await late(get('/v1/status', headers))).toBe(401);
  }
  for (const path of [
    `/v1/status?token=${token}`,
    `/v1/status?access_token=${token}`,
    '/v1/openapi.json',
    '/',
    '/v1/no',
  ]) {
    expect(await late(get(path, {}))).toBe(401);
  }
  for (const protocols of [['tillside.v1'], ['tillside.v1', `token.${'A'.repeat(43)}`], [token]]) {
    expect(await late(upgradeStatus(port, { protocols }).then((status) => ({ status })))).toBe(401);
  }
  expect(calls()).toBe(0);
  expect((await get('/v1/status', good)).status).toBe(200);
  // The name of a scheme is of either case (RFC 9110 §11.1).
  expect((await get('/v1/status', { Authorization: `bearer ${token}` })).status).toBe(200);
  expect(await upgradeStatus(port, { protocols: ['tillside.v1', `token.${token}`] })).toBe(101);
  expect(await upgradeStatus(port, { headers: good })).toBe(101);
  expect(logged.filter(([level]) => level === 'warning')[0]).toEqual([
    'warning',
    'programs: wrong token, or none',
    { times: 1 },
  ]);
  expect(JSON.stringify(logged)).not.toContain(token);
});

test('guesses wait, too many at once are hung up on, and the one with the token does not wait for them', async () => {
  const clock = createManualClock();
  const { get, good } = await openCounting({ clock });
  const outcomes: (number | string)[] = [];
  const guesses = Array.from({ length: 20 }, () =>
    get('/v1/status', { Authorization: `Bearer ${'A'.repeat(43)}` }).then(
      ({ status }) => outcomes.push(status),
      () => outcomes.push('hung up'),
    ),
  );
  await expect.poll(() => outcomes.length, patience).toBe(12);
  expect((await get('/v1/status', good)).status).toBe(200);
  await clock.advance(999);
  // The answer to this one comes after whatever was to come before it.
  expect((await get('/v1/status', good)).status).toBe(200);
  expect(new Set(outcomes)).toEqual(new Set(['hung up']));
  await clock.advance(1);
  await Promise.all(guesses);
  expect(outcomes.filter((outcome) => outcome === 401)).toHaveLength(8);
});

test('a program that asks without end is told when to ask again', async () => {
  const clock = createManualClock();
  const { get } = await openCounting({ clock });
  const statuses = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await get('/v1/status')).status));
  expect(new Set(await statuses(40))).toEqual(new Set([200]));
  const refused = await get('/v1/status');
  expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([429, '1', '{"error":"tooMany"}']);
  await clock.advance(1000);
  expect((await statuses(21)).toSorted((one, other) => one - other)).toEqual([...Array<number>(20).fill(200), 429]);
});

test('what is crooked, large or of another kind is refused', async () => {
  const { port, get, put, good, calls } = await openCounting();
  expect((await put('/v1/coupons/1', ' '.repeat(5000))).status).toBe(413);
  expect((await put('/v1/coupons/1', '{"isOn":true}', { ...good, 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await get('/v1/status', { ...good, More: 'x'.repeat(20_000) })).status).toBe(431);
  expect((await get('http://evil.example/v1/status')).status).toBe(404);
  expect((await get('//evil.example/v1/status')).status).toBe(404);
  expect((await get('/v1/../v1/coupons/1/..')).status).toBe(404);
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${good.Authorization}\r\n`;
  for (const method of ['POST', 'DELETE', 'PATCH', 'HEAD', 'TRACE']) {
    expect(await speak(port, `${method} /v1/status ${head}Connection: close\r\n\r\n`).ended).toMatch(
      /^HTTP\/1\.1 405 /,
    );
  }
  expect(await speak(port, `CONNECT evil.example:443 ${head}\r\n`).ended).not.toContain(' 200 ');
  expect(await speak(port, `GET /v1/status ${head}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`).ended).toMatch(
    /^HTTP\/1\.1 404 /,
  );
  const endless = `PUT /v1/coupons/1 ${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n${'x'.repeat(4096)}\r\n`;
  expect(await speak(port, endless).ended).toMatch(/^HTTP\/1\.1 413 /);
  expect(calls()).toBe(0);
});

test('who sends drop by drop gives the connection back', { timeout: 30_000 }, async () => {
  const { port, get } = await openCounting({ patienceMs: 1000 });
  const slow = speak(port, `GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  expect(await slow.ended).toMatch(/^HTTP\/1\.1 408 /);
  expect((await get('/v1/status')).status).toBe(200);
  const answered = speak(port, `GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\nGET /v1/st`);
  // Each drop begins Node's own time for a silent connection anew.
  const dropping = setInterval(() => void answered.socket.write('x'), 200);
  onTestFinished(() => clearInterval(dropping));
  expect(await answered.ended).toMatch(/^HTTP\/1\.1 [^]*\nHTTP\/1\.1 408 /);
});

test('who asks again before the last answer is taken is hung up on, and nobody keeps a connection so', async () => {
  const { port, good, calls, get } = await openCounting({ patienceMs: 500 });
  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: ${good.Authorization}\r\n`;
  expect(await speak(port, `GET /v1/status HTTP/1.1\r\n${head}\r\n`.repeat(2000)).ended).toBe('');
  expect(calls()).toBeLessThanOrEqual(1);
  const upgrade = `GET /v1/events HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
  expect(await speak(port, `GET /v1/status HTTP/1.1\r\n${head}\r\n${upgrade}`).ended).not.toContain(' 101 ');
  const silent = speak(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20_000));
  silent.socket.pause();
  await expect.poll(() => silent.socket.destroyed || silent.socket.errored !== null, patience).toBe(true);
  expect((await get('/v1/status')).status).toBe(200);
});

test(
  'a connection may rest as long as it was told, and is then closed without a word',
  { timeout: 30_000 },
  async () => {
    // Its parts are far enough from their bounds that a machine with other work to do does not reach these.
    const { port, good } = await openCounting({ patienceMs: 4000 });
    const ask = `GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${good.Authorization}\r\n`;
    const { socket, ended } = speak(port, `${ask}\r\n`);
    await sleep(2000);
    socket.write(ask);
    await sleep(2500);
    socket.write('\r\n');
    const answered = await ended;
    expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(answered).toContain('Keep-Alive: timeout=4');
  },
);

test.each(ownAddresses)(
  'of many connections to %s the newest fifty are held, and one more is answered',
  async (host) => {
    const { port } = await openCounting({ patienceMs: 60_000 });
    const many = Array.from({ length: 60 }, () => speak(port, '', host));
    let hungUp = 0;
    many.forEach(({ ended }) => void ended.then(() => (hungUp += 1)));
    await expect.poll(() => hungUp, patience).toBe(10);
    expect(many.filter(({ socket }) => !socket.destroyed)).toHaveLength(50);
    const ask = `GET /v1/status HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
    expect(await speak(port, ask, host).ended).toMatch(/^HTTP\/1\.1 401 /);
  },
);

test('a listener that sends, is one too many, or does not read, is cut off', async () => {
  const handlers = createFakeHandlers({
    'lookup:find': ({ text }) => Promise.resolve(succeed({ kind: 'unknown', text } as never)),
  });
  const loopback = await openLoopback({ handlers });
  const sending = await loopback.listen();
  sending.socket.send('{"call":"terminal:read"}');
  expect(((await once(sending.socket, 'close')) as [number])[0]).toBe(1003);
  const large = await loopback.listen();
  large.socket.send('x'.repeat(2000));
  expect(((await once(large.socket, 'close')) as [number])[0]).toBe(1009);

  const deaf = await loopback.listen();
  deaf.socket.pause();
  const reported = () => loopback.logged.some(([, message]) => String(message).includes('does not read'));
  await expect
    .poll(async () => {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          loopback.handlers['lookup:find']({ text: 'x'.repeat(100_000), source: 'scan' }),
        ),
      );
      return reported();
    }, patience)
    .toBe(true);
  deaf.socket.resume();
  await once(deaf.socket, 'close');

  const listeners = [];
  for (let turn = 0; turn < 8; turn += 1) {
    listeners.push(await loopback.listen());
  }
  const port = await loopback.until('open');
  expect(await upgradeStatus(port, { headers: loopback.good })).toBe(503);
  listeners[0]?.socket.close();
  await expect.poll(() => upgradeStatus(port, { headers: loopback.good }), patience).toBe(101);
});

test('of many listeners that come at once, no more are taken than of those that come one by one', async () => {
  const { promise: allAsk, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const handlers = createFakeHandlers({
    'terminal:read': async () => {
      asked += 1;
      if (asked === 12) {
        resolve();
      }
      await allAsk;
      return succeed(firstRunState);
    },
  });
  const loopback = await openLoopback({ handlers });
  const came = await Promise.allSettled(Array.from({ length: 12 }, () => loopback.listen()));
  expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
});

test('a listener that is gone without a word is noticed, and one that is there stays', async () => {
  const clock = createManualClock();
  const loopback = await openLoopback({}, { clock });
  const there = await loopback.listen();
  const gone = await loopback.listen(undefined, { autoPong: false });
  const pings = [once(there.socket, 'ping'), once(gone.socket, 'ping')];
  await clock.advance(30_000);
  await Promise.all(pings);
  // The answer to a ping comes before that of a request that was sent after it.
  await loopback.get('/v1/status');
  const hungUp = once(gone.socket, 'close');
  await clock.advance(30_000);
  await hungUp;
  expect(there.socket.readyState).toBe(WebSocket.OPEN);
});

test("it listens on this machine's loopback alone", async () => {
  const { port } = await openCounting();
  const others = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? [])
      .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
      .map(({ address }) => address),
  );
  for (const address of others) {
    const socket = connect({ port, host: address, timeout: 2000 });
    onTestFinished(() => void socket.destroy());
    const outcome = await Promise.race([
      once(socket, 'connect').then(
        () => 'connected',
        () => 'refused',
      ),
      once(socket, 'timeout').then(() => 'refused'),
    ]);
    expect({ address, outcome }).toEqual({ address, outcome: 'refused' });
  }
});

test.skipIf(!isRoot)(
  'another user of the machine reaches the port and is told nothing (root alone can become nobody)',
  async () => {
    const { port, token, calls } = await openCounting();
    const script = `
      const ask = (headers) => fetch('http://127.0.0.1:${port}/v1/status', { headers }).then((answer) => answer.status);
      process.setgid(65534); process.setuid(65534);
      console.log(process.getuid(), await ask({}), await ask({ Authorization: 'Bearer ' + 'A'.repeat(43) }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    await once(child, 'close');
    expect(said.trim()).toBe('65534 401 401');
    expect(calls()).toBe(0);
    expect(token).toHaveLength(43);
  },
);
