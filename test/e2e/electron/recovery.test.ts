// The proof, in real Electron, that a page which is killed or hangs comes back where it was with what was typed, that
// one which falls again and again makes way for the safe screen and in the end for words, and that a second start shows
// the first.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import {
  electronCommand,
  launchElectron,
  launchElectronForTest,
  whyNoElectron,
  type ElectronSession,
} from '../../support/electron.ts';
import { shopFile } from '../../support/shop-file.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

const missing = whyNoElectron();

/** Runs in the page of the window, the first that is made; Playwright loses sight of it once it crashed. */
function inPage<Value>({ application }: ElectronSession, script: string): Promise<Value> {
  return application.evaluate(
    ({ BrowserWindow }, source) => BrowserWindow.fromId(1)?.webContents.executeJavaScript(source) as Promise<unknown>,
    script,
  ) as Promise<Value>;
}

/** Ends the page's process from outside, as the system would that is out of memory, and waits until this is there again. */
async function killPage({ application }: ElectronSession, selector: string): Promise<void> {
  const backMs = await application.evaluate(async ({ BrowserWindow }, wanted) => {
    const contents = BrowserWindow.fromId(1)?.webContents;
    if (contents === undefined) {
      throw new Error('no window');
    }
    const begunMs = performance.now();
    const loaded = new Promise<void>((resolve) => {
      contents.once('did-finish-load', () => {
        resolve();
      });
    });
    process.kill(contents.getOSProcessId(), 'SIGKILL');
    await loaded;
    while (
      ((await contents.executeJavaScript(`document.querySelector(${JSON.stringify(wanted)}) !== null`)) as unknown) !==
      true
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return performance.now() - begunMs;
  }, selector);
  console.log(`back after ${Math.round(backMs)} ms`);
}

test.skipIf(missing !== null)(
  'a killed page is back where it was, with what was typed and no secret (R1)',
  async () => {
    const session = await launchElectronForTest();
    const { page } = session;
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await page.getByRole('textbox', { name: 'Platform address' }).fill('https://platform.example.com');
    await page.getByRole('textbox', { name: 'Client ID' }).fill('till');
    await page.getByLabel('Client secret', { exact: true }).fill('a secret that is made up');
    await page.getByRole('textbox', { name: 'Company' }).fill('9007199254740993');
    expect(
      await page.evaluate(() => JSON.stringify({ ...window.sessionStorage, ...window.localStorage })),
    ).not.toContain('made up');

    await killPage(session, 'button');
    await inPage(
      session,
      `[...document.querySelectorAll('button')].find((one) => one.textContent.includes('Connect to a platform')).click()`,
    );
    const typed = (): Promise<Record<string, string>> =>
      inPage(
        session,
        `Object.fromEntries([...document.querySelectorAll('input')].map((one) => [one.name, one.value]))`,
      );
    await expect
      .poll(typed)
      .toMatchObject({
        platformUrl: 'https://platform.example.com',
        clientId: 'till',
        clientSecret: '',
        companyId: '9007199254740993',
      });
  },
);

test.skipIf(missing !== null)(
  'a killed page that a script has given another address is loaded at its own (R1)',
  async () => {
    const session = await launchElectronForTest();
    await session.page.getByRole('button', { name: 'Practice store' }).waitFor();
    const shows = (): Promise<string> => inPage<string>(session, 'document.body.innerText').catch(() => '');
    await inPage(session, `history.pushState(null, '', '/nothing')`);
    await killPage(session, 'body');
    await expect.poll(shows, { timeout: 10_000 }).toContain('Practice store');
  },
);

test.skipIf(missing !== null)('the lookup field, the filters and the screen are kept too (R1)', async () => {
  const session = await launchElectronForTest(['--training']);
  const { page } = session;
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).fill('caf');
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.getByRole('main', { name: 'Stock' }).getByRole('textbox').first().fill('agua');
  await expect.poll(() => page.evaluate(() => window.sessionStorage.getItem('drafts'))).toContain('agua');

  await killPage(session, 'main');
  await expect.poll(() => inPage<string>(session, 'location.hash')).toBe('#stock');
  await expect
    .poll(() => inPage<string>(session, `document.querySelector('main .search-field input').value`))
    .toBe('agua');
  await inPage(session, `location.hash = '#lookup'`);
  await expect
    .poll(() => inPage<string[]>(session, `[...document.querySelectorAll('input')].map((one) => one.value)`))
    .toContain('caf');
});

/** Whether the page's process is the same after it ran this script, while so often a key was pressed. */
function outlives({ application }: ElectronSession, script: string, presses: number): Promise<boolean> {
  return application.evaluate(
    async ({ BrowserWindow }, [source, times]) => {
      const contents = BrowserWindow.fromId(1)?.webContents;
      const before = contents?.getOSProcessId();
      const gone = new Promise((resolve) => contents?.once('render-process-gone', () => resolve('ended')));
      const busy = contents?.executeJavaScript(source).then(() => null);
      const press = async (pauseMs: number): Promise<void> => {
        contents?.sendInputEvent({ type: 'keyDown', keyCode: 'a' });
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      };
      for (let pressed = 0; pressed < times; pressed += 1) {
        await press(50);
      }
      const end = await Promise.race([busy, gone]);
      await press(500);
      return end === null && contents?.getOSProcessId() === before;
    },
    [script, presses] as const,
  );
}

// The page that is left alone is the same one, until it hangs.
describe.skipIf(missing !== null)('a page that does not answer', () => {
  const data = makeTemporaryDirectory();
  let running: ElectronSession;
  beforeAll(async () => {
    running = await launchElectron(['--data-dir', data.path, '--lang', 'en']);
    await running.page.getByRole('button', { name: 'Practice store' }).waitFor();
  });
  afterAll(async () => {
    await running.kill();
    data.remove();
  });

  test.each([
    [
      'that is busy for a second is left alone, however much is pressed',
      'for (const endMs = performance.now() + 1000; performance.now() < endMs;); null',
      20,
    ],
    [
      'that works through what was scanned, however slowly, is left alone',
      `for (let scan = 0; scan < 16; scan += 1) {
        for (const endMs = performance.now() + 400; performance.now() < endMs;);
        void window.tillside.invoke('terminal:read', {});
      } null`,
      120,
    ],
  ])('a page %s (R4)', async (_what, script, presses) => {
    expect(await outlives(running, script, presses)).toBe(true);
  });

  test('a page that is busy while nobody presses is left alone (R4)', async () => {
    const { application, page } = running;
    const pid = await application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.fromId(1)?.webContents.getOSProcessId(),
    );
    if (pid === undefined) {
      throw new Error('no window');
    }
    await page.evaluate(() => {
      window.addEventListener('keydown', () => (document.documentElement.dataset['pressed'] = ''), { once: true });
    });
    await application.evaluate(({ BrowserWindow }) => {
      BrowserWindow.fromId(1)?.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'a' });
    });
    // Heard before the page is stopped.
    await page.locator('html[data-pressed]').waitFor();
    // As long as a dialog of the system may be open over a page.
    process.kill(pid, 'SIGSTOP');
    await sleep(7_000);
    process.kill(pid, 'SIGCONT');
    await page.evaluate(() => null);
    expect(
      await application.evaluate(({ BrowserWindow }) => BrowserWindow.fromId(1)?.webContents.getOSProcessId()),
    ).toBe(pid);
  });

  test('a page that hangs is ended when a person goes on pressing, and is back by itself (R4)', async () => {
    const seen = await running.application.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.fromId(1)?.webContents;
      if (contents === undefined) {
        throw new Error('no window');
      }
      const begunMs = performance.now();
      const at = { endedMs: 0, backMs: 0 };
      contents.once('render-process-gone', () => (at.endedMs = performance.now()));
      contents.once('did-finish-load', () => (at.backMs = performance.now()));
      // It hangs for good, and is never answered.
      void contents.executeJavaScript('for (;;) {}').catch(() => undefined);
      while (at.backMs === 0) {
        contents.sendInputEvent({ type: 'keyDown', keyCode: 'a' });
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      return { noticedMs: at.endedMs - begunMs, backMs: at.backMs - at.endedMs };
    });
    expect(seen.noticedMs).toBeGreaterThan(1_900);
    expect(seen.backMs).toBeGreaterThan(0);
    console.log(`ended after ${Math.round(seen.noticedMs)} ms, back after ${Math.round(seen.backMs)} ms`);
  });
});

test.skipIf(missing !== null)('a page that goes on from a blank one is taken back all the same (R5)', async () => {
  const { application, page } = await launchElectronForTest([]);
  await page.getByRole('button', { name: 'Practice store' }).waitFor();
  await application.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.fromId(1)?.webContents;
    const run = (source: string): void => void contents?.executeJavaScript(source, true).catch(() => undefined);
    run(`location.href = 'about:blank'`);
    // While the app loads its page: such a form ends the loading, and no event tells of it.
    for (let sent = 0; sent < 40; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, 7));
      run(`{
        const form = Object.assign(document.createElement('form'), { action: 'blob:app://tillside/1', method: 'post' });
        document.body.append(form);
        form.submit();
      }`);
    }
  });
  await expect
    .poll(() => application.evaluate(({ BrowserWindow }) => BrowserWindow.fromId(1)?.webContents.mainFrame.url))
    .toBe('app://tillside/');
});

test.skipIf(missing !== null)(
  'the third crash in a minute brings the safe screen; trying again brings the app back (R2)',
  async () => {
    const session = await launchElectronForTest([], { language: 'pt-BR' });
    await session.page.getByRole('button', { name: 'Loja de treino' }).waitFor();
    await killPage(session, 'button');
    await killPage(session, 'button');
    await killPage(session, 'h1');
    const shown = await inPage<{ text: string; scripts: number; height: number }>(
      session,
      `({ text: document.body.innerText, scripts: document.scripts.length, height: Math.min(...[...document.links].map((one) => one.getBoundingClientRect().height)) })`,
    );
    expect(shown.text).toContain('A janela parou de funcionar');
    expect(shown.text).toContain('Nada foi perdido');
    expect(shown.scripts).toBe(0);
    expect(shown.height).toBeGreaterThanOrEqual(44);

    await inPage(session, `[...document.links].find((one) => one.textContent === 'Tentar de novo').click()`).catch(
      () => undefined,
    );
    await expect
      .poll(() => inPage<string>(session, 'document.body.innerText').catch(() => ''), { timeout: 10_000 })
      .toContain('Loja de treino');
    // It counts anew: the next fall brings the app back, not the safe screen.
    await killPage(session, 'button');
    expect(await inPage<string>(session, 'document.body.innerText')).toContain('Loja de treino');
  },
);

test.skipIf(missing !== null)('the safe screen ends the app when a person says so (R2)', async () => {
  const session = await launchElectronForTest([], { language: 'es' });
  await session.page.getByRole('button', { name: 'Tienda de práctica' }).waitFor();
  for (const selector of ['button', 'button', 'h1']) {
    await killPage(session, selector);
  }
  await inPage(session, `[...document.links].find((one) => one.textContent === 'Salir de Tillside').click()`).catch(
    () => undefined,
  );
  expect(await session.ended).toBe(0);
});

test.skipIf(missing !== null)('the safe screen of a kiosk with a PIN ends nothing without it (R2)', async () => {
  const file = join(temporaryDirectory(), 'provision.json');
  writeFileSync(file, JSON.stringify({ ...shopFile, kiosk: true, managerLock: { pin: '2580' } }));
  const session = await launchElectronForTest(['--provision', file]);
  await session.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
  for (const selector of ['button', 'button', 'h1']) {
    await killPage(session, selector);
  }
  const links = (): Promise<string[]> => inPage(session, '[...document.links].map((one) => one.textContent)');
  expect(await links()).toEqual(['Try again', 'Quit Tillside']);
  await inPage(session, 'document.links[1].click()').catch(() => undefined);
  await expect.poll(links).toEqual(['Try again']);
  expect(await inPage<string>(session, 'document.body.innerText')).toContain('with the manager’s PIN');
  await inPage(session, 'document.links[0].click()').catch(() => undefined);
  await expect
    .poll(() => inPage<string>(session, 'document.body.innerText').catch(() => ''), { timeout: 10_000 })
    .toContain('E-mail');
});

test.skipIf(missing !== null)(
  'the safe screen of a kiosk that is killed comes back and ends nothing (R3)',
  async () => {
    const file = join(temporaryDirectory(), 'provision.json');
    writeFileSync(file, JSON.stringify({ ...shopFile, kiosk: true, managerLock: { pin: '2580' } }));
    const session = await launchElectronForTest(['--provision', file]);
    await session.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    const dialogs = await session.application.evaluateHandle(({ dialog }) => {
      const said: string[] = [];
      dialog.showMessageBox = (({ detail }: { detail: string }) => {
        said.push(detail);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
      return said;
    });
    for (const selector of ['button', 'button', 'h1', 'h1', 'h1']) {
      await killPage(session, selector);
    }
    expect(await dialogs.jsonValue()).toEqual([]);
    await inPage(session, 'document.links[0].click()').catch(() => undefined);
    await expect
      .poll(() => inPage<string>(session, 'document.body.innerText').catch(() => ''), { timeout: 10_000 })
      .toContain('E-mail');
  },
);

test.skipIf(missing !== null)(
  'a killed safe screen is not shown again: stderr and a dialog say so once, and the app ends (R3)',
  async () => {
    const session = await launchElectronForTest([], { language: 'es' });
    const { application, ended } = session;
    await session.page.getByRole('button', { name: 'Tienda de práctica' }).waitFor();
    let errors = '';
    application.process().stderr?.on('data', (part: Buffer) => (errors += part.toString()));
    for (const selector of ['button', 'button', 'h1']) {
      await killPage(session, selector);
    }
    const seen = await application.evaluateHandle(({ BrowserWindow, dialog }) => {
      const made = { said: [] as string[], loads: 0, answer: (): void => undefined };
      dialog.showMessageBox = (({ detail }: { detail: string }) => {
        made.said.push(detail);
        return new Promise<void>((resolve) => (made.answer = resolve));
      }) as unknown as typeof dialog.showMessageBox;
      const contents = BrowserWindow.fromId(1)?.webContents;
      contents?.on('did-start-loading', () => (made.loads += 1));
      process.kill(contents?.getOSProcessId() ?? Number.NaN, 'SIGKILL');
      return made;
    });
    await expect.poll(() => seen.evaluate(({ said }) => said), { timeout: 10_000 }).toHaveLength(1);
    // Several times as long as a page that comes back needs to begin.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const words = 'La ventana de Tillside falló varias veces seguidas. No se perdió nada; abra Tillside otra vez.';
    expect(await seen.evaluate(({ said, loads }) => ({ said, loads }))).toEqual({ said: [words], loads: 0 });
    expect(errors.split(words)).toHaveLength(2);
    await seen.evaluate(({ answer }) => answer());
    expect(await ended).toBe(0);
  },
);

test.skipIf(missing !== null)(
  'a second start shows the window of the first and ends in words; after kill -9 nothing is in the way',
  async () => {
    const directory = temporaryDirectory();
    const first = await launchElectronForTest([], { dataDirectory: directory });
    const { application } = first;
    await application.evaluate(({ BrowserWindow }) => {
      BrowserWindow.fromId(1)?.minimize();
    });
    const command = electronCommand(['--data-dir', directory, '--lang', 'es']);
    const second = startChild(command.path, command.parameters);
    await expect.poll(() => second.process.exitCode, { timeout: 20_000 }).toBe(1);
    expect(second.errorLines.join('\n')).toContain('Tillside ya está en ejecución');
    await expect
      .poll(() => application.evaluate(({ BrowserWindow }) => BrowserWindow.fromId(1)?.isMinimized()))
      .toBe(false);
    expect(
      await application.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length,
      ),
    ).toBe(1);
    // The bar is called, but the file is not used.
    const file = join(directory, 'shop.json');
    const shop = { platformUrl: 'https://a.example', clientId: 'x', clientSecret: 'y', companyId: 1, stockIds: [1] };
    writeFileSync(file, JSON.stringify(shop));
    const bar = electronCommand(['--data-dir', directory, '--lang', 'es', '--companion', '--provision', file]);
    const third = startChild(bar.path, bar.parameters);
    await expect.poll(() => third.process.exitCode, { timeout: 20_000 }).toBe(1);
    expect(third.errorLines.join('\n')).toContain('Tillside ya está en ejecución');
    await first.kill();
    const { page } = await launchElectronForTest([], { dataDirectory: directory });
    await page.getByRole('button', { name: 'Practice store' }).waitFor();
  },
);

test.skipIf(missing !== null)('a directory that the browser host holds is refused in words', async () => {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const held = new DatabaseSync(join(directory, 'instance.lock'));
  held.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  const command = electronCommand(['--data-dir', directory, '--lang', 'en']);
  const child = startChild(command.path, command.parameters);
  await expect
    .poll(() => child.errorLines.join('\n'), { timeout: 20_000 })
    .toContain('already running with this data folder');
  await child.stop('SIGKILL');
  held.close();
});
