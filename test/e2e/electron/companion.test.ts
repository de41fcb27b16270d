// The proof, in real Electron, of the companion bar and of what lies around the window: the bar is opened by its first
// call, is above all other windows, answers a scan and goes away; only the two pages of Tillside reach the terminal; the
// window may leave the app in the tray.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import {
  electronCommand,
  launchElectron,
  launchElectronForTest,
  whyNoElectron,
  type ElectronSession,
} from '../../support/electron.ts';
import { watchPage } from '../../support/page-watch.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';
import { scan } from '../../support/wedge.ts';
import { findBarcode, invoke, seeSomeProducts } from '../story.ts';

const missing = whyNoElectron();
const patience = { timeout: 20_000 };

interface Called {
  readonly bar: Page;
  readonly complaints: readonly string[];
}

/** Presses Escape in the bar, and waits until it is hidden: a call of one that is shown would hide it. */
async function leaveBar(running: ElectronSession, bar: Page): Promise<void> {
  await bar.keyboard.press('Escape');
  await expect.poll(async () => (await barOf(running)).isVisible, patience).toBe(false);
}

/** Calls the bar, which opens it where there is none, and answers its page as soon as it is shown. */
async function callBar(running: ElectronSession): Promise<Called> {
  await running.page.getByRole('main').first().waitFor(patience);
  const opened = (await hasBar(running))
    ? running.application.windows().find((page) => page.url().endsWith('/companion.html'))
    : running.application.waitForEvent('window', patience);
  const [bar] = await Promise.all([opened, call(running)]);
  if (bar === undefined) {
    throw new Error('no bar');
  }
  const { complaints } = watchPage(bar);
  await bar.getByRole('main', { name: 'Companion bar' }).waitFor(patience);
  await expect.poll(async () => (await barOf(running)).isVisible, patience).toBe(true);
  return { bar, complaints };
}

/** The state of the bar's window as the system knows it. */
function barOf({ application }: ElectronSession) {
  return application.evaluate(({ BrowserWindow, screen }) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().endsWith('/companion.html'),
    );
    if (window === undefined) {
      throw new Error('no bar');
    }
    return {
      isVisible: window.isVisible(),
      isAlwaysOnTop: window.isAlwaysOnTop(),
      bounds: window.getBounds(),
      area: screen.getPrimaryDisplay().workArea,
    };
  });
}

function hasBar({ application }: ElectronSession): Promise<boolean> {
  return application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(({ webContents }) => webContents.getURL().endsWith('/companion.html')),
  );
}

function isWindowVisible({ application }: ElectronSession): Promise<boolean> {
  return application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => !window.webContents.getURL().endsWith('/companion.html') && window.isVisible(),
    ),
  );
}

/** As the desktop's own shortcut would: a second start that only calls the bar. */
function call({ application }: ElectronSession): Promise<void> {
  return application.evaluate(({ app }) => {
    setImmediate(() => app.emit('second-instance', {}, ['tillside'], '', { companion: true }));
  });
}

describe.skipIf(missing !== null)('one app, in which each test goes on where the one before it ended', () => {
  const data = makeTemporaryDirectory();
  let running: ElectronSession;
  beforeAll(async () => {
    running = await launchElectron(['--data-dir', data.path, '--lang', 'en', '--training']);
  });
  afterAll(async () => {
    await running.kill();
    data.remove();
  });

  test('the bar opens with its first call (B1), answers a scan, and Escape hides it (B2)', async () => {
    const { page } = running;
    await seeSomeProducts(page);
    const { name, barcode } = await findBarcode(page, 'caf');

    await expect(barOf(running)).rejects.toThrow('no bar');
    const { bar, complaints } = await callBar(running);
    const low = await barOf(running);
    expect(low.isAlwaysOnTop).toBe(true);
    expect(low.bounds.x).toBeGreaterThanOrEqual(low.area.x);
    expect(low.bounds.x + low.bounds.width).toBeLessThanOrEqual(low.area.x + low.area.width);
    await scan(bar, barcode);
    await bar.getByRole('region', { name, exact: true }).waitFor(patience);
    await expect
      .poll(async () => (await barOf(running)).bounds.height, patience)
      .toBeGreaterThan(low.bounds.height + 80);

    await leaveBar(running, bar);
    await expect.poll(() => bar.getByRole('textbox').inputValue(), patience).toBe('');
    await expect.poll(async () => (await barOf(running)).bounds.height, patience).toBe(low.bounds.height);
    // The window has learnt of the scan: both are one terminal.
    await page.getByRole('complementary', { name: 'Recent' }).getByText(name).first().waitFor(patience);
    expect([...complaints, ...running.watch.complaints]).toEqual([]);
  });

  test('the bar only hides when closed, is let go after a rest or a crash, and opens anew when called (B3)', async () => {
    const rests = await running.application.evaluateHandle(() => {
      const { setTimeout: later } = globalThis;
      const waiting: (() => void)[] = [];
      globalThis.setTimeout = ((callback: () => void, delayMs: number) => {
        if (delayMs === 600_000) {
          waiting.push(callback);
        }
        return later(callback, delayMs);
      }) as typeof later;
      return waiting;
    });
    const { bar } = await callBar(running);
    const inBar = (action: 'close' | 'crash'): Promise<void> =>
      running.application.evaluate(({ BrowserWindow }, what) => {
        const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
          webContents.getURL().endsWith('/companion.html'),
        );
        setImmediate(() => (what === 'close' ? window?.close() : window?.webContents.forcefullyCrashRenderer()));
      }, action);
    await inBar('close');
    await expect.poll(async () => (await barOf(running)).isVisible, patience).toBe(false);
    await bar.getByRole('textbox').waitFor({ state: 'attached' });

    await rests.evaluate((waiting) => waiting.splice(0).forEach((callback) => setImmediate(callback)));
    await expect.poll(() => hasBar(running), patience).toBe(false);

    await callBar(running);
    await inBar('crash');
    await expect.poll(() => barOf(running).catch(() => null), patience).toBe(null);
    await leaveBar(running, (await callBar(running)).bar);
  });

  test('both pages reach the terminal; a third window with the same preload script and address does not', async () => {
    const { bar } = await callBar(running);
    const ask = `window.tillside.invoke('terminal:read', {}).then(({ ok }) => ok, (error) => error.message)`;
    expect(await bar.evaluate(ask)).toBe(true);
    expect(await running.page.evaluate(ask)).toBe(true);
    const third = await running.application.evaluate(async ({ app, BrowserWindow }, source) => {
      const preload = `${app.getAppPath()}/dist/preload.cjs`;
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, contextIsolation: true },
      });
      await window.loadURL('app://tillside/companion.html');
      const answer: unknown = await window.webContents.executeJavaScript(source);
      window.destroy();
      return answer;
    }, ask);
    expect(third).toMatch(/refused/);
    await leaveBar(running, bar);
  });

  test('no script brings the window up, which would take the keyboard, but from a shown bar', async () => {
    const { bar } = await callBar(running);
    await leaveBar(running, bar);
    await running.application.evaluate(({ BrowserWindow }) => BrowserWindow.fromId(1)?.hide());
    for (const asking of [running.page, bar]) {
      await invoke(asking, 'window:show', {});
      expect(await isWindowVisible(running)).toBe(false);
    }
    await callBar(running);
    await invoke(bar, 'window:show', {});
    await expect.poll(() => isWindowVisible(running), patience).toBe(true);
    expect((await barOf(running)).isVisible).toBe(false);
  });

  test('the shortcut is held from the start, let go for another, and told when it cannot be had', async () => {
    const isHeld = (keys: string): Promise<boolean> =>
      running.application.evaluate(({ globalShortcut }, accelerator) => globalShortcut.isRegistered(accelerator), keys);
    await expect.poll(() => isHeld('Control+Alt+Space'), patience).toBe(true);
    const choose = async (shortcut: string | null): Promise<void> => {
      const companion = { shortcut, hideAfterSeconds: 20, keepInTray: false };
      expect(await invoke(running.page, 'settings:update', { companion })).toMatchObject({ ok: true });
    };
    await running.page.getByRole('main').first().waitFor(patience);
    await choose('Control+Shift+F9');
    await expect.poll(() => isHeld('Control+Shift+F9'), patience).toBe(true);
    expect(await isHeld('Control+Alt+Space')).toBe(false);
    await running.application.evaluate(({ globalShortcut }) => {
      globalShortcut.register = () => false;
    });
    await choose('Control+Alt+J');
    await running.page.getByText('Another program uses Ctrl+Alt+J', { exact: false }).waitFor(patience);
    await choose(null);
    await running.page.getByText('Another program uses', { exact: false }).waitFor({ state: 'detached', ...patience });
  });

  test('the keys that are held call the bar', async () => {
    const held = await running.application.evaluateHandle(({ globalShortcut }) => {
      const pressed = { press: (): void => undefined };
      globalShortcut.register = (_keys, press) => {
        pressed.press = press;
        return true;
      };
      return pressed;
    });
    await invoke(running.page, 'settings:update', {
      companion: { shortcut: 'Control+Alt+J', hideAfterSeconds: 20, keepInTray: false },
    });
    const { bar } = await callBar(running);
    await leaveBar(running, bar);
    await held.evaluate(({ press }) => void setImmediate(press));
    await expect.poll(async () => (await barOf(running)).isVisible, patience).toBe(true);
    await leaveBar(running, bar);
  });

  test('Escape gives the keyboard back to the window that had it, not to the window of Tillside', async () => {
    const { bar } = await callBar(running);
    await leaveBar(running, bar);
    const focused = (): Promise<string | null> =>
      running.application.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.getTitle() ?? null);
    // It stands for another program; over the pointer, where a bare display seeks the next window for the keyboard.
    await running.application.evaluate(({ BrowserWindow, screen }) => {
      const { x, y } = screen.getCursorScreenPoint();
      new BrowserWindow({ x: x - 100, y: y - 100, width: 200, height: 200, title: 'another' }).focus();
    });
    await expect.poll(focused, patience).toBe('another');
    await call(running);
    await expect.poll(focused, patience).not.toBe('another');
    await leaveBar(running, bar);
    // As long as a desktop may take to say who has the keyboard now.
    await bar.waitForTimeout(500);
    expect(await focused()).toBe('another');
    await running.application.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.destroy());
  });

  test('the tray says of a change made while there is no network that it waits, and in its menu as well', async () => {
    const { page } = running;
    const shown = await running.application.evaluateHandle(({ Tray }) => {
      const last = { tooltip: '', menu: [] as string[] };
      const { setToolTip, setContextMenu } = Tray.prototype;
      Tray.prototype.setToolTip = function (tooltip) {
        last.tooltip = tooltip;
        setToolTip.call(this, tooltip);
      };
      Tray.prototype.setContextMenu = function (menu) {
        last.menu = menu?.items.map(({ label }) => label) ?? [];
        setContextMenu.call(this, menu);
      };
      return last;
    });
    expect(await invoke(page, 'practice:setNetwork', { isDown: true })).toMatchObject({ ok: true });
    expect(await invoke(page, 'coupon:switch', { productId: '1', isEnabled: true })).toMatchObject({ ok: true });
    await expect
      .poll(() => shown.evaluate(({ tooltip }) => tooltip), patience)
      .toMatch(/Offline[^]*1 change waits to be sent/);
    await expect
      .poll(() => shown.evaluate(({ menu }) => menu), patience)
      .toEqual(
        expect.arrayContaining([expect.stringMatching(/^Offline/), '1 change waits to be sent', 'Quit Tillside']),
      );
  });
});

test.skipIf(missing !== null)(
  'closing the window ends the app or leaves it in the tray, as chosen; a second start brings it back',
  async () => {
    const dataDirectory = temporaryDirectory();
    const running = await launchElectronForTest(['--training'], { dataDirectory });
    // The window is shown when it has been drawn, which may be after the page answers.
    await expect.poll(() => isWindowVisible(running), patience).toBe(true);
    // The tray is told of the choice when the page is.
    await running.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const { tillside } = window as unknown as {
            tillside: {
              invoke(channel: string, input: unknown): Promise<unknown>;
              subscribe(listener: (name: string, payload: { companion?: { keepInTray: boolean } }) => void): void;
            };
          };
          tillside.subscribe((name, payload) => {
            if (name === 'terminal:changed' && payload.companion?.keepInTray === true) {
              resolve();
            }
          });
          void tillside.invoke('settings:update', {
            companion: { shortcut: null, hideAfterSeconds: 0, keepInTray: true },
          });
        }),
    );
    const said = await running.application.evaluateHandle(({ dialog }) => {
      const shown: string[] = [];
      dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) => {
        shown.push(message);
        return new Promise((resolve) => setTimeout(resolve, 300, { response: 0, checkboxChecked: false }));
      }) as unknown as typeof dialog.showMessageBox;
      return shown;
    });
    const close = (): Promise<void> =>
      running.application.evaluate(({ BrowserWindow }) => {
        const window = BrowserWindow.getAllWindows().find(
          ({ webContents }) => !webContents.getURL().endsWith('/companion.html'),
        );
        setImmediate(() => window?.close());
      });
    for (const _time of [1, 2]) {
      await close();
      // A taskbar closes it once more while it still says so.
      await close();
      await expect.poll(() => isWindowVisible(running), patience).toBe(false);
      const { path, parameters } = electronCommand(['--data-dir', dataDirectory]);
      const second = startChild(path, parameters);
      await expect.poll(() => second.process.exitCode, patience).toBe(1);
      await expect.poll(() => isWindowVisible(running), patience).toBe(true);
    }
    expect(await said.jsonValue()).toEqual(['Tillside goes on in the background']);
    await running.close();
  },
);

test.skipIf(missing !== null)(
  'safe mode has no bar, holds no keys and does not stay in the tray; calling the bar brings the window',
  async () => {
    const dataDirectory = temporaryDirectory();
    const before = await launchElectronForTest([], { dataDirectory });
    await invoke(before.page, 'settings:update', {
      companion: { shortcut: 'Control+Alt+Space', hideAfterSeconds: 0, keepInTray: true },
    });
    await before.close();

    const session = await launchElectronForTest(['--training', '--safe-mode'], { dataDirectory });
    const { application, page, ended } = session;
    await page.getByRole('main', { name: 'Lookup' }).waitFor(patience);
    await application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.hide()));
    await call(session);
    await expect.poll(() => isWindowVisible(session), patience).toBe(true);
    expect(
      await application.evaluate(({ BrowserWindow, globalShortcut }) => ({
        windows: BrowserWindow.getAllWindows().length,
        isHeld: globalShortcut.isRegistered('Control+Alt+Space'),
      })),
    ).toEqual({ windows: 1, isHeld: false });
    await application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().forEach((window) => setImmediate(() => window.close())),
    );
    expect(await ended).toBe(0);
  },
);
