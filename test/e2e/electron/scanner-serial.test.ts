import { onTestFinished, test } from 'vitest';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { openPty, whyNoPortOfItsOwn, wrapWithPort } from '../../support/pty.ts';
import { findBarcode, goTo, openSettings, seeSomeProducts } from '../story.ts';

const missing = whyNoElectron() ?? whyNoPortOfItsOwn();
const patience = { timeout: 20_000 };

test.skipIf(missing !== null)(
  'a serial scanner is found, chosen and read; a scan cut in two and the end of the device are said',
  async () => {
    const pty = await openPty();
    onTestFinished(() => pty.close());
    const { page } = await launchElectronForTest(['--training'], {
      wrap: (executablePath) => {
        const wrapped = wrapWithPort(executablePath, pty);
        onTestFinished(wrapped.remove);
        return wrapped.executablePath;
      },
    });
    const part = page.getByRole('region', { name: 'Scanner without a keyboard' });
    await seeSomeProducts(page);
    const { name, barcode } = await findBarcode(page, 'caf');
    await openSettings(page, 'Scanner');
    await part.getByRole('button', { name: 'Look for scanners' }).click();
    await part.getByRole('button', { name: 'Use ttyS0 · serial port' }).click();
    await part.getByText('Connected. Whatever it reads is looked up.').waitFor(patience);
    pty.send(`]E0${barcode}\r\n`);
    await part.getByText(']E0 · EAN/UPC').waitFor(patience);
    await part.getByText(name, { exact: true }).waitFor(patience);

    await goTo(page, 'Lookup');
    pty.send(barcode.slice(0, 8));
    await page.getByText('Scanned in two pieces: scan again').first().waitFor(patience);
    pty.send(`${barcode.slice(8)}\r`);
    pty.send(`${barcode}\r`);
    await page.getByRole('region', { name, exact: true }).waitFor(patience);
    await page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();

    await openSettings(page, 'Scanner');
    await pty.close();
    await part.getByText(/^(Not connected\.|The scanner is there, but)/).waitFor(patience);
  },
);
