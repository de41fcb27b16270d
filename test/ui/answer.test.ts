import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, emit, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const coffee = '7890000000101';
const sizes = [
  { width: 1366, height: 768 },
  { width: 1024, height: 768 },
] as const;
const stage = setStage();

async function open(
  more: Partial<Scene> = {},
  state: Partial<TerminalState> = {},
  size: { width: number; height: number } = sizes[0],
): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...more }, size);
  await page.locator('.finder-input').waitFor();
  return page;
}

const stocks = [
  ['11', 'Loja'],
  ['12', 'Depósito'],
  ['13', 'Filial Centro'],
  ['14', 'Câmara fria'],
  ['15', 'Quarentena e devoluções de fornecedores'],
] as const;

function card(amount: number | null, more: Record<string, unknown> = {}) {
  return {
    stockId: '11',
    stockName: 'Loja',
    productId: '500',
    code: 'A-500',
    name: 'Parafuso sextavado',
    unit: 'UNID',
    barcodes: [coffee],
    balance: { amount, asOf: amount === null ? null : nowMs - 1_380_000, source: amount === null ? null : 'listing' },
    options: [],
    extra: [],
    coupon: { isEnabled: false, status: 'confirmed', failure: null },
    minimum: null,
    ...more,
  };
}

const answers = (...cards: unknown[]): Partial<Scene> => ({
  answers: {
    'lookup:find': { ok: true, value: { kind: 'found', text: coffee, cards } },
    'product:refresh': { ok: false, failure: { kind: 'timedOut' } },
  },
});

/** Measures what a person at two metres and a finger rely on. */
async function measure(page: Page) {
  return page.evaluate(() => {
    const px = (selector: string): number =>
      Number.parseFloat(getComputedStyle(document.querySelector(selector) ?? document.body).fontSize);
    const box = (selector: string): DOMRect =>
      (document.querySelector(selector) ?? document.body).getBoundingClientRect();
    const answer = document.querySelector('.answer');
    const coupon = box('.coupon-button');
    const number = box('.figure-number .quantity-number');
    return {
      name: px('.card-name'),
      figure: px('.figure-number .quantity-number'),
      unit:
        document.querySelector('.figure-number .quantity-unit') === null ? null : px('.figure-number .quantity-unit'),
      sideways: answer === null ? -1 : answer.scrollWidth - answer.clientWidth,
      isFigureInSight: number.bottom < innerHeight && number.right <= box('.figure').right + 1,
      isOverCoupon:
        number.right > coupon.left &&
        number.left < coupon.right &&
        number.bottom > coupon.top &&
        number.top < coupon.bottom,
      smallest: Math.min(
        ...[...document.querySelectorAll('.card button, .card summary, .card .mantine-Switch-track')]
          .map((one) => Math.round(one.getBoundingClientRect().height))
          .filter((height) => height > 0),
      ),
    };
  });
}

describe.each(sizes)('at %j', (size) => {
  /** The same code answered by another card. */
  async function answerWith(page: Page, shown: ReturnType<typeof card>): Promise<void> {
    await setAnswer(page, 'lookup:find', { ok: true, value: { kind: 'found', text: coffee, cards: [shown] } });
    await scan(page, coffee);
    await page.getByRole('region', { name: shown.name, exact: true }).waitFor();
  }

  it('name, figure and unit of an everyday product are read from two metres', async () => {
    const page = await open(answers(), {}, size);
    for (const amount of [148, 0, -6, 3.475]) {
      await answerWith(page, card(amount, { name: `Parafuso ${amount}` }));
      const { name, figure, unit, sideways, isFigureInSight } = await measure(page);
      expect(
        [name >= 28, figure >= 72 && figure <= 120, (unit ?? 0) >= 28, sideways, isFigureInSight],
        String(amount),
      ).toEqual([true, true, true, 0, true]);
    }
  });

  it('what is long, huge or not known has its place, and the figure is in sight', async () => {
    const page = await open(answers(), {}, size);
    for (const shown of [
      card(12, {
        name: 'Conjunto de panelas antiaderentes com revestimento cerâmico e tampas de vidro '.repeat(3).slice(0, 200),
      }),
      card(12, { name: 'ABCDEFGHIJ'.repeat(12) }),
      card(-123_456_789_012.345, { unit: 'MILHEI', name: 'Below zero' }),
      card(Number.MAX_SAFE_INTEGER, { name: 'The largest' }),
      card(null, { code: null, barcodes: [], name: 'Neither figure nor code' }),
      card(1, { unit: 'A unit of measure that is longer than any', name: 'Of an unknown unit' }),
    ]) {
      await answerWith(page, shown);
      const { sideways, isFigureInSight, isOverCoupon, smallest } = await measure(page);
      expect([sideways, isFigureInSight, isOverCoupon, smallest >= 44 || smallest === 36], shown.name).toEqual([
        0,
        true,
        false,
        true,
      ]);
    }
  });

  it('five stocks and forty options all stand on the card, with nothing cut off', async () => {
    const options = Array.from({ length: 40 }, (_, place) => ({
      name: `Tamanho ${place} azul-marinho`,
      amount: [3, 0, -1, null, 7.5][place % 5] ?? null,
    }));
    const page = await open(
      answers(
        ...stocks.map(([stockId, stockName], place) =>
          card([148, 1320, 0, -4, null][place] ?? null, { stockId, stockName, options }),
        ),
      ),
      {},
      size,
    );
    await scan(page, coffee);
    await page.locator('.card').waitFor();
    expect(await page.locator('.stock-field').allInnerTexts()).toHaveLength(4);
    expect(await page.locator('.option-field').count()).toBe(40);
    const cut = await page
      .locator('.stock-field, .option-field')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
    expect([cut, (await measure(page)).sideways]).toEqual([0, 0]);
  });
});

describe('at 1024 by 768', () => {
  const size = { width: 1024, height: 768 };
  const bottomOf = (page: Page, selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => one.getBoundingClientRect().bottom);

  it('the other stocks and options are seen with the figure, above the bars that copy the code', async () => {
    for (const shown of [
      [card(148), card(1320, { stockId: '12', stockName: 'Depósito' })],
      [card(24, { options: [{ name: 'P azul', amount: 4 }] })],
    ]) {
      const page = await open(
        answers(...shown),
        { mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } },
        size,
      );
      await scan(page, coffee);
      await page.locator('.card').waitFor();
      expect(await bottomOf(page, '.stock-field, .option-field')).toBeLessThanOrEqual(size.height);
      // The page itself never scrolls: what the answer is too long for is scrolled in it.
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(size.height);
      // The keyboard goes as the eye does.
      const tops = await page
        .locator('.coupon-button, .card-actions, .stock-field, .option-field')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(tops).toEqual(tops.toSorted((one, other) => one - other));
      await page.close();
    }
  });

  it('of products that share a code all are seen at once, with their figures, and no card is among them', async () => {
    const products = [card(148), card(9, { productId: '501', name: 'Arruela lisa' })];
    const hits = products.map(({ stockId, stockName, productId, code, name, unit, balance }) => ({
      stockId,
      stockName,
      productId,
      code,
      name,
      unit,
      balance,
    }));
    const read = { as: 'barcode', ofCase: null, layout: null, facts: [], fault: null };
    const page = await open(
      { answers: { 'lookup:find': { ok: true, value: { kind: 'several', text: coffee, read, hits } } } },
      {},
      size,
    );
    await scan(page, coffee);
    const list = page.getByRole('region', { name: '2 products share this code' });
    await list.waitFor();
    expect(await list.getByRole('button').allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s+Parafuso[^]+148/),
      expect.stringMatching(/^2\s+Arruela[^]+9/),
    ]);
    expect(await bottomOf(page, '.asking')).toBeLessThan(size.height);
    expect(await page.locator('.announcement').textContent()).not.toContain('..');
    expect(await page.locator('.card').count()).toBe(0);
    // The next typed text still goes into the field.
    expect(await page.locator('.finder-input').evaluate((field) => field === document.activeElement)).toBe(true);
  });
});

it.each(['en', 'pt-BR', 'es'] as const)(
  'at 1366 by 768 in letters of 150 %% the whole coupon button is in sight, in %s',
  async (language) => {
    const size = { width: 911, height: 512 };
    const page = await open({}, { language, languageChosen: true }, size);
    await scan(page, coffee);
    await page.locator('.coupon-button').waitFor();
    expect(await page.locator('.coupon-button').evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(
      size.height,
    );
    const lines = await page.locator('.figure-age .age').evaluate((one) => one.getClientRects().length);
    expect(lines).toBe(1);
  },
);

describe('batches that expire soon', () => {
  const day = (offset: number): string =>
    new Date(nowMs - new Date().getTimezoneOffset() * 60_000 + offset * 86_400_000).toISOString().slice(0, 10);
  const kept = (...days: number[]) => ({
    ok: true,
    value: {
      movements: null,
      batches: {
        product: { id: null, name: null, sku: null, unit: null },
        optionNames: '',
        total: days.length,
        asOf: nowMs - 7_200_000,
        batches: days.map((offset, place) => ({
          facts: [],
          expiresOn: { name: 'expires_at', day: day(offset) },
          quantity: { name: 'quantity', amount: 12 + place },
          lot: { name: 'lot', text: `L-${place}` },
        })),
      },
    },
  });

  it('stand on the card from what is kept, with their age, and cost no request', async () => {
    const page = await open({ answers: { 'product:readKept': kept(-2, 3, 12, 25, 300) } });
    await scan(page, coffee);
    const soon = page.getByRole('region', { name: 'Mind the expiry dates' });
    await soon.waitFor();
    expect(await soon.innerText()).toMatch(
      /2 hours ago[\s\S]*expired 2 days ago[\s\S]*12 packets[\s\S]*Lot L-0[\s\S]*expires in 3 days[\s\S]*expires in 12 days[\s\S]*and 1 more batch/,
    );
    await page.waitForTimeout(2500);
    expect(await callsOf(page, 'product:readBatches')).toEqual([]);
    // Beside the figure it has its edge as below it.
    await page.setViewportSize({ width: 1920, height: 1080 });
    expect(await soon.evaluate((box) => getComputedStyle(box).borderTopWidth)).toBe('1px');
    await page.keyboard.press('F2');
    await soon.waitFor({ state: 'detached' });
  });

  it.each(sizes)(
    'are asked for by themselves when somebody stays, and move nothing that can be pressed, at %j',
    async (size) => {
      const page = await open({}, {}, size);
      await scan(page, coffee);
      await page.locator('.card').waitFor();
      await page.getByText(/^Live, as of/).waitFor();
      const places = (): Promise<number[]> =>
        page
          .locator('.coupon-button, .card-actions button, .figure button')
          .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      const before = await places();
      await page.getByRole('region', { name: 'Mind the expiry dates' }).waitFor();
      expect(await places()).toEqual(before);
    },
  );

  it('none is one quiet line', async () => {
    const page = await open({ answers: { 'product:readKept': kept(90) } });
    await scan(page, coffee);
    await page.getByText(/^Nothing expires within 30 days, as of 2 hours ago$/).waitFor();
  });

  it('are not said to be far while some of the batches could not be read', async () => {
    for (const [days, words] of [
      [[90], '1 of 3 batches; 2 could not be read.'],
      [[2], '1 of 3 batches; 2 could not be read.'],
      [[], '0 of 2 batches; 2 could not be read.'],
    ] as const) {
      const answer = kept(...days);
      answer.value.batches.total += 2;
      const page = await open({ answers: { 'product:readKept': answer } });
      await scan(page, coffee);
      await page.locator('.card-expiry').getByText(words).waitFor();
      expect(await page.getByText(/Nothing expires/).count()).toBe(0);
    }
  });
});

describe('those who hear the screen', () => {
  /** The announcements of the live region, each time that it changed. */
  async function listen(page: Page): Promise<() => Promise<string[]>> {
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver(() => {
        const words = document.querySelector('.announcement')?.textContent ?? '';
        if (words !== '') {
          said.push(words);
        }
      }).observe(document.querySelector('.answer') ?? document.body, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    });
    return () => page.evaluate(() => [...new Set((window as unknown as { said: string[] }).said)]);
  }

  it('are told product, figure, unit and age once, and again only when the figure is another', async () => {
    const shown = card(7, { name: 'Café torrado' });
    const live = (amount: number, asOf: number) => ({ ...shown, balance: { amount, asOf, source: 'live' } });
    const page = await open(answers(shown));
    const said = await listen(page);
    await scan(page, coffee);
    await page.locator('.card').waitFor();
    const send = (changed: unknown): Promise<void> => emit(page, 'product:changed', changed);
    await send(live(7, Date.now() - 2000));
    await page.getByText(/^Live, as of/).waitFor();
    expect(await said()).toEqual([
      expect.stringMatching(/^Café torrado: 7 units, From the copy, as of .*2\d minutes ago$/),
    ]);
    await send(live(6, Date.now()));
    await page.waitForFunction(() => document.querySelector('.figure-number')?.textContent.startsWith('6'));
    // A figure that follows so soon is told some seconds later.
    await expect
      .poll(said, { timeout: 20_000 })
      .toEqual([expect.stringContaining('7 units'), expect.stringMatching(/^Café torrado: 6 units, Live/)]);
  });

  it('are told the same product again when it is scanned again, in a node of its own', async () => {
    const page = await open(answers(card(7)));
    await scan(page, coffee);
    await page.locator('.card').waitFor();
    await page.locator('.announcement span').evaluate((node) => node.setAttribute('data-first', ''));
    await scan(page, coffee);
    await page.waitForFunction(
      () =>
        document.querySelector('.announcement span[data-first]') === null &&
        document.querySelector('.announcement')?.textContent.includes('7 units'),
    );
  });

  it('are told which miss it is, and then what the platform said', async () => {
    const page = await open();
    const said = await listen(page);
    await scan(page, '9520000000028');
    await page.getByText('The platform was asked and does not have it either').first().waitFor();
    const announced = await said();
    expect(announced.at(-1)).toBe(
      'Unknown product: 9520000000028. The platform was asked and does not have it either.',
    );
    expect(announced.length).toBeLessThanOrEqual(2);
    expect(await page.locator('.answer [aria-live="polite"]').count()).toBe(1);
  });
});
