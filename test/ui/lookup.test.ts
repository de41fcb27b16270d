import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import type { Scene } from './fake-bridge.ts';
import { changeState, inputsOf, setAnswer } from './fake.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const coffee = '7890000000101';
const shirt = '7890000000103';
const small = { width: 1024, height: 768 };
const stage = setStage();

async function open(state: Partial<TerminalState> = {}, more: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...more }, small);
  await page.locator('.finder-input').waitFor();
  return page;
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Barcode, code or name' });
const product = (page: Page, name: RegExp) => page.getByRole('region', { name });

async function type(page: Page, text: string): Promise<void> {
  for (const key of text) {
    await page.keyboard.press(key);
    await page.waitForTimeout(120);
  }
}

describe('a name that is typed while an answer is on its way', () => {
  it('stays whole after Enter, and after a click on a recent lookup', async () => {
    const page = await open({}, { delaysMs: { 'lookup:find': 500, 'product:read': 500 } });
    await type(page, coffee);
    await page.keyboard.press('Enter');
    await page.keyboard.press('v');
    await product(page, /Café/).waitFor();
    await page.keyboard.press('a');
    expect(await field(page).inputValue()).toBe('va');
    await page.keyboard.press('Escape');
    await page.locator('.recent-one').first().click();
    await page.keyboard.press('c');
    await product(page, /Café/).waitFor();
    await page.keyboard.press('a');
    expect(await field(page).inputValue()).toBe('ca');
  });
});

it('a badge behind a scan that is not answered yet leaves that code in the field, selected', async () => {
  const here = { ok: true, value: { outcome: 'here', email: 'ana@example.com' } };
  const page = await open({}, { delaysMs: { 'lookup:find': 500 }, answers: { 'cashier:scanBadge': here } });
  await scan(page, coffee);
  await product(page, /Café/).waitFor();
  await scan(page, '9520000000028');
  await scan(page, 'TILL1234567890123456');
  await page.getByRole('heading', { name: 'Unknown product' }).waitFor();
  expect(await field(page).inputValue()).toBe('9520000000028');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('9520000000028');
});

describe('the recent lookups', () => {
  it('name each product once, the newest first, however often it was scanned', async () => {
    const page = await open();
    for (const code of [coffee, shirt, coffee]) {
      await scan(page, code);
      await product(page, code === coffee ? /Café/ : /Camiseta/).waitFor();
    }
    await expect
      .poll(() => page.locator('.recent-name').allTextContents())
      .toEqual(['Café torrado e moído Serra Clara 500 g', 'Camiseta básica de algodão']);
  });
});

describe('stocks of one name', () => {
  it('are told apart by their ID, in the header and on the card', async () => {
    const { catalogue } = readyState(nowMs);
    const stocks = catalogue.stocks.map((stock) => ({ ...stock, name: 'Loja' }));
    const page = await open({ catalogue: { ...catalogue, stocks } });
    await page.getByText('Loja (11), Loja (12)').waitFor();
    await scan(page, coffee);
    await page.locator('.figure-stock').getByText('Loja (11)').waitFor();
  });
});

describe('an answer', () => {
  it('of an unknown code tells a stock that the platform refuses, and not the whole catalogue', async () => {
    const text = '9520000000028';
    const value = { kind: 'unknown', text, refusedStocks: 1, asked: true };
    const page = await open({}, { answers: { 'lookup:find': { ok: true, value } } });
    await scan(page, text);
    const miss = page.locator('.miss');
    await miss.getByText('The platform refuses a stock of this shop, and this may be one of its products.').waitFor();
    const folded = await miss.locator('details').textContent();
    expect(folded).toContain('The platform was asked as well and did not find it.');
    expect(await miss.textContent()).not.toMatch(/whole catalogue|does not have it/);
  });

  it('begins at its top, however far the last one was read, after a scan and after a suggestion alike', async () => {
    const page = await open();
    await scan(page, coffee);
    await product(page, /Café/).waitFor();
    const scrolled = (): Promise<number> => page.locator('.answer').evaluate((box) => box.scrollTop);
    const scrollDown = (): Promise<void> => page.locator('.answer').evaluate((box) => box.scrollTo(0, 200));
    await scrollDown();
    expect(await scrolled()).toBeGreaterThan(50);
    await scan(page, shirt);
    await product(page, /Camiseta/).waitFor();
    expect(await scrolled()).toBe(0);
    await scrollDown();
    await type(page, 'caf');
    await page.getByRole('option', { name: /Café/ }).click();
    await product(page, /Café/).waitFor();
    expect(await scrolled()).toBe(0);
  });

  it('shows the stock that was chosen first and large, and the other below', async () => {
    const hit = {
      stockId: '12',
      stockName: 'Depósito',
      productId: '101',
      code: 'A-101',
      name: 'Café torrado e moído Serra Clara 500 g',
      unit: 'PACOTE',
      balance: { amount: 1320, asOf: nowMs, source: 'listing' },
    };
    const page = await open({}, { answers: { 'lookup:search': { ok: true, value: [hit] } } });
    await type(page, 'caf');
    await page.getByRole('option', { name: /Depósito/ }).click();
    const card = product(page, /Café/);
    await card.waitFor();
    expect(await card.locator('.figure').innerText()).toMatch(/Depósito[\s\S]+1,320/);
    expect(await card.locator('.lines').innerText()).toMatch(/Loja[\s\S]+148/);
    await scan(page, coffee);
    await page.waitForFunction(() => document.querySelector('.figure')?.textContent.includes('148'));
  });
});

describe('a live figure', () => {
  const old = {
    ok: true,
    value: {
      kind: 'found',
      text: coffee,
      cards: [
        {
          stockId: '11',
          stockName: 'Loja',
          productId: '101',
          code: 'A-101',
          name: 'Café',
          unit: 'UNID',
          barcodes: [coffee],
          balance: { amount: 7, asOf: nowMs - 180_000, source: 'live' },
          options: [],
          extra: [],
          coupon: { isEnabled: false, status: 'confirmed', failure: null },
          minimum: null,
        },
      ],
    },
  };

  it('is called live only while it is fresh', async () => {
    const page = await open(
      {},
      { answers: { 'lookup:find': old, 'product:refresh': { ok: false, failure: { kind: 'timedOut' } } } },
    );
    await scan(page, coffee);
    await page.getByText(/^Last asked live at .*3 minutes ago$/).waitFor();
    expect(await page.locator('.source-dot').getAttribute('data-source')).toBe('lastLive');
  });

  it('is asked for again when the network is back', async () => {
    const page = await open({ connection: { state: 'offline', since: nowMs, failure: null } });
    await scan(page, shirt);
    await page.getByText('Offline: this is the last known figure.').waitFor();
    expect(await inputsOf(page, 'product:refresh')).toEqual([]);
    await changeState(page, { connection: { state: 'online', since: null, failure: null } });
    await page.getByText(/^Live, as of/).waitFor();
    expect(await page.locator('.source-dot').getAttribute('data-source')).toBe('live');
  });

  it('that waits for the pause after a 429 says so, and that one that was turned away is no failure', async () => {
    const page = await open(
      { rateLimit: { limit: 60, used: 4, pausedUntil: Date.now() + 40_000 } },
      {
        delaysMs: { 'product:refresh': 2000 },
        answers: { 'product:refresh': { ok: false, failure: { kind: 'cancelled' } } },
      },
    );
    await scan(page, coffee);
    await page.getByText(/Waiting for the pause that the platform asked for, about \d+ seconds$/).waitFor();
    await page.waitForFunction(() => document.querySelector('.figure-note')?.textContent === '');
    expect(await page.getByText('Last known figure.').count()).toBe(0);
  });
});

describe('a miss while the catalogue is being copied', () => {
  const catalogue: TerminalState['catalogue'] = {
    ...readyState(nowMs).catalogue,
    phase: 'copying',
    copied: 100,
    total: 5000,
    completeAt: nowMs + 120_000,
    stocks: [],
  };

  it('counts on, and says that the product is unknown when the copy is complete', async () => {
    const page = await open({ catalogue, connection: { state: 'offline', since: nowMs, failure: null } });
    await scan(page, '9520000000028');
    await page.getByRole('heading', { name: 'Not copied yet' }).waitFor();
    await changeState(page, { catalogue: { ...catalogue, copied: 2400, changes: 2400 } });
    await page.locator('.miss').getByText('2,400 of 5,000').waitFor();
    // Nothing else counts.
    expect(await page.getByText(/You can already scan/).count()).toBe(0);
    await changeState(page, { catalogue: { ...readyState(nowMs).catalogue } });
    await page.getByRole('heading', { name: 'Unknown product' }).waitFor();
    expect((await inputsOf(page, 'lookup:find')).map(({ isAgain }) => isAgain ?? false)).toEqual([false, true, true]);
  });
});

describe('an unknown product', () => {
  it('of a slip is told in sentences, each with one full stop', async () => {
    const balance = { amount: 4, asOf: nowMs, source: 'listing' };
    const meant = { stockId: '11', stockName: null, productId: '1', code: null, name: 'Café', unit: null, balance };
    const page = await open(
      {},
      {
        answers: {
          'lookup:find': { ok: true, value: { kind: 'unknown', text: 'cafee', asked: true } },
          'lookup:findSimilar': { ok: true, value: [meant] },
        },
      },
    );
    await type(page, 'cafee');
    await page.keyboard.press('Enter');
    const told = page.locator('.announcement');
    await told.getByText('does not have it either. Did you mean: ').waitFor({ state: 'attached' });
    expect(await told.textContent()).not.toContain('..');
  });

  it('says what to do now, and has the platform asked anew when a person wants it', async () => {
    const page = await open();
    await scan(page, '9520000000028');
    await page.getByText('Scan it again, or type a part of its name.').waitFor();
    await page.getByText('Why', { exact: true }).click();
    await page.getByText('The platform was asked and does not have it either.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await expect.poll(async () => (await inputsOf(page, 'lookup:ask')).length).toBe(2);
    await changeState(page, { connection: { state: 'offline', since: nowMs, failure: null } });
    expect(await page.getByRole('button', { name: 'Ask again' }).isDisabled()).toBe(true);
  });

  it('may be one of those that could not be read, which is said of the copy and of the answer', async () => {
    const { catalogue } = readyState(nowMs);
    const [stock] = catalogue.stocks;
    const page = await open({
      catalogue: {
        ...catalogue,
        copied: 495,
        total: 500,
        unreadable: 5,
        stocks: stock === undefined ? [] : [{ ...stock, copied: 495, total: 500, unreadable: 5 }],
      },
    });
    await page.getByText('495 of 500 products; 5 could not be read.', { exact: true }).waitFor();
    await scan(page, '9520000000028');
    await page
      .locator('.miss')
      .getByText("Not copied, or not readable: 5 of the platform's products could not be read")
      .waitFor();
    await page.getByText('this terminal could not read all of it (1): it may have it.').first().waitFor();
    expect(await page.getByText('The whole catalogue is on this terminal').count()).toBe(0);
    expect(await page.getByText('does not have it either').count()).toBe(0);
  });

  it('is of a copy that is whole but for a stock that the platform refuses, which is named', async () => {
    const { catalogue } = readyState(nowMs);
    const [shop, store] = catalogue.stocks;
    const stocks =
      shop === undefined || store === undefined
        ? []
        : [shop, { ...store, copied: 0, total: null, completeAsOf: null, refused: 'forbidden' as const }];
    const page = await open({ catalogue: { ...catalogue, phase: 'waiting', copied: 4000, total: null, stocks } });
    await page
      .getByText('Depósito cannot be copied: the platform refuses it. The platform does not allow this.')
      .waitFor();
    expect(await page.getByText('The copy goes on when').count()).toBe(0);
  });

  it('is no figure or switch for the tour, which says what will come, in a bar of constant height', async () => {
    const page = await open({ isTourSeen: false });
    await scan(page, '9520000000028');
    await page.getByRole('heading', { name: 'Unknown product' }).waitFor();
    const tour = page.getByRole('region', { name: 'Short tour' });
    const heights = new Set<number>();
    for (const title of [
      'Scan anything',
      'With a product comes a large figure',
      'With a product comes a button',
      'Here you see whether',
      'F1 opens',
    ]) {
      await tour.getByText(title).waitFor();
      heights.add((await tour.boundingBox())?.height ?? 0);
      await tour.getByRole('button', { name: /Next|Done/ }).click();
    }
    expect(heights.size).toBe(1);
    await page.getByRole('heading', { name: 'Lookup', exact: true }).and(page.locator(':focus')).waitFor();
  });

  it('separates the name of a stock, which may be a number, from its figure', async () => {
    const page = await open();
    await page.keyboard.type('café', { delay: 130 });
    await page.getByRole('option', { name: /Loja ?: 148 packets/ }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: /Depósito: 1,320/ })
      .waitFor();
  });

  it('lets the tour point at no card while another screen is shown', async () => {
    const page = await open({ isTourSeen: false });
    const tour = page.getByRole('region', { name: 'Short tour' });
    await scan(page, coffee);
    await tour.getByText('The large figure is the stock.').waitFor();
    await page.getByRole('link', { name: 'Coupons' }).click();
    await tour.getByText('With a product comes a large figure').waitFor();
    await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByText('With a product comes a button').waitFor();
    await page.getByRole('link', { name: 'Lookup' }).click();
    await tour.getByText('This button, or F4').waitFor();
  });
});

describe('the results of a part of a name', () => {
  it('are walked with the arrow keys from the field, as suggestions are', async () => {
    const page = await open();
    await field(page).fill('co');
    await field(page).press('Enter');
    await page.locator('.several').waitFor();
    const focused = (): Promise<number> =>
      page.evaluate(() =>
        [...document.querySelectorAll('.several .line-button')].indexOf(document.activeElement as Element),
      );
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused()).toBe(1);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused()).toBe((await page.locator('.several .line-button').count()) - 1);
    await page.keyboard.press('Enter');
    await page.locator('.card').waitFor();
  });

  it('are one line a product, among the suggestions and in the list, with its figure in each stock', async () => {
    const page = await open();
    await type(page, 'caf');
    const option = page.getByRole('option', { name: /Café/ });
    await option.waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    expect(await option.innerText()).toMatch(/Loja[\s\S]+148[\s\S]+Depósito[\s\S]+1,320/);
    await page.close();
    const hit = (productId: string, stockId: string, amount: number) => ({
      stockId,
      stockName: stockId === '11' ? 'Loja' : 'Depósito',
      productId,
      code: null,
      name: `Produto ${productId}`,
      unit: 'UNID',
      balance: { amount, asOf: nowMs, source: 'listing' },
    });
    const many = Array.from({ length: 200 }, (_, line) =>
      hit(String(900 + (line >> 1)), String(11 + (line % 2)), line),
    );
    for (const [hits, title, lines] of [
      [many.slice(0, 5), '3 products found', 3],
      [many, '100 products found, and perhaps more', 100],
    ] as const) {
      const other = await open(
        {},
        {
          answers: {
            'lookup:find': {
              ok: true,
              value: {
                kind: 'several',
                text: 'pro',
                read: { as: 'search', ofCase: null, layout: null, facts: [], fault: null },
                hits,
              },
            },
          },
        },
      );
      await field(other).fill('pro');
      await field(other).press('Enter');
      const list = other.getByRole('region', { name: title, exact: true });
      await list.waitFor();
      expect(await list.getByRole('button').count()).toBe(lines);
      expect(await list.getByRole('button').first().innerText()).toMatch(/Loja[\s\S]+0[\s\S]+Depósito[\s\S]+1/);
      await other.close();
    }
  });

  it('are counted below the suggestions, always in sight, with the way to all; none are said to be none', async () => {
    const hits = Array.from({ length: 23 }, (_, place) => ({
      stockId: '11',
      stockName: 'Loja',
      productId: String(900 + place),
      code: null,
      name: `Produto de exemplo ${place}`,
      unit: 'UNID',
      balance: { amount: 1, asOf: nowMs, source: 'listing' },
    }));
    const page = await open({}, { answers: { 'lookup:search': { ok: true, value: hits } } });
    await type(page, 'pro');
    const all = page.getByRole('button', { name: /8 of 23 products\s*Show all/ });
    await all.waitFor();
    expect(await page.getByRole('option').count()).toBe(8);
    const box = await all.boundingBox();
    expect([(box?.height ?? 0) >= 44, (box?.y ?? small.height) + (box?.height ?? 0) <= small.height]).toEqual([
      true,
      true,
    ]);
    expect(
      await page.locator('.finder-list').evaluate((list) => list.getBoundingClientRect().bottom),
    ).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
    // The eighth is walked to, and scrolls into sight above that line.
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('ArrowDown');
    }
    const chosen = await page.getByRole('option', { selected: true }).boundingBox();
    expect((chosen?.y ?? small.height) + (chosen?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
    await all.click();
    await expect
      .poll(async () => (await inputsOf(page, 'lookup:find')).map(({ text, source }) => [text, source]))
      .toEqual([['pro', 'typed']]);
    await page.close();
    const other = await open();
    await type(other, 'zzq');
    await other.locator('.finder-more').getByText('Nothing like this').waitFor();
  });
});

it('a word that nothing has is answered as what it is: a name that was typed, or a code', async () => {
  const page = await open();
  const tryAnother = 'Try another word';
  const scanAgain = 'Scan it again, or type a part of its name.';
  for (const [text, how, advice] of [
    ['escova', 'typed', tryAnother],
    ['A-101', 'typed', scanAgain],
    ['sabao po 500', 'typed', tryAnother],
    ['9520000000028', 'typed', scanAgain],
    ['escovas', 'typed', tryAnother],
    ['ABCDEF', 'scanned', scanAgain],
  ] as const) {
    await setAnswer(page, 'lookup:find', { ok: true, value: { kind: 'unknown', text, asked: true } });
    if (how === 'scanned') {
      await scan(page, text);
    } else {
      await field(page).fill(text);
      await field(page).press('Enter');
    }
    const miss = page.locator('.miss').filter({ hasText: text });
    await miss.getByText(advice).waitFor();
  }
});

describe('Escape', () => {
  it('starts over at once, with suggestions open as well', async () => {
    const page = await open();
    await type(page, 'caf');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => field(page).inputValue()).toBe('');
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
    await type(page, 'quei');
    await page.getByRole('option', { name: /Queijo/ }).waitFor();
    expect(await field(page).inputValue()).toBe('quei');
  });
});

describe('a text that is too long for a code', () => {
  it('is said to be so and shown cut', async () => {
    const page = await open(
      {},
      {
        answers: { 'lookup:find': { ok: true, value: { kind: 'unreadable', text: '1'.repeat(300), why: 'tooLong' } } },
      },
    );
    await field(page).evaluate((input) => input.removeAttribute('maxlength'));
    await field(page).fill('1'.repeat(10_000));
    await field(page).press('Enter');
    await page.getByText('This is far too long for a code.').waitFor();
    expect((await page.locator('.miss-text').innerText()).length).toBe(81);
    expect((await inputsOf(page, 'lookup:find')).map(({ text }) => String(text).length)).toEqual([4096]);
  });
});

describe('a dialog', () => {
  it('of a label names its product over the card, gives the focus back, and typing replaces the code', async () => {
    const page = await open();
    await scan(page, coffee);
    const opener = page.getByRole('button', { name: 'Print label' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Shelf label' });
    await dialog.getByText('Café torrado e moído Serra Clara 500 g', { exact: true }).first().waitFor();
    await page.getByRole('textbox', { name: 'Copies' }).fill('3');
    await expect.poll(() => dialog.getByRole('button', { name: 'Print 3 labels' }).isDisabled()).toBe(false);
    for (const noNumber of ['', '999', '0']) {
      await page.getByRole('textbox', { name: 'Copies' }).fill(noNumber);
      await expect
        .poll(() => dialog.getByRole('button', { name: 'Print labels', exact: true }).isDisabled())
        .toBe(true);
    }
    await dialog.getByText('From 1 to 200').waitFor();
    await scan(page, shirt);
    await page.getByText(`Scanned ${shirt}`).waitFor();
    expect(await page.locator('.card-name').innerText()).toContain('Café');
    await page.keyboard.press('Escape');
    await product(page, /Camiseta/).waitFor();

    // After a click the field is ready again; who uses the keyboard stays where they were.
    await opener.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await type(page, 'que');
    expect(await field(page).inputValue()).toBe('que');
  });
});
