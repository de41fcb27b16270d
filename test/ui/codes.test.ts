// The proof that one scan of each kind of code is answered on the screen: a real terminal with the practice platform
// behind the browser host, and a scanner that types into a real Chromium.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDigitOf } from '../../app/domain/codes/barcode.ts';
import { openPracticePage, type PracticePage } from '../support/practice-page.ts';
import { scan } from '../support/wedge.ts';
import { openSettings } from '../e2e/story.ts';

const gs = '\u001d';
const withCheck = (body: string): string => body + checkDigitOf(body);

let practicePage: PracticePage;
let page: Page;
let complaints: readonly string[];

/** A product of the practice store that bears an EAN-13, and one sold by the kilogram. */
let ean = '';
let eanName = '';
let itemCode = '';
let itemName = '';

beforeAll(async () => {
  practicePage = await openPracticePage({ timezoneId: 'America/Sao_Paulo' });
  ({ page, complaints } = practicePage);
  const { products } = practicePage.practice.platform;
  for (let index = 0; index < products.count; index += 1) {
    const { barcodes, name, code, unit } = products.at(index);
    const first = barcodes.find((barcode) => barcode.length === 13);
    if (ean === '' && first !== undefined) {
      [ean, eanName] = [first, name];
    } else if (itemCode === '' && unit.code === 'KG' && /^\d{6}$/.test(code)) {
      [itemCode, itemName] = [code, name];
    }
  }
  page.setDefaultTimeout(10_000);
  await page.getByText(/^(\d[\d,]* p|P)roducts on this terminal.* up to date/).waitFor({ timeout: 30_000 });
});

afterAll(() => practicePage?.close());

const said = () => page.getByRole('region', { name: 'What the code says' });
const product = (name: string) => page.getByRole('region', { name, exact: true });
const fact = (text: RegExp) => said().getByRole('listitem').filter({ hasText: text });

beforeEach(async () => {
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).press('Escape');
  await page.getByRole('heading', { name: 'Scan a product' }).waitFor();
});

describe('a scan of', () => {
  it('an EAN-13 shows its product and says nothing else', async () => {
    await scan(page, ean);
    await product(eanName).waitFor();
    expect(await said().count()).toBe(0);
  });

  it('a GS1 DataMatrix with separators shows lot, dates and weight, and that it has expired', async () => {
    await scan(page, `]d201${ean.padStart(14, '0')}1720013110L-7${gs}21S1${gs}3103001234`);
    await product(eanName).waitFor();
    await said().getByText('GS1 code').waitFor();
    await fact(/^Use by Jan 31, 2020 · expired$/).waitFor();
    await fact(/^Lot L-7$/).waitFor();
    await page.getByText(new RegExp(`^Use by: expired\\. ${eanName}:`)).waitFor();
    await fact(/^Serial number S1$/).waitFor();
    await fact(/^Net weight 1\.234 kg$/).waitFor();
  });

  it('a GS1 Digital Link shows its product and its lot', async () => {
    await scan(page, `https://example.com/p/01/${ean}/10/L%2F1?15=990200`);
    await product(eanName).waitFor();
    await fact(/^Lot L\/1$/).waitFor();
    await fact(/^Best before February 1999 · this date has passed$/).waitFor();
  });

  it('a case says that it is the unit inside', async () => {
    const code = withCheck(`1${ean.slice(0, 12)}`);
    await scan(page, code);
    await product(eanName).waitFor();
    await said().getByText(`The unit inside the case ${code}`).waitFor();
  });

  it("a scale's label shows the item and its price", async () => {
    await scan(page, withCheck(`2${itemCode}01299`));
    await product(itemName).waitFor();
    await said().getByText('Scale label', { exact: true }).waitFor();
    // The scale's mask is for a technician.
    expect(await said().getByText('2CCCCCCTTTTTV').isVisible()).toBe(false);
    await said().getByText('How it was read').click();
    await said().getByText('2CCCCCCTTTTTV').waitFor();
    await fact(/^Price 12\.99$/).waitFor();
  });

  it('an EAN-13 with its add-on shows both', async () => {
    await scan(page, `${ean}05`);
    await product(eanName).waitFor();
    await fact(/^Add-on 05$/).waitFor();
  });

  it.each([
    ['a GS1 code with a wrong check digit', '(01)09520000000012', /^A check digit in this code is wrong/],
    ['one that breaks off', ']C1010952', /^This code breaks off too early/],
    ['the label of a pallet', ']C100095201234567891235', /^This code names something other than a product/],
    ['a web address', 'https://example.com/menu', /^This is a web address/],
  ])('%s says in words why it is none', async (_name, text, words) => {
    await scan(page, text);
    const miss = page.getByRole('region', { name: 'Not a readable code' });
    await miss.getByText(words).waitFor();
    // The identifiers are for a technician, and folded away.
    expect(await miss.innerText()).not.toMatch(/GS1: |SSCC/);
  });

  const unknown = withCheck('952999999999');
  it('a lot of an unknown product says what was read, and asks the platform for the GTIN alone', async () => {
    await scan(page, `]d201${unknown.padStart(14, '0')}10L9`);
    const miss = page.getByRole('region', { name: 'Unknown product' });
    await miss.getByText(`(01)0${unknown}(10)L9`).waitFor();
    await miss.getByText('Why', { exact: true }).click();
    await miss.getByText('The platform was asked and does not have it either').waitFor();
    await fact(/^Lot L9$/).waitFor();
  });
});

describe("the layouts of the store's scales", () => {
  it('are added, tried, put in order and removed on the settings screen, and the next scan is read by them', async () => {
    const label = withCheck(`20${itemCode.slice(1)}01234`);
    await openSettings(page, 'Scanner');
    const part = page.getByRole('region', { name: 'Scale labels' });
    await part.getByRole('textbox', { name: 'Another layout' }).fill('2CCCC0PPPPPPV');
    await part.getByRole('button', { name: 'Add', exact: true }).click();
    await part.getByText(/Only digits and the letters/).waitFor();
    await part.getByRole('textbox', { name: 'Another layout' }).fill('20 ccccc kkkkk v');
    await part.getByRole('button', { name: 'Add', exact: true }).click();
    await part.getByRole('textbox', { name: 'Try a label' }).fill(label);
    await part.getByText(`item ${itemCode.slice(1)}, weight 1.234 kg`).waitFor();
    for (let step = 0; step < 3; step += 1) {
      await part.getByRole('button', { name: 'Move 20CCCCCKKKKKV up' }).click();
    }
    await part.getByRole('listitem').first().getByText('20CCCCCKKKKKV').waitFor();
    for (const layout of ['2CCCC0TTTTTTV', '2CCCCCTTTTTTV', '2CCCCCCTTTTTV']) {
      await part.getByRole('button', { name: `Remove ${layout}` }).click();
    }
    const { handlers } = practicePage.practice.terminal;
    await expect
      .poll(() => handlers['terminal:read']({}))
      .toMatchObject({ value: { scaleLayouts: ['20CCCCCKKKKKV'] } });
    await page.getByRole('link', { name: 'Lookup', exact: true }).click();
    // Until the settings screen has gone it takes the scans.
    await page.getByRole('heading', { name: 'Scan a product' }).waitFor();
    await scan(page, label);
    // Its code has a nought more than the label has room for.
    await product(itemName).waitFor();
    await fact(/^Net weight 1\.234 kg$/).waitFor();
    await openSettings(page, 'Scanner');
    await part.getByRole('button', { name: 'Back to the defaults' }).click();
    await part.getByRole('listitem').nth(2).getByText('2CCCCCCTTTTTV').waitFor();
    await page.getByRole('link', { name: 'Lookup', exact: true }).click();
  });

  it('a label that fits several products is chosen once, says so, and is forgotten in the settings', async () => {
    const { handlers } = practicePage.practice.terminal;
    const { products } = practicePage.practice.platform;
    const index = [...Array(90).keys()].find(
      (one) =>
        one >= 10 &&
        products.indexOfCode(String(one + 1).padStart(6, '0')) === one &&
        products.indexOfCode(String((one + 1) % 10).padStart(6, '0')) !== null,
    );
    const code = String((index ?? 0) + 1);
    const nameOf = (of: string): string => products.at(products.indexOfCode(of.padStart(6, '0')) ?? 0).name;
    const labelOf = (cents: string): string => withCheck(`2${code}0000${cents}`);
    await handlers['settings:update']({ scaleLayouts: ['2CC0000TTTTTV', '2XC0000TTTTTV'] });

    await scan(page, labelOf('00345'));
    const several = page.getByRole('region', { name: '2 products found' });
    await several.getByText(/^This scale label fits several products/).waitFor();
    await several
      .getByRole('button')
      .filter({ hasText: nameOf(code) })
      .click();
    await product(nameOf(code)).waitFor();
    await fact(/^Price 3\.45$/).waitFor();
    await page.getByText(/^Chosen for such labels on this terminal/).waitFor();
    await scan(page, labelOf('01299'));
    await product(nameOf(code)).waitFor();
    await fact(/^Price 12\.99$/).waitFor();

    await page.getByRole('button', { name: 'Choose again' }).click();
    await several
      .getByRole('button')
      .filter({ hasText: nameOf(code.slice(1)) })
      .click();
    await product(nameOf(code.slice(1))).waitFor();
    await fact(/^Price 12\.99$/).waitFor();

    await openSettings(page, 'Scanner');
    const part = page.getByRole('region', { name: 'Products chosen for scale labels' });
    await part.getByRole('button', { name: `Forget: ${code.slice(1)} is ${nameOf(code.slice(1))}` }).click();
    await part.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Lookup', exact: true }).click();
    await product(nameOf(code.slice(1))).waitFor();
    await scan(page, labelOf('00700'));
    await several.waitFor();
  });

  it('went without an error, a warning, or anything that the policy refused', () => {
    expect(complaints).toEqual([]);
  });
});
