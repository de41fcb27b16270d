import type { LookupAnswer } from '../../../app/contract/lookup.ts';
import type { ProductCard } from '../../../app/contract/products.ts';
import type { ScanRead } from '../../../app/contract/scan.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { readyState } from '../ready-state.ts';
import { hitOf } from '../scene-copy.ts';
import { answered, at, failing, value, type More, type ShownScene } from '../scene-steps.ts';
import {
  card,
  copying,
  coffee,
  dayMs,
  hits,
  id,
  manyCards,
  manyOptions,
  minuteMs,
  sceneNowMs,
  shirt,
  stockNames,
} from '../scene-fixtures.ts';

const nowMs = sceneNowMs;
const ready = readyState(nowMs);
type Steps = NonNullable<ShownScene['steps']>;
type LookupAnswerOf<Kind extends LookupAnswer['kind']> = Extract<LookupAnswer, { kind: Kind }>;

export const noAnswer: TerminalState['connection'] = {
  state: 'noAnswer',
  since: sceneNowMs - 2 * 60_000,
  failure: { kind: 'platformFailed', status: 502 },
};

export const offline: TerminalState['connection'] = {
  state: 'offline',
  since: nowMs - 12 * minuteMs,
  failure: { kind: 'unreachable' },
};

export const find = (answer: LookupAnswer, more: Readonly<Record<string, unknown>> = {}): More => ({
  answers: {
    'lookup:find': value(answer),
    'product:refresh': failing({ kind: 'cancelled' }),
    'lookup:ask': failing({ kind: 'cancelled' }),
    ...more,
  },
});

export const readOf = (more: Partial<ScanRead>): ScanRead => ({
  as: 'gs1',
  ofCase: null,
  layout: null,
  facts: [],
  fault: null,
  ...more,
});

export const byOther: ProductCard['coupon'] = {
  isEnabled: false,
  status: 'confirmed',
  failure: null,
  ofOther: { email: 'bruno@example.com', isEnabled: true, isParked: false, isSignInNeeded: true },
};

export const found = (
  cards: LookupAnswerOf<'found'>['cards'],
  more: Partial<LookupAnswerOf<'found'>> = {},
  answers: Readonly<Record<string, unknown>> = {},
): More => find({ kind: 'found', text: coffee, cards, ...more }, answers);

export const lookupFails: More = { answers: { 'lookup:find': failing({ kind: 'storageFailed' }) } };

export const unknown = (asked: boolean): More => find({ kind: 'unknown', text: '9520000000028', asked });

export const stillWaiting = (count: number): TerminalState['queue'] => ({
  ...ready.queue,
  ofOthers: { count, emails: ['bruno@example.com'], parked: 0 },
});

export const answers =
  (text: string, selector = '.card'): Steps =>
  (page) =>
    answered(page, text, selector);

const acai = card({
  productId: id('777'),
  name: 'Açaí com guaraná 200 ml',
  unit: 'POTE',
  code: null,
  balance: { amount: 14, asOf: nowMs - 40 * minuteMs, source: 'listing' },
});

/** Two products with one barcode, of which somebody chooses the second. */
export const sharedCode = find(
  { kind: 'several', text: coffee, read: readOf({ as: 'barcode' }), hits: [hitOf(card()), hitOf(acai)] },
  { 'product:read': value(acai) },
);

/** The lookup, its card and its dialogs. */
export const lookupScenes: readonly ShownScene[] = [
  at('lookup-found', {}, answers(coffee)),
  at(
    'lookup-many-stocks',
    {
      catalogue: {
        ...ready.catalogue,
        stocks: stockNames.map((name, place) => ({
          stockId: id(String(11 + place)),
          name,
          copied: 400,
          unreadable: 0,
          total: 400,
          completeAsOf: nowMs - 180_000,
          refused: null,
        })),
      },
    },
    answers(coffee),
    found(manyCards),
  ),
  at(
    'lookup-many-options',
    {},
    answers(coffee),
    found([
      card({
        name: 'Camiseta básica de algodão orgânico, gola redonda',
        unit: 'UNID',
        options: manyOptions,
        code: 'CAM-ALG-ORG-GR-0042/2026',
        balance: { amount: -12.345, asOf: nowMs - 3 * dayMs, source: 'listing' },
      }),
    ]),
  ),
  at(
    'lookup-exact-figures',
    {},
    answers(coffee),
    found(
      [2.99951, -0.0004, 1234.567891].map((amount, place) =>
        card({
          stockId: id(String(11 + place)),
          stockName: ['Loja', 'Depósito', 'Vitrine'][place] ?? '',
          unit: 'KG',
          balance: { amount, asOf: nowMs - 23 * minuteMs, source: 'listing' },
          options: [
            { name: 'Fatiado', amount: 0.3000000000000001 },
            { name: 'Peça', amount: 2.5 },
          ],
        }),
      ),
    ),
  ),
  at(
    'lookup-expiry',
    {},
    answers(coffee, '.card-expiry'),
    found(
      [card()],
      {},
      {
        'product:readKept': value({
          movements: null,
          batches: {
            product: { id: null, name: null, sku: null, unit: null },
            optionNames: '',
            total: 5,
            asOf: nowMs - 2 * 60 * minuteMs,
            batches: ['2020-01-31', '2020-06-30', '2021-02-28', '2021-03-31', '2099-12-31'].map((day, place) => ({
              facts: [],
              expiresOn: { name: 'expires_at', day },
              quantity: { name: 'quantity', amount: 12 + place },
              lot: { name: 'lot', text: `L-004${place}` },
            })),
          },
        }),
      },
    ),
  ),
  at(
    'lookup-several',
    {},
    answers('pao', '.several'),
    find({ kind: 'several', text: 'pão', read: readOf({ as: 'search' }), hits }),
  ),
  at(
    'lookup-several-layouts',
    {},
    answers('2123400015998', '.several .hint'),
    find({
      kind: 'several',
      text: '2123400015998',
      read: { as: 'scaleLabel', ofCase: null, layout: null, facts: [], fault: null },
      hits: hits.slice(0, 3),
    }),
  ),
  at(
    'lookup-suggestions',
    {},
    async (page) => {
      await page.locator('.finder-input').fill('pa');
      await page.getByRole('option').first().waitFor();
    },
    { answers: { 'lookup:search': value(hits) } },
  ),
  at('lookup-unknown', {}, answers('9520000000028', '.miss'), unknown(true)),
  at(
    'lookup-unknown-similar',
    {},
    answers('vassora', '.several'),
    find({ kind: 'unknown', text: 'vassora', asked: true }, { 'lookup:findSimilar': value(hits.slice(0, 3)) }),
  ),
  at('lookup-unknown-not-asked', { connection: offline }, answers('9520000000028', '.miss'), unknown(false)),
  at(
    'lookup-not-copied',
    { catalogue: copying },
    answers('9520000000028', '.miss'),
    find({
      kind: 'notCopied',
      text: '9520000000028',
      copied: 1200,
      total: 5000,
      completeAt: nowMs + 14 * minuteMs,
      asked: true,
    }),
  ),
  at(
    'lookup-unreadable',
    {},
    answers('2120000000017', '.miss'),
    find({ kind: 'unreadable', text: '2120000000017', why: 'checkDigit', asked: true }),
  ),
  at(
    'lookup-offline',
    { connection: offline, queue: { ...ready.queue, pending: 2, heldBy: 'offline' } },
    answers(shirt),
  ),
  // With lookup-found the README's moving picture.
  at('outage', { connection: offline }, answers(coffee)),
  at('outage-waiting', { connection: offline }, async (page) => {
    await answered(page, coffee, '.coupon-part');
    await page.keyboard.press('F4');
    await page.getByText('waiting to be sent', { exact: true }).waitFor();
  }),
  at(
    'outage-over',
    {},
    answers(coffee),
    found([
      card({
        balance: { amount: 148, asOf: nowMs, source: 'live' },
        coupon: { isEnabled: false, status: 'confirmed', failure: null },
      }),
      card({
        stockId: id('12'),
        stockName: 'Depósito',
        balance: { amount: 1320, asOf: nowMs, source: 'live' },
        coupon: { isEnabled: false, status: 'confirmed', failure: null },
      }),
    ]),
  ),
  at(
    'lookup-stale',
    {},
    answers(coffee),
    found(
      [
        card({
          balance: { amount: 7, asOf: nowMs - 9 * dayMs, source: 'listing' },
          coupon: { isEnabled: true, status: 'parked', failure: { kind: 'forbidden', status: 403 } },
        }),
      ],
      {},
      { 'product:refresh': failing({ kind: 'timedOut' }) },
    ),
  ),
  at(
    'lookup-code-read',
    {},
    answers(coffee),
    found(
      [
        card({
          name: 'Queijo minas frescal',
          unit: 'KG',
          balance: { amount: 3.475, asOf: nowMs - 4 * minuteMs, source: 'live' },
        }),
      ],
      {
        read: readOf({
          facts: [
            { kind: 'lot', text: 'L-0042' },
            { kind: 'expiry', date: '2026-03-07' },
            { kind: 'netWeightKg', amount: 0.785, currency: null },
          ],
        }),
      },
    ),
  ),
  at(
    'lookup-shared-code-chosen',
    {},
    async (page) => {
      await answered(page, coffee, '.asking');
      await page.keyboard.press('2');
      await page.locator('.card').waitFor();
    },
    sharedCode,
  ),
  at('details', {}, async (page) => {
    await answered(page, shirt, '.card');
    await page.locator('.details-button').click();
    await page.locator('.batch, .batches').first().waitFor();
  }),
  at('label-dialog', {}, async (page) => {
    await answered(page, coffee, '.card');
    await page.getByRole('button', { name: 'Print label' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  }),
  at('label-dialog-several', {}, async (page) => {
    await answered(page, coffee, '.card');
    await page.getByRole('button', { name: 'Print label' }).click();
    await page.getByText('A4 (24)', { exact: true }).click();
    await page.getByRole('button', { name: 'Add another product' }).click();
    await page.getByRole('button', { name: 'Print label' }).click();
    await page.getByRole('list', { name: 'Printed together with this one' }).waitFor();
  }),
];
