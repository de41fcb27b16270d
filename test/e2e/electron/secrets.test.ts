// The proof, in real Electron and with a real keychain where one can be had, that secrets stay in the main process and
// the keychain (promise 4): tokens, password, client secret and the manager's PIN are used as people use them and then
// looked for wherever else they could lie. Every place is searched for something planted there in the same way, so that
// none counts as clean because it could not be read.
//
// Text that a person types is in the page while it is typed and crosses the bridge once, in the call that needs it.
// After that it is in no object that the page can reach; that no freed memory of the page's process holds a trace of it
// nobody can promise, and nothing here does. A token has never been in that process at all: its whole memory is
// searched, where the system lets it be read.
import {
  cpSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { eventChannel, invokeChannel } from '../../../app/hosts/electron/channels.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { findSecrets, findSecretsIn, type Secrets } from '../../support/canary.ts';
import { launchElectronForTest, whyNoElectron, type ElectronSession } from '../../support/electron.ts';
import { hasKeyring, startKeyring } from '../../support/keyring.ts';
import { openRelay, tokensOf } from '../../support/relay.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { connect, goTo, invoke, setManagersPin, signIn, typePin } from '../story.ts';

const missing = whyNoElectron();
const pin = '86420975';
/** Of the same kinds as the real ones, put where the real ones must not be. */
const planted = { 'planted token': 'kq3Zt0v8cXwP1nRyB7mJd2LsA9uEfHg4iOoT6CxVb5w', 'planted PIN': '97530862' } as const;

interface Crossed {
  readonly way: 'in' | 'out';
  readonly text: string;
}

/** Keeps everything that crosses the bridge from now on, in both directions, at the main process's end. */
async function record({ application }: ElectronSession): Promise<() => Promise<readonly Crossed[]>> {
  await application.evaluate(
    ({ ipcMain, webContents }, channels) => {
      const crossed: { way: string; text: string }[] = [];
      const write = (value: unknown): string =>
        JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
      Object.assign(globalThis, { crossed });
      const handlers = (
        ipcMain as unknown as {
          readonly _invokeHandlers: Map<string, (event: unknown, ...given: unknown[]) => Promise<unknown>>;
        }
      )._invokeHandlers;
      const handle = handlers.get(channels.invoke);
      if (handle === undefined) {
        throw new Error('there is no bridge');
      }
      handlers.set(channels.invoke, async (event, ...given) => {
        crossed.push({ way: 'in', text: write(given) });
        const answer: unknown = await handle(event, ...given);
        crossed.push({ way: 'out', text: write([given[0], answer]) });
        return answer;
      });
      for (const contents of webContents.getAllWebContents()) {
        const send = contents.send.bind(contents);
        contents.send = (channel: string, ...given: unknown[]) => {
          crossed.push({ way: 'out', text: write([channel, ...given]) });
          send(channel, ...given);
        };
      }
    },
    { invoke: invokeChannel },
  );
  return () => application.evaluate(() => (globalThis as unknown as { crossed: Crossed[] }).crossed);
}

/** Everything that the page's own script can still reach, after what it cannot has been thrown away. */
async function takeHeap(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await devtools.detach();
  return chunks.join('');
}

/** The writable memory of a process, piece by piece; null where the system does not let it be read. */
function findInMemory(processId: number, secrets: Secrets): string[] | null {
  try {
    const regions = readFileSync(`/proc/${String(processId)}/maps`, 'latin1')
      .split('\n')
      .flatMap((line) => {
        const [, from = '', to = '', file = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ \S+\s*(.*)$/.exec(line) ?? [];
        return from === '' || file.startsWith('/dev')
          ? []
          : [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
      });
    const memory = openSync(`/proc/${String(processId)}/mem`, 'r');
    const found = new Set<string>();
    const piece = Buffer.alloc(8_000_000);
    // Pieces overlap, so that nothing is hidden by an edge.
    const overlap = 1000;
    for (const { from, to } of regions) {
      for (let at = from; at < to; at += piece.length - overlap) {
        try {
          const bytes = readSync(memory, piece, 0, Math.min(piece.length, to - at), at);
          findSecrets(piece.subarray(0, bytes), secrets).forEach((one) => found.add(one));
        } catch {
          // Reserved, and not there yet.
        }
      }
    }
    closeSync(memory);
    return [...found];
  } catch {
    return null;
  }
}

/** A copy of the data with something planted in each of its places; answers the places that the search must name. */
function mutation(dataDirectory: string): {
  readonly copy: string;
  readonly places: readonly string[];
  readonly open: readonly DatabaseSync[];
} {
  const copy = join(temporaryDirectory(), 'copy');
  cpSync(dataDirectory, copy, { recursive: true, filter: (source) => !/Singleton|SS$/.test(source) });
  const token = planted['planted token'];
  const settings = JSON.parse(readFileSync(join(copy, 'settings.json'), 'utf8')) as object;
  writeFileSync(
    join(copy, 'settings.json'),
    JSON.stringify({ ...settings, planted: Buffer.from(`x${token}`).toString('base64') }),
  );
  appendFileSync(join(copy, 'logs', 'tillside.log'), `${JSON.stringify({ message: `sent ${token}` })}\n`);
  mkdirSync(join(copy, 'electron', 'Crashpad', 'pending'), { recursive: true });
  writeFileSync(
    join(copy, 'electron', 'Crashpad', 'pending', 'planted.dmp'),
    Buffer.concat([Buffer.alloc(4097, 1), Buffer.from(token, 'utf16le')]),
  );
  const names = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:queue|catalogue|audit)\.db$/.test(name),
  );
  expect(names.map((name) => basename(name)).sort()).toEqual(['audit.db', 'catalogue.db', 'queue.db']);
  const open = names.map((name) => {
    const database = new DatabaseSync(join(copy, name));
    // It stays in the write-ahead log for as long as the database is open.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE planted (secret TEXT); INSERT INTO planted VALUES ('${token}')`,
    );
    return database;
  });
  return {
    copy,
    places: [
      'settings.json: planted token in base64',
      'logs/tillside.log: planted token in utf8',
      'electron/Crashpad/pending/planted.dmp: planted token in utf16le',
      ...names.map((name) => `${name}-wal: planted token in utf8`),
    ],
    open,
  };
}

test.skipIf(missing !== null)(
  'no secret is anywhere but in the main process and the keychain',
  { timeout: 240_000 },
  async () => {
    const keyring = hasKeyring() ? await startKeyring() : null;
    const platform = await startTrainingPlatform({ directory: null, productCount: 250 });
    const relay = await openRelay(platform.platformUrl);
    onTestFinished(async () => {
      await keyring?.stop();
      await relay.close();
      await platform.close();
    });
    const dataDirectory = temporaryDirectory();
    const session = await launchElectronForTest([], { dataDirectory, environment: keyring?.environment ?? {} });
    const { page, application } = session;
    const printed: Buffer[] = [];
    for (const stream of [application.process().stdout, application.process().stderr]) {
      stream?.on('data', (chunk: Buffer) => printed.push(chunk));
    }
    const crossedSoFar = await record(session);

    // A day's use: connect, sign in, lock and unlock with the PIN, switch a coupon, have the token renewed.
    const { clientId, clientSecret, companyId, stockIds, email, password } = platform;
    const known = { url: relay.url, clientId, clientSecret, companyId, stockIds: stockIds.join(', '), email, password };
    await connect(page, known, relay.url);
    await page.getByLabel('Password', { exact: true }).fill('a wrong password, to begin with');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await signIn(page, known);
    await page.getByRole('main', { name: 'Lookup' }).waitFor();
    expect(await invoke(page, 'terminal:read')).toMatchObject({
      value: { session: { state: 'signedIn', keptIn: keyring === null ? 'memory' : 'keychain' } },
    });
    await setManagersPin(page, pin);
    await goTo(page, 'Coupons');
    await page.getByRole('grid').getByRole('switch').first().click({ force: true });
    await typePin(page, pin);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    platform.expireAccessTokens();
    expect(await invoke(page, 'coupon:refresh')).toMatchObject({ ok: true });
    await goTo(page, 'Lookup');

    const tokens = tokensOf(relay);
    expect(Object.keys(tokens).length).toBeGreaterThanOrEqual(4);
    const typed: Secrets = { password, 'client secret': clientSecret, "manager's PIN": pin };
    const secrets: Secrets = { ...tokens, ...typed };
    const all: Secrets = { ...secrets, ...planted };

    // The page: what its script can reach.
    await page.evaluate((values) => {
      Object.assign(window, { planted: values.map((value) => ({ value })) });
    }, Object.values(planted));
    expect(findSecrets(await takeHeap(page), all)).toEqual(Object.keys(planted).map((name) => `${name} in utf8`));
    expect(
      await page.evaluate(() =>
        JSON.stringify([{ ...window.sessionStorage }, { ...window.localStorage }, document.cookie]),
      ),
    ).not.toMatch(new RegExp(Object.values(secrets).join('|')));

    // The page's process: its whole memory, for what was never in it.
    const pageProcess = await application.evaluate(
      ({ BrowserWindow }) => BrowserWindow.fromId(1)?.webContents.getOSProcessId() ?? 0,
    );
    const inMemory = findInMemory(pageProcess, { ...tokens, ...planted });
    if (inMemory !== null) {
      expect(inMemory).toContain('planted token in utf8');
      expect(inMemory.filter((one) => !one.startsWith('planted'))).toEqual([]);
    }

    // The bridge: what came from the page crossed once, in the call that needs it; nothing of it, and no token, ever
    // goes to the page.
    await application.evaluate(
      ({ BrowserWindow }, { channel, value }) => BrowserWindow.fromId(1)?.webContents.send(channel, 'planted', value),
      { channel: eventChannel, value: planted['planted token'] },
    );
    const crossed = await crossedSoFar();
    expect(
      findSecrets(
        crossed
          .filter(({ way }) => way === 'out')
          .map(({ text }) => text)
          .join('\n'),
        all,
      ),
    ).toEqual(['planted token in utf8']);
    const into = crossed
      .filter(({ way, text }) => way === 'in' && findSecrets(text, secrets).length > 0)
      .map(({ text }) => `${(JSON.parse(text) as string[])[0] ?? ''}: ${findSecrets(text, secrets).join()}`);
    expect([...new Set(into)]).toEqual([
      'profile:connect: client secret in utf8',
      'session:signIn: password in utf8',
      "lock:setPin: manager's PIN in utf8",
      "lock:unlock: manager's PIN in utf8",
    ]);

    // The bundle that a person sends to support, also when somebody has logged a secret.
    const [token = ''] = Object.values(tokens);
    appendFileSync(
      join(dataDirectory, 'logs', 'tillside.log'),
      `${JSON.stringify({ at: '2026-01-01', level: 'info', message: `planted ${planted['planted token']}` })}\n`,
    );
    appendFileSync(
      join(dataDirectory, 'logs', 'tillside.log'),
      `${JSON.stringify({ at: '2026-01-01', level: 'info', message: `Authorization: Bearer ${token} {"password":"${password}"}` })}\n`,
    );
    const bundle = JSON.stringify(await invoke(page, 'support:readBundle'));
    expect(bundle).toContain('about');
    expect(findSecrets(bundle, all)).toEqual(['planted token in utf8']);
    const log = join(dataDirectory, 'logs', 'tillside.log');
    writeFileSync(
      log,
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => !line.includes('2026-01-01'))
        .join('\n'),
    );

    // The disk, while everything is open and the write-ahead logs are full, and after both processes have crashed.
    const { copy, places, open } = mutation(dataDirectory);
    expect(findSecretsIn(copy, all)).toEqual(expect.arrayContaining([...places]));
    for (const database of open) {
      database.close();
    }
    expect(findSecretsIn(dataDirectory, all)).toEqual([]);
    await application.evaluate((_electron, value) => process.stderr.write(`${value}\n`), planted['planted token']);
    process.kill(pageProcess, 'SIGSEGV');
    await expect
      .poll(
        () => application.evaluate(({ BrowserWindow }) => BrowserWindow.fromId(1)?.webContents.getOSProcessId() ?? 0),
        { timeout: 20_000 },
      )
      .not.toBe(pageProcess);
    application.process().kill('SIGSEGV');
    await session.ended;
    expect(findSecretsIn(dataDirectory, all)).toEqual([]);
    if (keyring !== null) {
      expect(findSecretsIn(keyring.environment['HOME'] ?? '', all)).toEqual([]);
    }
    expect(findSecrets(Buffer.concat(printed), all)).toEqual(['planted token in utf8']);
  },
);
