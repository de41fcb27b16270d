import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { callsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();

interface Opened {
  readonly page: Page;
  readonly button: Locator;
}

async function open(
  code: string,
  more: { state?: Partial<TerminalState>; scene?: Partial<Scene>; size?: { width: number; height: number } } = {},
): Promise<Opened> {
  const { page } = await stage.open({ state: readyState(nowMs, more.state), nowMs, ...more.scene }, more.size);
  await page.locator('.finder-input').waitFor();
  await scan(page, code);
  const button = page.getByRole('button', { name: /^Details/ });
  await button.waitFor();
  return { page, button };
}

/** The requests to the platform; an answer that this terminal has kept costs none. */
const requestsOf = (page: Page) => callsOf(page, 'product:readMovements', 'product:readBatches');

const day = (offset: number): string =>
  new Date(Date.now() - new Date().getTimezoneOffset() * 60_000 + offset * 86_400_000).toISOString().slice(0, 10);

function batch(expiresOn: string | null, more: Record<string, unknown>[] = []) {
  const expiry = expiresOn === null ? null : { name: 'validade', day: expiresOn };
  return {
    facts: [
      ...(expiry === null ? [] : [{ kind: 'date', name: 'validade', value: expiry.day }]),
      { kind: 'number', name: 'saldo', value: 2.5 },
      ...more,
    ],
    expiresOn: expiry,
    quantity: { name: 'saldo', amount: 2.5 },
    lot: null,
  };
}

const answerOf = (batches: unknown[], total = batches.length) => ({
  ok: true,
  value: { product: { id: '101', name: null, sku: null, unit: 'KG' }, optionNames: '', total, batches, asOf: nowMs },
});

describe('the details of a product', () => {
  it('ask nothing until they are opened, then show entries, exits and balance, and the batches', async () => {
    const { page, button } = await open('7890000000101');
    expect(await requestsOf(page)).toEqual([]);
    await button.click();
    const figures = page.getByRole('region', { name: 'Entries, exits and balance' });
    await figures.getByText('160').waitFor();
    expect(await figures.locator('.totals').innerText()).toMatch(
      /Entries\s+160 packets\s+Exits\s+\u221212 packets\s+Balance\s+148 packets/,
    );
    await page.getByRole('region', { name: 'Entry batches' }).getByText('Lot L-0042').waitFor();
    expect((await requestsOf(page)).map(({ channel }) => channel).toSorted()).toEqual([
      'product:readBatches',
      'product:readMovements',
    ]);
    await button.click();
    await expect.poll(() => page.getByRole('region', { name: 'Entry batches' }).count()).toBe(0);
  });

  it('open and close with F2 from wherever one is, and leave the field its focus', async () => {
    const { page, button } = await open('7890000000101');
    await page.keyboard.press('F2');
    await page.getByText('Lot L-0042').waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('finder-input');
    const box = await button.boundingBox();
    expect(box?.y).toBeLessThan(300);
    // Which product it is, and its figure, stay in sight.
    const product = page.locator('.details-product');
    await page.locator('.answer').evaluate((answer) => answer.scrollTo(0, 400));
    expect(await product.innerText()).toMatch(/Café torrado[\s\S]+148/);
    const [inSight, answer] = await Promise.all([product.boundingBox(), page.locator('.answer').boundingBox()]);
    expect(inSight?.y).toBeGreaterThanOrEqual(answer?.y ?? 0);
    await page.keyboard.press('F2');
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
    // The product's name is in sight again, whose coupon the next F4 would switch.
    const name = page.locator('.card-name');
    await expect
      .poll(async () => (await name.boundingBox())?.y ?? 0, { timeout: 2000 })
      .toBeGreaterThan(answer?.y ?? 0);
  });

  it('have the batches beside the figures in a wide window', async () => {
    for (const [width, isBeside] of [
      [1366, false],
      [1920, true],
    ] as const) {
      const { page, button } = await open('7890000000101', { size: { width, height: 1080 } });
      await button.click();
      await page.getByText('Lot L-0042').waitFor();
      // Read together, they say once of when they are.
      expect(await page.getByText(/As of/).count()).toBe(1);
      const [figures, batches] = await Promise.all(
        ['Entries, exits and balance', 'Entry batches'].map((name) => page.getByRole('region', { name }).boundingBox()),
      );
      expect((batches?.x ?? 0) > (figures?.x ?? 0) + (figures?.width ?? 0) - 1).toBe(isBeside);
    }
  });

  it('close with the next scan, whose product opens anew', async () => {
    const { page, button } = await open('7890000000101');
    await button.click();
    await page.getByText('Lot L-0042').waitFor();
    await scan(page, '7890000000102');
    await page.getByRole('region', { name: 'Queijo minas frescal' }).waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('false');
  });

  it('mark in words what has expired or soon will; name common fields, show unknown ones by their names', async () => {
    const unknown = [
      { kind: 'text', name: 'fornecedor.nome', value: 'Exemplo Ltda.' },
      { kind: 'number', name: 'custo', value: 1234.5 },
      { kind: 'date', name: 'criado_em', value: '2026-01-31T08:30:00' },
      { kind: 'number', name: 'id', value: 80_000_123 },
    ];
    const listed = [batch(day(-2)), batch(day(0)), batch(day(3), unknown), batch(day(400)), batch(null)];
    const { page, button } = await open('7890000000101', {
      scene: { answers: { 'product:readBatches': answerOf(listed, 7) } },
    });
    await button.click();
    const rows = page.locator('.batch');
    await rows.first().waitFor();
    expect(
      await rows.evaluateAll((all) => all.map((row) => row.querySelector('.batch-mark')?.textContent.trim() ?? '')),
    ).toEqual(['expired 2 days ago', 'expires today', 'expires in 3 days', '', '']);
    expect(await page.locator('.batch-mark svg').count()).toBe(3);
    expect(await rows.nth(2).innerText()).toMatch(
      /2\.500 kg[\s\S]+fornecedor\.nome\s+Exemplo Ltda\.\s+Cost\s+1,234\.5\s+Created\s+Jan 31, 2026, 08:30/,
    );
    expect(await rows.nth(2).locator('.batch-lot').innerText()).toBe('Batch 80000123');
    expect(await rows.nth(4).locator('.batch-lot').innerText()).toBe('Batch');
    expect(await rows.nth(4).innerText()).toContain('No expiry date');
    await page.getByText('What expires first comes first. 5 of 7 batches; 2 could not be read.').waitFor();
  });

  it('say that unreadable batches are there, and how many there are of more than are read', async () => {
    const answers = [
      answerOf([], 2),
      answerOf(
        Array.from({ length: 500 }, () => batch(null)),
        600,
      ),
      answerOf([]),
    ];
    const wanted = ['0 of 2 batches; 2 could not be read.', '500 of 600 are shown.', 'The platform lists no batches.'];
    for (const [place, answer] of answers.entries()) {
      const { page, button } = await open('7890000000101', { scene: { answers: { 'product:readBatches': answer } } });
      await button.click();
      const part = page.getByRole('region', { name: 'Entry batches' });
      await part.getByText(wanted[place] ?? '').waitFor();
    }
  });

  it('draw 20 batches at first, and all when asked', async () => {
    const { page, button } = await open('7890000000101', { scene: { batches: 500 } });
    await button.click();
    await page.locator('.batch').first().waitFor();
    expect(await page.locator('.batch').count()).toBe(20);
    await page.getByRole('button', { name: 'Show all 500 batches' }).click();
    await expect.poll(() => page.locator('.batch').count()).toBe(500);
  });

  it('by option: a small table, and the chosen ones alone', async () => {
    const { page, button } = await open('7890000000103');
    await button.click();
    const table = page.getByRole('table', { name: /by option/ });
    expect(await table.getByRole('row').nth(1).innerText()).toMatch(/P azul\s+10\s+\u22126\s+4/);
    await table.getByRole('checkbox', { name: 'P azul' }).check();
    await table.getByRole('checkbox', { name: 'P verde' }).check();
    const figures = page.getByRole('region', { name: 'Entries, exits and balance of the chosen options' });
    await figures.getByText('18 units').waitFor();
    expect(await figures.locator('.totals').innerText()).toMatch(
      /Entries\s+18 units\s+Exits\s+\u221212 units\s+Balance\s+6 units/,
    );
    const last = (await requestsOf(page)).slice(-2);
    expect(last.map(({ channel, input }) => [channel, input['optionIds']])).toEqual([
      ['product:readMovements', ['500', '503']],
      ['product:readBatches', ['500', '503']],
    ]);
    await page.getByRole('button', { name: 'All options' }).click();
    await page.getByRole('region', { name: 'Entries, exits and balance', exact: true }).getByText('60 units').waitFor();
  });

  it('of another stock are a question of their own', async () => {
    const { page, button } = await open('7890000000101');
    await button.click();
    await page.getByText('Lot L-0042').waitFor();
    await page.getByLabel('Details of which stock').selectOption({ label: 'Depósito' });
    await expect.poll(async () => (await requestsOf(page)).length).toBe(4);
    await page.getByText('Lot L-0042').waitFor();
    expect((await requestsOf(page)).map(({ input }) => input['stockId'])).toEqual(['11', '11', '12', '12']);
  });

  it('offline say so, ask nothing, and show what the platform answered last with its age', async () => {
    const state = { connection: { state: 'offline', since: nowMs, failure: null } } as const;
    const first = await open('7890000000101', { state });
    await first.button.click();
    await first.page.getByText('have not been asked for on this terminal before').waitFor();
    expect((await first.page.locator('.details').boundingBox())?.height).toBeLessThan(360);
    expect(await requestsOf(first.page)).toEqual([]);
    await first.page.close();

    const twoHoursAgo = nowMs - 7_200_000;
    const kept = {
      ok: true,
      value: {
        movements: { in: 5, out: -1, all: 4, options: [], asOf: twoHoursAgo },
        batches: { ...answerOf([batch(day(1))]).value, asOf: twoHoursAgo - 3_600_000 },
      },
    };
    const second = await open('7890000000101', { state, scene: { answers: { 'product:readKept': kept } } });
    await second.button.click();
    await second.page.getByText('expires in 1 day').waitFor();
    expect(await second.page.getByText('Offline: this is what the platform answered last.').count()).toBe(1);
    expect(await second.page.getByText(/As of .*[23] hours ago/).count()).toBe(2);
  });

  it('tell a refusal in words, and keep what was known', async () => {
    const refusal = {
      ok: false,
      failure: {
        kind: 'unprocessable',
        status: 422,
        code: 'unprocessable_entity',
        fields: [{ field: 'option_ids', validations: [{ type: 'exists', values: [] }] }],
      },
    };
    const { page, button } = await open('7890000000101', { scene: { answers: { 'product:readMovements': refusal } } });
    await button.click();
    await page.getByRole('region', { name: 'Entries, exits and balance' }).getByRole('alert').waitFor();
    await page.getByText('Lot L-0042').waitFor();
  });
});
