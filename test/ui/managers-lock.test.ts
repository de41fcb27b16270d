import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fromAccount } from '../support/account.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan, typeScan } from '../support/wedge.ts';
import { callsOf, changeState, goAway, inputsOf, loseAnswer, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { showAt, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setAnswers } from './scenes/coupon-sets.ts';
import { couponUpdates } from './scene-updates.ts';
import { card } from './scene-fixtures.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();
const { lock } = readyState(nowMs);
const locked: TerminalState['lock'] = { ...lock, hasPin: true };

async function open(
  at: string,
  scene: Partial<Scene> = {},
  state: Partial<TerminalState> = {},
  size?: { width: number; height: number },
  context: BrowserContextOptions = {},
  isOwn = false,
): Promise<Page> {
  const { page } = await stage.open(
    {
      state: readyState(nowMs, { lock: scene.pin === undefined ? lock : locked, ...state }),
      nowMs,
      updates: couponUpdates,
      ...scene,
    },
    size,
    { context, isOwn },
  );
  await page.locator('main').waitFor();
  await showAt(page, at);
  return page;
}

/** The coupons' list, with its first switch asked for. */
async function ask(
  scene: Partial<Scene> = {},
  state: Partial<TerminalState> = {},
  size?: { width: number; height: number },
  isOwn = false,
): Promise<{ page: Page; dialog: Locator; field: Locator }> {
  const page = await open('#coupons', { pin: '2580', ...scene }, state, size, {}, isOwn);
  await page.getByRole('switch', { name: /Produto de exemplo 1$/ }).click({ force: true });
  const dialog = page.getByRole('dialog', { name: "Manager's PIN" });
  await dialog.waitFor();
  return { page, dialog, field: dialog.getByRole('textbox', { name: 'PIN' }) };
}

/** As a person types: slower than any scanner. */
const type = (page: Page, digits: string): Promise<void> => page.keyboard.type(digits, { delay: 130 });

describe('the question for the PIN', () => {
  it('says which product it is also where the copy does not have it', async () => {
    const { dialog } = await ask({ answers: { 'product:readMany': { ok: true, value: [null] } } });
    await dialog.getByText(/^Switch the coupon (on|off): Product \d+$/).waitFor();
  });

  it('says which set would be saved', async () => {
    const page = await open('#coupons', { pin: '2580', answers: { 'couponSet:list': setAnswers['couponSet:list'] } });
    await page.locator('.coupon-row .coupon-tick').first().click();
    await page.getByRole('button', { name: 'Save as set' }).click();
    await page.getByRole('dialog').getByLabel('Name of the set').fill('Weekend');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: "Manager's PIN" }).getByText('Save the set “Weekend”.').waitFor();
    expect(await callsOf(page, 'couponSet:save')).toHaveLength(1);
  });

  it('says what is locked and for how long, takes hidden digits by keyboard, and makes the call again', async () => {
    const { page, dialog, field } = await ask({
      answers: { 'product:readMany': { ok: true, value: [card({ name: 'Produto de exemplo 1' })] } },
    });
    await dialog.getByText(/^Switch the coupon (on|off): Produto de exemplo 1$/).waitFor();
    await dialog.getByText('Switching coupons is locked.').waitFor();
    await dialog.getByText('opens it for 2 minutes').waitFor();
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await type(page, '25a80');
    expect(await field.inputValue()).toBe('••••');
    await page.keyboard.press('Backspace');
    await type(page, '0');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const [first, ...again] = await callsOf(page, 'coupon:switch');
    expect(again).toEqual([first]);
    // Nothing of the PIN stays in the page.
    expect(await page.content()).not.toContain('2580');
    await page
      .locator('.account')
      .filter({ hasText: /open for \d/ })
      .waitFor();
    await fromAccount(page, /^Lock again what the PIN opened/);
    await page.locator('.account-open').waitFor({ state: 'hidden' });
  });

  it('takes the keys on the screen at the end of its bullets, wherever the caret is', async () => {
    const { page, dialog, field } = await ask();
    const press = (key: string): Promise<void> => dialog.locator(`[data-key="${key}"]`).click();
    const select = (...range: readonly [number, number]): Promise<void> =>
      field.evaluate((element, ends) => (element as HTMLInputElement).setSelectionRange(...ends), range);
    await type(page, '2589');
    await select(0, 0);
    await press('delete');
    expect(await field.inputValue()).toBe('•••');
    await select(1, 2);
    await press('0');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('takes the digits that are still typed when it goes by itself, and leaves none to whoever is to come', async () => {
    const { page, dialog } = await ask({}, {}, undefined, true);
    await type(page, '25');
    // The page's clock stands still from here on: what comes late on a slow machine does not come late for the page.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const typeOne = async (digit: string): Promise<void> => {
      await page.keyboard.press(digit);
      await page.clock.runFor(130);
    };
    const one = { canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false };
    const users = ['ana@example.com', 'bea@example.com'].map((email) => ({ ...one, email }));
    await changeState(page, { ...signedOut, cashiers: { lockedEmail: 'ana@example.com', users } });
    await page.clock.runFor(500);
    await dialog.waitFor({ state: 'detached' });
    const own = page.getByRole('textbox', { name: 'PIN of ana' });
    await own.and(page.locator(':focus')).waitFor();
    await typeOne('8');
    await page.clock.runFor(700);
    await typeOne('0');
    expect(await own.inputValue()).toBe('');
    await page.clock.runFor(1_000);
    await typeOne('1');
    await typeOne('3');
    await expect.poll(() => own.inputValue()).toBe('••');
  });

  it('leaves the keys to the screen as soon as the PIN was right', async () => {
    const page = await open('#lookup', { pin: '2580' }, {}, undefined, { reducedMotion: 'no-preference' });
    await scan(page, '7890000000101');
    await page.getByRole('region', { name: /Café/ }).waitFor();
    await page.keyboard.press('F4');
    await page.getByRole('dialog', { name: "Manager's PIN" }).waitFor();
    // Pressed by the page itself, two paintings after the call was made again: while a dialog would still fade out.
    await page.evaluate(() => {
      const { fake } = window as unknown as { fake: { calls: { channel: string }[] } };
      const press = (): boolean =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F4', bubbles: true, cancelable: true }));
      const watch = (): void => {
        const isMadeAgain = fake.calls.filter(({ channel }) => channel === 'coupon:switch').length === 2;
        requestAnimationFrame(isMadeAgain ? () => requestAnimationFrame(press) : watch);
      };
      watch();
    });
    await type(page, '2580');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await callsOf(page, 'coupon:switch')).length).toBe(3);
  });

  it.each([
    { width: 1024, height: 768 },
    { width: 640, height: 480 },
  ])('takes digits by touch alone, at %j', async (size) => {
    const { page, dialog, field } = await ask({}, {}, size);
    for (const digit of ['2', '5', '5']) {
      await dialog.getByRole('button', { name: digit, exact: true }).click();
    }
    await dialog.getByRole('button', { name: 'Delete the last digit' }).click();
    await dialog.getByRole('button', { name: '8', exact: true }).click();
    await expect.poll(() => dialog.getByRole('button', { name: 'Unlock' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: '0', exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe('••••');
    // The pad leaves the keyboard where it is.
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await callsOf(page, 'coupon:switch')).toHaveLength(2);
  });

  it('tells a wrong PIN, counts down after the third, and takes none meanwhile', async () => {
    // A PIN takes its time to be checked: what was said of the one before goes at once.
    const { page, dialog, field } = await ask({ delaysMs: { 'lock:unlock': 400 } });
    for (const [place, wrong] of ['1111', '2222', '3333'].entries()) {
      await type(page, wrong);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await callsOf(page, 'lock:unlock')).length).toBe(place + 1);
      await dialog.getByText('This PIN is not right.').waitFor();
      await expect.poll(() => field.inputValue()).toBe('');
    }
    await dialog.getByText(/Next try in [45] sec/).waitFor();
    await dialog.getByText(/Next try in 3 sec/).waitFor();
    await type(page, '2580');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('');
    await expect.poll(() => callsOf(page, 'lock:unlock')).toHaveLength(3);
    await expect.poll(() => dialog.getByRole('button', { name: '1', exact: true }).isDisabled()).toBe(true);
    await dialog.getByText(/Next try in/).waitFor({ state: 'hidden' });
    await type(page, '2580');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('given up with Escape leaves everything as it was, and says so', async () => {
    const { page, dialog } = await ask();
    const wanted = page.getByRole('switch', { name: /Produto de exemplo 1$/, includeHidden: true });
    // Nothing is on disk: the switch stays as it was, and nothing is said to wait.
    const shown = await wanted.evaluate((input: HTMLInputElement) => [
      input.checked,
      document.getElementById(input.getAttribute('aria-describedby') ?? '')?.dataset['status'],
    ]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('The coupon was not switched.', { exact: true }).waitFor();
    expect(await page.getByText('The manager has locked this.').count()).toBe(0);
    expect(await callsOf(page, 'coupon:switch')).toHaveLength(1);
    expect(page.url()).toContain('#coupons');
    expect(await wanted.isVisible()).toBe(true);
    expect(shown).toEqual([await wanted.isChecked(), 'confirmed']);
  });

  it('is asked once for all who wait, and each call is made again', async () => {
    const { page, dialog } = await ask();
    await page.evaluate(() => {
      // Behind the dialog, as a shortcut or a slow finger would.
      document.querySelectorAll<HTMLInputElement>('.coupon-in-row input')[1]?.click();
    });
    await expect.poll(async () => (await callsOf(page, 'coupon:switch')).length).toBe(2);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await type(page, '2580');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const calls = await callsOf(page, 'coupon:switch', 'lock:unlock');
    expect(calls.map(({ channel }) => channel)).toEqual([
      'coupon:switch',
      'coupon:switch',
      'lock:unlock',
      'coupon:switch',
      'coupon:switch',
    ]);
    expect(calls.slice(3).map(({ input }) => input['productId'])).toEqual(
      calls.slice(0, 2).map(({ input }) => input['productId']),
    );
  });

  it('lets no digit of a scan into the field, takes what was typed before it, and keeps the scan for later', async () => {
    const { page, dialog, field } = await ask();
    await type(page, '25');
    await scan(page, '7890000001001');
    await scan(page, '789000000');
    await expect.poll(() => field.inputValue()).toBe('••');
    await expect.poll(() => dialog.isVisible()).toBe(true);
    expect(await callsOf(page, 'lock:unlock')).toEqual([]);
    await type(page, '80');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await callsOf(page, 'lock:unlock')).toMatchObject([{ input: { pin: '2580' } }]);
  });

  it('stands over another dialog, and Escape closes it alone', async () => {
    const page = await open('#coupons', { pin: '2580' });
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: /Switch on$/ }).click();
    const below = page.getByRole('dialog').filter({ hasNotText: "Manager's PIN" });
    await below.getByRole('button', { name: /^Switch \d+ on$/ }).click();
    const dialog = page.getByRole('dialog', { name: "Manager's PIN" });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // Whoever gives it up knows why nothing was switched.
    await below
      .getByRole('button', { name: /^Switch \d+ on$/ })
      .and(page.locator(':enabled'))
      .waitFor();
    expect(await below.getByRole('alert').count()).toBe(0);
  });

  it('is asked for again where the answer to it was lost, and opens nothing for whoever comes next', async () => {
    const { page, dialog } = await ask();
    await type(page, '2580');
    await loseAnswer(page, 'lock:unlock', () => page.keyboard.press('Enter'));
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => inputsOf(page, 'lock:lockNow')).toContainEqual({ opened: 'coupons' });
    await page.getByRole('switch', { name: /Produto de exemplo 1$/ }).click({ force: true });
    await dialog.waitFor();
  });

  it('is withdrawn when the main process has gone', async () => {
    const { page, dialog } = await ask();
    await goAway(page, true);
    await type(page, '2580');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
  });
});

describe('what is locked', () => {
  it('has its padlock in the colour of the letters beside it, also on a coupon that is on', async () => {
    const page = await open('#lookup', { pin: '2580' });
    await scan(page, '7890000000101');
    const button = page.getByRole('switch', { name: 'Consumption coupon', checked: true });
    const colourOf = (element: Element): string => getComputedStyle(element).color;
    expect(await button.locator('.lock-sign').evaluate(colourOf)).toBe(await button.evaluate(colourOf));
  });

  it('is seen before it is tried, and no longer while a PIN has opened it or where it was not chosen', async () => {
    const page = await open('#coupons', { pin: '2580' });
    const signs = page.locator('main .lock-sign');
    await signs.filter({ visible: true }).first().waitFor();
    await changeState(page, { lock: { ...locked, kinds: ['users'] } });
    await expect.poll(() => signs.count()).toBe(0);
    await changeState(page, { lock: locked });
    await signs.filter({ visible: true }).first().waitFor();
    await changeState(page, {
      lock: { ...locked, openKinds: ['coupons', 'settings'], openUntil: Date.now() + 60_000 },
    });
    await expect.poll(() => signs.count()).toBe(0);
  });
});

describe("the settings of the manager's lock", () => {
  it('set a PIN that is typed twice, change it and remove it', async () => {
    const page = await open('#settings/lock');
    const part = page.getByRole('region', { name: "Manager's PIN" });
    await part.getByText('nothing is locked').waitFor();
    await part.getByRole('button', { name: 'Set a PIN' }).click();
    const dialog = page.getByRole('dialog');
    const enter = async (step: string, pin: string): Promise<void> => {
      const field = dialog.getByRole('textbox', { name: step, exact: true });
      await expect.poll(() => field.inputValue()).toBe('');
      await type(page, pin);
      await page.keyboard.press('Enter');
    };
    await dialog.getByText('Step 1 of 2.').waitFor();
    await enter('New PIN', '1357');
    await enter('New PIN once more', '1358');
    await dialog.getByText('Those two were not the same.').waitFor();
    await enter('New PIN', '1357');
    await enter('New PIN once more', '1357');
    await part.getByText('The PIN is set.').waitFor();
    await part.getByRole('button', { name: 'Change the PIN' }).click();
    await enter('New PIN', '2580');
    await enter('New PIN once more', '2581');
    await dialog.getByText('Those two were not the same.').waitFor();
    await enter('New PIN', '2580');
    await enter('New PIN once more', '2580');
    await enter('Present PIN', '9999');
    await dialog.getByText('This PIN is not right.').waitFor();
    await dialog.getByText('Step 3 of 3.').waitFor();
    await enter('Present PIN', '1357');
    await part.getByText('The PIN has been changed.').waitFor();
    await part.getByRole('button', { name: 'Remove the PIN' }).click();
    await enter('Present PIN', '2580');
    await part.getByText('The PIN has been removed.').waitFor();
    expect((await callsOf(page, 'lock:setPin')).map(({ input }) => input)).toEqual([
      { pin: '1357' },
      { pin: '2580', oldPin: '9999' },
      { pin: '2580', oldPin: '1357' },
      { pin: null, oldPin: '2580' },
    ]);
  });

  it('choose what is locked and for how long it opens, with the PIN where there is one', async () => {
    const page = await open('#settings/lock', { pin: '2580' });
    const part = page.getByRole('region', { name: 'What is locked' });
    await part.getByRole('checkbox', { name: 'Restoring users' }).click();
    const dialog = page.getByRole('dialog', { name: "Manager's PIN" });
    await dialog.getByText('Only the manager may do this.').waitFor();
    await type(page, '2580');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => part.getByRole('checkbox', { name: 'Restoring users' }).isChecked()).toBe(false);
    await part.getByLabel('A PIN opens it for').selectOption({ label: 'one action' });
    expect((await callsOf(page, 'lock:choose')).at(-1)?.input).toEqual({
      kinds: ['coupons', 'settings', 'discarding'],
      opensForMinutes: 0,
    });
  });

  it('list who did what, only what is in sight of hundreds, narrow it to a group, and export it', async () => {
    const page = await open('#settings/lock', { pin: '2580', auditEntries: 500 });
    await page.getByRole('button', { name: 'Show the list' }).click();
    await page.getByRole('dialog').getByText('The list of who did what is locked.').waitFor();
    expect(await page.getByRole('region', { name: 'Who did what' }).count()).toBe(0);
    await type(page, '2580');
    await page.keyboard.press('Enter');
    const list = page.getByRole('region', { name: 'Who did what' });
    await list.getByText('Coupon of Café Torrado Exemplo 500 g switched on').first().waitFor();
    await list.getByText('Keep the history (days): from 30 to 60').first().waitFor();
    expect(await list.getByRole('listitem').count()).toBeLessThan(40);
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Lock' });
    await list.getByText('A wrong PIN was tried').first().waitFor();
    expect(await list.getByText('switched on').count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tillside-who-did-what-\d{4}-\d\d-\d\d\.xlsx$/);
    const before = (await callsOf(page, 'audit:list')).length;
    const reading: typeof locked = { ...locked, openKinds: ['audit'], openUntil: Date.now() + 60_000 };
    await changeState(page, { lock: { ...reading, newestEntry: 1 } });
    await expect.poll(async () => (await callsOf(page, 'audit:list')).length).toBeGreaterThan(before);
    // A change made while nobody looked is there at the next look, too.
    await page.getByRole('link', { name: 'You', exact: true }).click();
    await list.waitFor({ state: 'hidden' });
    await changeState(page, { lock: { ...reading, newestEntry: 2 } });
    const left = (await callsOf(page, 'audit:list')).length;
    await page.getByRole('link', { name: 'People and locks' }).click();
    await expect.poll(async () => (await callsOf(page, 'audit:list')).length).toBeGreaterThan(left);
  });

  it('narrow who did what to a day by this machine’s calendar and to a person, also in its file', async () => {
    const page = await open('#settings/lock', { auditEntries: 40 });
    const list = page.getByRole('region', { name: 'Who did what' });
    await list.getByRole('listitem').first().waitFor();
    const asked = async (): Promise<unknown> => (await inputsOf(page, 'audit:list')).at(-1);
    const whole = { group: 'all', offset: 0, limit: 100 };
    const days = page.getByLabel('Day', { exact: true });
    const [all, ...others] = await days.locator('option').allInnerTexts();
    // Shortly after midnight the entries are of two days.
    expect([all, others.length <= 2]).toEqual(['All days', true]);
    await days.selectOption({ index: others.length });
    const [from, until] = await page.evaluate(
      (back) =>
        [0, 24].map((hour) => {
          const moment = new Date();
          moment.setDate(moment.getDate() - back);
          return moment.setHours(hour, 0, 0, 0);
        }),
      others.length - 1,
    );
    await expect.poll(asked).toEqual({ ...whole, from, until });
    await list.getByRole('listitem').first().waitFor();
    const persons = page.getByLabel('Person', { exact: true });
    await persons.selectOption({ label: 'Nobody signed in' });
    await expect.poll(asked).toEqual({ ...whole, from, until, email: null });
    await page.getByText('Nothing of that').waitFor();
    await days.selectOption({ label: 'All days' });
    await persons.selectOption({ label: 'ana@example.com' });
    await expect.poll(asked).toEqual({ ...whole, email: 'ana@example.com' });
    await list.getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: 'Save as file' }).click();
    const saved = { group: 'all', after: 0, email: 'ana@example.com' };
    await expect.poll(() => inputsOf(page, 'audit:export')).toEqual([saved]);
    // The newest entry writes the person otherwise, or the oldest one of theirs is forgotten.
    for (const [people, shown] of [
      [['Ana@example.com'], 'Ana@example.com'],
      [[], 'ana@example.com'],
    ] as const) {
      const value = { total: 0, rows: [], people, oldestAt: Date.now() };
      await setAnswer(page, 'audit:list', { ok: true, value });
      const before = (await callsOf(page, 'audit:list')).length;
      await days.selectOption({ index: people.length });
      await expect.poll(async () => (await callsOf(page, 'audit:list')).length).toBeGreaterThan(before);
      await expect
        .poll(() => persons.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label))
        .toBe(shown);
    }
  });

  it('say in an empty list what will stand there', async () => {
    const page = await open('#settings/lock');
    await page.getByText('Nothing yet').waitFor();
  });
});

describe('the screens of a cashier', () => {
  const cashierScreens = { stock: false, stocktakes: true };
  const held = { ...locked, kinds: ['settings' as const] };

  it('are those that a manager has left, by link, key and address, until a PIN opens the settings', async () => {
    const page = await open('#stock', { pin: '2580' }, { cashierScreens, lock: held });
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const lookup = page.getByRole('main', { name: 'Lookup' });
    await lookup.waitFor();
    expect(await links.allInnerTexts()).toEqual(['Lookup', 'Count', 'Coupons', 'Queue', 'Settings']);
    await page.keyboard.press('Alt+T');
    await page.getByRole('main', { name: 'Count' }).waitFor();
    await page.keyboard.press('Alt+O');
    expect(await page.getByRole('main', { name: 'Count' }).count()).toBe(1);
    await changeState(page, { lock: { ...held, openKinds: ['settings'], openUntil: Date.now() + 60_000 } });
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByRole('main', { name: 'Stock' }).waitFor();
    await changeState(page, { lock: held });
    await lookup.waitFor();
  });

  it('are all of them where no PIN holds the settings', async () => {
    const page = await open('#stock', {}, { cashierScreens });
    await page.getByRole('main', { name: 'Stock' }).waitFor();
  });

  it('are chosen in the settings, and saved at once', async () => {
    const page = await open('#settings/lock');
    await page.getByRole('region', { name: 'Screens of a cashier' }).getByLabel('Count').uncheck();
    await expect
      .poll(() => callsOf(page, 'settings:update'))
      .toMatchObject([{ input: { cashierScreens: { stock: true, stocktakes: false } } }]);
  });
});

it('a PIN that is rolled over the keys in its dialog is no scan, and its Enter tries it', async () => {
  const { page } = await stage.open({
    state: readyState(nowMs, { lock: { ...lock, hasPin: true, kinds: ['coupons'] } }),
    nowMs,
    pin: '4567',
  });
  await page.locator('.finder-input').waitFor();
  await scan(page, '7890000000101');
  await page.getByRole('region', { name: /Café/ }).waitFor();
  await page.keyboard.press('F4');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const session = await page.context().newCDPSession(page);
  await typeScan((method, key) => session.send(method, key), '4567', { end: null, pauses: { 1: 28, 2: 28, 3: 28 } });
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => inputsOf(page, 'coupon:switch')).toHaveLength(2);
  expect((await inputsOf(page, 'lookup:find')).map(({ text }) => text)).toEqual(['7890000000101']);
});
