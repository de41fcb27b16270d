import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fromAccount } from '../support/account.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Id } from '../../app/domain/int64.ts';
import { scan } from '../support/wedge.ts';
import { openSettings } from '../e2e/story.ts';
import { changeState, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { focusedOn, openSmall, trialOf } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

const open = (state: Partial<TerminalState> = {}, more: Partial<Scene> = {}): Promise<Page> =>
  openSmall(stage, nowMs, state, more);

describe('the settings', () => {
  it('keep the focus with the answer of a test, which says what it waits for', async () => {
    const page = await open(
      { rateLimit: { limit: 60, used: 3, pausedUntil: Date.now() + 40_000 } },
      { answers: { 'profile:test': trialOf(() => ({ outcome: 'passed' })) }, delaysMs: { 'profile:test': 400 } },
    );
    await openSettings(page, 'Connection');
    await page.getByRole('button', { name: 'Test connection' }).press('Enter');
    await page.getByText(/The platform asked for a pause: the test goes on by itself in about/).waitFor();
    await page.getByText('The connection works').waitFor();
    await expect.poll(() => focusedOn(page)).toContain('The connection works');
  });

  it('call a secure connection to this machine itself not needed, and name no scopes that are all', async () => {
    const answer = trialOf((step) => ({
      outcome: step === 'tls' ? 'skipped' : 'passed',
      detail: step === 'client' ? '*' : null,
    }));
    const page = await open({}, { answers: { 'profile:test': answer } });
    await openSettings(page, 'Connection');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('not needed here').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/scopes|not tried/);
  });

  it('say in safe mode that the copy rests, wherever it is spoken of', async () => {
    const { catalogue } = readyState(nowMs);
    const stocks = catalogue.stocks.map((stock) => ({ ...stock, copied: 0, total: null, completeAsOf: null }));
    const page = await open({
      isSafeMode: true,
      connection: { state: 'resting', since: null, failure: null },
      catalogue: { ...catalogue, phase: 'idle', copied: 0, total: null, stocks },
    });
    await page.locator('.connection').getByText('Resting').waitFor();
    await page
      .getByRole('region', { name: 'The copy rests in safe mode' })
      .getByText('Start Tillside normally, and it goes on.')
      .waitFor();
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByText('This terminal’s copy is not complete, and rests in safe mode.').waitFor();
    await openSettings(page, 'Stock copy');
    await page.getByText('In safe mode nothing is copied until').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  it('tell before a sign-out what becomes of what is not sent, then of what was refused, and what to do', async () => {
    const { queue } = readyState(nowMs);
    const page = await open({ queue: { ...queue, pending: 2, inFlight: 1, parked: 4 } });
    await fromAccount(page, 'Sign out');
    const dialog = page.getByRole('dialog');
    const words = (): Promise<string[]> => dialog.locator('.dialog > p').allInnerTexts();
    await expect
      .poll(words)
      .toEqual([
        '3 changes have not been sent yet',
        'Nothing is lost: they stay on this terminal and go out when ana@example.com signs in here again. They never go out under another name.',
        '4 changes were refused: they stay on this terminal and need a decision, on the Queue screen.',
        'Looking up goes on without a sign-in, from the copy on this terminal.',
      ]);
    // It brings no second banner.
    expect(await page.locator('header:not([role])').count()).toBe(1);
    // That all was sent, or goes out by itself, is not claimed where some was refused.
    await changeState(page, { queue: { ...queue, pending: 0, inFlight: 0, parked: 1 } });
    await expect
      .poll(words)
      .toEqual([
        'Nothing waits to be sent',
        'Recent scans and the copy of the catalogue stay on this terminal.',
        '1 change was refused: it stays on this terminal and needs a decision, on the Queue screen.',
        'Looking up goes on without a sign-in, from the copy on this terminal.',
      ]);
    // Whoever has a PIN is told of the lock instead.
    const users = [{ email: 'ana@example.com', canComeBack: true, waitUntil: null, pinLength: null, hasBadge: false }];
    await changeState(page, { cashiers: { lockedEmail: null, users } });
    await dialog.getByText('nothing is sent in your name, not even what you planned.').waitFor();
  });

  it('make staying the filled button of a sign-out that nobody could undo, else signing out', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog');
    const isFilled = (name: string): Promise<string | null> =>
      dialog.getByRole('button', { name }).getAttribute('data-variant');
    await fromAccount(page, 'Sign out');
    await dialog.getByRole('button', { name: 'Stay signed in' }).waitFor();
    expect([await isFilled('Stay signed in'), await isFilled('Sign out')]).toEqual(['default', 'filled']);
    await changeState(page, { connection: { state: 'offline', since: nowMs, failure: null } });
    await expect.poll(() => isFilled('Stay signed in')).toBe('filled');
    expect(await isFilled('Sign out')).toBe('default');
  });

  it('keep the focus over a way to another screen and over a sign-out', async () => {
    const page = await open();
    await openSettings(page, 'Support');
    await page.getByRole('link', { name: 'See the requests' }).press('Enter');
    await expect.poll(() => focusedOn(page)).toBe('H1 Rate limit');
    await fromAccount(page, 'Sign out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByLabel('Password').waitFor();
    await page.waitForTimeout(300);
    expect(await focusedOn(page)).not.toMatch(/^BODY/);
  });

  it('show how far a copy has come that was asked for again, and why it cannot be asked for twice', async () => {
    const { catalogue } = readyState(nowMs);
    const page = await open({
      catalogue: {
        ...catalogue,
        phase: 'copying',
        plan: {
          ...catalogue.plan,
          doing: { kind: 'listing', stockId: '11' as Id, stockName: 'Loja', read: 1200, of: 4000 },
        },
      },
    });
    await openSettings(page, 'Stock copy');
    const part = page.getByRole('region', { name: 'Catalogue', exact: true });
    await part.getByText('1,200 of 4,000').waitFor();
    await part.getByRole('progressbar', { name: 'Copying the catalogue again' }).waitFor();
    const button = part.getByRole('button', { name: 'Copy again' });
    await button.press('Enter');
    expect(await inputsOf(page, 'catalogue:copy')).toEqual([]);
    expect(await focusedOn(page)).toContain('Copy again');
    await part.getByText('It is being copied now').waitFor();
  });

  it('bring own layouts back after the defaults, and take a scan into the trial', async () => {
    const page = await open({ scaleLayouts: ['2CCCC0TTTTTTV'] });
    await openSettings(page, 'Scanner');
    const part = page.getByRole('region', { name: 'Scale labels' });
    await part.getByRole('button', { name: 'Back to the defaults' }).click();
    await part.getByText('1 layout was replaced.').waitFor();
    await part.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
      .toEqual({ scaleLayouts: ['2CCCC0TTTTTTV'] });
    const trial = part.getByRole('textbox', { name: 'Try a label' });
    await trial.fill('212');
    await part.getByText('10 digits are missing.').waitFor();
    await trial.focus();
    await scan(page, '2123400015995');
    await expect.poll(() => trial.inputValue()).toBe('2123400015995');
    expect(await inputsOf(page, 'lookup:find')).toEqual([]);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  it('find a layout from three labels by scanner and keyboard, and keep nothing unasked', async () => {
    const page = await open({ scaleLayouts: ['2CCCC0TTTTTTV', '2CCCCCTTTTTTV'] });
    await openSettings(page, 'Scanner');
    const part = page.getByRole('region', { name: 'Scale labels' });
    await part.getByRole('button', { name: 'Find the layout from labels' }).click();
    const label = part.getByRole('textbox', { name: 'Label', exact: true });
    await label.focus();
    await page.keyboard.press('Enter');
    await part.getByText('This is no label of a scale').waitFor();
    for (const [text, name, figure] of [
      ['2010100015994', 'café', null],
      ['2010300007508', 'camiseta', '7,50'],
      ['2010200129003', 'queijo', '129'],
    ] as const) {
      await label.focus();
      await scan(page, text);
      await expect.poll(() => label.inputValue()).toBe(text);
      await part.getByRole('textbox', { name: 'Its product' }).fill(name);
      await part.locator('.layout-products button').first().press('Enter');
      // The figure is confirmed where a layout reads it already, else typed.
      await (figure === null
        ? part.getByRole('button', { name: '15.99', exact: true }).press('Enter')
        : part.getByRole('textbox', { name: 'Total price' }).fill(figure));
      await part.getByRole('button', { name: 'Add this label' }).press('Enter');
    }
    const proposal = part.locator('.layout-proposal').first();
    await proposal.getByText('2010300007508: item 0103, price 7.50').waitFor();
    expect(await inputsOf(page, 'settings:update')).toEqual([]);
    await proposal.getByRole('button', { name: 'Use 2CCCC0TTTTTTV alone' }).press('Enter');
    await expect.poll(() => inputsOf(page, 'settings:update')).toEqual([{ scaleLayouts: ['2CCCC0TTTTTTV'] }]);
  });
});
