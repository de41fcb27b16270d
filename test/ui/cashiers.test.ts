import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fromAccount } from '../support/account.ts';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan, typeScan } from '../support/wedge.ts';
import { changeState, inputsOf, letAnswer, setAnswer } from './fake.ts';
import type { Fake, Scene } from './fake-bridge.ts';
import { showAt, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();
const users: TerminalState['cashiers']['users'] = [
  { email: 'ana@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false },
  { email: 'bea@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false },
  { email: 'caio@example.com', canComeBack: false, waitUntil: null, pinLength: 4, hasBadge: false },
];
const locked: Partial<TerminalState> = { ...signedOut, cashiers: { lockedEmail: 'ana@example.com', users } };
const atWork: Partial<TerminalState> = { cashiers: { lockedEmail: null, users } };

async function open(state: Partial<TerminalState>, scene: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...scene });
  await page.locator('main').waitFor();
  return page;
}

/** As a person types: slower than any scanner. */
const type = (page: Page, digits: string): Promise<void> => page.keyboard.type(digits, { delay: 130 });

it('Ctrl+L and the menu lock from any screen and from behind a dialog; without a PIN neither is there', async () => {
  const page = await open(atWork);
  await page.locator('.finder-input').waitFor();
  await page.keyboard.press('Control+l');
  await fromAccount(page, 'Sign out');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Control+l');
  await page.keyboard.press('Escape');
  await fromAccount(page, 'Lock the till');
  await expect.poll(() => inputsOf(page, 'cashier:lock')).toEqual([{}, {}, {}]);

  await changeState(page, { cashiers: { lockedEmail: null, users: users.slice(1) } });
  await page.locator('.account').click();
  const items = page.getByRole('menuitem');
  await expect.poll(() => items.allInnerTexts()).toEqual(['Set a PIN to change quickly', 'Sign out']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+l');
  await page.keyboard.press('F1');
  await page.getByRole('dialog').waitFor();
  expect(await inputsOf(page, 'cashier:lock')).toHaveLength(3);
  await page.keyboard.press('Escape');
  await page.locator('.account').click();
  await items.first().click();
  // It is asked for at once, and the keyboard comes back to where it is.
  await page.getByRole('dialog', { name: 'Set a PIN' }).waitFor();
  await page.keyboard.press('Escape');
  const set = page.getByRole('region', { name: 'Your PIN' }).getByRole('button', { name: 'Set a PIN' });
  await expect.poll(() => set.evaluate((one) => one === document.activeElement)).toBe(true);
});

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.innerText : ''));

it('the header has one control of who is here, usable by keys alone, and nothing of it stays open', async () => {
  const page = await open(atWork);
  const account = page.locator('.account');
  await account.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focusedName(page)).toMatch(/^Lock the till/);
  await page.keyboard.press('ArrowDown');
  expect(await focusedName(page)).toBe('B\nChange to bea@example.com');
  await page.keyboard.press('End');
  expect(await focusedName(page)).toBe('Sign out');
  await page.keyboard.press('ArrowDown');
  expect(await focusedName(page)).toMatch(/^Lock the till/);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await account.evaluate((button) => button === document.activeElement)).toBe(true);
  for (const leave of [
    () => page.locator('main').click({ position: { x: 5, y: 5 } }),
    () => page.keyboard.press('Tab'),
    () => scan(page, '7890000000101'),
  ]) {
    await account.click();
    await page.getByRole('menu').waitFor();
    await leave();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  expect(await account.innerText()).not.toContain('open for');
  await changeState(page, { lock: { ...readyState(nowMs).lock, openUntil: Date.now() + 60_000 } });
  await account.filter({ hasText: /open for \d/ }).waitFor();
  expect(await page.locator('.header button').count()).toBe(1);
});

it('a colleague signs in with the last digit, after two touches from work or one from a locked till', async () => {
  const page = await open(atWork);
  await fromAccount(page, /^Change to bea@example\.com/);
  await expect.poll(() => inputsOf(page, 'cashier:lock')).toEqual([{}]);
  await changeState(page, locked);
  const bea = page.getByRole('button', { name: /^bea/ });
  await expect.poll(() => bea.getAttribute('aria-pressed')).toBe('true');
  await type(page, '471');
  expect(await inputsOf(page, 'cashier:comeBack')).toEqual([]);
  await type(page, '1');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);

  const other = await open(locked);
  await other.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
  await other.getByRole('button', { name: /^bea/ }).click();
  await type(other, '4711');
  await expect.poll(() => inputsOf(other, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
  expect(await other.content()).not.toContain('4711');
});

it.each([
  ['some', '47', '11'],
  ['all', '4711', ''],
])('%s of the digits may be typed before the lock screen is up, and none is seen', async (_how, before, after) => {
  const page = await open(atWork, { delaysMs: { 'cashier:lock': Infinity } });
  // A page that has only begun still takes the keyboard to its field.
  await page.locator('.finder-input:focus').waitFor();
  await fromAccount(page, /^Change to bea@example\.com/);
  await page.locator('.early-pin:focus').waitFor();
  await type(page, before);
  // Not by all texts of the page: a time of day or an age may have the same digits.
  const shown = await page
    .locator('input:not(.early-pin)')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  expect(shown).toContain('');
  expect(shown.filter((value) => value.includes(before))).toEqual([]);
  await changeState(page, locked);
  await type(page, after);
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
  expect(await page.locator('input.early-pin').count()).toBe(0);
  for (const channel of ['lookup:find', 'lookup:findSimilar'] as const) {
    expect(await inputsOf(page, channel)).toEqual([]);
  }
});

it('an answer that comes late leaves the keyboard to the early digits', async () => {
  const page = await open(atWork, { delaysMs: { 'lookup:find': Infinity, 'cashier:lock': Infinity } });
  await page.locator('.finder-input:focus').waitFor();
  await scan(page, '7890000000101');
  // A lookup closes the menu when it shows that it has begun, which is a moment after the call.
  await expect.poll(() => page.locator('.finder-input').inputValue()).toBe('7890000000101');
  await fromAccount(page, /^Change to bea@example\.com/);
  await type(page, '47');
  letAnswer(page);
  await page.locator('.card').waitFor();
  await type(page, '1');
  await changeState(page, locked);
  await type(page, '1');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
});

it.each(['before', 'after'])('early digits stay when the till was locked, told %s its refusal', async (told) => {
  const page = await open(atWork, {
    delaysMs: { 'cashier:lock': Infinity },
    answers: { 'cashier:lock': { ok: false, failure: { kind: 'signInNeeded' } } },
  });
  const script = Promise.withResolvers<void>();
  await page.route('**/lock-screen*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.locator('.finder-input:focus').waitFor();
  await fromAccount(page, /^Change to bea@example\.com/);
  await type(page, '47');
  if (told === 'before') {
    await changeState(page, locked);
  }
  letAnswer(page);
  await expect.poll(() => page.evaluate(() => (window as unknown as { fake: Fake }).fake.isAnswered())).toBe(true);
  await changeState(page, locked);
  await type(page, '1');
  script.resolve();
  await page.getByRole('textbox', { name: 'PIN of bea' }).waitFor();
  await type(page, '1');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
});

it.each([
  ['the till is not locked', { answers: { 'cashier:lock': { ok: false, failure: { kind: 'notReady' } } } }, null],
  ['a person goes elsewhere', {}, (page: Page) => page.locator('.finder-input').click()],
  ['a person gives up', {}, (page: Page) => page.keyboard.press('Escape')],
])('of early digits nothing is kept when %s', async (_why, scene, leave) => {
  const page = await open(atWork, scene);
  await fromAccount(page, /^Change to bea@example\.com/);
  if (leave !== null) {
    await type(page, '47');
    await leave(page);
  }
  await expect.poll(() => page.locator('input.early-pin').count()).toBe(0);
  await changeState(page, locked);
  const field = page.getByRole('textbox', { name: 'PIN of bea' });
  await field.waitFor();
  expect(await field.inputValue()).toBe('');
});

it('a code that is scanned before the lock screen is up is tried as no PIN', async () => {
  const page = await open(atWork, { delaysMs: { 'cashier:lock': 300 } });
  await fromAccount(page, /^Change to bea@example\.com/);
  await scan(page, '7890000000101');
  await changeState(page, locked);
  const field = page.getByRole('textbox', { name: 'PIN of bea' });
  await field.waitFor();
  expect(await field.inputValue()).toBe('');
  await type(page, '4711');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
});

it('a PIN whose length is not known yet is handed on by Enter or its button', async () => {
  const ofBefore = users.map((user) => ({ ...user, pinLength: null }));
  const page = await open({ ...locked, cashiers: { lockedEmail: 'ana@example.com', users: ofBefore } });
  const field = page.getByRole('textbox', { name: 'PIN of ana' });
  await field.waitFor();
  await type(page, '2580139');
  expect(await field.inputValue()).toBe('••••••');
  expect(await inputsOf(page, 'cashier:comeBack')).toEqual([]);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'ana@example.com', pin: '258013' }]);
});

it.each([
  ['the one that comes', ['7890000000101'], 'ana@example.com'],
  ['the last of several, whoever comes', ['7890000000202', '7890000000101'], 'bea@example.com'],
])(
  'where looking up needs a sign-in a scan at the locked till is seen after the PIN, and not before: %s',
  async (_which, codes, email) => {
    const { session } = readyState(nowMs);
    const page = await open({ ...locked, lookupNeedsSignIn: true });
    await page.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
    for (const code of codes) {
      await scan(page, code);
      await page.getByText('shown once somebody has signed in').waitFor();
    }
    expect(await inputsOf(page, 'lookup:find')).toEqual([]);
    expect(await page.content()).not.toContain('7890000000');
    await changeState(page, { ...atWork, phase: 'ready', session: { ...session, email } });
    await page.locator('.card').first().waitFor();
    expect(await page.locator('.finder-input').inputValue()).toContain('7890000000101');
    expect((await inputsOf(page, 'lookup:find')).map(({ text }) => text)).toEqual(codes);
    expect(await page.locator('.early-scan').count()).toBe(0);
  },
);

it('a scan at a locked till is for no other shop', async () => {
  const { session, profile } = readyState(nowMs);
  const page = await open({ ...locked, lookupNeedsSignIn: true });
  await page.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
  await scan(page, '7890000000101');
  await page.getByText('shown once somebody has signed in').waitFor();
  const other = profile === null ? null : { ...profile, companyId: '99' as typeof profile.companyId };
  await changeState(page, { ...atWork, phase: 'ready', session, profile: other, profileId: 2 });
  await page.locator('.finder-input').waitFor();
  expect(await inputsOf(page, 'lookup:find')).toEqual([]);
  expect(await page.locator('.card').count()).toBe(0);
});

it('a scan at the PIN is a scan: none of its digits is tried as one, also after the scanner’s pauses', async () => {
  const page = await open(locked);
  const field = page.getByRole('textbox', { name: 'PIN of ana' });
  for (const pauses of [{}, { 1: 60, 2: 60 }, { 4: 200 }, { 4: 450 }]) {
    await field.waitFor();
    await scan(page, '7890000000101', { pauses });
    await page.locator('.card').first().waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  await field.waitFor();
  expect(await inputsOf(page, 'cashier:comeBack')).toEqual([]);
  expect(await field.inputValue()).toBe('');
});

it('nor is any of a scanner that is as slow as the settings allow', async () => {
  const page = await open({
    ...locked,
    scanner: { ...defaultScanner, charactersAtLeast: 6, meanGapMs: 50, silenceMs: 150 },
  });
  const field = page.getByRole('textbox', { name: 'PIN of ana' });
  await field.waitFor();
  const session = await page.context().newCDPSession(page);
  const code = '7890000000101';
  const pauses = Object.fromEntries([...code, 'Enter'].map((_key, place) => [place, 40]));
  await typeScan(
    async (method, event) => {
      await new Promise((resolve) => setTimeout(resolve, event.timestamp * 1000 - Date.now()));
      await session.send(method, event);
    },
    code,
    { pauses },
  );
  await page.locator('.card').first().waitFor();
  expect(await inputsOf(page, 'cashier:comeBack')).toEqual([]);
});

it('names and PIN stand on one screen, which is walked by keyboard alone, and digits are hidden', async () => {
  const page = await open(locked);
  await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
  const field = page.getByRole('textbox', { name: 'PIN of ana' });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await type(page, '258');
  expect(await field.inputValue()).toBe('•••');
  await page.keyboard.press('Escape');
  const ana = page.getByRole('button', { name: /^ana/ });
  await expect.poll(() => ana.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const beas = page.getByRole('textbox', { name: 'PIN of bea' });
  await expect.poll(() => beas.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await beas.inputValue()).toBe('');
});

it.each([3, 50])('at 1024 by 768 nothing of the lock screen is below its edge, with %i names', async (count) => {
  const many = Array.from({ length: count }, (_, place) => ({ ...users[0], email: `cashier${place}@example.com` }));
  const page = await open({
    ...locked,
    connection: { state: 'offline', since: nowMs - 60_000, failure: { kind: 'unreachable' } },
    cashiers: { lockedEmail: 'cashier0@example.com', users: many as typeof users },
  });
  await page.getByText('Offline: your PIN works without a network.').waitFor();
  for (const place of ['.entry', '.entry-main', 'html']) {
    expect(await page.locator(place).evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  }
  for (const shown of [page.locator('.pin-key').last(), page.getByRole('button', { name: 'Language, connection' })]) {
    const box = await shown.boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThanOrEqual(768);
  }
  expect(await page.getByRole('button', { name: 'Change the connection' }).count()).toBe(0);
  expect(await page.getByText('Español').count()).toBe(0);
  await page.getByRole('button', { name: 'Language, connection, support' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change the connection' }).waitFor();
  await page.getByRole('dialog').getByText('Español').waitFor();
});

it.each([
  [911, 512],
  [1093, 614],
])(
  'at %i by %i, 1366 by 768 in larger letters, names, field and all keys of the PIN are in sight',
  async (width, height) => {
    const page = await open(locked);
    await page.setViewportSize({ width, height });
    for (const shown of [
      page.getByRole('button', { name: /^bea/ }),
      page.getByRole('textbox', { name: 'PIN of ana' }),
      page.locator('.pin-key').last(),
      page.getByRole('button', { name: 'Sign in with e-mail and password' }),
    ]) {
      const panel = await page.locator('.till').boundingBox();
      const box = await shown.boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThanOrEqual(
        Math.min(height, (panel?.y ?? 0) + (panel?.height ?? 0)),
      );
    }
  },
);

it('who comes begins at the lookup, with what was scanned since the lock and nothing from before', async () => {
  const { session } = readyState(nowMs);
  const page = await open({ ...atWork });
  await page.locator('.finder-input').waitFor();
  await scan(page, '7890000000101');
  await page.locator('.card').first().waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'People and locks' }).click();
  await page.getByRole('heading', { name: 'Who did what' }).waitFor();
  await changeState(page, locked);
  await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
  await changeState(page, { ...atWork, phase: 'ready', session: { ...session, email: 'bea@example.com' } });
  await page.locator('.finder-input').waitFor();
  expect(await page.locator('.finder-input').inputValue()).toBe('');
  expect(await page.locator('.card').count()).toBe(0);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Language and look' }).waitFor();

  await changeState(page, locked);
  await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
  await scan(page, '7890000000101');
  await page.locator('.card').first().waitFor();
  await page.getByRole('button', { name: 'Sign in to switch it' }).click();
  await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
  await changeState(page, {
    ...atWork,
    phase: 'ready',
    session: { ...session, email: 'bea@example.com' },
    connection: readyState(nowMs).connection,
  });
  await page.getByRole('switch').first().waitFor();
  expect(await page.locator('.finder-input').inputValue()).toContain('7890000000101');
});

it('what was being typed when the till was locked is there for the same person, and for nobody else', async () => {
  const { session } = readyState(nowMs);
  const page = await open(atWork);
  const shelf = page.getByRole('textbox', { name: 'Shelf or name' });
  const comes = async (email: string): Promise<void> => {
    await changeState(page, locked);
    await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
    await changeState(page, { ...atWork, phase: 'ready', session: { ...session, email } });
    await page.locator('.finder-input').waitFor();
    await page.keyboard.press('Alt+T');
    await shelf.waitFor();
  };
  await page.keyboard.press('Alt+T');
  await shelf.fill('Shelf 7');
  await comes(session.email ?? '');
  expect(await shelf.inputValue()).toBe('Shelf 7');
  await comes('bea@example.com');
  expect(await shelf.inputValue()).toBe('');
  await comes(session.email ?? '');
  expect(await shelf.inputValue()).toBe('');
});

it('a wrong PIN is said and asked for again; who needs the password is led to it with the e-mail typed', async () => {
  const page = await open(locked, {
    answers: { 'cashier:comeBack': { ok: false, failure: { kind: 'pinWrong', retryAfterMs: 0 } } },
  });
  await page.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
  for (const digit of ['2', '5', '8', '0']) {
    await page.getByRole('button', { name: digit, exact: true }).click();
  }
  await expect.poll(() => page.getByRole('status').filter({ hasText: 'This PIN is not right.' }).count()).toBe(1);
  await page.getByRole('button', { name: /^caio/ }).click();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('caio@example.com');
  await page.getByRole('button', { name: /^ana/ }).click();
  await page.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
  // Whoever comes by another way than a tile is somebody else than who has locked it.
  await changeState(page, { session: { ...signedOut.session, email: 'ana@example.com' } });
  await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
});

it('whoever types a wrong password where others sign in by a PIN is not sent to the connection', async () => {
  const page = await open(locked, {
    answers: { 'session:signIn': { ok: false, failure: { kind: 'credentialsRejected', status: 401 } } },
  });
  const alert = page.getByRole('alert');
  const refuse = async (): Promise<void> => {
    await page.getByRole('textbox', { name: 'E-mail' }).fill('dora@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await alert.waitFor();
  };
  await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
  await refuse();
  await alert.getByText('Check the e-mail and the password, and sign in again.').waitFor();
  expect(await alert.innerText()).not.toMatch(/client/);

  await changeState(page, { cashiers: { lockedEmail: null, users: [] } });
  await refuse();
  await alert.getByText(/the client ID or the client secret may be wrong/).waitFor();
});

it('a touch is told where a rest locks the till, and nowhere else', async () => {
  const idle = await open({ ...atWork, cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: true } });
  await idle.keyboard.press('F1');
  await idle.getByRole('dialog').waitFor();
  expect(await inputsOf(idle, 'cashier:noteActivity')).toEqual([]);
  const counted = await open({ ...atWork, cashierChange: { keptDays: 30, lockAfterMinutes: 5, badges: true } });
  await expect.poll(() => inputsOf(counted, 'cashier:noteActivity')).toEqual([{}]);
});

it('whoever is signed in sets a PIN of their own, typed twice, and the manager takes one away', async () => {
  const page = await open({ cashiers: { lockedEmail: null, users: users.slice(1) } });
  await showAt(page, '#settings/general');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  for (const digits of ['2580', '2580']) {
    await expect.poll(() => page.getByRole('textbox').and(page.locator(':focus')).inputValue()).toBe('');
    await type(page, digits);
    await page.keyboard.press('Enter');
  }
  await expect.poll(() => inputsOf(page, 'cashier:setPin')).toEqual([{ pin: '2580' }]);
  await changeState(page, atWork);
  const change = page.getByRole('button', { name: 'Change the PIN' });
  await expect.poll(() => change.evaluate((button) => button === document.activeElement)).toBe(true);
  await showAt(page, '#settings/lock');
  await page.getByRole('button', { name: 'Remove the PIN of bea@example.com' }).click();
  const question = page.getByRole('dialog', { name: 'Remove the PIN of bea@example.com?' });
  await question.getByText('this user then needs the password and a network').waitFor();
  await question.getByRole('button', { name: 'Keep it' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'cashier:forget')).toEqual([]);
  await page.getByRole('button', { name: 'Remove the PIN of bea@example.com' }).click();
  await question.getByRole('button', { name: 'Remove the PIN', exact: true }).click();
  await expect.poll(() => inputsOf(page, 'cashier:forget')).toEqual([{ email: 'bea@example.com' }]);
  await changeState(page, { cashiers: { lockedEmail: null, users: users.slice(0, 1) } });
  await question.waitFor({ state: 'detached' });
  // The button has gone with the row.
  const list = page.getByRole('group', { name: 'Who has a PIN here' });
  await expect.poll(() => list.evaluate((one) => one === document.activeElement)).toBe(true);
});

it.each([
  ['vaultLocked', "This machine's keychain is locked, and a PIN or a badge needs it. Unlock it"],
  ['vaultUnavailable', "This machine's keychain does not take your sign-in"],
  ['nothingToKeep', 'The platform gives no sign-in that can be kept'],
])('who cannot have a PIN here is told before the first digit, with what to do: %s', async (why, words) => {
  const refusal =
    why === 'nothingToKeep' ? { ok: true, value: { outcome: why } } : { ok: false, failure: { kind: why } };
  const page = await open(
    { cashiers: { lockedEmail: null, users: users.slice(1) } },
    { answers: { 'session:keep': refusal } },
  );
  await showAt(page, '#settings/general');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  await page.getByRole('alert').filter({ hasText: words }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await changeState(page, atWork);
  await page.getByRole('button', { name: 'Make a badge' }).click();
  await expect.poll(() => page.getByRole('alert').filter({ hasText: words }).count()).toBe(2);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

const code = 'TILL0123456789012345';

it('a badge at a locked till is handed on, nowhere looked up, and leads whoever needs it to the password', async () => {
  const page = await open(locked, {
    answers: { 'cashier:scanBadge': { ok: true, value: { outcome: 'passwordFirst', email: 'caio@example.com' } } },
  });
  await page.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
  await scan(page, code);
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toEqual([{ code }]);
  await page.getByRole('alert').filter({ hasText: 'caio@example.com needs the password first.' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('caio@example.com');
  expect(await inputsOf(page, 'lookup:find')).toEqual([]);
  expect(await page.content()).not.toContain(code.slice(4));
  await setAnswer(page, 'cashier:scanBadge', { ok: false, failure: { kind: 'vaultLocked' } });
  await scan(page, code);
  await page.getByRole('alert').filter({ hasText: 'badges cannot be checked. Type your PIN.' }).waitFor();
});

it('a badge at work is taken from any field or dialog; an unknown or typed one is refused in words', async () => {
  const unknown = { ok: false, failure: { kind: 'badgeUnknown', retryAfterMs: 5000 } };
  const page = await open(atWork, { answers: { 'cashier:scanBadge': unknown } });
  await page.locator('.finder-input').waitFor();
  await scan(page, code);
  await page.getByRole('alert').filter({ hasText: 'Nobody has this badge here.' }).waitFor();
  await fromAccount(page, 'Sign out');
  await page.getByRole('dialog').waitFor();
  await scan(page, `]C0${code}`);
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toEqual([{ code }, { code }]);
  await page.keyboard.press('Escape');
  await scan(page, code.slice(0, -2));
  await page.getByRole('alert').filter({ hasText: 'The badge was not read whole.' }).waitFor();
  await page.locator('.finder-input').fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'A badge is scanned, never typed.' }).waitFor();
  expect(await page.locator('.finder-input').inputValue()).toBe('');
  expect([await inputsOf(page, 'lookup:find'), await inputsOf(page, 'cashier:scanBadge')]).toEqual([
    [],
    [{ code }, { code }],
  ]);
});

it('a coupon pressed while badges are being read is switched for nobody before all of them are', async () => {
  const page = await open(atWork, {
    answers: { 'cashier:scanBadge': { ok: true, value: { outcome: 'here', email: 'ana@example.com' } } },
    delaysMs: { 'cashier:scanBadge': Infinity },
  });
  await page.locator('.finder-input').waitFor();
  await scan(page, '7890000000101');
  await page.getByRole('switch', { name: 'Consumption coupon' }).waitFor();
  await scan(page, code);
  await scan(page, code);
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toHaveLength(2);
  await page.getByRole('switch', { name: 'Consumption coupon' }).click();
  expect(await inputsOf(page, 'coupon:switch')).toEqual([]);
  letAnswer(page);
  await expect.poll(() => inputsOf(page, 'coupon:switch')).toHaveLength(1);
});

it('a change at work closes what was open, and one’s own badge says who is signed in', async () => {
  const page = await open(atWork, {
    answers: { 'cashier:scanBadge': { ok: true, value: { outcome: 'here', email: 'ana@example.com' } } },
  });
  await page.locator('.finder-input').waitFor();
  await scan(page, code);
  await page.getByRole('status').filter({ hasText: 'You are signed in already: ana@example.com' }).waitFor();
  await fromAccount(page, 'Sign out');
  await page.getByRole('dialog').waitFor();
  await changeState(page, {
    session: { state: 'signedIn', email: 'bea@example.com', keptIn: 'keychain', failure: null },
  });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // It is not said any more of a till that was locked since.
  await page.locator('.badge-note').waitFor();
  await changeState(page, locked);
  await page.locator('.badge-note').waitFor({ state: 'detached' });
});

it('a badge is made with the PIN, shown as bars alone, printed, and gone with its dialog', async () => {
  const page = await open(atWork, { answers: { 'cashier:makeBadge': { ok: true, value: { code } } } });
  await page.evaluate(() => {
    location.hash = '#settings/general';
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Make a badge' }).click();
  await expect.poll(() => page.getByRole('textbox').and(page.locator(':focus')).count()).toBe(1);
  await type(page, '2580');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'Badge of ana@example.com' }).waitFor();
  expect(await inputsOf(page, 'cashier:makeBadge')).toEqual([{ pin: '2580' }]);
  await page.getByRole('button', { name: 'Print badge' }).click();
  await page.locator('html[data-printed]').waitFor();
  expect(await page.locator('.print-pages svg').count()).toBe(1);
  expect(await page.content()).not.toContain(code.slice(4));
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  // A slip beside it does not lose what is shown once.
  await page.mouse.click(5, 5);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.label-preview').count()).toBe(0);
  const make = page.getByRole('button', { name: 'Make a badge' });
  await expect.poll(() => make.evaluate((button) => button === document.activeElement)).toBe(true);
});

it.each(['the sign-in ends', 'a badge comes'])(
  'no field takes the rest of a PIN that is typed when %s',
  async (what) => {
    const isEnd = what === 'the sign-in ends';
    const page = await open(isEnd ? { cashiers: { lockedEmail: null, users: users.slice(1) } } : locked);
    if (isEnd) {
      await showAt(page, '#settings/general');
      await page.getByRole('button', { name: 'Set a PIN' }).click();
    }
    const field = page.getByRole('textbox').and(page.locator(':focus'));
    await expect.poll(() => field.getAttribute('data-takes-digits')).not.toBeNull();
    await type(page, '25');
    await changeState(page, isEnd ? locked : { ...readyState(nowMs), ...atWork });
    const next = page.getByRole('textbox', { name: isEnd ? 'PIN of ana' : 'Code or name' });
    await next.and(page.locator(':focus')).waitFor();
    await type(page, '80');
    expect(await next.inputValue()).toBe('');
    await page.waitForTimeout(1_200);
    await type(page, '13');
    await expect.poll(() => next.inputValue()).toBe(isEnd ? '••' : '13');
  },
);

it('a locked till says that a badge can be scanned, where somebody has one and the manager allows them', async () => {
  const withBadge = users.map((user) => ({ ...user, hasBadge: user.email === 'bea@example.com' }));
  const page = await open({ ...locked, cashiers: { lockedEmail: 'ana@example.com', users: withBadge } });
  const hint = page.getByText('Or scan your badge.');
  await hint.waitFor();
  await page.getByRole('button', { name: /^bea/ }).click();
  await hint.waitFor();
  await changeState(page, { cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: false } });
  await hint.waitFor({ state: 'detached' });
});

it.each([25, 33])(
  'a PIN that is rolled over the keys, %i ms each, is tried; longer digits and codes are scans',
  async (gapMs) => {
    const page = await open(locked);
    const field = page.getByRole('textbox', { name: 'PIN of ana' });
    await field.waitFor();
    const session = await page.context().newCDPSession(page);
    const roll = (digits: string) =>
      typeScan((method, key) => session.send(method, key), digits, {
        end: null,
        pauses: Object.fromEntries([...digits].map((_, place) => [place, gapMs])),
      });
    await roll('4567');
    await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'ana@example.com', pin: '4567' }]);
    await field.waitFor();
    await roll('45678');
    await expect.poll(async () => (await inputsOf(page, 'lookup:find')).map(({ text }) => text)).toEqual(['45678']);
    expect(await inputsOf(page, 'cashier:comeBack')).toHaveLength(1);
  },
);

it('an e-mail that was begun for somebody else is not that of a tile’s password', async () => {
  const page = await open(locked);
  await page
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  const email = page.getByLabel('E-mail', { exact: true });
  await email.fill('dora@example.com');
  await page.getByRole('button', { name: /^caio/ }).click();
  await expect.poll(() => email.inputValue()).toBe('caio@example.com');
});

it.each(['4711', '471199'])(
  'an own code that a scanner types at a locked till is looked up, and no PIN: %s',
  async (own) => {
    const page = await open(locked);
    await page.getByRole('textbox', { name: 'PIN of ana' }).waitFor();
    await scan(page, own);
    await expect.poll(async () => (await inputsOf(page, 'lookup:find')).map(({ text }) => text)).toEqual([own]);
    expect(await inputsOf(page, 'cashier:comeBack')).toEqual([]);
  },
);
