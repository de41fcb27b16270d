// The proof, in real Electron, of links: a second start that the system makes for one hands it to the Tillside that
// runs, which looks the code up, or asks before it switches a coupon; any other link is refused in words, and one without
// end leaves the one that runs alone. Also of a
// program that asks it.
import { expect, test } from 'vitest';
import { startChild, type Child } from '../../support/child.ts';
import { electronCommand, launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { findBarcode, goTo } from '../story.ts';

const missing = whyNoElectron();
const patience = { timeout: 20_000 };

test.skipIf(missing !== null)(
  'a link looks its code up in the Tillside that runs, or asks; any other is refused, however long',
  async () => {
    const dataDirectory = temporaryDirectory();
    const { page, application } = await launchElectronForTest(['--training'], { dataDirectory });
    const { name, barcode } = await findBarcode(page, 'caf');
    const follow = (link: string): Child => {
      const { path, parameters } = electronCommand(['--data-dir', dataDirectory, '--lang', 'en', '--', link]);
      return startChild(path, parameters);
    };
    const endless = follow(`tillside://lookup?code=${'7'.repeat(40_000)}`);
    await endless.waitForErrorLine(/^Tillside does not start with so long a command line/);
    await expect.poll(() => endless.process.exitCode, patience).toBe(2);

    await goTo(page, 'Users');
    const strange = follow('tillside://coupon?code=1&switch=on');
    await strange.waitForErrorLine(/^This link is not one that Tillside knows\./);
    await expect.poll(() => strange.process.exitCode, patience).toBe(1);
    await page.getByRole('main', { name: 'Users' }).waitFor(patience);
    const refused = page.getByRole('dialog', { name: 'A link that Tillside does not know' });
    await refused.getByRole('button', { name: 'Close' }).last().click();
    await refused.waitFor({ ...patience, state: 'detached' });

    const known = follow(`tillside://lookup?code=${barcode}`);
    await expect.poll(() => known.process.exitCode, patience).toBe(0);
    await page.getByRole('region', { name, exact: true }).waitFor(patience);

    const coupon = page.getByRole('switch', { name: 'Consumption coupon' });
    const isOn = await coupon.isChecked();
    const asking = follow(`tillside://coupon?product=${barcode}&on=${String(!isOn)}`);
    await expect.poll(() => asking.process.exitCode, patience).toBe(0);
    const question = page.getByRole('dialog', { name: /^Switch this coupon/ });
    await question.getByText(name).waitFor(patience);
    await question.getByRole('button', { name: `Switch ${isOn ? 'off' : 'on'}` }).click();
    await expect.poll(() => coupon.isChecked(), patience).toBe(!isOn);

    // A program that asks has its answer, and the screen stays as it is.
    await goTo(page, 'Users');
    const { path, parameters } = electronCommand(['--data-dir', dataDirectory, '--lookup', barcode, '--json']);
    const asked = startChild(path, parameters);
    expect((await asked.ended).code).toBe(0);
    expect(JSON.parse(asked.lines.join('\n'))).toMatchObject({
      isFound: true,
      // One for each stock that has it.
      products: expect.arrayContaining([expect.objectContaining({ name })]),
    });
    await page.getByRole('main', { name: 'Users' }).waitFor(patience);

    // macOS tells of it in its own way.
    await application.evaluate(
      ({ app }, link) => app.emit('open-url', { preventDefault: () => undefined }, link),
      `tillside://lookup?code=${barcode}`,
    );
    await page.getByRole('region', { name, exact: true }).waitFor(patience);
  },
);

test.skipIf(missing !== null)(
  'a link that comes before the page hears it, at a start or after a crash, waits',
  async () => {
    const { application } = await launchElectronForTest(['--training']);
    const shows = (text: string): Promise<boolean> =>
      application.evaluate(
        ({ BrowserWindow }, script) =>
          BrowserWindow.fromId(1)?.webContents.executeJavaScript(script) as Promise<boolean>,
        `document.body.innerText.includes(${JSON.stringify(text)})`,
      );
    const follow = (code: string, isCrashing: boolean): Promise<void> =>
      application.evaluate(
        async ({ app, BrowserWindow }, { link, crashes }) => {
          const contents = BrowserWindow.fromId(1)?.webContents;
          const back = new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve()));
          if (crashes) {
            const gone = new Promise<void>((resolve) => contents?.once('render-process-gone', () => resolve()));
            contents?.forcefullyCrashRenderer();
            await gone;
          }
          app.emit('second-instance', {}, [], '', { companion: false, link });
          // What is asked of a page that has crashed is never answered.
          await (crashes ? back : undefined);
        },
        { link: `tillside://lookup?code=${code}`, crashes: isCrashing },
      );
    await follow('95200001', false);
    await expect.poll(() => shows('95200001'), patience).toBe(true);
    await follow('95200002', true);
    await expect.poll(() => shows('95200002'), patience).toBe(true);
  },
);
