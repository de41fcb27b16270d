// Proves that a file of another till is taken only after it was seen what it would change, and that what cannot be taken
// is named.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { callsOf, setAnswer } from './fake.ts';
import { readyState } from './ready-state.ts';
import { chooseLists, foreseenLists } from './scenes/settings.ts';
import { sceneNowMs } from './scene-fixtures.ts';
import { value } from './scene-steps.ts';
import { setStage } from './stage.ts';

const stage = setStage();

async function open(): Promise<Page> {
  const answers = {
    'shopLists:foresee': foreseenLists,
    'shopLists:take': value({ counts: { minimum: 2, set: 2, plan: 1 } }),
  };
  const { page } = await stage.open({ state: readyState(sceneNowMs), nowMs: sceneNowMs, answers });
  await chooseLists(page);
  return page;
}

it('what a file would change is shown, and only then is it taken', async () => {
  const page = await open();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A newer file was taken here already').waitFor();
  // Another profile of this till may have them.
  await dialog.getByText('3 minimums are left out: the profile in use does not have their stocks.').waitFor();
  await dialog.getByText('1 set searches stocks that the profile in use does not have: ').waitFor();
  expect(await dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Happy hour\s+Set: new/),
    expect.stringMatching(/Happy hour\s+Plan: new · Every Friday: on 18:00, off 23:00/),
    expect.stringMatching(/Happy hour\s+Plan: over, left out/),
    expect.stringMatching(/Sucos\s+Set: removed here/),
    expect.stringMatching(/Café torrado.+\s+Loja, minimum: none → 24/),
    expect.stringMatching(/Product 990\s+Depósito, minimum: 3 → none/),
  ]);
  await dialog.getByText('Plans that come switch in your name').waitFor();
  expect(await callsOf(page, 'shopLists:take')).toEqual([]);
  await dialog.getByRole('button', { name: 'Change this till' }).click();
  await page.getByText('Done. This till has what the file says.').waitFor();
  expect(await callsOf(page, 'shopLists:take')).toHaveLength(1);
});

it('a file of which no plan comes, but one goes, says nothing of whose name plans switch in', async () => {
  const page = await open();
  const { value: foreseen } = foreseenLists as { readonly value: { readonly changes: readonly { did?: string }[] } };
  const gone = foreseen.changes.filter(({ did }) => did === 'removed' || did === 'over');
  const counts = { minimum: 0, set: 1, plan: 1 };
  await setAnswer(page, 'shopLists:foresee', value({ ...foreseen, counts, changes: gone }));
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem').count()).toBe(2);
  expect(await dialog.innerText()).not.toContain('Plans that come');
});

it.each([
  ['unreadable', 'This is no file of minimums, sets and plans. Choose one that Tillside saved.'],
  ['newer', 'A newer version of Tillside saved this file.'],
  ['otherShop', 'This file is of another company.'],
  ['ahead', 'The clock of the till that saved this file is ahead of this one’s.'],
])('a file that is %s is named and cannot be taken', async (fault, words) => {
  const page = await open();
  const { value: foreseen } = foreseenLists as { readonly value: object };
  const none = { counts: { minimum: 0, set: 0, plan: 0 }, ofOtherStocks: 0, setsOfOtherStocks: 0, changes: [] };
  await setAnswer(page, 'shopLists:foresee', value({ ...foreseen, ...none, fault, savedAt: null, takenSavedAt: null }));
  const dialog = page.getByRole('dialog');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await dialog.getByRole('alert').getByText(words).waitFor();
  expect(await dialog.getByRole('button', { name: 'Change this till' }).count()).toBe(0);
});
