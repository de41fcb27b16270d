import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import { inputsOf } from './fake.ts';
import { showAt } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { coffee } from './scene-updates.ts';
import { setStage, type Opening } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

async function open(screen: 'Coupons' | 'Queue' | 'Users', { state, size, ...scene }: Opening = {}): Promise<Page> {
  const { page } = await stage.open({ ...scene, state: readyState(nowMs, state), nowMs }, size);
  await goTo(page, screen);
  return page;
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Chosen changes' });
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}` });

describe('the queue', () => {
  it('shows where the keyboard is around the word History, and touches no line above or below', async () => {
    const page = await open('Queue', { size: { width: 1024, height: 768 } });
    const summary = page.locator('.row-history > summary').first();
    await summary.waitFor();
    await page.keyboard.press('Tab');
    await summary.focus();
    const { above, top, height } = await summary.evaluate((one) => {
      const { outlineOffset, outlineStyle } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      const title = one.closest('.row-main')?.querySelector('.row-title')?.getBoundingClientRect().bottom ?? 0;
      // The outline is 3 px wide.
      const edge = outlineStyle === 'solid' ? Number.parseFloat(outlineOffset) + 3 : 0;
      return { above: title, top: box.top - edge, height: box.height };
    });
    // The title's line is a little higher than its letters.
    expect([above - top < 4, height >= 44]).toEqual([true, true]);
  });

  it('counts what each filter holds, also under a text that is looked for', async () => {
    const page = await open('Queue');
    const counts = (): Promise<string> =>
      page
        .locator('.choice')
        .innerText()
        .then((text) => text.replaceAll(/\s+/g, ' '));
    await expect.poll(counts).toBe('All 5 Waiting 2 Needs you 2 Delivered 1 Withdrawn Replaced 1');
    await page.getByRole('textbox', { name: 'Product, user number, or e-mail with an @' }).fill('queijo');
    await expect.poll(counts).toBe('All 2 Waiting 2 Needs you Delivered Withdrawn');
    await page.locator('.choice').getByText('Needs you', { exact: true }).click();
    await page.getByRole('heading', { name: 'No change fits “queijo”' }).waitFor();
    await page.getByRole('button', { name: 'Search in all' }).click();
    await page.getByText('Queijo minas frescal').waitFor();
  });

  it('says of a refused product number that the platform has no such product, and the rule in details', async () => {
    const fields = [{ field: 'items.0.product_id', validations: [{ type: 'exists', values: ['101'] }] }];
    const refused = { kind: 'unprocessable', status: 422, message: 'made-up reason', fields } as const;
    const page = await open('Queue', { updates: [{ ...coffee, isEnabled: true, events: [refused] }] });
    const row = page.getByRole('listitem').filter({ hasText: coffee.name });
    await row.getByText(`The platform no longer knows “${coffee.name}”.`).waitFor();
    const answered = [row.getByText('items.0.product_id'), row.getByText('made-up reason')];
    expect(await Promise.all(answered.map((one) => one.isVisible()))).toEqual([false, false]);
    await row.getByText('Details', { exact: true }).click();
    expect(await Promise.all(answered.map((one) => one.isVisible()))).toEqual([true, true]);
    await row.getByRole('button', { name: 'What can I do?' }).click();
    await page.getByRole('dialog').getByText('The platform no longer knows “…”.').waitFor();
  });

  it('says offline that what was sent waits for another try, and offers only choices that do something', async () => {
    const queue = { ...readyState(nowMs).queue, inFlight: 1, heldBy: 'offline' as const };
    const page = await open('Queue', { state: { queue } });
    const row = page.getByRole('listitem').filter({ hasText: 'Queijo minas' });
    await row.getByText('Tried, waiting', { exact: true }).waitFor();
    await row.getByText(/may have arrived/).waitFor();
    expect(await row.getByText('Sending', { exact: true }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Product, user number, or e-mail with an @' }).fill('queijo minas');
    await bar(page).waitFor({ state: 'detached' });
  });

  it('says what a search left on hides, shows it at one touch, and forgets one cleared before leaving', async () => {
    const queue = { ...readyState(nowMs).queue, pending: 1, inFlight: 1, parked: 2 };
    const page = await open('Queue', { state: { queue } });
    const field = page.getByRole('textbox', { name: 'Product, user number, or e-mail with an @' });
    await field.fill('queijo minas');
    await page
      .getByText('3 changes that wait or need a decision do not fit “queijo minas” and are not shown.')
      .waitFor();
    await page.getByRole('button', { name: 'Show every change' }).click();
    await page.getByText('Camiseta básica de algodão').waitFor();
    expect(await field.inputValue()).toBe('');
    await field.fill('queijo minas');
    await page.getByText('Camiseta básica de algodão').waitFor({ state: 'detached' });
    await field.fill('');
    await showAt(page, '#coupons');
    await goTo(page, 'Queue');
    expect(await field.inputValue()).toBe('');
  });

  it('says whose a colleague’s refused change is and for whom it waits when it is tried again', async () => {
    const page = await open('Queue', {
      updates: [{ userId: '703', email: 'bruno@example.com', events: [{ kind: 'forbidden', status: 403 }] }],
      state: { queue: { ...readyState(nowMs).queue, ofOthers: { count: 0, emails: [], parked: 1 } } },
    });
    await page.getByText('Made by bruno@example.com. Tried again, it waits until that user signs in.').waitFor();
    expect(await page.locator('.badge').first().innerText()).toBe('1');
    await tick(page, 'User 703').check();
    await bar(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByText('1 of them waits until its user is signed in, at its company.').waitFor();
  });

  it('gives up several at once after a question that counts, and brings them back', async () => {
    const page = await open('Queue');
    await tick(page, 'Água de coco 1 litro').check();
    await tick(page, 'Camiseta básica de algodão').check();
    await bar(page).getByText('2 changes chosen').waitFor();
    await bar(page).getByRole('button', { name: 'Discard', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard 2 changes?' });
    await dialog.getByText('2 will not be sent.').waitFor();
    await dialog.getByText('For 1 of them, what somebody else has set stays.').waitFor();
    // The refused one certainly has not.
    expect(await dialog.getByText(/may have taken effect/).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Discard 2' }).click();
    await page.getByText('2 changes discarded.').waitFor();
    // One that is left has its own buttons.
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 changes are back as they were.').waitFor();
    const updateIds = [4, 3];
    expect([await inputsOf(page, 'queue:discardMany'), await inputsOf(page, 'queue:bringBack')]).toEqual([
      [{ updateIds }],
      [{ updateIds }],
    ]);
  });

  it('tries several again, and says what of them cannot be', async () => {
    const page = await open('Queue');
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await bar(page).getByText('3 changes chosen').waitFor();
    await bar(page).getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 3 changes?' });
    await dialog.getByText('1 of them overwrites what somebody else has set.').waitFor();
    await dialog.getByText('1 waits already and goes out by itself.').waitFor();
    await dialog.getByRole('button', { name: 'Retry 2' }).click();
    await page.getByText('2 changes go out again.').waitFor();
  });

  it('brings back a single one, too, and is chosen from with the keyboard alone', async () => {
    const page = await open('Queue');
    const row = page.getByRole('listitem').filter({ hasText: 'Pão de queijo' });
    await row.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('1 change discarded.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('Waiting', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Changes' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(150);
    await page.keyboard.press('Space');
    await bar(page).getByText('1 change chosen').waitFor();
    await page.waitForTimeout(150);
    await page.keyboard.press('Control+a');
    await bar(page).getByText('3 changes chosen').waitFor();
    await page.waitForTimeout(150);
    await page.keyboard.press('Escape');
    await bar(page).getByText('Tick changes to act on several at once.').waitFor();
    await page.getByRole('main', { name: 'Queue' }).waitFor();
  });

  it('says when it tries next, and what to do where nothing is', async () => {
    const queue = {
      pending: 1,
      inFlight: 0,
      parked: 0,
      delivered: 0,
      heldBy: 'retry' as const,
      nextTryAt: Date.now() + 180_000,
      ofOthers: { count: 0, emails: [], parked: 0 },
      ofKept: { count: 0, emails: [] },
      elsewhere: [],
    };
    const page = await open('Queue', { state: { queue }, updates: [] });
    await page.getByText(/Next try at .*, in 3 minutes\./).waitFor();
    await page.getByRole('button', { name: 'Go to the coupons' }).click();
    await page.getByRole('main', { name: 'Coupons' }).waitFor();
  });
});

describe('the users', () => {
  it('teach what a restoration is where there is none, in the room that there is', async () => {
    const page = await open('Users', { size: { width: 1024, height: 768 } });
    await page.getByRole('heading', { name: 'Nobody has been asked back yet' }).waitFor();
    const list = page.getByRole('region', { name: 'Asked for so far' });
    expect(await list.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0);
  });

  it('list what was asked for with its outcome, and can give one up and bring it back', async () => {
    const page = await open('Users', { updates: [{ userId: '704', events: ['done'] }, { userId: '703' }] });
    const past = page.getByRole('region', { name: 'Asked for so far' });
    await past.getByRole('listitem').filter({ hasText: 'User 704' }).getByText('Delivered', { exact: true }).waitFor();
    expect(await past.getByRole('listitem').count()).toBe(2);
    await past.getByRole('listitem').filter({ hasText: 'User 703' }).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await past.getByRole('listitem').filter({ hasText: 'User 703' }).getByText('Waiting', { exact: true }).waitFor();
    expect(await inputsOf(page, 'queue:list')).toContainEqual({
      statuses: ['pending', 'inFlight', 'parked', 'delivered', 'discarded'],
      kind: 'restoreUser',
      offset: 0,
      limit: 100,
    });
  });
});

describe('a long list', () => {
  it('is where it was left when it is opened again, and at its top under another filter', async () => {
    const page = await open('Coupons', { couponRows: 10_000, updates: [] });
    const grid = page.getByRole('grid', { name: 'Coupons' });
    await grid.getByText('Produto de exemplo 1', { exact: true }).waitFor();
    await grid.evaluate((box) => (box.scrollTop = 225_000));
    await grid.getByText('Produto de exemplo 5002', { exact: true }).waitFor();
    await goTo(page, 'Queue');
    await goTo(page, 'Coupons');
    await grid.getByText('Produto de exemplo 5002', { exact: true }).waitFor();
    await page.locator('.choice').getByText('On', { exact: true }).click();
    await grid.getByText('Produto de exemplo 1', { exact: true }).waitFor();
    expect(await grid.evaluate((box) => box.scrollTop)).toBe(0);
  });
});
