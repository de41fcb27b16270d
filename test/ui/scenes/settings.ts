// The scenes of the settings, section by section.
import type { Page } from 'playwright-core';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { ScannerDevice } from '../../../app/domain/scanner-device.ts';
import { scan } from '../../support/wedge.ts';
import { emit } from '../fake.ts';
import { readyState } from '../ready-state.ts';
import { at, fillIn, shows, to, value, type More, type ShownScene } from '../scene-steps.ts';
import {
  coffee,
  copying,
  joinedHub,
  minuteMs,
  practice,
  practiceHub,
  refusedShopFile,
  reportOf,
  sceneNowMs as nowMs,
  shirt,
  twoProfiles,
} from '../scene-fixtures.ts';

const ready = readyState(nowMs);
const serialScanner: ScannerDevice = {
  kind: 'serial',
  vendorId: 0x0c2e,
  productId: 0x0b81,
  serialNumber: '20130A4B',
  name: 'Example Scanner 1900',
};
const hidScanner: ScannerDevice = {
  ...serialScanner,
  kind: 'hid',
  productId: 0x0b87,
  serialNumber: null,
  name: 'Counter Scanner',
};

const settings = (section: string, state: Partial<TerminalState> = {}, more: More = {}): ShownScene =>
  at(`settings-${section}`, state, (page) => to(page, `#settings/${section}`), more);

const listsFile = { name: 'tillside-lists.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
const fridays = { repeats: 'weekly', day: '2025-06-06', on: '18:00', off: '23:00' };
/** What a file of another till would change. */
export const foreseenLists = value({
  fault: null,
  savedAt: nowMs - 26 * 60 * minuteMs,
  takenSavedAt: nowMs - 60 * minuteMs,
  counts: { minimum: 2, set: 2, plan: 1 },
  ofOtherStocks: 3,
  setsOfOtherStocks: 1,
  changes: [
    { kind: 'set', did: 'added', name: 'Happy hour' },
    { kind: 'plan', did: 'added', name: 'Happy hour', times: fridays },
    { kind: 'plan', did: 'over', name: 'Happy hour', times: { ...fridays, repeats: 'once', day: '2025-05-30' } },
    { kind: 'set', did: 'removed', name: 'Sucos' },
    {
      kind: 'minimum',
      stockId: '11',
      productId: '101',
      name: 'Café torrado e moído Serra Clara 500 g',
      from: null,
      to: 24,
    },
    { kind: 'minimum', stockId: '12', productId: '990', name: null, from: 3, to: null },
  ],
});

/** A file is chosen in the dialog that takes another till's lists. */
export async function chooseLists(page: Page): Promise<void> {
  await to(page, '#settings/shop');
  await page.getByRole('button', { name: 'Open a file of another till' }).click();
  await page.locator('input[type=file]').setInputFiles(listsFile);
  await page.getByText('Happy hour').first().waitFor();
}

/** Three labels of known products, which several layouts fit. */
async function learnLayout(page: Page): Promise<void> {
  await to(page, '#settings/scanner');
  await page.getByRole('button', { name: 'Find the layout from labels' }).click();
  for (const [label, name, figure] of [
    ['2010100015994', 'café', '15.99'],
    ['2010300007508', 'camiseta', '7.50'],
    ['2010200129003', 'queijo', '129'],
  ] as const) {
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill(label);
    await page.getByRole('textbox', { name: 'Its product' }).fill(name);
    await page.locator('.layout-products button').first().click();
    await page.getByRole('textbox', { name: 'Total price' }).fill(figure);
    await page.getByRole('button', { name: 'Add this label' }).click();
  }
  await page.locator('.layout-proposal').first().waitFor();
}

/** The part of the support that tells of the shop's file at its address. */
async function showShopFile(page: Page): Promise<void> {
  await to(page, '#settings/support');
  await page.getByRole('heading', { name: "The shop's file at its address" }).scrollIntoViewIfNeeded();
}

const origins = ['https://till.example.com', 'https://branch.till.example.com:8443'];
const choice = { isOn: true, port: 17_863, origins, mayChangeCoupons: false };
const hash = 'h'.repeat(43);

const programs = (
  localApi: Partial<NonNullable<TerminalState['localApi']>>,
  localApiTokenHash: string | null = hash,
): Partial<TerminalState> => ({
  localApi: { ...choice, status: 'open', openPort: 17_863, ...localApi },
  localApiTokenHash,
});

const toPrograms = async (page: Page): Promise<void> => {
  await to(page, '#settings/connection');
  await page.getByRole('switch').first().scrollIntoViewIfNeeded();
};

export const settingsScenes: readonly ShownScene[] = [
  settings('general'),
  settings('scanner', { scaleLayouts: ['2CCCC0TTTTTTV', '2CCCCCTTTTTTV'] }),
  at('settings-scanner-paused', {}, async (page) => {
    await scan(page, coffee, { pauses: { 5: 240 } });
    await page.locator('.card').waitFor();
    await to(page, '#settings/scanner');
    await page.locator('.scanner-path .notice').waitFor();
    await page.locator('.scanner-path').scrollIntoViewIfNeeded();
  }),
  at(
    'settings-scanner-device',
    { scannerDevice: { choice: { ...serialScanner, baudRate: 9600 }, connection: 'connected' } },
    async (page) => {
      await to(page, '#settings/scanner');
      await page.locator('.settings-part button[data-look]').click();
      await page.locator('.scanner-devices li').first().waitFor();
      await emit(page, 'scanner:read', { text: shirt, symbology: ']E0' });
      await page.locator('.trial-fact').nth(2).waitFor();
      await page.locator('.scanner-devices').scrollIntoViewIfNeeded();
    },
    { answers: { 'scanner:listDevices': value([serialScanner, hidScanner]) } },
  ),
  at('settings-layout-learning', {}, learnLayout),
  settings('connection', { profiles: twoProfiles }),
  at(
    'settings-connection-tested',
    {},
    async (page) => {
      await to(page, '#settings/connection');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.locator('.step').nth(5).waitFor();
    },
    { answers: { 'profile:test': reportOf('user') } },
  ),
  at('settings-shop-lists', {}, chooseLists, { answers: { 'shopLists:foresee': foreseenLists } }),
  at('settings-shop-refused', {}, async (page) => {
    await to(page, '#settings/shop');
    await fillIn(page, [
      ["The hub's address", 'https://hub.example.com'],
      ["This till's name", 'Caixa 2'],
    ]);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').waitFor();
  }),
  at('settings-shop-joined', {}, shows('.hub-tills', '#settings/shop'), {
    answers: { 'hub:read': value(joinedHub()) },
  }),
  at('settings-shop-practice', practice, shows('.hub-tills', '#settings/shop'), {
    answers: { 'hub:read': value(practiceHub()) },
  }),
  at('settings-shop-cut-off', { lock: { ...ready.lock, hasPin: true } }, shows('.hub-tills', '#settings/shop'), {
    pin: '2580',
    answers: {
      'hub:read': value(
        joinedHub({
          mode: 'cutOff',
          failure: 'unreachable',
          since: nowMs - minuteMs,
          limit: 2,
          later: { limit: 15, from: nowMs + 3 * minuteMs },
        }),
      ),
    },
  }),
  at(
    'settings-shop-leave',
    {},
    async (page) => {
      await to(page, '#settings/shop');
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).waitFor();
    },
    { answers: { 'hub:read': value(joinedHub()) } },
  ),
  settings('copy', { catalogue: copying }),
  settings('support'),
  at('settings-support-day', {}, async (page) => {
    await to(page, '#settings/support');
    await page.getByText('The last 24 hours').click();
    await page.getByRole('img', { name: /Last 24 hours/ }).waitFor();
  }),
  at('settings-support-address', {}, showShopFile, { shopFile: refusedShopFile }),
  settings('lock'),
  at('settings-lock-practice', { ...practice, lock: { ...ready.lock, hasPin: true } }, (page) =>
    to(page, '#settings/lock'),
  ),
  at(
    'settings-audit',
    {},
    async (page) => {
      await to(page, '#settings/lock');
      await page.locator('.audit .list').scrollIntoViewIfNeeded();
    },
    { auditEntries: 40 },
  ),
  at('programs-open', programs({}), toPrograms),
  at(
    'programs-token',
    programs({ origins: [], status: 'noToken', openPort: null }, null),
    async (page) => {
      await toPrograms(page);
      await page.getByRole('button', { name: 'Make a token' }).click();
      await page.getByRole('textbox', { name: 'Token' }).waitFor();
    },
    { answers: { 'localApi:makeToken': value({ token: 'made-up-token-of-forty-three-letters-000000' }) } },
  ),
];
