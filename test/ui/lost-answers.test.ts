// What was asked for was done, and the answer lost on its way: the page says neither that it was done nor that it was
// not, shows how it is now, and offers nothing that would do it a second time.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, inputsOf, loseAnswer, setAnswer, theHostOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs as nowMs } from './scene-fixtures.ts';
import { couponUpdates } from './scene-updates.ts';
import { to, value } from './scene-steps.ts';
import { openSets, plannedAnswer, setAnswers } from './scenes/coupon-sets.ts';
import { setStage, type Opening } from './stage.ts';

const stage = setStage();
const unknown = /It is not known whether this was done\./;

async function open({ state, ...scene }: Opening = {}, path = '/'): Promise<Page> {
  const { page } = await stage.open({ ...scene, state: readyState(nowMs, state), nowMs }, undefined, { path });
  await page.getByRole('main').waitFor();
  return page;
}

describe('switching many coupons', () => {
  const begin = async (): Promise<Page> => {
    const page = await open({ updates: couponUpdates });
    await page.getByRole('link', { name: 'Coupons' }).click();
    await page.getByText(/^40 with a setting$/).waitFor();
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    return page;
  };
  const notDone = /The rest was not switched|This was not undone/;

  it('says no more than that it is not known', async () => {
    const page = await begin();
    await loseAnswer(page, 'coupon:switchMany', () => page.getByRole('button', { name: 'Switch 10 on' }).click());
    await page.getByText(unknown).waitFor();
    expect(await page.getByText(notDone).count()).toBe(0);
  });

  it('says nothing of the part of which it is not known', async () => {
    const counted = { willChange: 150, unsure: 0, already: 0, needed: 150, room: 900, ownerId: 1 };
    const updateIds = Array.from({ length: 200 }, (_, place) => place + 1);
    const answers = {
      ...setAnswers,
      'couponSet:read': value({ productIds: Array.from({ length: 300 }, (_, place) => String(2001 + place)) }),
      'coupon:countMany': value(counted),
      'coupon:switchMany': value({ updateIds, already: 0, undoForMs: 8000 }),
    };
    const page = await open({ answers, delaysMs: { 'coupon:switchMany': 1000 } });
    await openSets(page);
    await page.getByRole('group', { name: 'Sucos' }).getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch 300 on' }).click();
    await expect.poll(async () => (await callsOf(page, 'coupon:switchMany')).length).toBe(1);
    await loseAnswer(page, 'coupon:switchMany', () => Promise.resolve());
    await page.getByText('200 coupons switched on at this terminal.').waitFor();
    await page.getByText(unknown).waitFor();
    expect(await page.getByText(notDone).count()).toBe(0);
  });

  it('says no more of taking it back', async () => {
    const page = await begin();
    await page.getByRole('button', { name: 'Switch 10 on' }).click();
    await loseAnswer(page, 'coupon:undoMany', () => page.getByRole('button', { name: 'Undo' }).click());
    await page.getByText(unknown).waitFor();
    expect(await page.getByText(notDone).count()).toBe(0);
  });
});

describe('giving up many changes', () => {
  const giveUp = async (page: Page): Promise<void> => {
    for (const name of ['Água de coco 1 litro', 'Camiseta básica de algodão']) {
      await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    }
    await page
      .getByRole('toolbar', { name: 'Chosen changes' })
      .getByRole('button', { name: 'Discard', exact: true })
      .click();
  };
  const begin = async (): Promise<Page> => {
    const page = await open();
    await goTo(page, 'Queue');
    await giveUp(page);
    return page;
  };
  const claims = /changes? discarded|left as it was|stays? discarded|back as (it|they) w/;

  it('says no more than that it is not known', async () => {
    const page = await begin();
    await loseAnswer(page, 'queue:discardMany', () => page.getByRole('button', { name: 'Discard 2' }).click());
    await page.getByText(unknown).waitFor();
    expect(await page.getByText(claims).allTextContents()).toEqual([]);
  });

  it('says no more of bringing them back', async () => {
    const page = await begin();
    await page.getByRole('button', { name: 'Discard 2' }).click();
    await loseAnswer(page, 'queue:bringBack', () => page.getByRole('button', { name: 'Undo' }).click());
    await page.getByText(unknown).waitFor();
    expect(await page.getByText(claims).allTextContents()).toEqual([]);
  });
});

it('a planned moment that may be left out stays in sight, as it is now', async () => {
  const page = await open({ answers: { ...setAnswers, 'couponSet:listPlanned': plannedAnswer } });
  await to(page, '#queue');
  const planned = page.getByRole('region', { name: 'Planned at this terminal' });
  const skip = planned.getByRole('button', { name: /^Skip once: Happy hour/ }).first();
  await skip.waitFor();
  await loseAnswer(page, 'couponSet:skip', () => skip.click());
  await planned.getByText(unknown).waitFor();
  await skip.waitFor();
});

it('what is planned stays in sight while nothing answers', async () => {
  const page = await open({ answers: { ...setAnswers, 'couponSet:listPlanned': plannedAnswer } });
  await to(page, '#queue');
  const skip = page.getByRole('button', { name: /^Skip once: Happy hour/, includeHidden: true }).first();
  await skip.waitFor();
  theHostOf(page).loseAnswers('couponSet:skip');
  await skip.click();
  await page.getByRole('alertdialog', { name: 'Tillside has stopped answering' }).waitFor();
  // The list is asked for once more, in vain.
  await expect.poll(async () => (await callsOf(page, 'couponSet:listPlanned')).length).toBe(2);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await skip.count()).toBe(1);
});

it('a set that may have been removed is no longer listed where it was', async () => {
  const page = await open({ answers: setAnswers, updates: couponUpdates });
  await openSets(page);
  await page.getByRole('group', { name: 'Sucos' }).getByRole('button', { name: 'Remove', exact: true }).click();
  await setAnswer(page, 'couponSet:list', value({ sets: [] }));
  await loseAnswer(page, 'couponSet:remove', () =>
    page
      .getByRole('dialog', { name: /^Remove/ })
      .getByRole('button', { name: 'Remove' })
      .click(),
  );
  await page.getByRole('group', { name: 'Sucos' }).waitFor({ state: 'detached' });
});

it('a choice for labels of scales that may have been forgotten is no longer listed where it was', async () => {
  const choice = {
    layout: '20',
    item: '00123',
    productId: '2001',
    name: 'Queijo',
    code: 'Q-1',
    at: nowMs,
    email: 'ana@example.com',
  };
  const page = await open(
    { answers: { 'labelChoice:list': value([choice]), 'labelChoice:forget': value({}) } },
    '/#settings/scanner',
  );
  const forget = page.getByRole('button', { name: /Queijo/ });
  await forget.waitFor();
  await setAnswer(page, 'labelChoice:list', value([]));
  await loseAnswer(page, 'labelChoice:forget', () => forget.click());
  await forget.waitFor({ state: 'detached' });
});

it('whether Tillside starts at sign-in is read again', async () => {
  const device = (startsAtSignIn: boolean) =>
    value({
      update: { state: 'upToDate', version: null, checkedAt: nowMs, lastCheck: 'good' },
      startsAtSignIn,
      isKiosk: false,
    });
  const page = await open({ answers: { 'device:read': device(false) } }, '/#settings/till');
  const toggle = page.getByRole('switch', { name: /^Start at sign-in to this machine/ });
  await toggle.waitFor();
  await setAnswer(page, 'device:read', device(true));
  await loseAnswer(page, 'device:setStartsAtSignIn', () => toggle.press('Space'));
  await expect.poll(() => toggle.isChecked()).toBe(true);
});

describe('a count', () => {
  const coffee = '7890000000101';
  const shirt = '7890000000103';
  const lastCounted = (page: Page): Locator => page.getByRole('region', { name: 'Counted last' });
  const undo = (page: Page): Locator => lastCounted(page).getByRole('button', { name: /^Undo/ });
  const undone = async (page: Page): Promise<unknown> =>
    (await inputsOf(page, 'stocktake:undo')).map(({ step }) => step);
  const begin = async (): Promise<Page> => {
    const page = await open();
    await goTo(page, 'Count');
    await page.getByLabel('Shelf or name').fill('Shelf 4');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shelf 4' }).waitFor();
    await scan(page, coffee);
    await lastCounted(page).getByText(/Café/).waitFor();
    return page;
  };

  it('shows no older line as the last, and takes none back unseen, where a scan may have been counted', async () => {
    const page = await begin();
    await loseAnswer(page, 'stocktake:scan', () => scan(page, shirt));
    await page
      .getByText(/Perhaps counted/)
      .first()
      .waitFor();
    expect(await lastCounted(page).getByText(/Café/).count()).toBe(0);
    await undo(page).click();
    await lastCounted(page).getByText('This was counted last. Undo takes it back.').waitFor();
    expect(await undone(page)).toEqual([null]);
  });

  it('takes nothing back unseen where an undoing may have been done', async () => {
    const page = await begin();
    await scan(page, shirt);
    await lastCounted(page)
      .getByText(/Camiseta/)
      .waitFor();
    await loseAnswer(page, 'stocktake:undo', () => undo(page).click());
    await page.getByText(unknown).first().waitFor();
    expect(
      await lastCounted(page)
        .getByText(/Camiseta/)
        .count(),
    ).toBe(0);
    await page.keyboard.press('Alt+Z');
    await lastCounted(page).getByText('This was counted last. Undo takes it back.').waitFor();
    expect(await undone(page)).toEqual([expect.any(Number), null]);
  });
});
