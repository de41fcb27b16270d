import assert from 'node:assert';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import type { Id } from '../../app/domain/int64.ts';
import { scan } from '../support/wedge.ts';
import { changeState, inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { couponUpdates } from './scene-updates.ts';
import { scenes } from './scenes.ts';
import { stocktakes } from './scenes/stocktakes.ts';
import { setStage, type Opening } from './stage.ts';
import { openScene, settle } from './walk.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

async function open(
  screen: 'Stock' | 'Coupons' | 'Queue' | 'Users',
  { state, size, ...scene }: Opening = {},
): Promise<Page> {
  const updates = screen === 'Coupons' ? { updates: couponUpdates } : {};
  const { page } = await stage.open({ ...updates, ...scene, state: readyState(nowMs, state), nowMs }, size);
  await goTo(page, screen);
  return page;
}

/** The row, or whatever else, that the focus is in. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      `${document.activeElement?.tagName} ${(document.activeElement?.closest('li, [role="row"], [role="region"]') ?? document.activeElement)?.textContent ?? ''}`,
  );

describe('the keyboard', () => {
  it.each([
    ['Stock', 'grid', /S-|tin/i],
    ['Coupons', 'grid', /Produto de exemplo 1/],
  ] as const)('goes from the search of %s into its list, and back from the first row', async (screen, role, words) => {
    const page = await open(screen, {
      answers: {
        'stock:browse': {
          ok: true,
          value: {
            view: 1,
            total: 2,
            found: 2,
            isWhole: true,
            rows: ['1', '2'].map((productId) => ({
              stockId: '11',
              stockName: 'Loja',
              productId,
              code: `S-${productId}`,
              name: `Tin ${productId}`,
              unit: null,
              balance: { amount: 3, asOf: nowMs, source: 'listing' },
              minimum: null,
              turnedAt: null,
            })),
          },
        },
      },
    });
    const grid = page.getByRole(role);
    await grid.getByText(words).first().waitFor();
    const field = page.locator('.search-field input');
    await field.focus();
    await page.keyboard.press('ArrowDown');
    const first = (): Promise<string | null | undefined> =>
      grid.evaluate((box) =>
        document.activeElement === box
          ? document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent
          : null,
      );
    await expect.poll(first).toMatch(words);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    // The list is where it was left.
    await page.keyboard.press('ArrowDown');
    await expect.poll(first).toMatch(words);
  });

  it('goes from the search of the queue to its first box, and back', async () => {
    const page = await open('Queue');
    await page.getByText('Pão de queijo').first().waitFor();
    const field = page.locator('.search-field input');
    await field.focus();
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/^Choose /);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  });
});

describe('the bar of what is chosen', () => {
  it('offers what can be done when something is chosen, is as high before, and hands the keyboard back', async () => {
    const page = await open('Coupons', { size: { width: 1024, height: 768 } });
    const bar = page.getByRole('toolbar');
    await bar.getByText(/ with a setting$/).waitFor();
    expect(await bar.getByRole('button').count()).toBe(0);
    const grid = page.getByRole('grid');
    await grid.getByText('Produto de exemplo 1', { exact: true }).waitFor();
    const before = await grid.boundingBox();
    await bar.getByRole('checkbox', { name: 'Choose all' }).click();
    await bar.getByText('40 products chosen').waitFor();
    expect(await grid.boundingBox()).toEqual(before);
    await bar.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await bar.getByText(/ with a setting$/).waitFor();
    expect(
      await bar.getByRole('checkbox', { name: 'Choose all' }).evaluate((box) => box === document.activeElement),
    ).toBe(true);
  });

  it('is not there over a list that is empty', async () => {
    const page = await open('Queue', { updates: [] });
    await page.getByRole('heading', { name: 'Nothing has been changed yet' }).waitFor();
    expect(await page.getByRole('toolbar').count()).toBe(0);
  });
});

describe('the queue', () => {
  it('leaves the focus in the row when its change has been discarded', async () => {
    const page = await open('Queue');
    const row = page.getByRole('listitem').filter({ hasText: 'Pão de queijo' });
    await row.getByRole('button', { name: 'Discard' }).click();
    await row.getByText('Discarded').waitFor();
    await expect.poll(() => focused(page)).toMatch(/^SUMMARY Pão de queijo/);
  });

  it('leads the focus to the next row when the row has gone, and to the list when none is left', async () => {
    const page = await open('Queue');
    await page.locator('.choice').getByText('Needs you', { exact: true }).click();
    const list = page.getByRole('region', { name: 'Changes' });
    // The one that only waits is no longer listed.
    await list.getByRole('listitem').filter({ hasText: 'Pão de queijo' }).waitFor({ state: 'detached' });
    await list.getByRole('button', { name: 'Discard' }).first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^SUMMARY Camiseta/);
    await list.getByRole('button', { name: 'Keep ON' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
    await expect.poll(() => focused(page)).toMatch(/^DIV Nothing needs you/);
  });

  it('has words of its own for each filter under which there is nothing', async () => {
    const page = await open('Queue', { updates: [] });
    for (const [filter, words] of [
      ['All', 'Nothing has been changed yet'],
      ['Waiting', 'Nothing is waiting'],
      ['Needs you', 'Nothing needs you'],
      ['Delivered', 'Nothing has been delivered'],
      ['Withdrawn', 'Nothing was withdrawn'],
    ]) {
      await page
        .locator('.choice')
        .getByText(filter ?? '', { exact: true })
        .click();
      await page.getByRole('heading', { name: words ?? '' }).waitFor();
    }
  });

  it('says of a change that was never sent why', async () => {
    const product = { productId: '101', name: 'Café', isEnabled: true };
    const page = await open('Queue', {
      updates: [{ ...product, isEnabled: false }, { ...product, events: ['holds'] }, { userId: '703' }],
    });
    for (const [filter, status, words] of [
      ['Waiting', 'pending', 'Not sent yet.'],
      ['Delivered', 'delivered', 'The platform had it already; nothing needed sending.'],
      ['Replaced', 'superseded', 'It was never sent.'],
    ] as const) {
      await page.locator('.choice').getByText(filter, { exact: true }).click();
      const row = page.locator(`.row-update[data-status="${status}"]`).first();
      await row.getByText('History', { exact: true }).click();
      await page.getByText(words, { exact: true }).waitFor();
    }
  });

  it('puts first what is advised about a restoration', async () => {
    const page = await open('Queue', {
      updates: [
        { userId: '703', events: [{ kind: 'unprocessable', status: 422 }] },
        { userId: '704', events: [{ kind: 'badRequest', status: 400 }] },
        { userId: '705', events: [{ kind: 'notFound', status: 404 }] },
      ],
    });
    const buttons = (id: number): Promise<string[]> =>
      page
        .getByRole('listitem')
        .filter({ hasText: `User ${id}` })
        .getByRole('button', { name: /Discard|Retry/ })
        .allInnerTexts();
    await page.getByText('User 703').waitFor();
    expect([await buttons(703), await buttons(704), await buttons(705)]).toEqual([
      ['Discard', 'Retry'],
      ['Retry', 'Discard'],
      ['Discard', 'Retry'],
    ]);
  });
});

describe('the filters of the stock table', () => {
  it('name all that is no product ID, say that nothing is filtered by it, and can be cleared', async () => {
    const page = await open('Stock');
    await page.getByRole('button', { name: 'More filters' }).click();
    const ids = page.getByLabel('Product IDs');
    await ids.fill('abc, -5');
    await page.getByText('“abc”, “-5” are not product IDs. This filter is not applied.').waitFor();
    await ids.fill('a b c d e f 2007');
    await page.getByText('“a”, “b”, “c”, “d”, “e” and 1 more are not product IDs.', { exact: true }).waitFor();
    await page.getByText('1 line in 2 stocks').waitFor();
    // A valid list has become invalid: the typed text stays.
    await ids.fill('abc');
    await page.getByText('40 lines in 2 stocks').waitFor();
    expect(await ids.inputValue()).toBe('abc');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => ids.inputValue()).toBe('');
    await expect.poll(() => focused(page)).toMatch(/^INPUT/);
    expect(
      await page
        .getByRole('textbox', { name: 'Name, code or barcode' })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
  });

  it('take a date as the language writes it, and say what is none', async () => {
    for (const [language, stock, more, label, typed, wrong, words] of [
      ['en', 'Stock', 'More filters', 'Changed since', '2026-03-05 12:30', '05/03/2026', 'This is no date.'],
      ['pt-BR', 'Estoque', 'Mais filtros', 'Alterado desde', '05/03/2026 12:30', '32/03/2026', 'Isto não é uma data.'],
    ] as const) {
      const { page: screen } = await stage.open({ state: readyState(nowMs, { language }), nowMs });
      await screen.getByRole('link', { name: stock, exact: true }).click();
      await screen.getByRole('button', { name: more }).click();
      const since = screen.getByLabel(label);
      await since.fill(typed);
      const asked = async (): Promise<unknown> => (await inputsOf(screen, 'stock:browse')).at(-1)?.['query'];
      await expect.poll(asked).toMatchObject({ updatedFrom: Date.parse('2026-03-05T12:30:00-03:00') });
      // Half a date changes nothing until the field is left.
      await since.fill(wrong);
      await expect.poll(() => screen.getByText(words).count()).toBe(0);
      await since.blur();
      await screen.getByText(words).waitFor();
      await expect.poll(asked).toMatchObject({ updatedFrom: null });
      await expect.poll(() => since.inputValue()).toBe(wrong);
      await screen.close();
    }
  });

  it('count a product once a stock as what it is: a line', async () => {
    const page = await open('Stock');
    await page.getByText('40 lines in 2 stocks').waitFor();
    await page.getByRole('combobox', { name: 'Stock' }).selectOption({ label: 'Depósito' });
    await page.getByText('18 products').waitFor();
  });

  it('lead the focus to the field when they are taken off where nothing fits', async () => {
    const page = await open('Stock');
    const field = page.getByRole('textbox', { name: 'Name, code or barcode' });
    await field.fill('nothing');
    await page.getByRole('grid').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('40 lines in 2 stocks').waitFor();
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

describe('the coupon list', () => {
  it('leaves a row that no longer fits the filter in its place, with the focus, until narrowed anew', async () => {
    const page = await open('Coupons');
    const grid = page.getByRole('grid', { name: 'Coupons' });
    const names = async (): Promise<string[]> =>
      (await grid.locator('.row-title').allInnerTexts())
        .slice(0, 4)
        .map((name) => name.slice('Produto de exemplo '.length));
    const filter = (name: string) => page.locator('.choice').getByText(name, { exact: true }).click();
    await filter('On');
    await expect.poll(names).toEqual(['1', '2', '3', '5']);
    const second = grid.getByRole('switch', { name: 'Consumption coupon: Produto de exemplo 2', exact: true });
    const where = await second.boundingBox();
    // With a finger, and then with Space on what it has touched.
    await page.mouse.click((where?.x ?? 0) + 20, (where?.y ?? 0) + 15);
    await grid.getByText('no longer fits the filter').waitFor();
    expect(await names()).toEqual(['1', '2', '3', '5']);
    expect(await second.boundingBox()).toEqual(where);
    expect(await second.isChecked()).toBe(false);
    expect(await focused(page)).toMatch(/^INPUT .*Produto de exemplo 2B-1001/);
    await page.keyboard.press(' ');
    await expect.poll(() => grid.getByText('no longer fits the filter').count()).toBe(0);
    await page.keyboard.press(' ');
    await grid.getByText('no longer fits the filter').waitFor();
    expect(await focused(page)).toMatch(/^INPUT .*Produto de exemplo 2B-1001/);
    // On from here with the keys of the list.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid.getByText('no longer fits the filter').count()).toBe(2);
    await expect
      .poll(() => inputsOf(page, 'coupon:switch'))
      .toMatchObject([
        { productId: '1001', isEnabled: false },
        { productId: '1001', isEnabled: true },
        { productId: '1001', isEnabled: false },
        { productId: '1002', isEnabled: false },
      ]);
    expect(await focused(page)).toMatch(/^DIV/);
    await filter('All');
    await filter('On');
    await expect.poll(names).toEqual(['1', '5', '6', '7']);
    // Whoever comes back sees what fits by then.
    await grid
      .getByRole('switch', { name: 'Consumption coupon: Produto de exemplo 5', exact: true })
      .click({ force: true });
    await grid.getByText('no longer fits the filter').waitFor();
    await page.getByRole('link', { name: 'Queue', exact: true }).click();
    // Whoever is back before the other screen has come has never left.
    await page.getByRole('heading', { name: 'Queue', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Coupons' }).click();
    await expect.poll(names).toEqual(['1', '6', '7', '9']);
  });
});

describe('restoring a user', () => {
  it('refuses what is nobody’s number at the field, and asks for the same only once', async () => {
    const page = await open('Users');
    const part = page.getByRole('region', { name: 'Restore a user' });
    const field = part.getByRole('textbox', { name: 'User number' });
    await field.fill('0');
    await page.keyboard.press('Enter');
    await part.getByText('Only a whole number from 1 on is possible here.').waitFor();
    expect(await inputsOf(page, 'user:restore')).toEqual([]);
    await field.fill('703');
    await part.getByRole('button', { name: 'Restore the user' }).click();
    await part.getByText('waiting to be sent', { exact: false }).waitFor();
    await expect.poll(() => focused(page)).toMatch(/^DIV .*User 703/s);
    await expect.poll(() => part.getByText('asked for already', { exact: false }).count()).toBe(0);
    await part.getByRole('button', { name: 'Restore the user' }).click();
    await part.getByText('This was asked for already; nothing new was added to the queue.').waitFor();
  });
});

describe('what else is on the screen', () => {
  it.each(['Stock', 'Coupons'] as const)(
    'leaves room for the list of %s, and for the search, in a small window',
    async (screen) => {
      const page = await open(screen);
      if (screen === 'Stock') {
        await page.getByRole('button', { name: 'More filters' }).click();
        await page.locator('.search-field input').fill('pro');
      }
      const list = page.getByRole('grid');
      for (const [width, height] of [
        [1366, 768],
        [1024, 768],
        [700, 500],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect.poll(async () => (await list.boundingBox())?.height).toBeGreaterThan(200);
        if (width > 1000) {
          expect((await page.locator('.search-field').boundingBox())?.width).toBeGreaterThan(190);
        }
      }
    },
  );

  it('leaves names that differ at their ends apart in a small window', async () => {
    const named = (place: number) => ({
      stockId: '11',
      stockName: 'Loja',
      productId: String(2000 + place),
      code: `S-${place}`,
      name: `Pão de queijo coquetel congelado colina verde ${place} kg`,
      unit: 'PACOTE',
      balance: { amount: 1, asOf: nowMs, source: 'listing' },
      minimum: null,
      turnedAt: null,
    });
    const page = await open('Stock', {
      size: { width: 1024, height: 768 },
      answers: {
        'stock:browse': { ok: true, value: { view: 1, total: 2, found: 2, isWhole: true, rows: [named(1), named(2)] } },
      },
    });
    const name = page.locator('.stock-row .stock-name').first();
    await name.waitFor();
    expect(
      await name.evaluate((cell) => [
        cell.scrollHeight <= cell.clientHeight + 1,
        cell.scrollWidth <= cell.clientWidth,
        cell.clientHeight <= 44,
      ]),
    ).toEqual([true, true, true]);
  });
});

it('with the largest letters a coupon has the whole name of its product in a small window', async () => {
  const name = 'Pão de queijo coquetel congelado colina verde 5 kg';
  const updates = [{ productId: '1', name, isEnabled: true }];
  const page = await open('Coupons', { size: { width: 1024, height: 768 }, updates, state: { textSize: 'largest' } });
  const cell = page.locator('.coupon-row .row-title', { hasText: 'Pão de queijo' });
  await cell.waitFor();
  expect(
    await cell.evaluate((one) => [one.scrollHeight <= one.clientHeight + 1, one.scrollWidth <= one.clientWidth]),
  ).toEqual([true, true]);
});

it('a coupon has the name of its product on one line where a window has the room', async () => {
  const name = 'Pão de queijo coquetel congelado colina verde 5 kg pacote econômico família';
  const updates = [{ productId: '1', name, isEnabled: true }];
  const page = await open('Coupons', { size: { width: 1920, height: 1080 }, updates });
  const cell = page.locator('.coupon-row .row-title', { hasText: 'Pão de queijo' });
  await cell.waitFor();
  const lines = await cell.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight));
  expect(Math.round(lines)).toBe(1);
});

it.each([
  ['coupons', '.coupon-row .row-title'],
  ['expiring-list', '.expiring-row .row-main'],
  ['stocktake', '.row-line .row-main'],
])('with the largest letters in a small window a name has two fifths of its row: %s', async (name, selector) => {
  const one = scenes.find((scene) => scene.name === name);
  assert(one !== undefined);
  const page = await openScene(stage, one, { width: 911, height: 512 });
  await changeState(page, { textSize: 'largest', language: 'es' });
  await settle(page);
  const share = await page
    .locator(selector)
    .first()
    .evaluate((part) => part.clientWidth / (part.closest('.row, .coupon-row')?.clientWidth ?? 0));
  expect(share).toBeGreaterThan(0.4);
});

describe('ten rows are in sight as a whole at 1366×768', () => {
  const wholeRows = (page: Page, row: string): Promise<number> =>
    page.evaluate((selector) => {
      const list = document.querySelector('.list')?.getBoundingClientRect();
      return [...document.querySelectorAll(selector)].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
      }).length;
    }, row);
  const size = { width: 1366, height: 768 };
  const names = Array.from({ length: 30 }, (_, place) => `Produto de exemplo ${place}`);

  it('of the coupons', async () => {
    const page = await open('Coupons', { size });
    await expect.poll(() => wholeRows(page, '.coupon-row')).toBe(10);
  });

  it('of what waits in the queue', async () => {
    const updates = names.map((name, place) => ({ productId: String(place), name, isEnabled: place % 2 === 0 }));
    const page = await open('Queue', { size, updates });
    await expect.poll(() => wholeRows(page, '.row-update')).toBe(10);
    expect(await page.locator('.row-update').first().innerText()).not.toContain('ana@example.com');
  });

  it('of a count, with what was counted last above them', async () => {
    const lines = names.map((name, place) => ({
      id: 500 + place,
      step: null,
      productId: String(place) as Id,
      code: `S-${place}`,
      name,
      unit: 'UNID',
      quantity: 3,
      figure: 5,
      figureAsOf: nowMs - 60_000,
      hasFigureMoved: false,
      state: 'different' as const,
      miss: null,
      countedAt: nowMs,
      countedBy: 'ana@example.com',
    }));
    const { page } = await stage.open({ state: readyState(nowMs), nowMs, stocktakes, lines }, size, {
      path: '#stocktakes',
      isClockStopped: true,
    });
    await page.getByRole('button', { name: 'Go on counting' }).first().click();
    await page.locator('.row-line').first().waitFor();
    await scan(page, '7890000000101');
    await page.locator('.count-outcome-quantity').waitFor();
    await expect.poll(() => wholeRows(page, '.row-line')).toBe(10);
  });
});
