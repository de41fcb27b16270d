// The scenes of a change of cashier.
import type { Page } from 'playwright-core';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { signedOut } from './fixtures.ts';
import { at, failing, to, type ShownScene } from './scene-steps.ts';

const users: TerminalState['cashiers']['users'] = [
  { email: 'ana@example.com', canComeBack: true, waitUntil: null, hasBadge: false },
  { email: 'bea@example.com', canComeBack: true, waitUntil: null, hasBadge: false },
  { email: 'caio.longname@branch.example.com', canComeBack: false, waitUntil: null, hasBadge: false },
];
const locked: Partial<TerminalState> = { ...signedOut, cashiers: { lockedEmail: 'ana@example.com', users } };
const atWork: Partial<TerminalState> = {
  cashiers: { lockedEmail: null, users },
  cashierChange: { keptDays: 30, lockAfterMinutes: 5, badges: true },
};

const toLock = async (page: Page): Promise<void> => {
  await to(page, '#settings/lock');
  await page.locator('.cashier-list').scrollIntoViewIfNeeded();
};

export const cashierScenes: readonly ShownScene[] = [
  at('cashiers-names', { ...signedOut, cashiers: { lockedEmail: null, users } }, (page) =>
    page.locator('.cashier-names').waitFor(),
  ),
  at('cashiers-locked', locked, (page) => page.locator('.pin-field').waitFor()),
  at(
    'cashiers-wrong',
    locked,
    async (page) => {
      await page.locator('.pin-field input').waitFor();
      for (const digit of ['2', '5', '8', '1']) {
        await page.getByRole('button', { name: digit, exact: true }).click();
      }
      await page.locator('.pin-entry button[type="submit"]').click();
      await page.locator('.pin-problem:not(:empty)').waitFor();
    },
    { answers: { 'cashier:comeBack': failing({ kind: 'pinWrong', retryAfterMs: 0 }) } },
  ),
  at('cashiers-own-pin', atWork, (page) => to(page, '#settings/general')),
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
