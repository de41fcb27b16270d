import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { ScannerDevice, ScannerReading } from '../../app/domain/scanner-device.ts';
import { changeState, emit, inputsOf } from './fake.ts';
import { firstRun, showAt } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const coffee = '7890000000101';
const stage = setStage();
const device: ScannerDevice = {
  kind: 'serial',
  vendorId: 0x0c2e,
  productId: 0x0b81,
  serialNumber: null,
  name: 'Example scanner',
};

async function open(state: Partial<TerminalState>, answers: Record<string, unknown> = {}): Promise<Page> {
  const { page } = await stage.open(
    { state: readyState(nowMs, state), nowMs, answers },
    { width: 1024, height: 768 },
    { path: '/#settings/scanner' },
  );
  await page.locator('.settings-part').first().waitFor();
  return page;
}

const part = (page: Page) => page.getByRole('region', { name: 'Scanner without a keyboard' });
const read = (page: Page, reading: ScannerReading): Promise<void> => emit(page, 'scanner:read', reading);
const finds = async (page: Page): Promise<unknown[]> =>
  (await inputsOf(page, 'lookup:find')).filter(({ isAgain }) => isAgain !== true).map(({ text }) => text);

it('finds the scanners that are plugged in, uses the chosen one, says how it stands, and lets it go', async () => {
  const page = await open(
    { scannerDevice: { choice: null, connection: 'off' } },
    { 'scanner:listDevices': { ok: true, value: [device] } },
  );
  await part(page).getByRole('button', { name: 'Look for scanners' }).click();
  await part(page).getByRole('button', { name: 'Use Example scanner · serial port · 0c2e:0b81' }).click();
  await part(page).getByText('Looking for the scanner…').waitFor();
  expect(await inputsOf(page, 'settings:update')).toEqual([{ scannerDevice: { ...device, baudRate: 9600 } }]);
  await part(page).getByText('No other one is plugged in.').waitFor();
  for (const [connection, words] of [
    ['connected', 'Connected.'],
    ['absent', 'Not connected.'],
    ['refused', 'does not let Tillside open it'],
    ['unsuited', 'not a scanner in the HID-POS mode'],
  ] as const) {
    await changeState(page, { scannerDevice: { choice: { ...device, baudRate: 9600 }, connection } });
    await part(page).getByText(words).waitFor();
  }
  await part(page).getByRole('combobox', { name: 'Speed (baud)' }).selectOption('115200');
  await expect
    .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
    .toEqual({ scannerDevice: { ...device, baudRate: 115_200 } });
  await part(page).getByRole('button', { name: 'Do not use it any more' }).click();
  await expect.poll(async () => (await inputsOf(page, 'settings:update')).at(-1)).toEqual({ scannerDevice: null });
});

it('shows a reading and looks nothing up; elsewhere it is answered whole, without the scanner’s extras', async () => {
  const page = await open({
    scannerDevice: { choice: { ...device, baudRate: 9600 }, connection: 'connected' },
    scanner: { ...defaultScanner, prefix: '~', suffix: '#' },
  });
  await read(page, { text: coffee, symbology: ']E0' });
  await part(page).getByText(']E0 · EAN/UPC').waitFor();
  await read(page, { text: `~${coffee}#`, symbology: null });
  await part(page)
    .getByText(/Café torrado/)
    .waitFor();
  await read(page, { text: '789\u0080', symbology: null });
  await part(page).getByText('789\ufffd').waitFor();
  await part(page).getByText('not named by the scanner').waitFor();
  expect(await finds(page)).toEqual([]);
  await showAt(page, '#users');
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  await read(page, { text: `~${coffee}#`, symbology: ']E0' });
  await read(page, { text: `~${coffee}#`, symbology: null });
  await page.getByRole('region', { name: /Café/ }).waitFor();
  await read(page, { text: '7890000\u0080', symbology: null });
  await page.getByText('Scanned in two pieces: scan again').first().waitFor();
  expect(await finds(page)).toEqual([`]E0${coffee}`, coffee]);
});

it('3,000 stored codes at once before a store is open leave the page within seconds', async () => {
  const { page } = await stage.open(
    { state: readyState(nowMs, firstRun), nowMs, answers: {} },
    { width: 1024, height: 768 },
  );
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Each reading comes in a turn of its own, as those of the main process do.
  const takenMs = await page.evaluate(async (text) => {
    const { fake } = window as unknown as { fake: { emit(name: string, payload: unknown): void } };
    const { port1, port2 } = new MessageChannel();
    port2.start();
    const begunMs = performance.now();
    for (let reading = 0; reading < 3000; reading += 1) {
      const turn = new Promise((done) => port2.addEventListener('message', done, { once: true }));
      port1.postMessage(null);
      await turn;
      fake.emit('scanner:read', { text, symbology: null });
    }
    return performance.now() - begunMs;
  }, coffee);
  expect(takenMs).toBeLessThan(8000);
  await read(page, { text: coffee, symbology: null });
  await page.getByText('A barcode was scanned, but nobody is signed in yet.').waitFor();
});

it.each([
  [false, 'Not in a browser:'],
  [true, 'Not used in safe mode.'],
] as const)('where no device can be held it says so, and offers nothing: safe mode %s', async (isSafeMode, words) => {
  const page = await open({ scannerDevice: null, isSafeMode });
  await part(page).getByText(words).waitFor();
  expect(await part(page).getByRole('button').count()).toBe(0);
});
