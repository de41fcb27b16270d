import type { Page } from 'playwright-core';
import { id, sceneNowMs } from '../scene-fixtures.ts';
import { at, to, value, type ShownScene } from '../scene-steps.ts';
import { couponUpdates as updates } from '../scene-updates.ts';

const hourMs = 3_600_000;
const email = 'ana@example.com';
const times = { repeats: 'weekly', day: '2025-06-06', on: '18:00', off: '23:00' };
const sets = [
  {
    setId: 1,
    name: 'Happy hour',
    how: { kind: 'list', count: 24 },
    email,
    plans: [
      { planId: 1, times, email, isShared: true },
      { planId: 2, times: { ...times, repeats: 'once', day: '2025-12-31', off: '02:00' }, email, isShared: false },
    ],
  },
  { setId: 2, name: 'Sucos', how: { kind: 'search', filter: 'all', term: 'suco', elsewhere: [] }, email, plans: [] },
];
const moment = (hours: number, isEnabled: boolean, more: Record<string, unknown> = {}) => ({
  planId: 1,
  setId: 1,
  setName: 'Happy hour',
  day: '2025-06-06',
  isEnabled,
  at: sceneNowMs + hours * hourMs,
  state: 'planned',
  why: null,
  count: 24,
  email,
  repeats: 'weekly',
  isShared: isEnabled,
  clockAheadDays: null,
  ...more,
});
const missed = { planId: 3, setName: 'Café da manhã', state: 'missed', why: 'late', repeats: 'once', count: 6 };
export const plannedAnswer = value({
  next: [moment(3, true), moment(8, false, { state: 'skipped' }), moment(20, true, { planId: 2, count: null })],
  missed: [moment(-2, false, missed)],
  made: [],
});
/** The first has come, and its search was saved in stocks that are not here. */
export const plannedWaitingAnswer = value({
  next: [moment(0, true, { why: 'otherStocks', count: null }), moment(8, false)],
  missed: [],
  made: [],
});
/** Of the first, the day was chosen by a clock that was ahead. */
export const plannedAheadAnswer = value({
  next: [moment(3, true, { repeats: 'once', clockAheadDays: 60 }), moment(8, false)],
  missed: [],
  made: [],
});
const changed = value({ setId: 2, name: 'Sucos' });
export const setAnswers = {
  'couponSet:save': changed,
  'couponSet:remove': changed,
  'couponSet:plan': changed,
  'couponSet:removePlan': changed,
  'couponSet:skip': changed,
  'couponSet:leaveMissed': changed,
  'couponSet:list': value({ sets }),
  'couponSet:listPlanned': plannedAnswer,
  'couponSet:read': value({ productIds: [id('2001'), id('2002'), id('2003')] }),
};

export const openSets = async (page: Page): Promise<void> => {
  await to(page, '#coupons');
  await page.locator('.coupon-row .row-title, .coupon-row').first().waitFor();
  await page.locator('.listing-side > .mantine-Button-root').nth(1).click();
  await page.locator('.coupon-set, .dialog').first().waitFor();
};

/** Matches of the codes in the scene's file: found, not there, shared, and named before. */
export const setFile = [
  'Código;Nome',
  '7890000000017;Café',
  'NO-1;Chá',
  'TWO;Suco',
  ';Bolo',
  'S-1;Café',
  'S-4;Pão',
].join('\r\n');
const named = (number: number) => ({ productId: id(String(2000 + number)), name: `Produto de exemplo ${number}` });
export const setMatches = value({ matches: [[named(1)], [], [named(2), named(3)], [named(1)], [named(4)]] });

export const chooseSetFile = (page: Page): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'happy-hour.csv', mimeType: 'text/csv', buffer: Buffer.from(setFile) });

const openPlan = async (page: Page): Promise<void> => {
  await openSets(page);
  await page.locator('.coupon-set-actions').first().locator('.mantine-Button-root').nth(2).click();
  await page.locator('.plan-fields').waitFor();
};

/** Sets of coupons, their plans, and what is planned above the queue. */
export const couponSetsScenes: readonly ShownScene[] = [
  at('coupon-sets', {}, openSets, { answers: setAnswers, updates }),
  at(
    'coupon-set-file',
    {},
    async (page) => {
      await openSets(page);
      await page.locator('.form-actions .mantine-Button-root').last().click();
      await chooseSetFile(page);
      await page.locator('.import-line').first().waitFor();
    },
    { answers: { ...setAnswers, 'couponSet:match': setMatches }, updates },
  ),
  at('coupon-set-plan', {}, openPlan, { answers: setAnswers, updates }),
  at(
    'queue-planned',
    {},
    async (page) => {
      await to(page, '#queue');
      await page.locator('.planned').waitFor();
    },
    { answers: setAnswers },
  ),
];
