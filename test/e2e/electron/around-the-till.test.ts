// The proof, in real Electron, of what a technician joins to a till: a program that is told scans at the loopback
// address, and a label printer in the network.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { scan } from '../../support/wedge.ts';
import { findBarcode, goTo, openSettings, seeSomeProducts } from '../story.ts';

const missing = whyNoElectron();
const patience = { timeout: 20_000 };

/** The practice store with some of its products copied. */
async function openPractice() {
  const { page } = await launchElectronForTest(['--training']);
  await seeSomeProducts(page);
  return page;
}

/** A till's program: prints what it is answered to a code, then the scans that it is told, until it is hung up on. */
const program = `
const [address, token, code] = process.argv.slice(1);
const lookup = await fetch(\`\${address}/v1/lookup?code=\${code}\`, { headers: { Authorization: \`Bearer \${token}\` } });
console.log('looked up', (await lookup.json()).products[0].name);
const events = new WebSocket(\`\${address.replace('http', 'ws')}/v1/events\`, ['tillside.v1', \`token.\${token}\`]);
events.onmessage = ({ data }) => {
  const told = JSON.parse(data);
  console.log(told.event, told.products?.[0]?.name ?? '');
};
events.onclose = ({ code }) => console.log('closed', code);
`;

test.skipIf(missing !== null)(
  'a program with a token looks a code up and hears of scans, and is cut off when switched off',
  async () => {
    const page = await openPractice();
    const { name, barcode } = await findBarcode(page, 'caf');
    await openSettings(page, 'Connection');
    const part = page.getByRole('region', { name: 'Programs on this machine' });
    const isOn = part.getByRole('switch', { name: 'Answer programs' });
    await isOn.click();
    await part.getByText('Nobody can ask yet: make a token.').waitFor(patience);
    await part.getByRole('textbox', { name: 'Port' }).fill('0');
    await part.getByRole('textbox', { name: 'Port' }).press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor(patience);
    await part.getByRole('button', { name: 'Make a token' }).click();
    const token = await part.getByRole('textbox', { name: 'Token' }).inputValue();
    await part.getByRole('button', { name: 'Done' }).click();
    const status = part.getByText(/^Answered at http/);
    const address = ((await status.textContent()) ?? '').replace('Answered at ', '');

    const till = startChild(process.execPath, ['--input-type=module', '-e', program, address, token, barcode]);
    expect((await till.waitForLine(/^looked up (.+)$/))[1]).toBe(name);
    await till.waitForLine(/^queue/);
    await goTo(page, 'Lookup');
    await scan(page, barcode);
    expect((await till.waitForLine(/^scan (.+)$/))[1]).toBe(name);

    await openSettings(page, 'Connection');
    await isOn.click();
    await till.waitForLine(/^closed 1001$/);
    expect((await till.ended).code).toBe(0);
    await expect(fetch(`${address}/v1/status`)).rejects.toThrow('fetch failed');
  },
);

test.skipIf(missing !== null)(
  'a network label printer gets a trial label and a product’s label; when it goes, a break is told',
  async () => {
    const heard: string[] = [];
    let play = (socket: Socket): unknown => socket.end();
    const printer = createServer({ allowHalfOpen: true }, (socket) => {
      let text = '';
      socket.on('error', () => undefined);
      socket.on('data', (part) => (text += part.toString('latin1')));
      socket.on('end', () => {
        heard.push(text);
        play(socket);
      });
    });
    printer.listen(0, '127.0.0.1');
    await once(printer, 'listening');
    try {
      const page = await openPractice();
      const { barcode } = await findBarcode(page, 'caf');
      await openSettings(page, 'This till');
      const part = page.getByRole('region', { name: 'Label printer' });
      await part.getByRole('combobox', { name: 'Print labels' }).selectOption('network');
      await part.getByRole('textbox', { name: 'Address of the printer' }).fill('127.0.0.1');
      await part.getByRole('textbox', { name: 'Port' }).fill(String((printer.address() as AddressInfo).port));
      await part.getByRole('button', { name: 'Use this printer' }).click();
      await part.getByRole('button', { name: 'Print a trial label' }).click();
      await expect.poll(() => heard, patience).toEqual([expect.stringMatching(/^\^XA\^CI28[^]*\^XZ\n$/)]);

      await goTo(page, 'Lookup');
      await scan(page, barcode);
      await page.getByRole('button', { name: /^Print label/ }).click();
      const print = page.getByRole('dialog').getByRole('button', { name: 'Print 1 label' });
      await print.click();
      await expect.poll(() => heard[1], patience).toMatch(/^\^XA\^CI28[^]*\^FDCaf_C3_A9 [^]*\^PQ1\^XZ\n$/);
      play = (socket) => socket.resetAndDestroy();
      await print.click();
      await page.getByText(/^0 of 1 labels? /).waitFor(patience);
      expect(heard).toHaveLength(3);
    } finally {
      printer.close();
    }
  },
);
