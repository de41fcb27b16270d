import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { PrintedDrawing } from '../../app/domain/labels/drawing.ts';
import { encodeLabel } from '../../app/domain/labels/languages.ts';
import { scan } from '../support/wedge.ts';
import { readPdf } from '../unit/renderer/labels/read-pdf.ts';
import { changeState, inputsOf, setAnswer } from './fake.ts';
import { showAt } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const ean = '9520000000011';
const stage = setStage();

const product = {
  stockId: '11',
  stockName: 'Loja',
  productId: '501',
  code: 'A-501',
  name: 'Pão de queijo caipira',
  unit: 'KG',
  barcodes: ['95200002', ean],
  balance: { amount: 12.5, asOf: nowMs, source: 'listing' },
  options: [],
  extra: [],
  coupon: { isEnabled: false, status: 'confirmed', failure: null },
  minimum: null,
};

interface Opened {
  readonly page: Page;
  readonly asked: readonly string[];
}

async function open(
  card: Partial<Record<keyof ProductCard, unknown>> = {},
  state: Partial<TerminalState> = {},
  size?: { width: number; height: number },
): Promise<Opened> {
  const found = { ok: true, value: { kind: 'found', text: ean, cards: [{ ...product, ...card }] } };
  const { page } = await stage.open(
    { state: readyState(nowMs, state), nowMs, answers: { 'lookup:find': found } },
    size,
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('main').waitFor();
  return { page, asked };
}

async function scanForDetails(page: Page, text: string): Promise<void> {
  await scan(page, text);
  await page.locator('.coupon-button').waitFor();
  await page.keyboard.press('F2');
}

describe('the barcode in the details', () => {
  it('is drawn with the details alone, and is that of the scan', async () => {
    const { page, asked } = await open();
    const drawing = (): readonly string[] => asked.filter((path) => path.includes('picture'));
    await scan(page, ean);
    await page.getByRole('switch', { name: 'Consumption coupon' }).waitFor();
    expect(await page.getByRole('img', { name: /^Barcode/ }).count()).toBe(0);
    expect(drawing()).toEqual([]);
    await page.keyboard.press('F2');
    await page.getByRole('img', { name: 'Barcode EAN-13 9 520000 000011' }).waitFor();
    expect(drawing().length).toBeGreaterThan(0);
    expect(new Set(drawing()).size).toBe(drawing().length);
  });

  it('is black on white in the dark theme too, with whole pixels a module', async () => {
    const { page } = await open({}, { theme: 'dark', language: 'pt-BR' });
    await scanForDetails(page, ean);
    const picture = page.getByRole('img', { name: 'Código de barras EAN-13 9 520000 000011' });
    await picture.waitFor();
    expect(await picture.evaluate((image) => getComputedStyle(image.parentElement ?? image).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    // 95 modules, and 11 and 7 of white.
    expect((await picture.boundingBox())?.width).toBe(4 * 113);
  });

  it('leads to the product’s other codes, and says when a code does not fit the type the platform names', async () => {
    const { page } = await open({
      barcodes: [ean, '95200002', 'K-77'],
      extra: [{ name: 'barcode_type', value: 'EAN13' }],
    });
    await scanForDetails(page, ean);
    await page.getByRole('img', { name: 'Barcode EAN-13 9 520000 000011' }).waitFor();
    await page.getByRole('button', { name: '1 of 3 · next' }).click();
    await page.getByRole('img', { name: 'Barcode EAN-8 9520 0002' }).waitFor();
    await page.getByRole('button', { name: '2 of 3 · next' }).click();
    await page.getByText('Code 128: the code does not fit EAN-13').waitFor();
    await page.getByRole('button', { name: '3 of 3 · next' }).click();
    await page.getByRole('img', { name: 'Barcode EAN-13 9 520000 000011' }).waitFor();
  });

  it('is the product\u2019s own code where it has no barcode, and nothing where it has neither', async () => {
    const { page } = await open({ barcodes: [] });
    await scanForDetails(page, 'A-501');
    await page.getByRole('img', { name: 'Barcode Code 128 A-501' }).waitFor();
    await page.close();
    const bare = await open({ barcodes: [], code: null });
    await scanForDetails(bare.page, ean);
    await bare.page.getByRole('region', { name: 'Entries, exits and balance' }).waitFor();
    expect(await bare.page.locator('.barcode-plate').count()).toBe(0);
    await bare.page.close();
  });
});

async function openDialog(page: Page): Promise<void> {
  await scan(page, ean);
  await page.getByRole('button', { name: 'Print label' }).click();
  await page.getByRole('dialog', { name: 'Shelf label' }).waitFor();
}

/** Opens it for a second product, after the first one's label has been collected. */
async function openWithOneCollected(page: Page): Promise<void> {
  await openDialog(page);
  await page.getByRole('button', { name: 'Add another product' }).click();
  await openDialog(page);
}

/** Keeps the printed pages in the page, as while the system's dialog is open. */
async function holdPrinting(page: Page): Promise<void> {
  await page.evaluate(() =>
    Object.assign(window, {
      printed: 0,
      print: () => Object.assign(window, { printed: (window as unknown as { printed: number }).printed + 1 }),
    }),
  );
}

async function boxesOnPaper(page: Page): Promise<string[]> {
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  return [...paper.matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((points) => ((Number(points) * 25.4) / 72).toFixed(1)).join(' × '),
  );
}

describe('the shelf label', () => {
  it.each([
    ['40 × 25', 3, Array.from({ length: 3 }, () => '40.0 × 25.0')],
    ['100 × 50', 1, ['100.0 × 50.0']],
    ['A4 (24)', 25, ['210.0 × 297.0', '210.0 × 297.0']],
  ])('of %s comes onto paper of just that size, and nothing else does', async (size, copies, expected) => {
    const { page } = await open();
    await openDialog(page);
    await holdPrinting(page);
    await page.getByText(size, { exact: true }).click();
    await page.getByRole('textbox', { name: 'Copies' }).fill(String(copies));
    await page.getByRole('button', { name: copies === 1 ? 'Print 1 label' : `Print ${copies} labels` }).click();
    await page.waitForFunction(() => (window as unknown as { printed: number }).printed === 1);
    const boxes = await boxesOnPaper(page);
    // Chromium rounds a page to whole points of 1/72 inch at most.
    expect(boxes.length).toBe(expected.length);
    for (const [place, box] of boxes.entries()) {
      const [width = 0, height = 0] = box.split(' × ').map(Number);
      const [wide = 0, high = 0] = (expected[place] ?? '').split(' × ').map(Number);
      expect(Math.abs(width - wide)).toBeLessThan(0.36);
      expect(Math.abs(height - high)).toBeLessThan(0.36);
    }
  });

  it('leaves the page as it was when the printing is over, and prints again', async () => {
    const { page } = await open();
    await openDialog(page);
    await holdPrinting(page);
    for (const times of [1, 2]) {
      await page.getByRole('button', { name: 'Print 1 label' }).click();
      await page.waitForFunction((wanted) => (window as unknown as { printed: number }).printed === wanted, times);
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await page.locator('.print-pages').waitFor({ state: 'detached' });
    }
  });

  it('is saved as a PDF with what was typed, and the choice is remembered', async () => {
    const { page } = await open();
    await openDialog(page);
    await page.getByText('60 × 40', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Free text' }).fill('R$ 9,90 é só hoje');
    await page.getByRole('button', { name: 'One copy more' }).click();
    await page.getByRole('switch', { name: 'Print the stock figure too' }).click({ force: true });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as PDF' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('label-A-501.pdf');
    const { pages, texts, rectangles } = readPdf(await readFile(await download.path(), 'latin1'));
    expect(pages).toHaveLength(2);
    expect(texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Pão de queijo caipira', 'R$ 9,90 é só hoje', '9 520000 000011', 'A-501 · 12.500 kg']),
    );
    expect(rectangles).toHaveLength(30);
    expect(await inputsOf(page, 'settings:update')).toEqual([
      { shelfLabel: { size: '60x40', copies: 2, withBalance: true } },
    ]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Print label' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Copies' }).inputValue()).toBe('2');
    await expect.poll(() => page.getByRole('radio', { name: '60 × 40' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('textbox', { name: 'Free text' }).inputValue()).toBe('');
  });

  it('of several products fills one sheet, from the first free place on, and is not printed twice', async () => {
    const { page } = await open();
    await openDialog(page);
    await page.getByText('A4 (24)', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Free text' }).fill('R$ 9,90');
    await page.getByRole('textbox', { name: 'Copies' }).fill('2');
    await page.getByRole('button', { name: 'Add another product' }).click();
    await page.getByRole('dialog', { name: 'Shelf label' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Print label 2 labels wait' }).waitFor();
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByRole('link', { name: 'Lookup' }).click();
    await page.getByRole('button', { name: 'Print label 2 labels wait' }).waitFor();
    await openDialog(page);
    await page.getByRole('list', { name: 'Printed together with this one' }).getByText('2 × Pão de queijo').waitFor();
    await page.getByRole('textbox', { name: 'Copies' }).fill('1');
    const first = page.getByRole('textbox', { name: 'First free label on the sheet' });
    await first.fill('25');
    await page.getByText('From 1 to 24').waitFor();
    await first.fill('3');
    await page.getByRole('button', { name: 'Print 3 labels' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as PDF' }).click(),
    ]);
    const { pages } = readPdf(await readFile(await download.path(), 'latin1'));
    expect(pages.map(({ content }) => content.match(/\/L\d Do/g))).toEqual([['/L0 Do', '/L0 Do', '/L1 Do']]);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByText('labels wait').count()).toBe(0);
    await page.getByRole('button', { name: 'Print label' }).click();
    await page.getByRole('button', { name: 'Print 1 label' }).waitFor();
    expect(await page.getByRole('list', { name: 'Printed together with this one' }).count()).toBe(0);
  });

  it('takes from one to two hundred copies', async () => {
    const { page } = await open();
    await openDialog(page);
    const copies = page.getByRole('textbox', { name: 'Copies' });
    for (const wrong of ['0', '201', '1.5', '', 'x']) {
      await copies.fill(wrong);
      await page.getByText('From 1 to 200').waitFor();
      expect(await page.getByRole('button', { name: 'Save as PDF' }).isDisabled()).toBe(true);
    }
    await copies.fill('200');
    await page.getByRole('button', { name: 'Print 200 labels' }).waitFor();
    expect(await page.getByRole('button', { name: 'One copy more' }).isDisabled()).toBe(true);
  });

  it('stays open and the same under a scan, whose answer waits behind it', async () => {
    const { page } = await open();
    await openDialog(page);
    await page.getByRole('textbox', { name: 'Free text' }).fill('9,90');
    await scan(page, '7890000000103');
    const dialog = page.getByRole('dialog', { name: 'Shelf label' });
    expect(await dialog.isVisible()).toBe(true);
    expect(await page.getByRole('textbox', { name: 'Free text' }).inputValue()).toBe('9,90');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const found = await inputsOf(page, 'lookup:find');
    expect(found.map(({ text }) => text)).toEqual([ean, '7890000000103']);
  });

  it('says what a PDF cannot carry, and when the bars are too fine', async () => {
    const { page } = await open({ name: 'Chá 烏龍', barcodes: ['Ab'.repeat(20)] }, {}, { width: 1024, height: 768 });
    await openDialog(page);
    await page.getByText('A PDF cannot carry some of these characters', { exact: false }).waitFor();
    await page.getByText('The bars are finer than most scanners read', { exact: false }).waitFor();
  });
});

describe('a label printer that takes commands', () => {
  const printer = { kind: 'network', host: '192.0.2.40', port: 9100, language: 'tspl', dpi: 203 } as const;

  it('is handed the layout with its texts as pictures, ten labels at a time, and no sheet is offered', async () => {
    const { page } = await open({}, { labelPrinter: printer });
    await openDialog(page);
    expect(await page.getByText('A4 (24)').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Copies' }).fill('12');
    await page.getByRole('button', { name: 'Print 12 labels' }).click();
    await expect.poll(async () => (await inputsOf(page, 'label:print')).length).toBe(2);
    const parts = (await inputsOf(page, 'label:print')) as unknown as InvokeInput<'label:print'>[];
    expect(parts.map(({ labels }) => labels.map(({ copies }) => copies))).toEqual([[10], [2]]);
    const drawing = parts[0]?.labels[0]?.drawing;
    const title = drawing?.texts.find(({ text }) => text.includes('Pão'));
    const dots = [...atob(title?.picture?.bits ?? '')].reduce(
      (sum, byte) => sum + byte.charCodeAt(0).toString(2).replaceAll('0', '').length,
      0,
    );
    // Letters, and no block: between a twentieth and a half of the picture is black.
    const all = (title?.picture?.columns ?? 0) * (title?.picture?.rows ?? 0);
    expect(dots / all).toBeGreaterThan(0.05);
    expect(dots / all).toBeLessThan(0.5);
    expect(encodeLabel(drawing as PrintedDrawing, 1, printer)?.length).toBeGreaterThan(500);
  });

  it('that breaks off leads on from the label that a person names', async () => {
    const { page } = await open({}, { labelPrinter: printer });
    await openDialog(page);
    await page.getByRole('textbox', { name: 'Copies' }).fill('12');
    await setAnswer(page, 'label:print', { ok: false, failure: { kind: 'printerFailed' } });
    await page.getByRole('button', { name: 'Print 12 labels' }).click();
    await page.getByText('0 of 12 labels are printed.').waitFor();
    await page.getByText('Look at the printer whether 1 to 10 came out, too.').waitFor();
    await setAnswer(page, 'label:print', undefined);
    await page.getByRole('textbox', { name: 'Go on from label' }).fill('5');
    await page.getByRole('button', { name: 'Go on printing' }).click();
    await expect.poll(async () => (await inputsOf(page, 'label:print')).length).toBe(2);
    const [, rest] = (await inputsOf(page, 'label:print')) as unknown as InvokeInput<'label:print'>[];
    expect(rest?.labels.map(({ copies }) => copies)).toEqual([8]);
  });

  it('that stops because the till locks itself says where to whoever comes', async () => {
    const { page } = await open({}, { labelPrinter: printer });
    await openDialog(page);
    await page.getByRole('textbox', { name: 'Copies' }).fill('32');
    const { promise: answered, resolve: answer } = Promise.withResolvers<unknown>();
    await setAnswer(page, 'label:print', answered);
    await page.getByRole('button', { name: 'Print 32 labels' }).click();
    await expect.poll(async () => (await inputsOf(page, 'label:print')).length).toBe(1);
    await changeState(page, {
      phase: 'signIn',
      cashiers: { ...readyState(0).cashiers, lockedEmail: 'ana@example.com' },
    });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    answer({ ok: true, value: {} });
    await changeState(page, readyState(nowMs, { labelPrinter: printer }));
    await page.getByText('Printing stopped: 10 of 32 labels are printed.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Printing stopped').waitFor({ state: 'detached' });
  });

  it('that has failed before the till locks itself says so to whoever comes, and to nobody who has read it', async () => {
    const { page } = await open({}, { labelPrinter: printer });
    const breakOff = async (): Promise<void> => {
      await openDialog(page);
      await page.getByRole('textbox', { name: 'Copies' }).fill('12');
      await page.getByRole('button', { name: 'Print 12 labels' }).click();
      await page.getByText('0 of 12 labels are printed.').waitFor();
    };
    await setAnswer(page, 'label:print', { ok: false, failure: { kind: 'printerFailed' } });
    await breakOff();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByText('Printing stopped').count()).toBe(0);
    await breakOff();
    const lockedEmail = 'ana@example.com';
    await changeState(page, { phase: 'signIn', cashiers: { ...readyState(0).cashiers, lockedEmail } });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await changeState(page, readyState(nowMs, { labelPrinter: printer }));
    await page.getByText('Printing stopped: 0 of 12 labels are printed.').waitFor();
    await page.getByText('Look at the printer whether 1 to 10 came out, too.').waitFor();
  });

  it('that takes the labels of a dialog that was closed meanwhile leaves none of them for the next product', async () => {
    const { page } = await open({}, { labelPrinter: printer });
    await openWithOneCollected(page);
    const { promise: answered, resolve: answer } = Promise.withResolvers<unknown>();
    await setAnswer(page, 'label:print', answered);
    await page.getByRole('button', { name: 'Print 2 labels' }).click();
    await expect.poll(async () => (await inputsOf(page, 'label:print')).length).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // What is collected from then on is still to come.
    await openDialog(page);
    await page.getByRole('textbox', { name: 'Copies' }).fill('3');
    await page.getByRole('button', { name: 'Add another product' }).click();
    await page.getByText('4 labels wait').waitFor();
    answer({ ok: true, value: {} });
    await page.getByText('3 labels wait').waitFor();
  });

  it('that takes nothing leaves the labels that were collected, until they are printed', async () => {
    const { page } = await open({}, { labelPrinter: printer });
    await openWithOneCollected(page);
    await setAnswer(page, 'label:print', { ok: false, failure: { kind: 'printerUnreachable' } });
    const printing = page.getByRole('button', { name: 'Print 2 labels' });
    await printing.click();
    await page.getByText('0 of 2 labels are printed.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await openDialog(page);
    await setAnswer(page, 'label:print', undefined);
    await printing.click();
    await expect.poll(async () => (await inputsOf(page, 'label:print')).length).toBe(2);
    await page.getByRole('button', { name: 'Close' }).click();
    await openDialog(page);
    await page.getByRole('button', { name: 'Print 1 label' }).waitFor();
  });
});

describe('what is typed', () => {
  it('into the form of the printer stays until it is used, on another section as well', async () => {
    const { page } = await open();
    await showAt(page, '#settings/till');
    const part = page.getByRole('region', { name: 'Label printer' });
    await part.getByLabel('Print labels').selectOption('network');
    const address = part.getByRole('textbox', { name: 'Address of the printer' });
    const use = part.getByRole('button', { name: 'Use this printer' });
    await use.click();
    expect(await address.evaluate((field) => field === document.activeElement)).toBe(true);
    await address.fill('192.0.2.41:9100');
    await use.click();
    await part.getByText('Only a name or an IP address, and a port from 1 to 65535.').waitFor();
    await address.fill('192.0.2.41');
    await page.getByRole('link', { name: 'Support', exact: true }).click();
    await page.getByRole('heading', { name: 'This terminal' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'This till', exact: true }).click();
    expect(await address.inputValue()).toBe('192.0.2.41');
    await part.getByText('Not in use yet.').waitFor();
    await use.click();
    await expect
      .poll(() => inputsOf(page, 'settings:update'))
      .toEqual([{ labelPrinter: { kind: 'network', host: '192.0.2.41', port: 9100, language: 'zpl', dpi: 203 } }]);
  });

  it('onto a label comes back with a page that crashed, and is gone when the dialog was closed', async () => {
    const { page } = await open();
    await openDialog(page);
    const text = page.getByRole('textbox', { name: 'Free text' });
    await text.fill('R$ 9,90');
    await page.reload();
    await page.getByRole('main').waitFor();
    await openDialog(page);
    expect(await text.inputValue()).toBe('R$ 9,90');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Print label' }).click();
    expect(await text.inputValue()).toBe('');
  });
});
