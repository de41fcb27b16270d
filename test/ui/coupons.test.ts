import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import type { Scene } from './fake-bridge.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { couponUpdates, maybeRestored } from './scene-updates.ts';
import { setStage, type Opening } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

interface Opened {
  readonly page: Page;
  readonly grid: Locator;
  /** The rows as far as they are drawn. */
  readonly rows: Locator;
  /** How many are chosen, in words. */
  readonly chosen: Locator;
}

async function open({ state, size, ...scene }: Opening = {}): Promise<Opened> {
  const { page } = await stage.open({ updates: couponUpdates, ...scene, state: readyState(nowMs, state), nowMs }, size);
  await page.getByRole('link', { name: 'Coupons' }).click();
  const grid = page.getByRole('grid', { name: 'Coupons' });
  await grid.waitFor();
  return {
    page,
    grid,
    rows: grid.getByRole('row'),
    chosen: page.getByRole('toolbar', { name: 'Chosen products' }).getByRole('status'),
  };
}

const tick = (rows: Locator, place: number): Locator => rows.nth(place).locator('.coupon-tick');

describe('the coupon list', () => {
  it('is narrowed by filters and as one types, and keeps what is chosen', async () => {
    const { page, rows, chosen } = await open();
    await page.getByText(/^40 with a setting$/).waitFor();
    await tick(rows, 0).click();
    await chosen.getByText('1 product chosen').waitFor();
    await page.getByText('Off', { exact: true }).first().click();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('exemplo 4');
    await expect.poll(() => rows.first().innerText()).toMatch(/Produto de exemplo 4\s+B-1003/);
    await tick(rows, 2).click();
    await chosen.getByText('2 products chosen').waitFor();
    await expect
      .poll(async () => (await inputsOf(page, 'coupon:list')).at(-1))
      .toMatchObject({ filter: 'disabled', term: 'exemplo 4' });
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await chosen.getByText('7 products', { exact: true }).waitFor();
  });

  it('says how many of the chosen a search hides, before they are switched, and leaves them out', async () => {
    const { page, chosen } = await open();
    await page.getByText(/^40 with a setting$/).waitFor();
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await chosen.getByText('40 products chosen').waitFor();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('exemplo 4');
    await page.getByText('38 of them are not shown here.').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch the coupons of 40 products on?' });
    await dialog.getByText('38 of them are not shown here.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Keep only those shown' }).click();
    await chosen.getByText('2 products chosen').waitFor();
    expect(await page.getByText('not shown here', { exact: false }).count()).toBe(0);
  });

  it('has a finger find in each row the switch of its own product alone', async () => {
    for (const size of [
      { width: 1024, height: 768 },
      { width: 1366, height: 768 },
    ]) {
      const { rows } = await open({ size });
      await rows.nth(3).waitFor();
      const found = await rows.nth(1).evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        const { left, width } = (row.querySelector('.mantine-Switch-track') ?? row).getBoundingClientRect();
        const heights = Array.from({ length: Math.floor(bottom - top) - 1 }, (_, place) => top + place + 0.5);
        return heights.filter((y) => !row.contains(document.elementFromPoint(left + width / 2, y)));
      });
      expect(found).toEqual([]);
    }
  });

  it('teaches what to do when nothing is listed, and the way back', async () => {
    const { page } = await open();
    await page.getByText('Refused', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('exemplo 41');
    await page.getByRole('heading', { name: 'No product fits “exemplo 41”' }).waitFor();
    await page.getByRole('button', { name: 'Search in all' }).click();
    // A product that has no setting yet.
    await page.getByText('1 product', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('nothing');
    await page.getByRole('button', { name: 'Show all settings' }).click();
    await page.getByText(/^40 with a setting$/).waitFor();
  });

  it('chooses a range with Shift, all with one tick, and none again', async () => {
    const { page, grid, rows, chosen } = await open({ couponRows: 1_200 });
    await tick(rows, 1).click();
    await tick(rows, 4).click({ modifiers: ['Shift'] });
    await chosen.getByText('4 products chosen').waitFor();
    expect(await grid.getByRole('checkbox', { checked: true }).count()).toBe(4);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
    // A range that is drawn in again takes the place of the longer one.
    await tick(rows, 2).click({ modifiers: ['Shift'] });
    await chosen.getByText('2 products chosen').waitFor();
    const all = page.getByRole('checkbox', { name: 'Choose all' });
    await all.click();
    await chosen.getByText('1,200 products chosen').waitFor();
    expect(await inputsOf(page, 'coupon:listIds')).toMatchObject([{ filter: 'all', offset: 0, limit: 1200 }]);
    await all.click();
    await chosen.getByText(/ with a setting$/).waitFor();
  });

  it('does all of it with the keyboard alone', async () => {
    const { page, grid, chosen } = await open({ couponRows: 10_000 });
    await grid.getByText('Produto de exemplo 1', { exact: true }).waitFor();
    await grid.focus();
    for (const key of ['ArrowDown', 'ArrowDown', ' ', 'Shift+ArrowDown', 'Shift+ArrowDown']) {
      await page.keyboard.press(key);
    }
    await chosen.getByText('3 products chosen').waitFor();
    expect(await grid.locator('[aria-selected="true"]').count()).toBe(3);
    await page.keyboard.press('Shift+ArrowUp');
    await chosen.getByText('2 products chosen').waitFor();
    // To the end, far beyond what has been read.
    await page.keyboard.press('Shift+End');
    await chosen.getByText('9,999 products chosen').waitFor();
    await grid.getByText('Produto de exemplo 10000', { exact: true }).waitFor();
    expect(await grid.getAttribute('aria-activedescendant')).toBe(
      await grid.locator('[data-active="true"]').getAttribute('id'),
    );
    await page.keyboard.press('Escape');
    await chosen.getByText(/ with a setting$/).waitFor();
    await page.keyboard.press('Control+a');
    await chosen.getByText('10,000 products chosen').waitFor();
    // Enter moves the one switch that the keyboard is at.
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect.poll(() => inputsOf(page, 'coupon:switch')).toMatchObject([{ productId: '1000', isEnabled: false }]);
    await expect.poll(() => grid.getByRole('row').count()).toBeLessThan(60);
  });

  it('keeps the keyboard when the row of the switch that has it goes', async () => {
    const { page, grid, rows } = await open();
    await rows.nth(3).getByRole('switch').focus();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).evaluate((field: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'nothing of that name');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('says that more than the queue takes cannot be chosen', async () => {
    const { page, chosen } = await open({ couponRows: 10_001 });
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await chosen.getByText('At most 10,000 products can be chosen at once.', { exact: false }).waitFor();
    expect(await page.getByRole('button', { name: 'Switch on' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await chosen.getByText(/ with a setting$/).waitFor();
  });
});

describe('switching many', () => {
  it('counts before, does it, and undoes it', async () => {
    const { page, grid, chosen } = await open();
    await page.getByText(/^40 with a setting$/).waitFor();
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch the coupons of 40 products on?' });
    await dialog.getByText('10 will be switched on.').waitFor();
    await dialog.getByText('30 are on already and stay so.').waitFor();
    await dialog.getByRole('button', { name: 'Switch 10 on' }).click();
    await page.getByText('10 coupons switched on at this terminal.').waitFor();
    await chosen.getByText(/ with a setting$/).waitFor();
    await expect.poll(() => grid.getByText('waiting to be sent').count()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: 10 coupons are as they were.').waitFor();
    // Chosen as before.
    await chosen.getByText('40 products chosen').waitFor();
    expect((await inputsOf(page, 'coupon:switchMany')).map(({ isEnabled }) => isEnabled)).toEqual([true]);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByText('Undone:', { exact: false }).count()).toBe(0);
  });

  it('can be undone for its time only', async () => {
    const { page, rows } = await open();
    await page.clock.install();
    await tick(rows, 3).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch 1 on' }).click();
    await page.getByText('1 coupon switched on at this terminal.').waitFor();
    await page.clock.fastForward(4_000);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(4_000);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    // It has left by then, and may be refused.
    await page.getByText('1 coupon switched on at this terminal.').waitFor({ state: 'detached' });
  });

  it('says before that the queue has no room, or that nothing would change, and then offers nothing', async () => {
    const { page, rows } = await open({ queueRoom: 5 });
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Switch off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('28 changes would be new in the queue, which has room for 5 more.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Switch/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await tick(rows, 0).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByText('None of them will change.').waitFor();
    await dialog.getByText('1 is on already and stays so.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Switch/ }).count()).toBe(0);
    expect(await inputsOf(page, 'coupon:switchMany')).toEqual([]);
  });

  it('says what was kept and what was not, when the queue is full halfway', async () => {
    const { page, chosen } = await open({
      answers: {
        'coupon:switchMany': { ok: true, value: { updateIds: [1, 2, 3, 4, 5, 6, 7], already: 0, undoForMs: 8000 } },
      },
    });
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch 10 on' }).click();
    await page.getByText('7 coupons switched on at this terminal.').waitFor();
    await page.getByText('The rest was not switched, and is still chosen.').waitFor();
    await chosen.getByText('40 products chosen').waitFor();
  });

  it('works offline, and says when it goes out', async () => {
    const { page, rows } = await open({ state: { connection: { state: 'offline', since: nowMs, failure: null } } });
    await tick(rows, 3).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page
      .getByRole('dialog')
      .getByText('There is no network: they are kept on this terminal', { exact: false })
      .waitFor();
    await page.getByRole('button', { name: 'Switch 1 on' }).click();
    await page.getByText('Waiting to be sent.', { exact: true }).waitFor();
  });
});

describe('restoring a user', () => {
  const outcomes: readonly (readonly [string, Scene['restoring'], readonly string[]])[] = [
    ['waiting', [], ['Asked for and kept on this terminal; waiting to be sent.']],
    ['being sent', ['leaves'], ['Being sent just now.']],
    [
      'tried again',
      [{ kind: 'tooManyRequests', status: 429 }],
      ['The last attempt failed; it is tried again by itself.'],
    ],
    ['restored', ['done'], ['Restored. The user can sign in again.']],
    [
      'e-mail taken',
      [{ kind: 'badRequest', status: 400, code: 'bad_request', message: 'made-up reason' }],
      ['The platform did not restore this user.', 'Usually another user has the same e-mail by now.', 'made-up reason'],
    ],
    ['not found', [{ kind: 'notFound', status: 404 }], ['The platform has no deleted user with this number.']],
    [
      'not allowed',
      [{ kind: 'forbidden', status: 403, code: 'forbidden' }],
      ['This company, or your user, may not restore users.'],
    ],
    [
      'invalid',
      [
        {
          kind: 'unprocessable',
          status: 422,
          fields: [{ field: 'userId', validations: [{ type: 'deleted', values: [] }] }],
        },
      ],
      ['The platform does not accept this user number.', 'The platform’s rule is not met: deleted'],
    ],
    ['perhaps done', maybeRestored, ['May already be restored.']],
    ['given up', ['discard'], ['Withdrawn. Ask again if it is still wanted.']],
  ];

  it.each(outcomes)(
    'tells in words that it is %s, and leads to it in the queue',
    async (_what, restoring, sentences) => {
      const { page } = await stage.open({
        state: readyState(nowMs),
        nowMs,
        updates: [],
        ...(restoring && { restoring }),
      });
      await goTo(page, 'Users');
      const part = page.getByRole('region', { name: 'Restore a user' });
      await part.getByLabel('User number').fill('703');
      await part.getByRole('button', { name: 'Restore the user' }).click();
      for (const sentence of sentences) {
        await part.getByText(sentence, { exact: false }).first().waitFor();
      }
      await part.getByRole('link', { name: 'See the queue' }).click();
      await page.getByRole('listitem').filter({ hasText: 'User 703' }).first().waitFor();
    },
  );

  it('follows what becomes of it, and is still there after another screen', async () => {
    const { page } = await stage.open({ state: readyState(nowMs), nowMs });
    await goTo(page, 'Users');
    const part = page.getByRole('region', { name: 'Restore a user' });
    await part.getByLabel('User number').fill('703');
    await part.getByRole('button', { name: 'Restore the user' }).click();
    await part.getByText('waiting to be sent', { exact: false }).waitFor();
    await part.getByRole('link', { name: 'See the queue' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'User 703' });
    await row.getByRole('button', { name: 'Discard' }).click();
    await goTo(page, 'Users');
    await part.getByText('Withdrawn.', { exact: false }).waitFor();
  });
});
