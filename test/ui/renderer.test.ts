import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { goTo, openSettings } from '../e2e/story.ts';
import type { Scene } from './fake-bridge.ts';
import { callsOf, goAway, inputsOf } from './fake.ts';
import { failsAtAddress, fillConnection, firstRun, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { maybeRestored, settledUpdates } from './scene-updates.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const coffee = '7890000000101';
const shirt = '7890000000103';
const stage = setStage();

async function open(state: Partial<TerminalState> = {}, more: Omit<Partial<Scene>, 'state'> = {}): Promise<Page> {
  const opened = await stage.open({ state: readyState(nowMs, state), nowMs, ...more });
  await opened.page.getByRole('main').waitFor();
  return opened.page;
}

const finds = (page: Page) => inputsOf(page, 'lookup:find');

describe('a scan', () => {
  it('in the field replaces what was there and is answered in a region named after the product', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Barcode, code or name' }).fill('half a wo');
    await scan(page, coffee);
    await page.getByRole('region', { name: 'Café torrado e moído Serra Clara 500 g' }).waitFor();
    expect(await finds(page)).toEqual([{ text: coffee, source: 'scan' }]);
    expect(await page.getByRole('textbox', { name: 'Barcode, code or name' }).inputValue()).toBe(coffee);
  });

  it('on another screen, with a button focused, goes home and never presses the button', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Coupons' }).click();
    await page.getByRole('button', { name: 'Refresh' }).focus();
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    expect(await callsOf(page, 'coupon:refresh')).toEqual([]);
  });

  it('leaves no character in a password, and says that it waits for the sign-in', async () => {
    const page = await open({ ...signedOut, lookupNeedsSignIn: true });
    await page.getByLabel('Password').fill('abc');
    await page.getByLabel('Password').press('End');
    await scan(page, '9520000000028');
    await page.getByText('shown once somebody has signed in').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('abc');
    expect(await finds(page)).toEqual([]);
  });

  it('right after another counts as well, and the last is shown though the first answers later', async () => {
    const page = await open({}, { delaysMs: { 'lookup:find': 60 } });
    await scan(page, coffee);
    await scan(page, shirt);
    await page.getByRole('region', { name: 'Camiseta básica de algodão' }).waitFor();
    expect((await finds(page)).map(({ text }) => text)).toEqual([coffee, shirt]);
    await page.waitForTimeout(150);
    expect(await page.getByRole('region', { name: /Café/ }).count()).toBe(0);
  });
});

describe('typing', () => {
  it('goes into the field from anywhere, and suggestions are chosen by arrow and Enter', async () => {
    const page = await open();
    await page.locator('.account').focus();
    for (const key of ['q', 'u', 'e', 'i']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(120);
    }
    await page.getByRole('option', { name: /Queijo minas/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toContain('Queijo minas');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Queijo minas frescal' }).waitFor();
  });
});

describe('a fresh figure', () => {
  it('comes in place: nothing below it moves', async () => {
    const page = await open({}, { delaysMs: { 'product:refresh': 3000 } });
    await scan(page, coffee);
    const region = page.getByRole('region', { name: /Café/ });
    const asking = region.getByRole('button', { name: 'Asking for the live figure' });
    await asking.waitFor();
    const coupon = region.getByRole('switch', { name: 'Consumption coupon' });
    const before = await coupon.boundingBox();
    await region.getByText(/^Live, as of/).waitFor();
    await asking.waitFor({ state: 'detached' });
    expect(await coupon.boundingBox()).toEqual(before);
  });

  it('that cannot be had leaves the old one with the reason', async () => {
    const page = await open({}, { answers: { 'product:refresh': { ok: false, failure: { kind: 'timedOut' } } } });
    await scan(page, shirt);
    await page.getByText('Last known figure. The platform did not answer in time.').waitFor();
    expect(await page.getByRole('region', { name: /Camiseta/ }).textContent()).toContain('24');
  });
});

describe('the coupon', () => {
  it('moves at once and says where it stands', async () => {
    const page = await open({ connection: { state: 'offline', since: nowMs, failure: { kind: 'unreachable' } } });
    await scan(page, shirt);
    const region = page.getByRole('region', { name: /Camiseta/ });
    await region.getByRole('switch', { name: 'Consumption coupon', exact: true }).click({ force: true });
    await region.getByText('waiting to be sent', { exact: true }).waitFor();
    // Said, not only shown.
    expect(await region.locator('[aria-live]').allInnerTexts()).toContainEqual(
      expect.stringContaining('Coupon on, waiting to be sent'),
    );
    expect(await region.getByRole('switch').isChecked()).toBe(true);
    expect(await page.getByRole('status', { name: 'Connection' }).textContent()).toContain('Offline');
  });
});

describe('the coupon switch', () => {
  it('says in words that the queue is full, and does not stay moved', async () => {
    const page = await open({}, { queueRoom: 0, updates: [] });
    await scan(page, shirt);
    const coupon = page.getByRole('switch', { name: 'Consumption coupon' });
    await coupon.waitFor();
    const wasOn = await coupon.isChecked();
    await coupon.click({ force: true });
    await page
      .getByText(
        'The coupon was not switched. Too many changes are waiting. Wait until some have been sent, or decide about those that were refused.',
      )
      .waitFor();
    expect(await coupon.isChecked()).toBe(wasOn);
  });

  it('leads from a change that waits for a decision to just those in the queue', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Coupons' }).click();
    await page.getByRole('link', { name: 'See the queue' }).first().click();
    await page.getByText('Camiseta básica de algodão').waitFor();
    await page.getByRole('button', { name: 'Keep ON' }).waitFor();
    expect(await page.getByText('Queijo minas frescal').count()).toBe(0);
  });
});

describe('the queue', () => {
  it('discards and retries at one click', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.locator('.choice').getByText('Needs you', { exact: true }).click();
    await page.getByText('Company has no product consumption coupons').waitFor();
    await page.getByRole('listitem').getByRole('button', { name: 'Discard' }).first().click();
    // A conflict is the question itself: both values, and no second one.
    const conflict = page.getByRole('listitem').filter({ hasText: 'Camiseta' });
    await conflict.getByText(/Somebody else has changed this too/).waitFor();
    expect(await conflict.locator('.conflict-values').innerText()).toMatch(/You set\s+OFF\s+The platform has\s+ON/);
    await conflict.getByRole('button', { name: 'Keep OFF (mine)' }).click();
    expect(await callsOf(page, 'queue:retry', 'queue:discard')).toEqual([
      { channel: 'queue:discard', input: { updateId: 4 } },
      { channel: 'queue:retry', input: { updateId: 3 } },
    ]);
  });

  it('leaves theirs at one click, and asks whether an old one may still go', async () => {
    const page = await open(
      {},
      { updates: [{ userId: '703', events: ['old'], ageMs: 4 * 86_400_000 }, ...settledUpdates] },
    );
    await page.getByRole('link', { name: 'Queue' }).click();
    const old = page.getByRole('listitem').filter({ hasText: 'User 703' });
    await old.getByText(/Made \d+ days ago: send it still\?/).waitFor();
    await old.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'Camiseta' }).getByRole('button', { name: 'Keep ON' }).click();
    expect(await callsOf(page, 'queue:retry', 'queue:discard')).toEqual([
      { channel: 'queue:retry', input: { updateId: 1 } },
      { channel: 'queue:discard', input: { updateId: 4 } },
    ]);
  });

  it('tells of a restoration calmly that it may have happened already, and of a refused one what to do', async () => {
    const page = await open(
      {},
      {
        updates: [
          { userId: '703', events: maybeRestored },
          { userId: '704', events: [{ kind: 'badRequest', status: 400, message: 'made-up reason' }] },
        ],
      },
    );
    await page.getByRole('link', { name: 'Queue' }).click();
    const maybe = page.getByRole('listitem').filter({ hasText: 'User 703' });
    await maybe.getByText('May already be restored.').waitFor();
    expect(await maybe.locator('.failure-text').count()).toBe(0);
    const refused = page.getByRole('listitem').filter({ hasText: 'User 704' });
    await refused.getByText('Usually another user has the same e-mail by now.', { exact: false }).waitFor();
    await refused.getByText('made-up reason').waitFor();
  });

  it('unfolds what became of each attempt', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Café' }).first().getByText('History', { exact: true }).click();
    const attempts = page.locator('.attempts > li');
    await attempts.nth(2).waitFor();
    expect(await attempts.allInnerTexts()).toEqual([
      expect.stringMatching(/has a fault[^]*HTTP 500 · internal_server_error · Key 1f8fad5b/),
      expect.stringMatching(/did not answer in time[^]*Key 2f8fad5b/),
      expect.stringMatching(/Done\. \(The platform repeated its earlier answer\.\)[^]*HTTP 204 · Key 2f8fad5b/),
    ]);
  });

  it('hands its history over as a file', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByLabel('Kind of file').selectOption('CSV');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tillside-queue-\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^1,101,Café.*,Replaced by a newer one,.*,0,,$/),
      expect.stringMatching(/^2,101,Café.*,Delivered,.*,3,2f8fad5b[^]*HTTP 500[^]*HTTP 204/),
      expect.stringMatching(/^3,103,/),
      expect.stringMatching(/^4,105,/),
      expect.stringMatching(/^5,102,/),
      expect.stringMatching(/^6,104,Pão de queijo.*,Waiting,.*,0,,$/),
      '',
    ]);
  });
});

describe('the settings', () => {
  it('take a whole number for the history, and say what is wrong with others', async () => {
    const page = await open();
    await openSettings(page, 'Support');
    const part = page.getByRole('region', { name: 'Changes and history' });
    const days = part.getByRole('textbox', { name: 'Keep the history (days)' });
    await days.fill('1.5');
    await page.getByText('A whole number from 1 to 3650').waitFor();
    await days.press('Enter');
    await days.fill('90');
    await days.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    // What a file of a set-up has chosen beside it stays.
    expect(await inputsOf(page, 'settings:update')).toEqual([{ queueLimits: { historyDays: 90, askAfterHours: 72 } }]);
  });

  it('ask for a user back by their number, and show them in the queue', async () => {
    const page = await open();
    await goTo(page, 'Users');
    const part = page.getByRole('region', { name: 'Restore a user' });
    await part.getByRole('textbox', { name: 'User number' }).fill('ana');
    await part.getByRole('button', { name: 'Restore the user' }).click();
    await part.getByText('Only a whole number from 1 on is possible here.').waitFor();
    await part.getByRole('textbox', { name: 'User number' }).fill('9223372036854775807');
    await part.getByRole('button', { name: 'Restore the user' }).click();
    await part.getByText('User 9223372036854775807').waitFor();
    await part.getByText('Asked for and kept on this terminal; waiting to be sent.').waitFor();
    await part.getByRole('link', { name: 'See the queue' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'User 9223372036854775807' })
      .getByText('restore', { exact: true })
      .waitFor();
  });
});

describe('connecting', () => {
  it('tells within sight what is wrong, once', async () => {
    const answer = failsAtAddress({ kind: 'notThePlatform', status: 200 });
    const page = await open(firstRun, { answers: { 'profile:connect': answer } });
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await fillConnection(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    const reason = page.getByText('Something other than the platform answers at this address.');
    await reason.waitFor();
    const box = await reason.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(768);
    expect(await page.locator('.failure-says').count()).toBe(1);
  });
});

describe('signing in', () => {
  it("shows the platform's reason once and forgets the password", async () => {
    const page = await open(signedOut);
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The user credentials were incorrect.').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await callsOf(page, 'session:signIn')).toHaveLength(1);
  });
});

describe('a main process that no longer answers', () => {
  it('is said, and the page comes back with it', async () => {
    const page = await open();
    await goAway(page, true);
    await scan(page, coffee);
    await page.getByRole('alertdialog', { name: 'Tillside has stopped answering' }).waitFor();
    await goAway(page, false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  it('is said although nobody touches anything, and its return too', async () => {
    const page = await open();
    await goAway(page, true);
    await page.getByRole('alertdialog', { name: 'Tillside has stopped answering' }).waitFor();
    await goAway(page, false);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });
});

describe('a mistake in a screen', () => {
  it('is said instead of a blank page, and trying again helps once it has passed', async () => {
    const { page } = await stage.open({ state: readyState(nowMs), nowMs }, undefined, { mayComplain: true });
    await page.getByRole('main').waitFor();
    await page.evaluate(() => {
      const own = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format') ?? {};
      Object.assign(window, { mend: () => Object.defineProperty(Intl.NumberFormat.prototype, 'format', own) });
      Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
        configurable: true,
        get: () => {
          throw new Error('made by the test');
        },
      });
    });
    await scan(page, coffee);
    await page.getByRole('alertdialog', { name: 'Tillside has stopped answering' }).waitFor();
    await page.evaluate(() => (window as unknown as { mend: () => void }).mend());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: /Café/ }).waitFor();
  });
});

describe('the language', () => {
  it("changes at once, with the page's own", async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Português', { exact: true }).click();
    await page.getByRole('heading', { name: 'Ajustes' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
  });
});

it('a page that nobody sees does not tick, and does so at once when it is seen again', async () => {
  const page = await open();
  await page.clock.install();
  const setVisibility = (state: DocumentVisibilityState) =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibilityState });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const countReads = async () => (await callsOf(page, 'terminal:read')).length;
  await setVisibility('hidden');
  const before = await countReads();
  await page.clock.runFor(600_000);
  expect(await countReads()).toBe(before);
  await setVisibility('visible');
  expect(await countReads()).toBe(before + 1);
  await page.clock.runFor(31_000);
  expect(await countReads()).toBeGreaterThan(before + 1);
});
