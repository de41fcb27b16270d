// The proof that two cashiers follow one another on a real terminal with a real keychain: by a touch and the digits, with
// what was scanned meanwhile, and with words before the first digit where the keychain is locked.
import { expect, it, onTestFinished } from 'vitest';
import { fromAccount } from '../support/account.ts';
import { startBrowserHost } from '../support/browser-host.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { hasKeyring, startKeyring } from '../support/keyring.ts';
import { openPlatformForTest } from '../support/machine.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { scan } from '../support/wedge.ts';
import { cardOf, connect, findBarcode, openSettings, seeCopyComplete, signIn, typeDigits } from './story.ts';

const isMissing = findChromium() === null || !hasKeyring();

it.skipIf(isMissing)('two cashiers follow one another by a touch and the digits', async () => {
  const keyring = await startKeyring();
  onTestFinished(keyring.stop);
  const training = await openPlatformForTest();
  const platform = {
    ...training,
    url: training.platformUrl,
    companyId: String(training.companyId),
    stockIds: training.stockIds.join(', '),
  };
  const host = await startBrowserHost(['--data-dir', temporaryDirectory(), '--lang', 'en'], keyring.environment);
  onTestFinished(() => host.child.kill());
  const chromium = await launchChromium();
  onTestFinished(() => chromium.close());
  const { page, watch } = await chromium.open(host.url);
  page.setDefaultTimeout(20_000);
  const setPin = async (digits: string): Promise<void> => {
    await openSettings(page, 'You');
    await page.getByRole('button', { name: 'Set a PIN' }).click();
    for (const label of ['New PIN', 'New PIN once more']) {
      await typeDigits(page, page.getByRole('textbox', { name: label, exact: true }), digits);
      await page.keyboard.press('Enter');
    }
    await page.getByText('You have a PIN here.').waitFor();
  };

  await connect(page, platform);
  await signIn(page, platform);
  await seeCopyComplete(page);
  const product = await findBarcode(page, 'ca');

  keyring.lock();
  await openSettings(page, 'You');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  await page.getByRole('alert').filter({ hasText: "This machine's keychain is locked" }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await keyring.unlock();
  await setPin('2580');

  await fromAccount(page, 'Lock the till');
  await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
  await signIn(page, { ...platform, ...training.otherUser });
  await page.locator('.account').filter({ hasText: training.otherUser.email }).waitFor();
  await setPin('134679');

  await page.keyboard.press('Control+l');
  await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
  await scan(page, product.barcode);
  await cardOf(page, product.name).getByRole('button', { name: 'Sign in to switch it' }).click();
  const [ana = ''] = training.email.split('@');
  await page.getByRole('button', { name: new RegExp(`^${ana}`) }).click();
  await typeDigits(page, page.getByRole('textbox', { name: /^PIN of/ }), '2580');
  await page.locator('.account').filter({ hasText: training.email }).waitFor();
  await cardOf(page, product.name).getByRole('switch', { name: 'Consumption coupon' }).waitFor();

  await fromAccount(page, new RegExp(`^Change to ${training.otherUser.email}`));
  await typeDigits(page, page.getByRole('textbox', { name: /^PIN of/ }), '134679');
  await page.locator('.account').filter({ hasText: training.otherUser.email }).waitFor();
  expect(await page.getByRole('main').getAttribute('aria-label')).toBe('Lookup');
  expect(await cardOf(page, product.name).count()).toBe(0);
  expect(watch.complaints).toEqual([]);
});
