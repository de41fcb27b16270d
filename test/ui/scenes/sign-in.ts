import type { Page } from 'playwright-core';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { scan } from '../../support/wedge.ts';
import { fillConnection, firstRun, signedOut } from '../fixtures.ts';
import { readyState } from '../ready-state.ts';
import { card, coffee, profileOf, reportOf, sceneNowMs as nowMs, twoProfiles, wrongFile } from '../scene-fixtures.ts';
import { at, fillIn, openWrongFile, scanned, type ShownScene } from '../scene-steps.ts';
import { offline, byOther, found, stillWaiting } from './lookup.ts';

const ready = readyState(nowMs);

const uncopied: Partial<TerminalState> = { ...firstRun, catalogue: { ...ready.catalogue, stocks: [] } };

const connect = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Connect to a platform' }).click();
  await page.getByRole('heading', { name: 'Connect to your platform' }).waitFor();
};

export const signInScenes: readonly ShownScene[] = [
  at('first-run', uncopied),
  at('first-run-profiles', { ...uncopied, profiles: twoProfiles }),
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
    (page) => scanned(page, coffee, '.coupon-words'),
    found([card({ coupon: byOther })]),
  ),
];
