// The scenes of the check station for customers.
import type { Page } from 'playwright-core';
import { defaultStation, type StationAnswer, type StationProduct } from '../../../app/contract/station.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { stationStateOf } from '../../../app/terminal/station/answer.ts';
import { scan } from '../../support/wedge.ts';
import { readyState } from '../ready-state.ts';
import { coffee, dayMs, sceneNowMs as nowMs } from '../scene-fixtures.ts';
import { at, to, value, type ShownScene } from '../scene-steps.ts';

/** The data that the page of the station gets of a terminal at work. */
export function stationState(more: Partial<TerminalState> = {}, station: Partial<TerminalState['station']> = {}) {
  const lock: TerminalState['lock'] = { ...readyState(nowMs).lock, hasPin: true };
  const chosen = { ...defaultStation, isOn: true, ...station };
  return stationStateOf(readyState(nowMs, { lock, ...more, station: chosen }));
}

export const stationProduct = (more: Partial<StationProduct> = {}): StationProduct => ({
  name: 'Café torrado e moído Serra Clara 500 g',
  code: 'A-101',
  stock: { kind: 'inStock' },
  fields: [],
  asOf: nowMs - 60_000,
  ...more,
});

const shows = async (page: Page): Promise<void> => {
  await page.locator('.station-answer[data-is-empty="true"]').waitFor();
  await scan(page, coffee);
  await page.locator('.station-answer[data-is-empty="false"]').waitFor();
};

const answering = (answer: StationAnswer) => ({ answers: { 'station:find': value(answer) } });

export const stationScenes: readonly ShownScene[] = [
  at(
    'station-product',
    stationState(),
    shows,
    answering({
      kind: 'found',
      products: [
        stationProduct({
          name: 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família',
          stock: { kind: 'few' },
          asOf: nowMs - 3 * dayMs,
          fields: [
            { name: 'Price', value: '24.90', kind: 'number' },
            { name: 'Aisle', value: '7, by the freezers', kind: 'text' },
          ],
        }),
      ],
    }),
  ),
  at(
    'station-several',
    stationState({ mode: 'practice' }),
    shows,
    answering({
      kind: 'found',
      products: [
        stationProduct({ stock: { kind: 'figure', amount: 148, unit: 'PACOTE' } }),
        stationProduct({ name: 'Queijo minas frescal', stock: { kind: 'figure', amount: 3.475, unit: 'KG' } }),
        stationProduct({ name: 'Açaí com guaraná 200 ml', stock: { kind: 'askUs' }, asOf: null }),
      ],
    }),
  ),
  at('station-ask-us', stationState(), shows, answering({ kind: 'askUs' })),
  at('station-leave', stationState(), async (page) => {
    await page.locator('.station-invitation').waitFor();
    await page.keyboard.press('Control+Shift+E');
    await page.locator('.pin-field').waitFor();
  }),
  at(
    'station-settings',
    { lock: { ...readyState(nowMs).lock, hasPin: true }, station: { ...defaultStation, stockWords: 'words' } },
    async (page) => {
      await to(page, '#settings/till');
      // What stands above it is read later, and moves it.
      await page.getByRole('button', { name: 'Print a trial label' }).waitFor();
      await page.getByRole('button', { name: 'Open the check station' }).scrollIntoViewIfNeeded();
    },
  ),
];
