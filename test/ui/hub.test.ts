import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { callsOf, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { joinedHub } from './scene-fixtures.ts';
import { value } from './scene-steps.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

async function open(more: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs), nowMs, ...more }, undefined, {
    path: '#settings/shop',
  });
  await page.getByRole('main', { name: 'Settings' }).waitFor();
  return page;
}

it('joins with what was pasted and leaves after a question, with the focus on what has come', async () => {
  const page = await open();
  const address = page.getByLabel("The hub's address", { exact: true });
  expect(await address.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Join' }).press('Enter');
  await expect.poll(() => page.getByText('This is needed.').count()).toBe(2);
  await address.fill('https://hub.example.com');
  await page.getByLabel("This till's name", { exact: true }).fill(' Caixa 2 ');
  await page.getByRole('button', { name: 'Join' }).press('Enter');
  await page.getByRole('alert').getByText('It must begin with tillside-hub://.').waitFor();
  await address.fill(' tillside-hub://till:x@192.168.0.10/tillside#key ');
  await address.press('Enter');
  await page.getByText('192.168.0.10:5432').waitFor();
  expect((await callsOf(page, 'hub:join')).at(-1)?.input).toEqual({
    address: 'tillside-hub://till:x@192.168.0.10/tillside#key',
    name: 'Caixa 2',
  });
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('answer-place');

  await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
  await page.getByRole('status').getByText('The hub answers.').waitFor();
  await page.getByRole('button', { name: 'Leave' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Leave the hub?' });
  await dialog.getByRole('button', { name: 'Leave' }).press('Enter');
  await address.waitFor();
  expect(await address.inputValue()).toBe('');
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('answer-place');
});

it('leads the keyboard to what is missing, and to why an address was refused', async () => {
  const page = await open({ delaysMs: { 'hub:join': 400 } });
  const address = page.getByLabel("The hub's address", { exact: true });
  const name = page.getByLabel("This till's name", { exact: true });
  const isAt = (place: Locator): Promise<boolean> => place.evaluate((one) => one === document.activeElement);
  const join = page.getByRole('button', { name: 'Join' });
  await join.press('Enter');
  await expect.poll(() => isAt(address)).toBe(true);
  await address.fill('https://hub.example.com');
  await join.press('Enter');
  await expect.poll(() => isAt(name)).toBe(true);
  await name.fill('Caixa 2');
  await join.press('Enter');
  await page.getByRole('alert').getByText('It must begin with tillside-hub://.').waitFor();
  await expect.poll(() => isAt(page.locator('.answer-place', { has: page.getByRole('alert') }).last())).toBe(true);
});

it('joins another hub without leaving the first one, under the same name', async () => {
  const page = await open({ answers: { 'hub:read': value(joinedHub()) } });
  await page.getByRole('button', { name: 'Join another hub' }).press('Enter');
  await page.getByRole('heading', { name: 'Join another hub' }).waitFor();
  await page.getByRole('button', { name: 'Stay' }).press('Enter');
  await page.getByRole('button', { name: 'Join another hub' }).press('Enter');
  await page.getByLabel("The hub's address", { exact: true }).fill('tillside-hub://till:x@192.168.0.12/tillside#key');
  await page.getByRole('button', { name: 'Join', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Leave' }).waitFor();
  const [{ input } = { input: null }] = await callsOf(page, 'hub:join');
  expect(input).toMatchObject({ address: 'tillside-hub://till:x@192.168.0.12/tillside#key' });
  expect((input as unknown as { readonly name: string }).name).not.toBe('');
  expect(await callsOf(page, 'hub:leave')).toEqual([]);
});

it('says in words how it takes part, and follows what changes', async () => {
  const page = await open({
    answers: {
      'hub:read': value(
        joinedHub({
          mode: 'cutOff',
          failure: 'wrongPassword',
          since: nowMs - 60_000,
          limit: 2,
          later: { limit: 15, from: nowMs + 180_000 },
        }),
      ),
    },
  });
  const state = page.locator('.hub-state');
  await state.getByText('Cut off since').waitFor();
  expect(await state.textContent()).toMatch(/Requests a minute: 2, and 15 from \d/);
  expect(await state.textContent()).toContain('The hub does not accept the user or the password of this address.');
  expect(await page.getByRole('row').allTextContents()).toEqual([
    'TillVersionStateIn useLast ten minutesShare',
    'Caixa 2 (this one)1.0.0Here 415',
    'Caixa 1 1.0.0Here, reads the listing for all 2115',
    'Caixa 3 1.0.0Here 015',
    'Balcão da padaria 1.0.0Silent Remove715',
  ]);
  await expect.poll(async () => (await callsOf(page, 'hub:read')).length, { timeout: 15_000 }).toBeGreaterThan(1);
});

it('says that nothing is sent where nothing is kept for it; a test’s answer goes with the hub', async () => {
  const page = await open({ answers: { 'hub:read': value(joinedHub()) } });
  await page.getByText('Kept for silent tills: 15.').waitFor();
  await page.getByText(`AB${':AB'.repeat(31)}`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
  const answer = page.getByText('The hub answers.', { exact: true });
  await answer.waitFor();
  const cutOff = { mode: 'cutOff', failure: 'noAnswer', limit: 0, later: null } as const;
  await setAnswer(page, 'hub:read', value(joinedHub(cutOff)));
  await page.getByText('Nothing is sent until the hub answers.').waitFor();
  expect(await answer.count()).toBe(0);
  await setAnswer(page, 'hub:test', value({ wrongPart: null, failure: 'noAnswer' }));
  await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
  await page.getByRole('alert').getByText('The hub did not answer in time.').waitFor();
  await setAnswer(page, 'hub:read', value(joinedHub()));
  await page.getByText('Shared with 2 other tills').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('removes a silent till after a question, and says when the hub did not take it', async () => {
  const failed = value({ wrongPart: null, failure: 'noAnswer' as const });
  const page = await open({ answers: { 'hub:read': value(joinedHub()), 'hub:remove': failed } });
  await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'Remove Balcão da padaria' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove Balcão da padaria?' });
  await dialog.getByRole('button', { name: 'Keep it' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await callsOf(page, 'hub:remove')).toEqual([]);
  await page.getByRole('button', { name: 'Remove Balcão da padaria' }).press('Enter');
  // Not by a key: the dialog moves the focus to its first button when it has opened.
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alert').getByText('The hub did not answer in time.').waitFor();
  expect((await callsOf(page, 'hub:remove')).map(({ input }) => input)).toEqual([{ ids: ['till-3'] }]);
});

it('removes all silent tills by one question, such as those that a thief has written at the hub', async () => {
  const tills = (joinedHub().hub?.state?.tills ?? []).map((till) =>
    till.name === 'Caixa 3' ? { ...till, state: 'silent' as const } : till,
  );
  const page = await open({ answers: { 'hub:read': value(joinedHub({ tills })) } });
  await page.getByRole('button', { name: 'Remove the 2 silent tills' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove 2 silent tills?' });
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await callsOf(page, 'hub:remove')).map(({ input }) => input)).toEqual([{ ids: ['till-2', 'till-3'] }]);
});

it('is joining, and removes nobody, while nothing has been heard of the others', async () => {
  const tills = (joinedHub().hub?.state?.tills ?? []).map((till) =>
    till.isSelf ? till : { ...till, state: 'unheard' as const },
  );
  const page = await open({ answers: { 'hub:read': value(joinedHub({ kept: 0, tills })) } });
  await page.getByText('Joining since').waitFor();
  expect(await page.getByText('Not heard yet').count()).toBe(tills.length - 1);
  expect(await page.getByText('no other till is here').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
});

it('asks for another name where another till has its own', async () => {
  const { hub } = joinedHub();
  const tills = hub?.state?.tills ?? [];
  const named = (isGiven: (till: (typeof tills)[number]) => boolean) =>
    value(joinedHub({ tills: tills.map((till) => (isGiven(till) ? { ...till, name: 'Caixa 2' } : till)) }));
  // One that fell silent may be what this terminal was before it was set up anew.
  const page = await open({ answers: { 'hub:read': named(({ state }) => state === 'silent') } });
  await page.getByRole('button', { name: 'Remove Caixa 2' }).waitFor();
  expect(await page.getByText('Another till is called').count()).toBe(0);
  await setAnswer(
    page,
    'hub:read',
    named(() => true),
  );
  await page.getByText('Another till is called “Caixa 2”, too').waitFor();
});

it('says which tills keep the others from a limit of their own, and which have another', async () => {
  const { hub, readAt } = joinedHub();
  const tills = hub?.state?.tills ?? [];
  const ofMixed = tills.map((till, place) => ({
    ...till,
    countsBy: place === 2 ? ('platform' as const) : ('client' as const),
  }));
  const page = await open({ answers: { 'hub:read': value({ ...joinedHub({ tills: ofMixed }), readAt }) } });
  await page.getByText('Not all tills count the limit for each client ID: Caixa 3.').waitFor();
  const ofAgreed = tills.map((till, place) => ({ ...till, countsBy: 'client' as const, hasOwnLimit: place === 1 }));
  await setAnswer(page, 'hub:read', value({ ...joinedHub({ tills: ofAgreed }), readAt }));
  await page.getByRole('row', { name: 'Caixa 1 (another client ID, a limit of its own)' }).waitFor();
  expect(await page.getByText('Not all tills count').count()).toBe(0);
});
