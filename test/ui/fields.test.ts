// How a manager chooses fields of the listing: by mouse and by keyboard, each step saved at once.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inputsOf } from './fake.ts';
import { listedFields, shownFields } from './scenes/fields.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs as nowMs } from './scene-fixtures.ts';
import { to, value } from './scene-steps.ts';
import { setStage } from './stage.ts';

const stage = setStage();

async function openFields(kept: typeof shownFields, listed = listedFields): Promise<Page> {
  const { page } = await stage.open({
    state: readyState(nowMs, { shownFields: kept }),
    nowMs,
    answers: { 'catalogue:listFields': value(listed) },
  });
  await to(page, '#settings/fields');
  await page.locator('.field-table').first().waitFor();
  return page;
}

it('a field that is found is chosen, named, put in order, and ticked, and each step is saved', async () => {
  const page = await openFields([]);
  await page.getByRole('button', { name: 'Show product.price' }).click();
  await page.getByRole('button', { name: 'Show aisle' }).click();
  const names = page.locator('.chosen-name input');
  await expect
    .poll(() => names.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)))
    .toEqual(['Price', 'Aisle']);
  await names.nth(1).fill('Price');
  await page.getByText('Another field has this name.').waitFor();
  await names.nth(1).fill('Corredor');
  await names.nth(1).press('Enter');
  await names.nth(1).press('Alt+ArrowUp');
  // It has moved, and the keyboard with it.
  await expect.poll(() => names.nth(0).inputValue()).toBe('Corredor');
  expect(await names.nth(0).evaluate((one) => one === document.activeElement)).toBe(true);
  await page.getByRole('group', { name: 'Where Corredor is shown' }).getByLabel('Shelf label').click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await inputsOf(page, 'settings:update')).at(-1)).toEqual({
    shownFields: [
      { path: 'aisle', name: 'Corredor', on: ['card', 'label'] },
      { path: 'product.price', name: 'Price', on: ['card'] },
    ],
  });
});

it('with the first field that is chosen stay those that were shown until then', async () => {
  const usualAt = { 'product.price': 'price', aisle: 'aisle' } as const;
  const page = await openFields([], {
    ...listedFields,
    fields: listedFields.fields.map((one) =>
      one.path in usualAt ? { ...one, usual: usualAt[one.path as keyof typeof usualAt] } : one,
    ),
  });
  await page.getByRole('button', { name: 'Show product.supplier.name' }).click();
  await page.getByRole('textbox', { name: 'Name' }).nth(2).waitFor();
  const on = ['card', 'station'];
  expect((await inputsOf(page, 'settings:update')).at(-1)).toEqual({
    shownFields: [
      { path: 'product.price', name: 'Price', on },
      { path: 'aisle', name: 'Aisle', on },
      { path: 'product.supplier.name', name: 'Supplier', on: ['card'] },
    ],
  });
});

it('a field that the platform no longer sends is told, and can be removed', async () => {
  const page = await openFields(shownFields);
  await page.getByText('the platform may no longer send it').waitFor();
  await page.getByRole('button', { name: 'Remove Season' }).click();
  await expect.poll(() => page.locator('.chosen-field').count()).toBe(3);
  expect(
    await page.getByRole('button', { name: 'Remove Supplier' }).evaluate((one) => one === document.activeElement),
  ).toBe(true);
});
