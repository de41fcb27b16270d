import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ExpiringRow } from '../../app/contract/expiring.ts';
import { expiringRows, someCoverage } from './scenes/expiring.ts';
import { inputsOf, setAnswer } from './fake.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs as nowMs } from './scene-fixtures.ts';
import { value } from './scene-steps.ts';
import { setStage, stopClock } from './stage.ts';

const stage = setStage();

async function open(
  rows: readonly (ExpiringRow | null)[] = expiringRows,
  coverage = someCoverage,
  state = readyState(nowMs),
): Promise<Page> {
  const { page } = await stage.open({
    state,
    nowMs,
    answers: {
      'expiring:list': value({ total: rows.length, rows, next: null }),
      'expiring:readCoverage': value(coverage),
    },
  });
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.getByRole('combobox', { name: 'What is listed' }).selectOption('Expiring soon');
  return page;
}

it('says of how much it speaks, follows days and text, and a batch opens its product', async () => {
  const page = await open();
  await page.getByText('312 of 4,100 products with stock, asked for since').waitFor();
  await page.getByText('in about 2 nights at this pace').waitFor();
  const batches = page.getByRole('region', { name: 'Expiring soon' }).getByRole('button');
  await expect.poll(() => batches.count()).toBe(expiringRows.length);

  await page.getByRole('radiogroup', { name: 'Until when' }).getByText(`Expired · ${expiringRows.length}`).click();
  await page.getByRole('textbox', { name: 'Search by name or code' }).pressSequentially('queijo', { delay: 130 });
  await expect
    .poll(async () => (await inputsOf(page, 'expiring:list')).findLast(({ term }) => term !== ''))
    .toMatchObject({ span: 'past', term: 'queijo', offset: 0 });

  await batches.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await inputsOf(page, 'product:read')).find(({ isOpened }) => isOpened === true))
    .toMatchObject({ productId: expiringRows[1]?.hit.productId });

  // Whoever comes back finds the list as it was.
  await page.getByRole('link', { name: 'Stock' }).click();
  await expect.poll(() => batches.count()).toBe(expiringRows.length);
  await page.getByRole('combobox', { name: 'What is listed' }).selectOption('All products');
  await page.getByRole('grid').waitFor();
});

it('an empty list says how asking is switched on, and leads there', async () => {
  const page = await open([], { ...someCoverage, asked: 0, since: null, night: 'off', nextNightAt: null });
  await page.getByRole('link', { name: 'Ask at night…' }).click();
  await page.getByRole('switch', { name: 'Ask for batches at night' }).click();
  await expect
    .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
    .toEqual({ expiryAsking: { isOn: true } });
});

it('a list of days without a batch leads to those that have expired, and to asking for the rest', async () => {
  const page = await open(expiringRows.slice(0, 1), { ...someCoverage, asked: 3, night: 'off', nextNightAt: null });
  const days = page.getByRole('radiogroup', { name: 'Until when' });
  await days.getByText('Expired · 1').waitFor();
  expect(await page.getByRole('link', { name: 'Ask at night…' }).getAttribute('href')).toBe('#settings/copy');
  await setAnswer(page, 'expiring:list', value({ total: 0, rows: [], next: null }));
  await days.getByText('7 days').click();
  await page.getByText('No known batch expires in this time').waitFor();
  await page.getByRole('button', { name: 'Expired · 1' }).click();
  await expect.poll(async () => (await inputsOf(page, 'expiring:list')).at(-1)).toMatchObject({ span: 'past' });
});

it('while the catalogue is copied anew, it calls nothing gone, and says that batches may be missing', async () => {
  const { catalogue, ...ready } = readyState(nowMs);
  const stocks = catalogue.stocks.map((stock) => ({ ...stock, completeAsOf: null }));
  const state = { ...ready, catalogue: { ...catalogue, stocks } };
  const page = await open([null], { ...someCoverage, withStock: 3, asked: 3, mayLack: ['notCopied'] }, state);
  await page.getByText(/^3 of 3 products .* The catalogue has not been copied to its end/).waitFor();
  expect(await page.locator('.expiring-gone').textContent()).toBe('Not in the copy yet');
});

it.each([
  ['Expiring soon', 'expiring:list', 2],
  // Once more 5 s later, for the copy is new to the page.
  ['Changed today', 'stock:browse', 3],
] as const)('%s is read again when another day has begun', async (name, call, before) => {
  const page = await open();
  const what = page.getByRole('combobox', { name: 'What is listed' });
  await page.evaluate(stopClock, nowMs);
  await page.mouse.move(5, 5);
  await what.selectOption(name);
  // How many have expired is asked for now and then.
  const reads = async () =>
    (await inputsOf(page, call)).filter((input) => !('span' in input) || input.span !== 'past').length;
  await expect.poll(reads, { timeout: 12_000 }).toBe(before);
  await page.evaluate(stopClock, nowMs + 60_000);
  await page.mouse.move(10, 10);
  await page.waitForTimeout(500);
  expect(await reads()).toBe(before);
  await page.evaluate(stopClock, nowMs + 86_400_000);
  await page.mouse.move(20, 20);
  await expect.poll(reads).toBe(before + 1);
});
