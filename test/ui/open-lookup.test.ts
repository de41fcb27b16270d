import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fromAccount } from '../support/account.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, changeState, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { showAt, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { coffee, card, sceneNowMs } from './scene-fixtures.ts';
import { setStage } from './stage.ts';

const stage = setStage();
const offline: TerminalState['connection'] = { state: 'offline', since: sceneNowMs, failure: { kind: 'unreachable' } };
/** The calls that would ask the platform, or need a sign-in for another reason. */
const asking = /^(lookup:ask|product:(refresh|read(Movements|Batches))|coupon:|queue:|user:|stock:export|catalogue:)/;

async function open(state: Partial<TerminalState>, more: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open(
    { state: readyState(sceneNowMs, { ...signedOut, ...state }), nowMs: sceneNowMs, ...more },
    undefined,
    { isClockStopped: true },
  );
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  return page;
}

const channels = async (page: Page) => (await callsOf(page)).map(({ channel }) => channel);

describe('without a sign-in', () => {
  it('answers a scan at the sign-in, asks nothing, and leads back', async () => {
    const page = await open({});
    const email = page.getByRole('textbox', { name: 'E-mail' });
    await email.fill('bia');
    await scan(page, coffee);
    const found = page.getByRole('region', { name: /Café/ });
    await page.getByText(/^Not signed in: figures of \d\d:\d\d\.$/).waitFor();
    await found.getByText('Consumption coupon: ON').waitFor();
    // Said once above the screen, and no more at the figure.
    expect(await page.getByText('Not signed in').count()).toBe(1);
    expect(await page.getByRole('switch').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Print label|Refresh|Sign out/ }).count()).toBe(0);
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['Lookup', 'Stock']);

    // F4 is the coupon's button, which leads to the sign-in. Keys of what is away do nothing.
    await page.keyboard.press('F4');
    await expect.poll(() => email.inputValue()).toBe('bia');
    await page.getByRole('button', { name: 'Look up without signing in' }).click();
    await found.waitFor();
    await page.keyboard.press('Alt+C');
    await showAt(page, '#queue');
    await page.getByRole('main', { name: 'Lookup', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText(/^Not signed in: these come from the platform/).waitFor();
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await page.getByText('Not signed in: nothing newer comes in.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as file' }).count()).toBe(0);
    expect((await channels(page)).filter((channel) => asking.test(channel))).toEqual([]);

    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => email.inputValue()).toBe('bia');
    await page.getByRole('button', { name: 'Look up without signing in' }).click();
    await page.locator('.finder-input:focus').waitFor();

    // Whoever signs in begins anew, and the next sign-out stands at the sign-in.
    await changeState(page, {
      phase: 'ready',
      session: { state: 'signedIn', email: 'bia@example.com', keptIn: 'keychain', failure: null },
    });
    await page.locator('.account').waitFor();
    await changeState(page, signedOut);
    await page.getByRole('button', { name: 'Look up without signing in' }).waitFor();
  });

  it('says that nobody can sign in while the network is away, and still answers', async () => {
    const page = await open(
      { connection: offline },
      { answers: { 'lookup:find': { ok: true, value: { kind: 'unknown', text: '9520000000028', asked: false } } } },
    );
    await page.getByText('Offline: signing in needs the network. Looking up goes on without it.').waitFor();
    await scan(page, '9520000000028');
    await page.getByText('Not signed in: the platform cannot be asked.').waitFor();
    await changeState(page, { connection: signedOut.connection });
    await page.getByText('Sign in for live figures and all else.').waitFor();
    expect((await channels(page)).filter((channel) => asking.test(channel))).toEqual([]);
  });

  it.each<[string, Partial<TerminalState>]>([
    ['a manager has forbidden it', { lookupNeedsSignIn: true }],
    ['there is no copy', { catalogue: { ...readyState(sceneNowMs).catalogue, copied: 0 } }],
  ])('says that somebody must sign in first when %s', async (_why, state) => {
    const page = await open(state);
    await scan(page, coffee);
    await page.getByText('shown once somebody has signed in').waitFor();
    expect(await page.getByRole('button', { name: 'Look up without signing in' }).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('');
    expect(await channels(page)).not.toContain('lookup:find');
  });
});

it.each<[string, Partial<TerminalState>, string]>([
  ['online', {}, 'Looking up goes on without a sign-in, from the copy on this terminal.'],
  ['offline', { connection: offline }, 'nobody can sign in again before the network is back. Looking up goes on'],
  ['offline and forbidden', { connection: offline, lookupNeedsSignIn: true }, 'nothing can be looked up until then'],
])('a sign-out says what can be done afterwards, %s', async (_when, state, words) => {
  const { page } = await stage.open({ state: readyState(sceneNowMs, state), nowMs: sceneNowMs });
  await fromAccount(page, 'Sign out');
  await page.getByRole('dialog').getByText(words, { exact: false }).waitFor();
});

it('a manager forbids it in the settings', async () => {
  const { page } = await stage.open({ state: readyState(sceneNowMs), nowMs: sceneNowMs });
  await page.locator('.finder-input').waitFor();
  await showAt(page, '#settings/lock');
  // It stands with the screens of a cashier, as far apart as the ticks of what is locked.
  const tops = (name: string): Promise<number[]> =>
    page
      .getByRole('region', { name })
      .locator('.mantine-Checkbox-root')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  await page.getByRole('checkbox', { name: 'Look up without a sign-in' }).waitFor();
  const [locks, screens] = [await tops('What is locked'), await tops('Screens of a cashier')];
  expect(screens).toHaveLength(3);
  expect((screens[2] ?? 0) - (screens[1] ?? 0)).toBe((locks[2] ?? 0) - (locks[1] ?? 0));
  await page.getByRole('checkbox', { name: 'Look up without a sign-in' }).click();
  await expect.poll(() => inputsOf(page, 'settings:update')).toContainEqual({ lookupNeedsSignIn: true });
});

/** A page on which this card was scanned; its figure is not read anew. */
async function openCard(coupon: Partial<ProductCard['coupon']>, state: Partial<TerminalState> = {}): Promise<Page> {
  const shown = card({ coupon: { isEnabled: false, status: 'confirmed', failure: null, ...coupon } });
  const { page } = await stage.open({
    state: readyState(sceneNowMs, state),
    nowMs: sceneNowMs,
    answers: {
      'lookup:find': { ok: true, value: { kind: 'found', text: coffee, cards: [shown] } },
      'product:refresh': { ok: false, failure: { kind: 'cancelled' } },
    },
  });
  await page.locator('.finder-input').waitFor();
  await scan(page, coffee);
  return page;
}

it("another user's change stands on the card with its user, and on the badge", async () => {
  const page = await openCard(
    { ofOther: { email: 'bruno@example.com', isEnabled: true, isParked: false, isSignInNeeded: true } },
    { queue: { ...readyState(sceneNowMs).queue, ofOthers: { count: 6, emails: ['bruno@example.com'], parked: 0 } } },
  );
  await page.getByText('waits for bruno@example.com to sign in: ON', { exact: true }).waitFor();
  expect(await page.getByText('as on the platform').count()).toBe(0);
  expect(await page.getByRole('switch', { name: 'Consumption coupon' }).isChecked()).toBe(false);
  expect(await page.locator('.rail .badge').innerText()).toBe('6');
  expect(await page.locator('.rail .badge').getAttribute('title')).toContain('bruno@example.com');
});

it('a change that goes out under the kept sign-in of its user is not said to wait for a sign-in', async () => {
  const page = await openCard(
    { ofOther: { email: 'bruno@example.com', isEnabled: true, isParked: false, isSignInNeeded: false } },
    { queue: { ...readyState(sceneNowMs).queue, ofKept: { count: 6, emails: ['bruno@example.com'] } } },
  );
  await page.getByText('a change by bruno@example.com waits: ON', { exact: true }).waitFor();
  expect(await page.getByText('to sign in').count()).toBe(0);
  expect(await page.locator('.rail .badge').getAttribute('title')).toBe('6 waiting');
});

it("another till's change that waits stands on the card with its name", async () => {
  const page = await openCard({ isEnabled: true, ofTill: { till: 'Caixa 3', isEnabled: false, isParked: false } });
  await page.getByText('Caixa 3 waits to send: OFF', { exact: true }).waitFor();
  expect(await page.getByRole('switch', { name: 'Consumption coupon' }).isChecked()).toBe(true);
});
