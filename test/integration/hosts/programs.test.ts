// The proof that a program on this machine can ask the Tillside that runs: over real sockets and with real processes,
// without a request to the platform, without a trace on the screen, and for this user alone.
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNodeClock } from '../../../app/hosts/node/node-ports.ts';
import { runLookup } from '../../../app/hosts/programs/command.ts';
import { isOwnSocket, newSocketPath, removeSocket } from '../../../app/hosts/programs/door.ts';
import { openPrograms } from '../../../app/hosts/programs/server.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { answerPrograms, openCopiedPractice, openStrictTill } from '../../support/asked-tills.ts';
import { startBrowserHost } from '../../support/browser-host.ts';
import { startChild } from '../../support/child.ts';
import { createFakeHandlers } from '../../support/fake-handlers.ts';
import { ask as askAt } from '../../support/gated-host.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const entry = resolve(import.meta.dirname, '../../../app/serve.ts');
/** The id of the practice store's first product. */
const product = '1000001';
const clock = createNodeClock();
const patience = { timeout: 20_000 };
const isPosix = process.platform !== 'win32';

function doorOf(dataDirectory: string): { readonly socket: string; readonly token: string } {
  return JSON.parse(readFileSync(join(dataDirectory, 'programs.json'), 'utf8')) as { socket: string; token: string };
}

/** The output of `--lookup`, as a script sees it. */
async function ask(dataDirectory: string, code: string) {
  const child = startChild(process.execPath, [entry, '--data-dir', dataDirectory, '--json', '--lookup', code]);
  const { code: exitCode } = await child.ended;
  return { exitCode, output: child.lines.join('\n') };
}

/** The status and the body. */
async function send(dataDirectory: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { status, body } = await askAt(doorOf(dataDirectory).socket, method, path, headers);
  return { status, body: JSON.parse(body) as unknown };
}

test.skipIf(!isPosix || process.getuid?.() !== 0)(
  "a link that another user has put where a socket's folder was is neither believed nor removed",
  () => {
    const folder = temporaryDirectory();
    const link = join(folder, 'tillside-abc123');
    symlinkSync(temporaryDirectory(), link);
    lchownSync(link, 65_534, 65_534);
    expect(isOwnSocket(join(link, 'socket'))).toBe(false);
    // Where only its owner may remove it, as among the system's temporary files, trying would keep Tillside from starting.
    removeSocket(join(link, 'socket'));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  },
);

test('a script is answered by the process that runs, with its exit code, and told when there is none', async () => {
  const dataDirectory = temporaryDirectory();
  const look = (code: string) => runLookup({ code, isJson: true, dataDirectory, language: 'en' });
  const host = await startBrowserHost(['--data-dir', dataDirectory, '--training']);
  onTestFinished(() => host.child.kill());
  await expect.poll(async () => (await look(product)).exitCode, patience).toBe(0);
  const { exitCode, output } = await ask(dataDirectory, product);
  expect(exitCode).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ isFound: true, answer: 'found', mode: 'practice', code: product });
  // The copy may come to its product between two questions.
  const agree = async (): Promise<boolean> =>
    (await ask(dataDirectory, product)).output === (await look(product)).output.trim();
  await expect.poll(agree, patience).toBe(true);
  const said = await runLookup({ code: product, isJson: false, dataDirectory, language: 'en' });
  expect(said.output).toMatch(/^.+ · .+ · -?[\d.]+ \w+ · .+\n/);
  expect((await look('NO-SUCH-1')).exitCode).toBe(1);
  await host.child.stop();
  expect(await runLookup({ code: product, isJson: false, dataDirectory, language: 'en' })).toEqual({
    exitCode: 2,
    output: '',
    complaint: 'Tillside does not run with this data folder.\n',
  });
});

test('what a power cut left answers nothing; a start removes it and makes a token, an end leaves none', async () => {
  const dataDirectory = temporaryDirectory();
  const look = async () => (await runLookup({ code: '1', isJson: true, dataDirectory, language: 'en' })).output;
  expect(await look()).toContain('"notRunning"');
  const left = newSocketPath();
  const token = 'k'.repeat(43);
  writeFileSync(join(dataDirectory, 'programs.json'), JSON.stringify({ socket: left, token }));
  expect(await look()).toContain('"notRunning"');
  const open = () => openPrograms({ dataDirectory, handlers: createFakeHandlers(), log: () => undefined, clock });
  const first = await open();
  expect(existsSync(dirname(left))).toBe(!isPosix);
  const { token: firstToken, ...door } = doorOf(dataDirectory);
  expect(door).toEqual({ socket: expect.not.stringMatching(left) as string });
  expect(firstToken).toMatch(/^[\w-]{43}$/);
  expect(firstToken).not.toBe(token);
  expect(await look()).toContain('"notReady"');
  await first.close();
  expect(doorOf(dataDirectory)).toEqual({ socket: null, token: null });
  const second = await open();
  onTestFinished(second.close);
  expect(doorOf(dataDirectory).token).not.toBe(firstToken);
  expect(await send(dataDirectory, '/v1/lookup?code=1', { Authorization: `Bearer ${firstToken}` })).toMatchObject({
    status: 401,
  });
  expect(await look()).toContain('"notReady"');
});

test('of a Tillside that runs and falls silent it is said that it does not answer', async () => {
  const dataDirectory = temporaryDirectory();
  const handlers = createFakeHandlers({ 'lookup:find': () => new Promise(() => undefined) });
  await answerPrograms(handlers, dataDirectory);
  const looked = await runLookup({ code: '1', isJson: true, dataDirectory, language: 'en', patienceMs: 300 });
  expect(looked).toMatchObject({ output: expect.stringContaining('"noAnswer"') as string, exitCode: 2 });
});

test('a lookup costs no request and no slot, and leaves no trace on the screen', async () => {
  const { terminal, product: known, directory: dataDirectory, spent } = await openCopiedPractice();
  const { handlers } = terminal;
  await answerPrograms(handlers, dataDirectory);
  const look = (code: string) => runLookup({ code, isJson: true, dataDirectory, language: 'en' });
  const shown = await handlers['lookup:find']({ text: '2', source: 'scan' });
  const before = await spent();
  const recent = await handlers['lookup:listRecent']({});
  for (const code of ['NO-SUCH-1', '9520000000028']) {
    await look(code);
  }
  expect(JSON.parse((await look(known.code)).output)).toMatchObject({
    isFound: true,
    products: expect.arrayContaining([expect.objectContaining({ name: known.name })]) as unknown,
  });
  expect(await handlers['lookup:listRecent']({})).toEqual(recent);
  expect(await spent()).toEqual(before);
  expect(await handlers['lookup:find']({ text: '2', source: 'scan', isAgain: true })).toEqual(shown);
});

test('a code that is printed begins no line of its own and commands no terminal', async () => {
  const dataDirectory = temporaryDirectory();
  const handlers = createFakeHandlers({
    'lookup:find': ({ text }) => Promise.resolve(succeed({ kind: 'unknown', text, asked: false })),
  });
  const programs = await openPrograms({ dataDirectory, handlers, log: () => undefined, clock });
  onTestFinished(programs.close);
  // Whoever makes a barcode chooses its text, and a till's program passes on what was scanned.
  const code = '1\u001b]0;title\u0007\r\nLeite · 789 · 5 un\u2028\u202e2\u009b31m';
  const { output, exitCode } = await runLookup({ code, isJson: false, dataDirectory, language: 'en' });
  expect({ output, exitCode }).toEqual({
    output: '1�]0;title���Leite · 789 · 5 un��2�31m is not known.\n',
    exitCode: 1,
  });
  const json = await runLookup({ code, isJson: true, dataDirectory, language: 'en' });
  expect(JSON.parse(json.output)).toMatchObject({ code, answer: 'unknown' });
});

test('where looking up needs a sign-in, a program is told so and gets nothing', async () => {
  const { terminal, code } = await openStrictTill();
  const { handlers } = terminal;
  const dataDirectory = temporaryDirectory();
  await answerPrograms(handlers, dataDirectory);
  const look = () => runLookup({ code, isJson: true, dataDirectory, language: 'en' });
  expect((await look()).exitCode).toBe(0);
  await handlers['session:signOut']({});
  const refused = await look();
  expect(refused.exitCode).toBe(2);
  expect(JSON.parse(refused.output)).toMatchObject({ error: 'signInNeeded' });
});

test('what a program reads is ASCII in every code page, and a badge is no code', async () => {
  const dataDirectory = temporaryDirectory();
  const handlers = createFakeHandlers({
    'lookup:find': ({ text }) => Promise.resolve(succeed({ kind: 'unknown', text, asked: false })),
  });
  await answerPrograms(handlers, dataDirectory);
  const code = 'Pão 1 €\u009b😀';
  const { output } = await runLookup({ code, isJson: true, dataDirectory, language: 'pt-BR' });
  expect(output).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(output)).toMatchObject({ code, answer: 'unknown' });
  const refused = await ask(dataDirectory, 'TILL1234567890123456');
  expect(refused.exitCode).toBe(2);
  expect(JSON.parse(refused.output)).toMatchObject({ error: 'inputInvalid' });
});

test('only who can read the file of this user is answered, and only what is asked in the right way', async () => {
  const dataDirectory = temporaryDirectory();
  const logged: unknown[] = [];
  const programs = await openPrograms({
    dataDirectory,
    handlers: createFakeHandlers({
      'lookup:find': ({ text }) =>
        text === 'bug' ? Promise.reject(new Error('a bug')) : Promise.resolve(fail({ kind: 'locked' })),
    }),
    log: (...line) => logged.push(line),
    clock,
  });
  onTestFinished(programs.close);
  const { socket, token } = doorOf(dataDirectory);
  if (isPosix) {
    expect(statSync(dirname(socket)).mode & 0o077).toBe(0);
    expect(statSync(join(dataDirectory, 'programs.json')).mode & 0o077).toBe(0);
  }
  const good = { Authorization: `Bearer ${token}` };
  for (const headers of [
    {},
    { Authorization: 'Bearer ' },
    { Authorization: `Bearer ${'x'.repeat(43)}` },
    { Authorization: token },
  ]) {
    expect(await send(dataDirectory, '/v1/lookup?code=1', headers)).toEqual({
      status: 401,
      body: { error: 'tokenNeeded' },
    });
  }
  expect(await send(dataDirectory, '/v1/lookup?code=1', good)).toEqual({ status: 403, body: { error: 'locked' } });
  expect(await send(dataDirectory, '/v1/lookup?code=bug', good)).toEqual({
    status: 500,
    body: { error: 'unexpected' },
  });
  expect(await send(dataDirectory, `/v1/lookup?code=${'1'.repeat(5000)}`, good)).toMatchObject({ status: 400 });
  expect(await send(dataDirectory, '/v1/lookup?code=1', good, 'POST')).toMatchObject({ status: 405 });
  expect(await send(dataDirectory, '/terminal:read', good)).toMatchObject({ status: 404 });
  expect(await runLookup({ code: 'bug', isJson: false, dataDirectory, language: 'pt-BR' })).toEqual({
    output: '',
    complaint: 'O Tillside não conseguiu responder. O registro dele diz por quê.\n',
    exitCode: 2,
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'a socket in somebody else’s folder is neither believed nor removed (only root can give one away)',
  async () => {
    const dataDirectory = temporaryDirectory();
    const handlers = createFakeHandlers();
    const programs = await openPrograms({ dataDirectory, handlers, log: () => undefined, clock });
    onTestFinished(programs.close);
    const { socket, token } = doorOf(dataDirectory);
    const look = async () => (await runLookup({ code: '1', isJson: true, dataDirectory, language: 'en' })).output;
    expect(await look()).toContain('"notReady"');
    chownSync(dirname(socket), 65_534, 65_534);
    expect(await look()).toContain('"notRunning"');
    removeSocket(socket);
    expect(existsSync(socket)).toBe(true);
    chownSync(dirname(socket), 0, 0);
    expect(doorOf(dataDirectory).token).toBe(token);
  },
);

test('a program that asks without end is slowed, so that scans need not wait', async () => {
  const dataDirectory = temporaryDirectory();
  const manual = createManualClock();
  const handlers = createFakeHandlers();
  await answerPrograms(handlers, dataDirectory, manual);
  const headers = { Authorization: `Bearer ${doorOf(dataDirectory).token}` };
  const statuses = async (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => (await send(dataDirectory, '/v1/lookup?code=1', headers)).status),
    );
  // Without the token nothing is used up.
  expect((await send(dataDirectory, '/v1/lookup?code=1')).status).toBe(401);
  expect(new Set([...(await statuses(25)), ...(await statuses(25))])).toEqual(new Set([503]));
  expect(await statuses(2)).toEqual([429, 429]);
  expect((await runLookup({ code: '1', isJson: false, dataDirectory, language: 'en' })).complaint).toBe(
    'Programs ask more than 50 times in a second. Ask again in a second.\n',
  );
  await manual.advance(1000);
  expect(await statuses(1)).toEqual([503]);
});

test('a file that is damaged or names somebody else’s socket is replaced, and that socket stays', async () => {
  const dataDirectory = temporaryDirectory();
  const theirs = join(dataDirectory, 'theirs');
  writeFileSync(theirs, '');
  for (const content of ['{', '[]', JSON.stringify({ socket: theirs, token: 'short' })]) {
    writeFileSync(join(dataDirectory, 'programs.json'), content);
    const programs = await answerPrograms(createFakeHandlers(), dataDirectory);
    expect(await runLookup({ code: '1', isJson: true, dataDirectory, language: 'en' })).toMatchObject({
      output: expect.stringContaining('notReady') as string,
      exitCode: 2,
    });
    await programs.close();
  }
  expect(existsSync(theirs)).toBe(true);
});
