// The proof, in real Electron, of the check station: Tillside starts in it and fills the screen, a customer's scan is
// answered and goes by itself, no key, link, window or other program reaches anything else, and the manager's PIN alone
// leaves it.
import { expect, test } from 'vitest';
import { defaultStation } from '../../../app/contract/station.ts';
import { startChild } from '../../support/child.ts';
import { electronCommand, launchElectronForTest, whyNoElectron, type ElectronSession } from '../../support/electron.ts';
import { openPlatformForTest, profileOf } from '../../support/machine.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { scan } from '../../support/wedge.ts';
import { findBarcode, invoke, seeCopyComplete, typeDigits } from '../story.ts';

const missing = whyNoElectron();
const patience = { timeout: 20_000 };
const pin = '2580';

const refused = { ok: false, failure: { kind: 'locked' } };

/** The app's windows as the system shows them. */
const windowsOf = ({ application }: ElectronSession) =>
  application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.isVisible())
      .map((window) => ({
        isKiosk: window.isKiosk(),
        hasDevTools: window.webContents.isDevToolsOpened(),
        zoom: window.webContents.getZoomFactor(),
        page: new URL(window.webContents.getURL()).pathname,
      })),
  );

/** Keys as they come from the system, each with what else is held. */
const press = ({ application }: ElectronSession, keys: readonly (readonly [key: string, ...held: string[]])[]) =>
  application.evaluate(({ BrowserWindow }, given) => {
    const [window] = BrowserWindow.getAllWindows().filter((one) => one.isVisible());
    for (const [keyCode = '', ...held] of given) {
      for (const type of ['keyDown', 'keyUp'] as const) {
        window?.webContents.sendInputEvent({ type, keyCode, modifiers: held as ['control'] });
      }
    }
  }, keys);

test.skipIf(missing !== null)(
  'it is there after a start, answers a scan and clears it; no key, link or program leads out of it',
  async () => {
    const dataDirectory = temporaryDirectory();
    const platform = await openPlatformForTest();
    const { clientSecret, email, password } = platform;
    const session = await launchElectronForTest([], { dataDirectory });
    const connection = { ...profileOf(platform), clientSecret };
    expect(await invoke(session.page, 'profile:connect', connection)).toMatchObject({ ok: true });
    expect(await invoke(session.page, 'session:signIn', { email, password })).toMatchObject({ ok: true });
    await seeCopyComplete(session.page);
    const { name, barcode } = await findBarcode(session.page, 'ca');
    expect(await invoke(session.page, 'lock:setPin', { pin })).toMatchObject({ ok: true });
    expect(await invoke(session.page, 'lock:unlock', { pin, opens: 'settings' })).toMatchObject({ ok: true });
    const station = { ...defaultStation, isOn: true, clearAfterSeconds: 5 };
    expect(await invoke(session.page, 'settings:update', { station })).toMatchObject({ ok: true });
    await session.close();

    const till = await launchElectronForTest([], { dataDirectory });
    const { page, application } = till;
    const main = page.getByRole('main', { name: 'Check station' });
    const invitation = page.getByText('Hold the product’s code to the scanner');
    await main.waitFor(patience);
    const alone = [{ isKiosk: true, hasDevTools: false, zoom: 1, page: '/' }];
    await expect.poll(() => windowsOf(till), patience).toEqual(alone);

    await scan(page, barcode);
    await page.getByRole('heading', { name, exact: true }).waitFor(patience);
    await invitation.waitFor(patience);
    expect(await page.getByRole('heading', { name, exact: true }).count()).toBe(0);

    // An answer goes by itself: whatever came and went is noted.
    await page.evaluate((text) => {
      new MutationObserver(() => {
        if (document.body.innerText.includes(text)) {
          document.documentElement.dataset['shown'] = text;
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      window.tillside?.subscribe((event) => {
        if (event === 'link:opened') {
          document.documentElement.dataset['shown'] = event;
        }
      });
    }, name);
    const functionKeys = Array.from({ length: 12 }, (_, place) => [`F${place + 1}`] as const);
    await press(till, [
      ...functionKeys,
      ['Escape'],
      ['I', 'control', 'shift'],
      ['R', 'control'],
      ['P', 'control'],
      ['L', 'control'],
      ['N', 'control'],
      ['W', 'control'],
      ['Q', 'control'],
      ['=', 'control'],
      ['C', 'alt'],
      ['Left', 'alt'],
    ]);
    const others = [['--', `tillside://lookup?code=${barcode}`], ['--companion']].map((more) => {
      const { path, parameters } = electronCommand(['--data-dir', dataDirectory, '--lang', 'en', ...more]);
      return startChild(path, parameters).ended;
    });
    expect((await Promise.all(others)).map(({ code }) => code)).toEqual([0, 0]);
    await application.evaluate(
      ({ app }, link) => app.emit('open-url', { preventDefault: () => undefined }, link),
      `tillside://lookup?code=${barcode}`,
    );
    expect(await page.evaluate(() => window.open('https://shop.example/') === null)).toBe(true);
    await page.evaluate(() => {
      window.location.href = 'https://shop.example/';
      // Ends what the browser's driver takes for a navigation under way.
      window.location.hash = '#lookup';
    });
    await application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().forEach((window) => setImmediate(() => window.close())),
    );
    for (const channel of ['session:signOut', 'device:quit', 'lookup:listRecent', 'profile:leave']) {
      expect(await invoke(page, channel), channel).toEqual(refused);
    }
    expect(await invoke(page, 'lock:unlock', { pin, opens: 'settings' })).toEqual(refused);
    await invitation.waitFor(patience);
    expect(await page.evaluate(() => document.documentElement.dataset['shown'])).toBeUndefined();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await windowsOf(till)).toEqual(alone);

    await page.keyboard.press('Control+Shift+E');
    const field = page.getByRole('textbox', { name: 'PIN' });
    await typeDigits(page, field, '1379');
    await page.keyboard.press('Enter');
    await page.getByText('This PIN is not right.').waitFor(patience);
    await typeDigits(page, field, pin);
    await page.keyboard.press('Enter');
    await main.waitFor({ state: 'detached', ...patience });
    await expect.poll(async () => (await windowsOf(till))[0]?.isKiosk, patience).toBe(false);
  },
);
