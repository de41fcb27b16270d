import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import { launchElectronForTest, whyNoElectron, type ElectronSession } from '../../support/electron.ts';
import { shopFile } from '../../support/shop-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { invoke } from '../story.ts';

async function start(flags: readonly string[]): Promise<ElectronSession> {
  const session = await launchElectronForTest(flags);
  await session.page.getByRole('button', { name: 'Practice store' }).waitFor();
  return session;
}

/** Closes the window as Alt+F4 and a window's cross do. */
const closeWindow = (session: ElectronSession): Promise<void> =>
  session.application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .filter(({ webContents }) => !webContents.getURL().endsWith('/companion.html'))
      .forEach((window) => setImmediate(() => window.close()));
  });

const isKiosk = (session: ElectronSession): Promise<boolean> =>
  session.application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isKiosk()));

describe.skipIf(whyNoElectron() !== null)('the kiosk', () => {
  it('is not closed by the window’s own way, and ends by the settings', async () => {
    const session = await launchElectronForTest(['--training', '--kiosk']);
    await session.page.getByRole('main', { name: 'Lookup' }).waitFor();
    expect(await isKiosk(session)).toBe(true);
    await closeWindow(session);
    await closeWindow(session);
    expect(await invoke(session.page, 'device:read')).toMatchObject(
      succeed({ isKiosk: true, startsAtSignIn: null, update: { state: 'off' } }),
    );
    expect(await invoke(session.page, 'practice:openPanel'), 'a browser is a way out').toMatchObject(
      fail({ kind: 'notReady' }),
    );
    await invoke(session.page, 'device:quit').catch(() => undefined);
    expect(await session.ended).toBe(0);
  });

  it("is the manager's to end where there is a PIN", async () => {
    const file = join(temporaryDirectory(), 'provision.json');
    writeFileSync(file, JSON.stringify({ ...shopFile, kiosk: true, managerLock: { pin: '2580' } }));
    const session = await launchElectronForTest(['--provision', file]);
    await session.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    expect(await invoke(session.page, 'device:quit')).toEqual({ ok: false, failure: { kind: 'locked' } });
    expect(await invoke(session.page, 'practice:start')).toMatchObject({ ok: true });
    expect(await invoke(session.page, 'device:quit')).toEqual({ ok: false, failure: { kind: 'notInPractice' } });
    expect(await isKiosk(session)).toBe(true);
  });

  it('is what a provisioning file says, also at the starts after that one', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'provision.json');
    writeFileSync(file, JSON.stringify({ ...shopFile, kiosk: true }));
    for (const flags of [['--provision', file], []]) {
      const session = await launchElectronForTest(flags, { dataDirectory: join(directory, 'data') });
      await session.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
      expect(await isKiosk(session)).toBe(true);
      await session.close();
    }
  });

  it('is not hidden by closing it either, where Tillside goes on without its window', async () => {
    const session = await start(['--kiosk']);
    const companion = { shortcut: null, hideAfterSeconds: 0, keepInTray: true };
    expect(await invoke(session.page, 'settings:update', { companion })).toMatchObject({ ok: true });
    const dialogs = await session.application.evaluateHandle(({ dialog }) => {
      const messages: string[] = [];
      dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) => {
        messages.push(message);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
      return messages;
    });
    await closeWindow(session);
    await closeWindow(session);
    // Long enough for what is said before it is hidden.
    await session.page.waitForTimeout(500);
    expect(await dialogs.jsonValue()).toEqual([]);
    expect(
      await session.application.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .filter((window) => window.isKiosk())
          .map((window) => window.isVisible()),
      ),
    ).toEqual([true]);
  });

  it.each([
    ['by a signal', (session: ElectronSession) => session.application.process().kill('SIGTERM')],
    [
      "by the end of Windows' session",
      (session: ElectronSession) =>
        session.application.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows().map((window) => window.emit('session-end', { reasons: ['logoff'] })),
        ),
    ],
  ])('ends when the system tells it to, %s', async (_, ask) => {
    const session = await start(['--kiosk']);
    await ask(session);
    expect(await session.ended).toBe(0);
  });

  it('prints without the system’s dialog, which prints to a file as well, over the settings too', async () => {
    const session = await launchElectronForTest(['--training', '--kiosk']);
    const { page } = session;
    await page.getByRole('main', { name: 'Lookup' }).waitFor();
    const printed = await session.application.evaluateHandle(({ BrowserWindow }) => {
      const asked: unknown[] = [];
      for (const { webContents } of BrowserWindow.getAllWindows()) {
        webContents.getPrintersAsync = () => Promise.resolve([]);
        webContents.print = (options, done) => {
          asked.push(options?.silent);
          done?.(asked.length > 1, 'no printer');
        };
      }
      return asked;
    });
    await page.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { hasAsked: true }) }));
    await page.getByText('A code that no product has').waitFor();
    await page.locator('.samples button, .sample').first().click();
    await page.getByRole('button', { name: 'Print label' }).click();
    const print = page.getByRole('button', { name: 'Print 1 label' });
    await print.click();
    await page.getByText('no printer').waitFor({ state: 'attached' });
    await page.getByText('This was not printed.').waitFor();
    await print.click();
    await expect.poll(() => printed.jsonValue()).toEqual([true, true]);
    expect(await page.evaluate(() => 'hasAsked' in window)).toBe(false);
  });

  it('is not there unless it is asked for', async () => {
    const session = await start([]);
    expect(await isKiosk(session)).toBe(false);
    // It ends with the app, and may not answer.
    void closeWindow(session).catch(() => undefined);
    expect(await session.ended).toBe(0);
  });
});
