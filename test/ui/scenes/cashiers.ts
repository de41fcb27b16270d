// The scenes of a change of cashier.
import type { Page } from 'playwright-core';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { scan } from '../../support/wedge.ts';
import { signedOut } from '../fixtures.ts';
import { readyState } from '../ready-state.ts';
import { sceneNowMs, twoProfiles } from '../scene-fixtures.ts';
import { at, failing, to, type ShownScene } from '../scene-steps.ts';

const users: TerminalState['cashiers']['users'] = [
  { email: 'ana@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false },
  { email: 'bea@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false },
  { email: 'caio.longname@branch.example.com', canComeBack: false, waitUntil: null, pinLength: 4, hasBadge: false },
];
const locked: Partial<TerminalState> = { ...signedOut, cashiers: { lockedEmail: 'ana@example.com', users } };
const atWork: Partial<TerminalState> = {
  cashiers: { lockedEmail: null, users },
  cashierChange: { keptDays: 30, lockAfterMinutes: 5, badges: true },
};

const manyUsers = Array.from({ length: 50 }, (_, place) => ({
  email: `cashier.${String(place + 1).padStart(2, '0')}@branch.example.com`,
  canComeBack: place % 7 !== 6,
  waitUntil: null,
  pinLength: 6,
  hasBadge: true,
})).with(0, { email: 'ana@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: true });
const cutOff: Partial<TerminalState> = {
  connection: { state: 'offline', since: sceneNowMs - 600_000, failure: { kind: 'unreachable' } },
};
const { queue } = readyState(sceneNowMs);
const toLock = async (page: Page): Promise<void> => {
  await to(page, '#settings/lock');
  await page.locator('.cashier-list').scrollIntoViewIfNeeded();
};

export const cashiersScenes: readonly ShownScene[] = [
  at('cashiers-names', { ...signedOut, cashiers: { lockedEmail: null, users } }, (page) =>
    page.locator('.cashier-tiles').waitFor(),
  ),
  at('cashiers-locked', locked, (page) => page.locator('.pin-field').waitFor()),
  at(
    'cashiers-many',
    {
      ...locked,
      ...cutOff,
      cashiers: { lockedEmail: 'ana@example.com', users: manyUsers },
      queue: { ...queue, ofOthers: { count: 3, emails: ['ana@example.com'], parked: 0 } },
    },
    (page) => page.locator('.pin-field').waitFor(),
  ),
  at('cashiers-password', { ...locked, ...cutOff }, async (page) => {
    await page.getByRole('button', { name: /^caio\.longname/ }).click();
    await page.locator('.till-password').waitFor();
  }),
  at('cashiers-more', { ...locked, profiles: twoProfiles }, async (page) => {
    await page.locator('.pin-field').waitFor();
    await page.getByRole('button', { name: 'Language, connection, support' }).click();
    await page.getByRole('dialog').locator('.support-facts, dl').first().waitFor();
  }),
  at(
    'account-menu',
    { ...atWork, lock: { ...readyState(sceneNowMs).lock, openUntil: sceneNowMs + 90_000 } },
    async (page) => {
      await page.locator('.account').click();
      await page.getByRole('menu').waitFor();
    },
  ),
  at('cashiers-settings', atWork, toLock),
  at(
    'cashiers-badge-unknown',
    locked,
    async (page) => {
      await page.locator('.pin-field').waitFor();
      await scan(page, 'TILL0123456789012345');
      await page.locator('.badge-note').waitFor();
    },
    { answers: { 'cashier:scanBadge': failing({ kind: 'badgeUnknown', retryAfterMs: 5000 }) } },
  ),
  at(
    'cashiers-badge-made',
    atWork,
    async (page) => {
      await to(page, '#settings/general');
      await page
        .locator('.buttons')
        .getByRole('button', { name: /badge|crachá|credencial/ })
        .first()
        .click();
      for (const digit of ['2', '5', '8', '0']) {
        await page.getByRole('button', { name: digit, exact: true }).click();
      }
      await page.locator('.pin-entry button[type="submit"]').click();
      await page.locator('.label-preview').waitFor();
    },
    { answers: { 'cashier:makeBadge': { ok: true, value: { code: 'TILL0123456789012345' } } } },
  ),
];
