import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Channel } from '../../../app/contract/contract.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { hostSource, startBrowserHost, type BrowserHost } from '../../support/browser-host.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { orderlyEnd, startChild } from '../../support/child.ts';
import { hasOpenssl } from '../../support/openssl.ts';
import { shopFile } from '../../support/shop-file.ts';
import { startShopServer } from '../../support/shop-server.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';
import { newSigningKey } from '../../support/update-server.ts';

const bundled = makeTemporaryDirectory();
let entry = '';
beforeAll(async () => {
  entry = await bundleProgram(bundled.path, 'app/serve.ts');
  return bundled.remove;
});

async function openHost(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  script = entry,
): Promise<BrowserHost> {
  const host = await startBrowserHost(flags, environment, { script });
  onTestFinished(() => host.child.kill());
  return host;
}

async function enter({ url }: BrowserHost): Promise<{ readonly origin: string; readonly cookie: string }> {
  const entered = await fetch(url, { redirect: 'manual' });
  return { origin: new URL(url).origin, cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

type Call = (channel: Channel, input?: object) => Promise<unknown>;

/** Signs in to the host, once; what is answered makes calls and answers what they answer. */
async function callsTo(host: BrowserHost): Promise<Call> {
  const { origin, cookie } = await enter(host);
  return async (channel, input = {}) => {
    const response = await fetch(`${origin}/invoke/${channel}`, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: origin, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
    return (await response.json()) as unknown;
  };
}

/** Ends of itself, with the exit code that a script looks at. */
async function checkProvision(
  dataDirectory: string,
  source: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  const flags = ['--data-dir', dataDirectory, '--lang', 'en', '--check-provision', source];
  const child = startChild(process.execPath, [entry, ...flags], { environment });
  const { code } = await child.ended;
  return { code, said: [...child.lines, ...child.errorLines].join('\n') };
}

async function readState(host: BrowserHost): Promise<TerminalState> {
  const call = await callsTo(host);
  return ((await call('terminal:read')) as { value: TerminalState }).value;
}

test('the first line is the address; a second process on the same data is refused in words', async () => {
  const dataDirectory = temporaryDirectory();
  const first = await openHost(['--data-dir', dataDirectory], {}, hostSource);
  expect(first.child.lines[0]).toBe(`Tillside is at ${first.url}`);

  const second = startChild(process.execPath, [entry, '--data-dir', dataDirectory, '--lang', 'pt-BR']);
  expect((await second.ended).code).toBe(1);
  expect(second.errorLines.join('\n')).toContain('já está em execução');
  expect(second.lines).toEqual([]);
});

// Windows knows the second only as the end of a console, which Node cannot cause.
const signals = process.platform === 'win32' ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGHUP'] as const);
test.each(signals)('%s ends it with pages open, and the data is free again', async (signal) => {
  const dataDirectory = temporaryDirectory();
  const first = await openHost(['--data-dir', dataDirectory]);
  const { origin, cookie } = await enter(first);
  const events = await fetch(`${origin}/events`, { headers: { Cookie: cookie } });
  expect(events.status).toBe(200);
  // One that does not end by itself is ended with another code.
  expect(await first.child.stop(signal)).toEqual(orderlyEnd(signal));
  await events.text().catch(() => '');

  const next = await openHost(['--data-dir', dataDirectory]);
  expect((await readState(next)).phase).toBe('firstRun');
  expect(await next.child.stop('SIGINT')).toEqual(orderlyEnd('SIGINT'));
});

test('--training opens the practice store, --lang says in which language', async () => {
  const host = await openHost(['--data-dir', temporaryDirectory(), '--training', '--lang', 'pt-BR']);
  expect(await readState(host)).toMatchObject({
    host: 'browser',
    phase: 'ready',
    mode: 'practice',
    language: 'pt-BR',
    session: { state: 'signedIn' },
  });
});

test('what does nothing in a browser is said by name when it starts', async () => {
  const host = await openHost(['--data-dir', temporaryDirectory(), '--kiosk', '--lang', 'es']);
  expect(host.child.errorLines.join('\n')).toContain(
    '--kiosk no tiene efecto aquí: Tillside funciona en un navegador.',
  );
});

test('--provision sets the terminal up to the sign-in', async () => {
  const folder = temporaryDirectory();
  writeFileSync(
    join(folder, 'till.json'),
    '{"platformUrl":"http://127.0.0.1:9","clientId":"till","clientSecret":"made-up","companyId":9007199254740993,"stockIds":[1],"language":"pt-BR"}',
  );
  const host = await openHost(['--data-dir', temporaryDirectory(), '--provision', join(folder, 'till.json')]);
  expect(await readState(host)).toMatchObject({
    phase: 'signIn',
    mode: 'platform',
    language: 'pt-BR',
    profile: { companyId: '9007199254740993', stockIds: ['1'] },
  });
});

test('--status-file tells whoever watches this terminal how it is', async () => {
  const folder = temporaryDirectory();
  await openHost(['--data-dir', join(folder, 'data'), '--training', '--status-file', join(folder, 'till')]);
  await expect.poll(() => existsSync(join(folder, 'till.prom')), { timeout: 15_000 }).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, 'till.json'), 'utf8'))).toMatchObject({
    host: 'browser',
    mode: 'practice',
    phase: 'ready',
    disk: { freeBytes: expect.any(Number) as number, queueBytes: expect.any(Number) as number },
    pageCrashes: null,
    pageSandbox: null,
  });
});

test('a status file that the provisioning file names is written from then on, also without the file', async () => {
  const folder = temporaryDirectory();
  const dataDirectory = join(folder, 'data');
  writeFileSync(join(folder, 'till.json'), JSON.stringify({ ...shopFile, statusFile: join(folder, 'watched') }));
  const first = await openHost(['--data-dir', dataDirectory, '--provision', join(folder, 'till.json')]);
  await expect.poll(() => existsSync(join(folder, 'watched.prom')), { timeout: 15_000 }).toBe(true);
  await first.child.stop('SIGTERM');
  rmSync(join(folder, 'watched.prom'));
  await openHost(['--data-dir', dataDirectory]);
  await expect.poll(() => existsSync(join(folder, 'watched.prom')), { timeout: 15_000 }).toBe(true);
});

test('--check-provision tells by its exit code what a file would change, and changes nothing', async () => {
  const folder = temporaryDirectory();
  const dataDirectory = join(folder, 'data');
  const path = join(folder, 'till.json');
  const check = async (content: object) => {
    writeFileSync(path, JSON.stringify(content));
    return checkProvision(dataDirectory, path);
  };
  expect(await check(shopFile)).toMatchObject({ code: 1 });
  expect(existsSync(dataDirectory)).toBe(false);
  const host = await openHost(['--data-dir', dataDirectory, '--provision', path]);
  expect(await check({ ...shopFile, kiosk: true })).toMatchObject({ code: 0 });
  const other = await check({ ...shopFile, clientId: 'other', clientSecret: 'secret of the file' });
  expect(other).toMatchObject({ code: 1, said: expect.stringContaining('clientId: till → other') as string });
  expect(other.said).not.toContain('secret of the file');
  expect(await check({ ...shopFile, companyId: 0 })).toMatchObject({ code: 2 });
  expect(await readState(host)).toMatchObject({ profile: { clientId: 'till' } });
});

test.skipIf(!hasOpenssl)(
  'the shop’s file at its address is told, used at the next start, and a person’s changes stay',
  async () => {
    const server = await startShopServer();
    const environment = { NODE_EXTRA_CA_CERTS: server.certificatePath };
    const folder = temporaryDirectory();
    const dataDirectory = join(folder, 'data');
    const path = join(folder, 'till.json');
    const check = () => checkProvision(dataDirectory, server.source.url, environment);
    expect(await check()).toMatchObject({ code: 2, said: expect.stringContaining('knows no key for it') as string });

    const { source } = server;
    const file = { platformUrl: 'http://127.0.0.1:9', clientId: 'till', companyId: 1, stockIds: [1], source };
    writeFileSync(path, JSON.stringify({ ...file, clientSecret: 'made-up' }));
    // Named for every start, and left in place.
    const everyStart = { ...environment, TILLSIDE_PROVISION: path };
    const first = await openHost(['--data-dir', dataDirectory], everyStart);
    server.publish({ fields: { settings: { theme: 'dark' } }, privateKey: newSigningKey() });
    expect(await check()).toMatchObject({ code: 2, said: expect.stringContaining('is not signed by a key') as string });
    server.publish({ fields: { settings: { theme: 'dark' } } });
    expect(await check()).toEqual({
      code: 1,
      said: `${source.url} would change at this terminal:\n  settings.theme: system → dark`,
    });
    const calls = await callsTo(first);
    expect(await calls('provisioning:readAgain')).toMatchObject({ ok: true });
    expect(await calls('support:diagnose')).toMatchObject({
      value: { shopFile: { shop: 'Centro', isWaiting: true, lastReading: 'good' } },
    });
    expect(await calls('terminal:read')).toMatchObject({ value: { theme: 'system' } });
    await first.child.stop('SIGTERM');

    const second = await openHost(['--data-dir', dataDirectory], everyStart);
    const later = await callsTo(second);
    expect(await later('terminal:read')).toMatchObject({ value: { theme: 'dark', phase: 'signIn' } });
    expect(await later('support:diagnose')).toMatchObject({ value: { shopFile: { isWaiting: false } } });
    expect(await later('settings:update', { theme: 'light' })).toMatchObject({ ok: true });
    await second.child.stop('SIGTERM');
    expect(await readState(await openHost(['--data-dir', dataDirectory], everyStart))).toMatchObject({
      theme: 'light',
    });
  },
  120_000,
);

test('a file that is opened on the first screen sets the terminal up, or says what is wrong with it', async () => {
  const dataDirectory = temporaryDirectory();
  const host = await openHost(['--data-dir', dataDirectory, '--lang', 'pt-BR']);
  const call = await callsTo(host);
  expect(await call('provisioning:open', { text: '{"platformUrl":"platform","kiosk":1}' })).toMatchObject({
    value: {
      problems: expect.arrayContaining([
        'platformUrl: deve ser um endereço como https://platform.example.com',
        'kiosk: deve ser true ou false',
      ]) as string[],
    },
  });
  expect(await call('provisioning:open', { text: `"${'x'.repeat(120_000)}"` })).toMatchObject({
    value: { problems: ['o arquivo: tem mais de 100000 bytes'] },
  });
  expect(await call('terminal:read')).toMatchObject({ value: { phase: 'firstRun', profiles: [] } });
  const watched = join(temporaryDirectory(), 'watched');
  const text = JSON.stringify({ ...shopFile, language: 'es', settings: { theme: 'dark' }, statusFile: watched });
  expect(await call('provisioning:open', { text })).toEqual({ ok: true, value: { problems: [] } });
  expect(await call('terminal:read')).toMatchObject({
    value: { phase: 'signIn', language: 'es', theme: 'dark', isSecretNeeded: false, profile: { companyId: '1' } },
  });
  expect(await call('provisioning:open', { text })).toMatchObject({ ok: false, failure: { kind: 'signInNeeded' } });
  // Its facts on the machine are kept for the next start.
  expect(JSON.parse(readFileSync(join(dataDirectory, 'settings.json'), 'utf8'))).toMatchObject({
    device: { statusFile: watched },
  });
});

test.each([
  [['--prot', '1'], 2, /--prot[^]*Usage: tillside/],
  [
    ['--provision', '/nowhere/till.json', '--lang', 'en'],
    2,
    /[\\/]nowhere[\\/]till\.json cannot be used:\n {2}the file: does not exist/,
  ],
  [
    ['--provision', '/nowhere/till.json', '--lang', 'pt-BR'],
    2,
    /[\\/]nowhere[\\/]till\.json não pode ser usado:\n {2}o arquivo: não existe/,
  ],
  [
    ['--training-of', `http://127.0.0.1:9/control/#${'k'.repeat(32)}`, '--lang', 'en'],
    1,
    /^No practice store answers at the address of --training-of\./,
  ],
])('%j ends with code %i and says why', async (flags, code, words) => {
  const child = startChild(process.execPath, [entry, '--data-dir', temporaryDirectory(), ...flags]);
  expect((await child.ended).code).toBe(code);
  expect(child.errorLines.join('\n')).toMatch(words);
  expect(child.lines).toEqual([]);
});

test.each(['flag', 'file'])('a status file in the data folder is refused, named by a %s', async (by) => {
  const [folder, data] = [temporaryDirectory(), temporaryDirectory()];
  const statusFile = join(data, 'settings');
  writeFileSync(join(data, 'settings.json'), '{}');
  writeFileSync(join(folder, 'till.json'), JSON.stringify({ ...shopFile, statusFile }));
  const named = by === 'flag' ? ['--status-file', statusFile] : ['--provision', join(folder, 'till.json')];
  const child = startChild(process.execPath, [entry, '--data-dir', data, '--lang', 'en', ...named]);
  expect((await child.ended).code).toBe(1);
  expect(child.errorLines.join('\n')).toMatch(/^The status file may not lie in the data folder/);
  expect(readFileSync(join(data, 'settings.json'), 'utf8')).toBe('{}');
});

test('a port that is in use is said in the language that was asked for, with a way out', async () => {
  const other = createServer();
  // At all addresses of this machine.
  other.listen(0, '0.0.0.0');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const port = String((other.address() as AddressInfo).port);
  const child = startChild(process.execPath, [
    entry,
    '--data-dir',
    temporaryDirectory(),
    '--port',
    port,
    '--lang',
    'es',
  ]);
  expect((await child.ended).code).toBe(1);
  expect(child.errorLines).toEqual([
    `Otro programa usa el puerto ${port} de este equipo. Inicie Tillside con otro --port, o sin él.`,
  ]);
});

test('--help prints the flags and ends with 0', async () => {
  const child = startChild(process.execPath, [entry, '--help']);
  expect((await child.ended).code).toBe(0);
  expect(child.lines[0]).toMatch(/^Usage: tillside/);
});

test('a damaged settings file is set aside and said on the first screen, in words, and only once', async () => {
  const dataDirectory = temporaryDirectory();
  writeFileSync(join(dataDirectory, 'settings.json'), '{"document":');
  const host = await openHost(['--data-dir', dataDirectory]);
  expect(await readState(host)).toMatchObject({
    phase: 'firstRun',
    notices: [{ kind: 'settingsSetAside', detail: expect.stringContaining('settings.json.damaged-') as string }],
  });
  await host.child.stop('SIGTERM');
  const again = await openHost(['--data-dir', dataDirectory]);
  expect((await readState(again)).notices).toEqual([]);
});

test.skipIf(process.platform === 'win32').each([
  ['settings.json', true],
  ['audit.db', false],
  ['logs/tillside.log', false],
  ['provisioning.json', false],
] as const)('a pipe in the place of %s holds no start up; refused in words: %s', async (name, isRefused) => {
  const dataDirectory = temporaryDirectory();
  const pipe = join(dataDirectory, name);
  mkdirSync(dirname(pipe), { recursive: true });
  execFileSync('mkfifo', [pipe]);
  const child = startChild(process.execPath, [entry, '--port', '0', '--data-dir', dataDirectory, '--lang', 'en']);
  onTestFinished(() => child.kill());
  const [said] = await (isRefused
    ? child.waitForErrorLine(/.* is no file/, 25_000)
    : child.waitForLine(/^Tillside is at /, 25_000));
  expect(said).toContain(isRefused ? pipe : 'Tillside is at');
});

test('an error that nobody caught is logged without secrets, and the host goes on', async () => {
  const dataDirectory = temporaryDirectory();
  const [thrower, wanted] = ['thrower.mjs', 'wanted'].map((name) => join(temporaryDirectory(), name)) as [
    string,
    string,
  ];
  writeFileSync(
    thrower,
    `import { existsSync } from 'node:fs';
     const waiting = setInterval(() => {
       if (existsSync(${JSON.stringify(wanted)})) {
         clearInterval(waiting);
         void Promise.reject(new Error('rejected'));
         throw new Error('thrown with access_token=abc123secret');
       }
     }, 50).unref();`,
  );
  const host = await openHost(['--data-dir', dataDirectory], {
    NODE_OPTIONS: `--import=${pathToFileURL(thrower).href}`,
  });
  writeFileSync(wanted, '');
  const readLog = (): string => readFileSync(join(dataDirectory, 'logs', 'tillside.log'), 'utf8');
  await expect.poll(readLog, { timeout: 10_000 }).toMatch(/"nobody caught an error".*Error: rejected/);
  expect(readLog()).toMatch(/"nobody caught an error".*thrown with access_token=\[redacted\]/);
  expect(readLog()).not.toContain('abc123secret');
  expect((await readState(host)).phase).toBe('firstRun');
  expect(await host.child.stop('SIGTERM')).toEqual(orderlyEnd('SIGTERM'));
});
