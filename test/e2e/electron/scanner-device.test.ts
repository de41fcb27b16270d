import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { ScannerDeviceChoice } from '../../../app/domain/scanner-device.ts';
import { launchElectronForTest, whyNoElectron, type ElectronSession } from '../../support/electron.ts';
import { countedReports, countedScanner } from '../../support/hid-scanner.ts';
import { findBarcode, goTo, invoke, openSettings, seeSomeProducts } from '../story.ts';

const missing = whyNoElectron();
const patience = { timeout: 20_000 };
const pageUrl = 'app://scanner-device/';

async function start(): Promise<ElectronSession> {
  const session = await launchElectronForTest(['--training']);
  await seeSomeProducts(session.page);
  return session;
}

const addresses = ({ application }: ElectronSession): Promise<string[]> =>
  application.evaluate(({ webContents }) => webContents.getAllWebContents().map((contents) => contents.getURL()));

/** Runs a script where the hidden page's program runs, which is not the page's own world. */
async function inProgram<Value>({ application }: ElectronSession, script: string): Promise<Value> {
  return application.evaluate<Promise<Value>, { url: string; code: string }>(
    async ({ webContents }, { url, code }) => {
      const contents = webContents.getAllWebContents().find((one) => one.getURL() === url);
      return contents?.executeJavaScriptInIsolatedWorld(999, [{ code }]) as Promise<Value>;
    },
    { url: pageUrl, code: script },
  );
}

const part = (page: Page) => page.getByRole('region', { name: 'Scanner without a keyboard' });

describe.skipIf(missing !== null)('a scanner without a keyboard', () => {
  test('an HID scanner: connected, named with its kind of code, replugged, in the companion bar, let go', async () => {
    const session = await start();
    const { page, application } = session;
    const other = await findBarcode(page, 'leite');
    await page.getByRole('textbox', { name: 'Barcode, code or name' }).clear();
    const { name, barcode } = await findBarcode(page, 'caf');
    expect(await addresses(session)).not.toContain(pageUrl);
    const choice: ScannerDeviceChoice = {
      kind: 'hid',
      vendorId: 0x0c2e,
      productId: 0x0b01,
      serialNumber: 'A1',
      name: 'Example scanner',
      baudRate: 9600,
    };
    const choose = (scannerDevice: ScannerDeviceChoice | null): Promise<unknown> =>
      invoke(page, 'settings:update', { scannerDevice });
    expect(await choose(choice)).toMatchObject({ ok: true });
    await openSettings(page, 'Scanner');
    await part(page).getByText('Not connected. Plug the scanner in; it is found by itself.').waitFor(patience);
    await expect.poll(() => addresses(session), patience).toContain(pageUrl);

    await inProgram(
      session,
      `
      globalThis.fakeDevice = null;
      const hid = new EventTarget();
      hid.requestDevice = () => Promise.resolve(fakeDevice === null ? [] : [Object.assign(new EventTarget(), { vendorId: 1, collections: [] }), fakeDevice]);
      Object.defineProperty(navigator, 'hid', { value: hid, configurable: true });
      globalThis.plugIn = () => {
        globalThis.fakeDevice = Object.assign(new EventTarget(), { vendorId: 1, collections: ${JSON.stringify(countedScanner)}, open: () => Promise.resolve() });
      };
      globalThis.pullOut = () => {
        const device = fakeDevice;
        globalThis.fakeDevice = null;
        hid.dispatchEvent(Object.assign(new Event('disconnect'), { device }));
      };
      globalThis.report = (bytes) => fakeDevice.dispatchEvent(Object.assign(new Event('inputreport'), { reportId: 2, data: new DataView(Uint8Array.from(bytes).buffer) }));
      plugIn();
      0`,
    );
    await part(page).getByText('Connected. Whatever it reads is looked up.').waitFor(patience);
    const read = async (text: string): Promise<void> => {
      for (const report of countedReports(text, ']E0')) {
        await inProgram(session, `report(${JSON.stringify([...report])}); 0`);
      }
    };
    await read(barcode);
    await part(page).getByText(']E0 · EAN/UPC').waitFor(patience);
    await part(page).getByText(name, { exact: true }).waitFor(patience);

    await goTo(page, 'Users');
    await read(barcode);
    await page.getByRole('region', { name, exact: true }).waitFor(patience);

    await openSettings(page, 'Scanner');
    await inProgram(session, 'pullOut(); 0');
    await part(page).getByText('Not connected. Plug the scanner in; it is found by itself.').waitFor(patience);
    await inProgram(session, 'plugIn(); 0');
    await part(page).getByText('Connected. Whatever it reads is looked up.').waitFor(patience);

    // The companion bar is asked while it is shown, and the window stays as it is.
    const [bar] = await Promise.all([
      application.waitForEvent('window', patience),
      application.evaluate(({ app }) => {
        setImmediate(() => app.emit('second-instance', {}, ['tillside'], '', { companion: true }));
      }),
    ]);
    await bar.getByRole('textbox').waitFor(patience);
    await expect
      .poll(
        () =>
          application.evaluate(({ BrowserWindow }) =>
            BrowserWindow.getAllWindows().some(
              (one) => one.webContents.getURL().endsWith('/companion.html') && one.isVisible(),
            ),
          ),
        patience,
      )
      .toBe(true);
    await read(barcode);
    await bar.getByRole('region', { name, exact: true }).waitFor(patience);
    expect(await page.getByRole('region', { name, exact: true }).count()).toBe(0);

    // Once the window has the keyboard, what is scanned is for it, as by any scanner.
    await goTo(page, 'Users');
    await application.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()
        .find((one) => !/companion|scanner/.test(one.webContents.getURL()))
        ?.focus();
    });
    await read(barcode);
    await page.getByRole('region', { name, exact: true }).waitFor(patience);

    // As a window manager has it: a minimised window still says that it has the keyboard.
    await application.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find((one) => !/companion|scanner/.test(one.webContents.getURL()));
      if (window !== undefined) Object.assign(window, { isFocused: () => true, isMinimized: () => true });
    });
    await read(other.barcode);
    await bar.getByRole('region', { name: other.name, exact: true }).waitFor(patience);

    await choose(null);
    await expect.poll(() => addresses(session), patience).not.toContain(pageUrl);
  });

  test('5 only the hidden page has HID; it reaches nothing else and does not outlive the window', async () => {
    const session = await start();
    const { page, application } = session;
    await invoke(page, 'settings:update', {
      scannerDevice: { kind: 'serial', vendorId: 1, productId: 2, serialNumber: 'none', name: 'none', baudRate: 9600 },
    });
    await expect.poll(() => addresses(session), patience).toContain(pageUrl);
    const seen = await application.evaluate(async ({ webContents, session: { defaultSession } }, url) => {
      const contents = webContents.getAllWebContents().find((one) => one.getURL() === url);
      const preferences = (
        contents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      ).getLastWebPreferences();
      const tried = (await contents?.executeJavaScript(
        `(async () => {
        const attempts = {
          bridge: () => window.tillside === undefined ? Promise.reject(new Error('absent')) : Promise.resolve(),
          require: () => typeof require === 'undefined' ? Promise.reject(new Error('absent')) : Promise.resolve(),
          network: () => fetch('https://example.com/'),
          app: () => fetch('app://tillside/index.html'),
          own: () => fetch('app://scanner-device/'),
          camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
          usb: () => navigator.usb.requestDevice({ filters: [] }),
          serial: () => navigator.serial.requestPort(),
          hid: async () => { if ((await navigator.hid.requestDevice({ filters: [] })).length === 0) throw new Error('none'); },
          remembered: async () => { if ((await navigator.serial.getPorts()).length + (await navigator.hid.getDevices()).length === 0) throw new Error('none'); },
          window: () => window.open('app://tillside/') === null ? Promise.reject(new Error('refused')) : Promise.resolve(),
        };
        const outcomes = await Promise.all(Object.entries(attempts).map(async ([name, attempt]) => { try { await attempt(); return name; } catch { return null; } }));
        return outcomes.filter((name) => name !== null);
      })()`,
        true,
      )) as string[];
      return { tried, preferences, isOtherSession: contents?.session !== defaultSession };
    }, pageUrl);
    expect(seen.tried).toEqual([]);
    expect(seen.isOtherSession).toBe(true);
    expect(seen.preferences).toMatchObject({ contextIsolation: true, sandbox: true, webSecurity: true });
    // And the ordinary page is where it was.
    const granted = await page.evaluate(async () => {
      const devices = navigator as unknown as {
        serial: { requestPort(): Promise<unknown> };
        hid: { requestDevice(options: object): Promise<unknown[]> };
      };
      return [
        await devices.serial.requestPort().then(
          () => 'serial',
          () => null,
        ),
        await devices.hid.requestDevice({ filters: [] }).then(
          (found) => (found.length > 0 ? 'hid' : null),
          () => null,
        ),
      ].filter((one) => one !== null);
    });
    expect(granted).toEqual([]);

    // A page that nobody sees must not keep the app.
    await application.evaluate(({ BrowserWindow }) => setImmediate(() => BrowserWindow.fromId(1)?.close()));
    await session.ended;
  });
});
