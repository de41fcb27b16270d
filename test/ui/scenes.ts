import type { Locator, Page } from 'playwright-core';
import { fromAccount } from '../support/account.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { defaultCompanion } from '../../app/contract/companion.ts';
import { scan } from '../support/wedge.ts';
import { cashierScenes } from './cashier-scenes.ts';
import { programScenes } from './program-scenes.ts';
import { goAway } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { ended, fillConnection, firstRun, keychainLocked, noChanges, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { couponSetScenes } from './coupon-set-scenes.ts';
import { labelScenes } from './label-scenes.ts';
import { expiringScenes } from './expiring-scenes.ts';
import { fieldScenes } from './field-scenes.ts';
import { watchScenes } from './watch-scenes.ts';
import {
  answered,
  ask,
  at,
  fillIn,
  openWrongFile,
  scanned,
  shows,
  to,
  value,
  type More,
  type ShownScene,
} from './scene-steps.ts';
import { stationScenes } from './station-scenes.ts';
import { stocktakeScenes } from './stocktake-scenes.ts';
import {
  rateLimit,
  card,
  copying,
  coffee,
  dayMs,
  hits,
  id,
  practice,
  profileOf,
  reportOf,
  sceneNowMs,
  twoProfiles,
  wrongFile,
} from './scene-fixtures.ts';
import { linkScenes } from './link-scenes.ts';
import { settingsScenes } from './settings-scenes.ts';

import {
  offline,
  byOther,
  find,
  found,
  lookupFails,
  unknown,
  stillWaiting,
  answers,
  lookupScenes,
  readOf,
  sharedCode,
} from './lookup-scenes.ts';

const nowMs = sceneNowMs;
const ready = readyState(nowMs);
type Steps = NonNullable<ShownScene['steps']>;

// ---- What the scenes are made of ---------------------------------------------------------------------------------

const uncopied: Partial<TerminalState> = { ...firstRun, catalogue: { ...ready.catalogue, stocks: [] } };
const queueBusy: TerminalState['queue'] = { ...ready.queue, pending: 2, inFlight: 1, parked: 4 };

const parkedToo: Scene['restorations'] = [
  {
    standing: 'parked',
    parkedBecause: 'maybeDone',
    failure: { kind: 'notFound', status: 404, code: 'not_found' },
    attempts: 2,
  },
  { standing: 'parked', parkedBecause: 'old', createdAt: nowMs - 4 * dayMs, attempts: 0 },
];

const connect = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Connect to a platform' }).click();
  await page.getByRole('heading', { name: 'Connect to your platform' }).waitFor();
};

const coupons = async (page: Page): Promise<void> => {
  await to(page, '#coupons');
  await page.getByRole('grid').getByRole('row').nth(3).waitFor();
};

const askPin = async (page: Page): Promise<void> => {
  await coupons(page);
  await page.getByRole('switch', { name: /Produto de exemplo 1$/ }).click({ force: true });
  await page.getByRole('dialog', { name: "Manager's PIN" }).waitFor();
};

/** The companion bar's page, as large as its window may become. */
const companion = (
  name: string,
  steps: ShownScene['steps'] | null,
  state: Partial<TerminalState> = {},
  more: More = {},
): ShownScene =>
  at(name, { host: 'electron', companion: { ...defaultCompanion, isShortcutHeld: true }, ...state }, steps, {
    ...more,
    path: 'companion.html',
    sizes: [{ width: 600, height: 700 }],
  });

const asksBar =
  (text: string, awaited: (page: Page) => Locator): Steps =>
  async (page) => {
    await ask(page.locator('.bar-field'), text);
    await awaited(page).waitFor();
  };

const signOut: Steps = async (page) => {
  await fromAccount(page, 'Sign out');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).waitFor();
};

const chooseAll = async (page: Page, then?: 'Switch on' | 'Switch off'): Promise<void> => {
  await coupons(page);
  await page.getByRole('checkbox', { name: 'Choose all' }).click();
  if (then !== undefined) {
    await page.getByRole('button', { name: then }).click();
  }
};

/** Opens the help, and then another part of it than the keys by its place in the contents. */
const help =
  (part = 0): Steps =>
  async (page) => {
    await page.locator('.finder-input').waitFor();
    await page.keyboard.press('F1');
    await page.locator('.key-list').first().waitFor();
    if (part > 0) {
      await page.locator('.help-contents button').nth(part).click();
      await page.locator('.help-sections').waitFor();
    }
  };

// ---- The scenes --------------------------------------------------------------------------------------------------

/** Every scene, in the order of a day. */
export const scenes: readonly ShownScene[] = [
  // The ways in.
  at('first-run', uncopied),
  at('first-run-profiles', { ...uncopied, profiles: twoProfiles }),
  at('first-run-too-early', uncopied, async (page) => {
    await page.locator('.way').first().waitFor();
    await scan(page, coffee);
    await page.locator('.early-scan').waitFor();
  }),
  at('first-run-file', uncopied, openWrongFile, wrongFile),
  at('connect-empty', uncopied, connect),
  at('connect-errors', uncopied, async (page) => {
    await connect(page);
    await fillIn(page, [
      ['Platform address', 'ftp:/shop'],
      ['Company ID', 'abc'],
    ]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('[data-error]').first().waitFor();
  }),
  at(
    'connect-refused',
    uncopied,
    async (page) => {
      await connect(page);
      await fillConnection(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
    },
    { answers: { 'profile:connect': reportOf('client') } },
  ),
  at('sign-in', {
    ...signedOut,
    profiles: [profileOf(1, 'Loja do Centro', null, 0), profileOf(2, null, null, 0)],
    queue: stillWaiting(3),
  }),
  at('sign-in-refused', { ...signedOut, isSecretNeeded: true }, async (page) => {
    await fillIn(page, [
      ['E-mail', 'ana@example.com'],
      ['Password', 'wrong'],
      ['Client secret', 'other'],
    ]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
  }),
  at('sign-in-offline', { ...signedOut, connection: offline }),
  at('sign-in-lookup-forbidden', { ...signedOut, connection: offline, lookupNeedsSignIn: true }, async (page) => {
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    await scan(page, coffee);
    await page.locator('.early-scan').waitFor();
  }),
  at('open-lookup', signedOut, async (page) => {
    await page.getByRole('button', { name: 'Look up without signing in' }).click();
    await page.locator('.finder-input').waitFor();
  }),
  at(
    'open-lookup-found',
    signedOut,
    (page) => scanned(page, coffee, '.barcode-plate svg'),
    found([card({ coupon: byOther(false, 'confirmed', false) })]),
  ),
  at(
    'open-lookup-unknown',
    { ...signedOut, connection: offline },
    (page) => scanned(page, '9520000000028', '.miss'),
    unknown(false),
  ),
  at('open-lookup-stock', signedOut, async (page) => {
    await page.getByRole('button', { name: 'Look up without signing in' }).click();
    await to(page, '#stock');
    await page.locator('.stock-row .stock-name').nth(3).waitFor();
  }),

  at('support-dialog', signedOut, async (page) => {
    await page.getByRole('button', { name: 'Support' }).click();
    await page.getByRole('dialog').getByText('45.3.4').waitFor();
  }),

  ...lookupScenes,

  // The frame.
  at('copying', { catalogue: copying }, shows('.finder-input')),
  at('practice', { ...practice, queue: queueBusy }, shows('.finder-input')),
  at(
    'practice-outage',
    { ...practice, practice: { isNetworkDown: true, hasPanel: true }, connection: offline },
    answers(coffee),
  ),
  at(
    'notices',
    {
      notices: [
        { id: 1, kind: 'queueSetAside', detail: 'queue.db.damaged-2026-03-10' },
        { id: 2, kind: 'vaultUnavailable', detail: '' },
        { id: 3, kind: 'storageFull', detail: '' },
      ],
      session: { ...ready.session, keptIn: 'memory' },
    },
    shows('.finder-input'),
  ),
  at(
    'keychain-locked',
    { ...keychainLocked, queue: { ...ready.queue, pending: 3, heldBy: 'signIn' } },
    shows('.finder-input'),
  ),
  at('ended', { ...ended, queue: { ...ready.queue, pending: 3, heldBy: 'signIn' } }, shows('.finder-input')),
  at('sign-out-dialog', { queue: queueBusy }, async (page) => {
    await fromAccount(page, 'Sign out');
    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).waitFor();
  }),
  at(
    'sign-out-dialog-offline',
    { queue: { ...ready.queue, pending: 2, heldBy: 'offline' }, connection: offline },
    signOut,
  ),
  at('scan-waits', {}, async (page) => {
    await signOut(page);
    await scan(page, coffee);
    await page.locator('.waiting-scan').waitFor();
  }),
  at(
    'gone',
    {},
    async (page) => {
      await page.locator('.finder-input').waitFor();
      await goAway(page, true);
      await scan(page, coffee);
      await page.getByRole('alertdialog').waitFor();
    },
    { isOpenedAnew: true },
  ),
  at(
    'error-boundary',
    {},
    async (page) => {
      await page.locator('.finder-input').waitFor();
      await page.evaluate(() => {
        Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
          value: () => {
            throw new Error('a mistake on purpose');
          },
        });
        window.location.hash = '#queue';
      });
      await page.getByRole('alertdialog').waitFor();
    },
    { isOpenedAnew: true, mayComplain: true },
  ),

  at('safe-mode', { isSafeMode: true }, shows('.finder-input')),
  at('help-keys', {}, help()),
  at('help', {}, help(1), { isOpenedAnew: true }),
  at('help-narrow', {}, help(1), { isOpenedAnew: true, sizes: [{ width: 600, height: 900 }] }),
  at(
    'help-questions',
    {},
    async (page) => {
      await help(4)(page);
      await page.locator('.help-sections button').nth(1).click();
    },
    { isOpenedAnew: true },
  ),
  // The sentence is the page's language's: this one is at its row in Portuguese alone.
  at(
    'help-questions-answer',
    { language: 'pt-BR' },
    async (page) => {
      await answered(page, coffee, '.help-link');
      await page.locator('.help-link').click();
      await page.locator('.help-page tr:focus').waitFor();
    },
    { ...lookupFails, isOpenedAnew: true },
  ),
  at('tour', practice, async (page) => {
    await help()(page);
    await page.getByRole('dialog').getByRole('button', { name: /tour/i }).click();
    await page.locator('.tour').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }),

  // The tables.
  at('stock', {}, async (page) => {
    await to(page, '#stock');
    await page.locator('.stock-row .stock-name').nth(3).waitFor();
  }),
  at('stock-filters', {}, async (page) => {
    await to(page, '#stock');
    await page.locator('.stock-more-button').click();
    await page.locator('.stock-row .stock-name').nth(2).waitFor();
  }),
  at('stock-nothing-fits', {}, async (page) => {
    await to(page, '#stock');
    await page.locator('.search-field input').fill('nothing');
    await page.locator('.empty').waitFor();
  }),
  at('stock-empty', { catalogue: copying }, shows('.empty', '#stock'), { stockRows: 0 }),
  ...stocktakeScenes,
  ...watchScenes,
  ...couponSetScenes,
  ...labelScenes,
  ...expiringScenes,
  ...fieldScenes,
  at('coupons', {}, coupons, { couponRows: 400 }),
  at(
    'coupons-of-other',
    { queue: stillWaiting(2) },
    async (page) => {
      await to(page, '#coupons');
      await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    },
    {
      answers: {
        'coupon:list': value({
          view: 1,
          total: 2,
          isCut: false,
          neverSet: null,
          rows: [
            {
              productId: id('101'),
              productName: 'Café torrado e moído Serra Clara 500 g',
              code: 'A-101',
              coupon: byOther(false, 'confirmed', false),
            },
            {
              productId: id('102'),
              productName: 'Queijo minas frescal',
              code: 'A-102',
              coupon: byOther(true, 'waiting', true),
            },
          ],
        }),
      },
    },
  ),
  at('coupons-chosen', {}, async (page) => {
    await chooseAll(page);
    await page.getByText('40 products chosen').waitFor();
  }),
  at('coupons-many-dialog', {}, async (page) => {
    await chooseAll(page, 'Switch on');
    await page.getByRole('dialog').getByText('10 will be switched on.').waitFor();
  }),
  at(
    'coupons-many-no-room',
    {},
    async (page) => {
      await chooseAll(page, 'Switch off');
      await page.getByRole('dialog').locator('.notice').waitFor();
    },
    { queueRoom: 5 },
  ),
  at(
    'coupons-many-done',
    {},
    async (page) => {
      await chooseAll(page, 'Switch on');
      await page.getByRole('dialog').getByRole('button', { name: 'Switch 10 on' }).click();
      await page.locator('.many-outcome').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    { undoForMs: 600_000 },
  ),
  at('coupons-empty', {}, shows('.empty', '#coupons'), { couponRows: 0 }),
  at(
    'queue',
    {
      queue: {
        ...queueBusy,
        heldBy: 'retry',
        nextTryAt: nowMs + 40_000,
        ofOthers: { count: 2, emails: ['bruno@example.com'], parked: 0 },
      },
    },
    async (page) => {
      await to(page, '#queue');
      await page.locator('.row-title').nth(1).waitFor();
    },
    { restorations: parkedToo },
  ),
  at(
    'queue-elsewhere',
    {
      profiles: twoProfiles,
      queue: {
        ...queueBusy,
        ofKept: { count: 3, emails: ['bruno@example.com'] },
        elsewhere: [
          {
            platformUrl: 'https://shop.example.com',
            companyId: profileOf(2, null, null, 3).companyId,
            count: 74,
            emails: ['ana@example.com'],
          },
        ],
      },
    },
    async (page) => {
      await to(page, '#queue');
      await page.locator('.row-title').nth(1).waitFor();
    },
    { restorations: parkedToo },
  ),
  at('queue-parked', { queue: queueBusy }, async (page) => {
    await to(page, '#queue');
    // Few rows: where a list that was scrolled stands depends on how high its rows were in other languages.
    await page.locator('.search-line input').first().fill('Camiseta');
    await page.getByRole('button', { name: 'Keep ON' }).waitFor();
  }),
  at('queue-history', {}, async (page) => {
    await to(page, '#queue');
    await page.getByRole('listitem').filter({ hasText: 'Café' }).first().getByText('History', { exact: true }).click();
    await page.locator('.attempts > li').nth(2).waitFor();
  }),
  at('queue-discard-dialog', { queue: queueBusy }, async (page) => {
    await to(page, '#queue');
    await page.locator('.row-actions').getByRole('button', { name: 'Discard' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).waitFor();
  }),
  at('queue-empty', {}, shows('.empty', '#queue'), { answers: noChanges }),
  at('users', { queue: queueBusy }, shows('.row-title', '#users'), {
    restorations: [...parkedToo, { standing: 'delivered' }],
  }),
  at('users-empty', {}, shows('.empty', '#users')),
  at(
    'rate-limit',
    {},
    async (page) => {
      await to(page, '#rateLimit');
      await page.getByRole('region', { name: 'Who is waiting' }).getByRole('listitem').first().waitFor();
    },
    { answers: { 'rateLimit:read': value(rateLimit) } },
  ),

  ...settingsScenes,
  ...linkScenes,
  ...cashierScenes,
  ...programScenes,
  ...stationScenes,
  at('pin-dialog', { lock: { ...ready.lock, hasPin: true } }, askPin, { pin: '2580' }),
  at(
    'pin-dialog-wrong',
    { lock: { ...ready.lock, hasPin: true } },
    async (page) => {
      await askPin(page);
      await page.keyboard.type('1111', { delay: 130 });
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('This PIN is not right.').waitFor();
    },
    { pin: '2580' },
  ),

  // The companion bar.
  companion('companion', null),
  companion(
    'companion-found',
    asksBar(coffee, (page) => page.getByRole('region', { name: /Café/ })),
  ),
  companion(
    'companion-unknown',
    asksBar('9520000000028', (page) => page.getByText('Unknown product').first()),
  ),
  companion(
    'companion-several',
    asksBar('pao', (page) => page.locator('.bar-hit').first()),
    {},
    find({ kind: 'several', text: 'pão', read: readOf({ as: 'search' }), hits }),
  ),
  companion(
    'companion-shared-code',
    asksBar(coffee, (page) => page.locator('.bar-hit').first()),
    {},
    sharedCode,
  ),
  companion(
    'companion-unknown-similar',
    asksBar('vassora', (page) => page.locator('.bar-hit').first()),
    {},
    find({ kind: 'unknown', text: 'vassora', asked: true }, { 'lookup:findSimilar': value(hits.slice(0, 3)) }),
  ),
  companion('companion-signed-out', null, { ...signedOut, lookupNeedsSignIn: true }),
  companion(
    'companion-open-found',
    asksBar(coffee, (page) => page.getByRole('region', { name: /Café/ })),
    signedOut,
  ),
];
