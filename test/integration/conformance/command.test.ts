import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendOverHttp } from '../../../app/conformance/http-send.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../../app/training/server.ts';
import { startChild, nodeEnvironment, type Child } from '../../support/child.ts';
import { listenLocally } from '../../support/listen.ts';

async function startPlatform(): Promise<TrainingPlatform> {
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 130 });
  onTestFinished(() => platform.close());
  return platform;
}

const flagsFor = (platform: TrainingPlatform): string[] => [
  '--url',
  platform.platformUrl,
  '--client-id',
  platform.clientId,
  '--email',
  platform.email,
  '--company',
  platform.companyId,
  '--stock',
  platform.stockIds[0] ?? '',
];

function run(flags: readonly string[], secrets: Readonly<Record<string, string>> = {}): Child {
  const child = startChild(process.execPath, ['build/conformance.ts', ...flags], {
    environment: { ...nodeEnvironment(), ...secrets },
  });
  onTestFinished(() => child.kill());
  return child;
}

const secretsOf = (platform: TrainingPlatform, password: string = platform.password): Record<string, string> => ({
  CONFORMANCE_CLIENT_SECRET: platform.clientSecret,
  CONFORMANCE_PASSWORD: password,
});

describe('the command', () => {
  it('ends with 2 and the reason where the sign-in is refused, after one request', async () => {
    const platform = await startPlatform();
    const child = run([...flagsFor(platform), '--language', 'pt-BR'], secretsOf(platform, 'not this one'));
    expect((await child.ended).code).toBe(2);
    expect(child.lines.at(-1)).toBe(
      'A plataforma não pôde ser julgada. O início de sessão foi recusado com 401. Confira id e segredo do cliente, e-mail e senha.',
    );
    expect(platform.arrivals()).toHaveLength(1);
  });

  it('ends with 2 where nobody answers', async () => {
    const platform = await startPlatform();
    const flags = flagsFor(platform);
    await platform.close();
    const child = run([...flags, '--json'], secretsOf(platform));
    expect((await child.ended).code).toBe(2);
    expect(JSON.parse(child.lines.join('\n'))).toMatchObject({ outcome: 'notJudged', why: { key: 'unreachable' } });
  });

  it.skipIf(process.platform === 'win32')('stops at Ctrl+C while it waits, and says what it knows', async () => {
    const platform = await startPlatform();
    const child = run([...flagsFor(platform), '--json', '--per-minute', '12'], secretsOf(platform));
    await expect.poll(() => platform.arrivals().length, { timeout: 20_000 }).toBe(8);
    child.process.kill('SIGINT');
    expect((await child.ended).code).toBe(2);
    const report = JSON.parse(child.lines.join('\n')) as { outcome: string; lines: { verdict: string }[] };
    expect(report).toMatchObject({ outcome: 'notJudged', why: { key: 'stopped' }, perMinute: 12 });
    expect(report.lines.filter(({ verdict }) => verdict === 'kept').length).toBeGreaterThan(2);
    expect(platform.arrivals()).toHaveLength(8);
  });

  it('asks nobody where the environment has certificates not looked at', async () => {
    const platform = await startPlatform();
    const child = run(flagsFor(platform), { ...secretsOf(platform), NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect((await child.ended).code).toBe(2);
    expect(platform.arrivals()).toHaveLength(0);
  });

  it('asks for no secret where nobody can type one', async () => {
    const child = run(flagsFor(await startPlatform()));
    expect((await child.ended).code).toBe(2);
    expect(child.errorLines[0]).toContain('CONFORMANCE_CLIENT_SECRET');
  });

  it.each([
    [[], /--url is missing/],
    [['--url', 'http://example.com'], /--url must be https/],
    [['--url', 'https://user:word@example.com'], /--url must be https/],
    [
      ['--url', 'https://example.com', '--client-id', 'a', '--email', 'b', '--company', 'x'],
      /--company must be a number/,
    ],
    [['--per-minute', '31', '--url', 'https://example.com', '--client-id', 'a'], /--per-minute|--email/],
    [['--password', 'x'], /--password/],
  ])('refuses %j with code 2 and the usage', async (flags, message) => {
    const child = run(flags);
    expect((await child.ended).code).toBe(2);
    expect(child.errorLines[0]).toMatch(message);
    expect(child.errorLines.join('\n')).toContain('Usage: npm run conformance');
  });
});

describe('a request over the network', () => {
  const listen = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    const port = await listenLocally(server);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${port}`;
  };
  const ask = (url: string): ReturnType<typeof sendOverHttp> =>
    sendOverHttp({
      method: 'PUT',
      url: `${url}/a?b=c%2Bd`,
      headers: { 'X-One': 'é'.normalize('NFD')[0] ?? '' },
      body: '{"ã":1}',
    });

  it('carries method, path, headers and body as they are, and the answer as it came', async () => {
    const seen: unknown[] = [];
    const url = await listen((incoming, response) => {
      seen.push(incoming.method, incoming.url, incoming.headers['x-one'], incoming.headers['content-length']);
      response.writeHead(422, { 'X-Two': 'b' }).end('não');
    });
    expect(await ask(url)).toMatchObject({ status: 422, text: 'não', headers: { 'x-two': 'b' } });
    expect(seen).toEqual(['PUT', '/a?b=c%2Bd', 'e', '8']);
  });

  it('answers why it cannot be sent, as with a token that no header can hold', async () => {
    const headers = { Authorization: 'Bearer a\nb' };
    const asked = sendOverHttp({ method: 'GET', url: 'http://127.0.0.1:9/a', headers, body: null });
    expect(await asked).toContain('Authorization');
  });

  it('follows no redirect', async () => {
    const url = await listen((_incoming, response) => response.writeHead(302, { location: '/other' }).end());
    expect(await ask(url)).toMatchObject({ status: 302 });
  });

  it.each([
    ['breaks', (_incoming, response) => response.destroy()],
    [
      'breaks off in its middle',
      (_incoming, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'speaks another protocol',
      ({ socket }) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ] as [string, RequestListener][])('answers why when it %s', async (_case, listener) => {
    expect(await ask(await listen(listener))).toBeTypeOf('string');
  });

  it('takes two megabytes of an answer without an end, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await listen((_incoming, response) => {
      const more = setInterval(() => response.write(' '.repeat(1_000_000)), 1);
      response.on('close', () => {
        clearInterval(more);
        closed.resolve();
      });
    });
    expect(await ask(url)).toContain('more than 2097152 bytes');
    await closed.promise;
  });
});
