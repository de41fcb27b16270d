import type { Page } from 'playwright-core';
import type { Stocktake, StocktakeLine } from '../../../app/contract/stocktakes.ts';
import { scan } from '../../support/wedge.ts';
import { coffee, copying, dayMs, id, minuteMs, sceneNowMs as nowMs } from '../scene-fixtures.ts';
import { ask, at, to, type ShownScene } from '../scene-steps.ts';

const stocktake = (number: number, name: string, more: Partial<Stocktake> = {}): Stocktake => ({
  id: number,
  name,
  stockId: id('11'),
  stockName: 'Loja',
  filter: null,
  startedAt: nowMs - number * 31 * minuteMs,
  startedBy: 'ana@example.com',
  closedAt: null,
  lines: { same: 0, different: 0, noFigure: 0, unknownCode: 0, notCounted: 0 },
  ...more,
});

/** One that is open, with a name as long as one can be, and one that is closed. */
export const stocktakes: readonly Stocktake[] = [
  stocktake(1, 'Prateleira 4'),
  stocktake(2, 'Depósito, corredor do fundo, do lado da porta, de cima até embaixo', {
    filter: { term: 'caf', amount: 'all' },
    startedBy: 'bruno@example.com',
  }),
  stocktake(3, 'Vitrine', { closedAt: nowMs - dayMs }),
];

const line = (
  number: number,
  name: string | null,
  unit: string | null,
  quantity: number | null,
  figure: number | null,
  state: StocktakeLine['state'],
  more: Partial<StocktakeLine> = {},
): StocktakeLine => ({
  id: number,
  step: null,
  productId: id(String(100 + number)),
  code: `A-${100 + number}`,
  name,
  unit,
  quantity,
  figure,
  figureAsOf: figure === null ? null : nowMs - (number + 20) * minuteMs,
  hasFigureMoved: false,
  state,
  miss: null,
  countedAt: quantity === null ? null : nowMs - number * minuteMs,
  countedBy: quantity === null ? null : 'ana@example.com',
  ...more,
});

export const lines: readonly StocktakeLine[] = [
  line(3, 'Camiseta básica de algodão', 'UNID', 24, 24, 'same'),
  line(4, 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família', 'PACOTE', 9, 12, 'different', {
    hasFigureMoved: true,
  }),
  line(2, 'Queijo minas frescal', 'KG', 4.1, 3.475, 'different', { figureAsOf: nowMs - 3 * dayMs }),
  line(6, 'Açaí com guaraná 200 ml', 'POTE', 7, null, 'noFigure'),
  line(7, null, null, 2, null, 'unknownCode', { productId: null, code: '9520000000028', miss: 'unknown' }),
  line(5, 'Água de coco 1 litro', 'CX10', null, -6, 'notCounted'),
];

const counted = { stocktakes, lines };

/** Opens the first count that is listed. */
async function goOn(page: Page): Promise<void> {
  await to(page, '#stocktakes');
  await page.getByRole('button', { name: 'Go on counting' }).first().click();
  await page.getByRole('heading', { name: 'Prateleira 4' }).waitFor();
}

async function countCoffee(page: Page): Promise<void> {
  await goOn(page);
  await scan(page, coffee);
  await page.locator('.count-outcome-quantity').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Serra Clara' }).waitFor();
}

/** Another page of the till has counted the same since. */
async function overtake(page: Page): Promise<void> {
  await countCoffee(page);
  await page.evaluate(
    (input) =>
      (
        window as unknown as { tillside: { invoke: (channel: string, input: object) => Promise<unknown> } }
      ).tillside.invoke('stocktake:scan', input),
    { stocktakeId: stocktakes.length, text: coffee, source: 'scan' },
  );
  await page.keyboard.press('Alt+Z');
  await page.getByText('Not taken back', { exact: false }).waitFor();
}

const field = 'Scan, or type a code or name';

export const stocktakesScenes: readonly ShownScene[] = [
  at('stocktakes', {}, (page) => to(page, '#stocktakes'), counted),
  at('stocktakes-copying', { catalogue: copying }, async (page) => {
    await to(page, '#stocktakes');
    await page.locator('.copy').waitFor();
  }),
  at(
    'stocktakes-delete',
    {},
    async (page) => {
      await to(page, '#stocktakes');
      await page.getByRole('button', { name: 'Delete' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).waitFor();
    },
    counted,
  ),
  at('stocktake', {}, countCoffee, counted),
  at('stocktake-overtaken', {}, overtake, counted),
  at('stocktake-begun', {}, goOn, { stocktakes }),
  at(
    'stocktake-several',
    {},
    async (page) => {
      await goOn(page);
      await ask(page.getByRole('textbox', { name: field }), 'a');
      await page.locator('.count-outcome-hits').waitFor();
    },
    counted,
  ),
  at(
    'stocktake-quantity',
    {},
    async (page) => {
      await countCoffee(page);
      await page.keyboard.press('Alt+M');
      await page.getByRole('dialog').getByLabel('Quantity').fill('x');
      await page.keyboard.press('Enter');
      await page.getByText('Write a number such as 12 or 1.5.').waitFor();
    },
    counted,
  ),
  at(
    'stocktake-closed',
    {},
    async (page) => {
      await to(page, '#stocktakes');
      await page.getByRole('button', { name: 'Look at it' }).click();
      await page.getByText('nothing is added to it', { exact: false }).waitFor();
    },
    counted,
  ),
];
