import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan, typeScan } from '../support/wedge.ts';
import { openSettings } from '../e2e/story.ts';
import { changeState, emit, goAway, inputsOf, letAnswer, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import {
  ended,
  failsAtAddress,
  fillConnection,
  firstRun,
  focusedOn,
  keychainLocked,
  openSmall,
  signedOut,
  trialOf,
  trialSteps,
} from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

const open = (state: Partial<TerminalState> = {}, more: Partial<Scene> = {}): Promise<Page> =>
  openSmall(stage, nowMs, state, more);

/** Longer than the keys of the e-mail take by their own times. */
const autoTypedEmailMs = 70;

/**
 * As a password manager does: without a pause, and no key waits until the page has heard the one before. `between`: what
 * happens before the password's keys reach the page, whose own times stay the same.
 */
async function autoType(
  page: Page,
  password: string,
  end: 'enter' | 'tab' = 'enter',
  name = 'ana@example.com',
  between: () => Promise<unknown> | null = () => null,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (method: 'Input.dispatchKeyEvent', key: Parameters<typeof session.send<typeof method>>[1]) =>
    session.send(method, key);
  // By one clock for both, whatever else the machine does between them.
  const fromMs = Date.now();
  const typed = typeScan(send, name, { end: 'tab', fromMs });
  await between();
  await Promise.all([typed, typeScan(send, password, { end, fromMs, pauses: { 0: autoTypedEmailMs } })]);
  await session.detach();
  // The keys' own times lie ahead of the clock; who comes next is a person.
  await page.waitForTimeout(700);
}

/** The codes that were looked up. */
const foundOn = async (page: Page) =>
  (await inputsOf(page, 'lookup:find')).map((input) => (input as { text: string }).text);

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('a main process that goes away', () => {
  it('in the midst of a switch leaves it unknown whether that was done, and the queue to look at', async () => {
    const page = await open();
    await scan(page, '7890000000103');
    const card = page.getByRole('region', { name: /Camiseta/ });
    await card.getByRole('switch').focus();
    await goAway(page, true);
    await page.keyboard.press('Space');
    await page.getByRole('alertdialog').waitFor();
    await goAway(page, false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await card.getByText('It is not known whether this was done.').waitFor();
    expect(await card.textContent()).not.toContain('The coupon was not switched.');
    await card.getByRole('link', { name: 'See the queue' }).click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    expect((await inputsOf(page, 'product:read')).length).toBeGreaterThan(0);
  });

  it('is tried as often as a person wants, each try is told, and nothing behind can be pressed', async () => {
    const page = await open({ mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } });
    await goAway(page, true);
    // By a key, for another call may have met it first, and then no link can be pressed any more.
    await page.keyboard.press('Alt+o');
    const again = page.getByRole('alertdialog').getByRole('button', { name: 'Try again' });
    await again.click();
    await page.getByText('Tried once: still no answer.').waitFor();
    await again.click();
    await page.getByText('Tried 2 times: still no answer.').waitFor();
    expect(await page.locator('.practice-network').isDisabled()).toBe(true);
  });
});

describe('a file on the first screen', () => {
  const choose = async (page: Page, content: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a file' }).click();
    await (await chooser).setFiles({ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  };

  it('that is wrong is told field by field, and the same one can be opened again when it is mended', async () => {
    const page = await open(firstRun);
    await choose(page, '{"platformUrl":"https://platform.example.com"}');
    const alert = page.getByRole('alert');
    await alert.getByText('shop.json cannot be used, and nothing of it has been:').waitFor();
    await alert.getByText('clientId: is missing').waitFor();
    await choose(page, '{"clientId":"till"}');
    await alert.waitFor({ state: 'detached' });
    expect(await inputsOf(page, 'provisioning:open')).toEqual([
      { text: '{"platformUrl":"https://platform.example.com"}' },
      { text: '{"clientId":"till"}' },
    ]);
  });

  it('that another till has saved is asked for the secrets that it leaves out, and is opened with them', async () => {
    const page = await open(firstRun);
    const saved = {
      otherProfiles: [
        { name: 'Outlet', platformUrl: 'https://b.example.com', clientId: 'outlet', clientSecret: '' },
        { platformUrl: 'https://c.example.com/api', clientId: 'whole', clientSecret: 'kept' },
        { name: 'Depot', platformUrl: 'https://b.example.com', clientId: 'outlet', clientSecret: '' },
      ],
      platformUrl: 'https://a.example.com/api',
      clientId: 'till',
      clientSecret: '',
      settings: { printer: { address: '' } },
      managerLock: { pin: '', kinds: ['coupons'] },
      hub: { address: '' },
    };
    await choose(page, JSON.stringify(saved, null, 2));
    const dialog = page.getByRole('dialog', { name: 'What the file leaves out' });
    for (const [label, secret] of [
      ['Client secret · https://b.example.com · outlet', 's3"cret'],
      ['Client secret · https://a.example.com/api · till', 'other'],
      ["Manager's PIN", '2580'],
      ["The hub's address", 'tillside-hub://x'],
    ] as const) {
      await dialog.getByLabel(label, { exact: true }).fill(secret);
    }
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const [sent] = await inputsOf(page, 'provisioning:open');
    expect(JSON.parse(String(sent?.['text']))).toEqual({
      ...saved,
      otherProfiles: saved.otherProfiles.map((one) => ({ ...one, clientSecret: one.clientSecret || 's3"cret' })),
      clientSecret: 'other',
      managerLock: { pin: '2580', kinds: ['coupons'] },
      hub: { address: 'tillside-hub://x' },
    });
  });

  it('that is refused brings the reasons into sight in a low window', async () => {
    const page = await open(firstRun, {
      answers: { 'provisioning:open': { ok: true, value: { problems: ['platformUrl: is missing'] } } },
    });
    const begin = page.getByRole('button', { name: 'Open a file' });
    const { y = 0, height = 0 } = (await begin.boundingBox()) ?? {};
    await page.setViewportSize({ width: 1024, height: Math.ceil(y + height) });
    await choose(page, '{"clientId":"till"}');
    const refused = page.getByRole('alert').getByText('platformUrl: is missing');
    await expect
      .poll(() => refused.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), { timeout: 3000 })
      .toBe(true);
  });

  it('with a PIN left out waits for one of 4 digits, and gives the focus back to what opened it', async () => {
    const page = await open(firstRun);
    const button = page.getByRole('button', { name: 'Open a file' });
    await button.focus();
    await choose(page, '{"clientSecret":"","managerLock":{"pin":""}}');
    const dialog = page.getByRole('dialog', { name: 'What the file leaves out' });
    await dialog.getByLabel('Client secret', { exact: true }).fill('secret');
    const pin = dialog.getByLabel("Manager's PIN", { exact: true });
    await pin.fill('12');
    await dialog.getByText('4 to 12 digits').waitFor();
    await pin.press('Enter');
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    expect(await inputsOf(page, 'provisioning:open')).toEqual([]);
    await page.keyboard.press('Escape');
    await button.and(page.locator(':focus')).waitFor();
  });

  it('asks for the PIN where there is one, whatever is locked', async () => {
    const lock = { ...readyState(nowMs).lock, hasPin: true, kinds: [] };
    const page = await open({ ...firstRun, lock }, { pin: '2580' });
    await choose(page, '{"clientId":"till"}');
    await page.getByRole('dialog', { name: "Manager's PIN" }).waitFor();
  });
});

describe('a sign-in that has ended', () => {
  it('is taken up without a refusal of what nobody has typed yet', async () => {
    const page = await open(ended);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your sign-in has ended.').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('of whoever had a PIN says why the sign-in stands there, with names beside it and without', async () => {
    const session = { ...signedOut.session, state: 'ended' as const };
    const one = { email: 'ana@example.com', canComeBack: false, waitUntil: null, pinLength: 4, hasBadge: false };
    const other = { ...one, email: 'bea@example.com', canComeBack: true };
    const page = await open({ ...signedOut, session, cashiers: { lockedEmail: null, users: [one] } });
    const why = page.getByText('The last sign-in has ended');
    await why.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ana@example.com');
    await changeState(page, { cashiers: { lockedEmail: null, users: [one, other] } });
    await page.getByRole('group', { name: 'Choose your name' }).waitFor();
    await why.waitFor();
    await changeState(page, { session: signedOut.session });
    await why.waitFor({ state: 'detached' });
  });

  it('sends nobody to the connection, by which they were signed in', async () => {
    const page = await open(ended);
    await setAnswer(page, 'session:signIn', { ok: false, failure: { kind: 'credentialsRejected', status: 401 } });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText('Check the e-mail and the password, and sign in again.').waitFor();
    expect(await alert.innerText()).not.toMatch(/connection|client/);
  });

  it('of a locked keychain says that the client secret lies there', async () => {
    const page = await open({ ...keychainLocked, isSecretNeeded: true });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText("It is in this machine's keychain, which is locked.").waitFor();
  });

  it('is taken up in the practice store by one touch', async () => {
    const page = await open({ ...ended, mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await expect.poll(() => inputsOf(page, 'practice:signIn')).toEqual([{}]);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

describe('signing in', () => {
  it('keeps the e-mail while it is tried, and when the user was granted a sign-in but not the stock', async () => {
    const page = await open(signedOut);
    const email = page.getByRole('textbox', { name: 'E-mail' });
    await email.fill('bruno@example.com');
    const { session } = readyState(nowMs);
    await changeState(page, { session: { ...session, email: 'bruno@example.com' } });
    await changeState(page, { session: { state: 'signedOut', email: null, keptIn: null, failure: null } });
    expect(await email.inputValue()).toBe('bruno@example.com');
  });

  it.each([
    ['enterOrTab', 'Password'],
    ['enterOrTab', 'E-mail'],
    ['enter', 'E-mail'],
    ['enter', 'Password'],
    ['none', 'E-mail'],
    ['none', 'Password'],
  ] as const)('has in its fields what a password manager types (scanner: %s, from %s)', async (terminator, name) => {
    // A scanner's own texts and layout are no part of it. Codes are answered before a sign-in, and stand in none of it.
    const own = { terminator, prefix: 'a', suffix: 'm', keyboard: 'american' } as const;
    const page = await open({ ...signedOut, scanner: { ...readyState(nowMs).scanner, ...own } });
    const password = page.getByLabel('Password', { exact: true });
    await page.getByLabel(name, { exact: true }).focus();
    await autoType(page, 'Ana@2026.Loja');
    await expect.poll(() => password.inputValue()).toBe('Ana@2026.Loja');
    expect(await inputsOf(page, 'session:signIn')).toEqual([]);
    await password.press('Enter');
    await expect
      .poll(() => inputsOf(page, 'session:signIn'))
      .toEqual([{ email: 'ana@example.com', password: 'Ana@2026.Loja' }]);
    expect(await inputsOf(page, 'lookup:find')).toEqual([]);
  });

  it('keeps a password that is like an e-mail, also with Tab behind it', async () => {
    const page = await open(signedOut);
    await page.getByLabel('E-mail', { exact: true }).focus();
    await autoType(page, 'Ana@2026.Loja', 'tab');
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('Ana@2026.Loja');
    expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe('ana@example.com');
  });

  it('takes another e-mail for one where the first was the wrong entry', async () => {
    const page = await open(signedOut);
    const password = page.getByLabel('Password', { exact: true });
    for (const email of ['ana@example.com', 'bia@example.com']) {
      await password.focus();
      await scan(page, email, { end: 'tab' });
      // What follows an e-mail at once is its password.
      await page.waitForTimeout(700);
    }
    await expect.poll(() => page.getByLabel('E-mail', { exact: true }).inputValue()).toBe('bia@example.com');
    expect(await password.inputValue()).toBe('');
  });

  it.each(['enterOrTab', 'enter', 'none'] as const)('is filled from anywhere (scanner: %s)', async (terminator) => {
    const own = { terminator, prefix: 'a', suffix: 'm' };
    const page = await open({ ...signedOut, scanner: { ...readyState(nowMs).scanner, ...own } });
    const password = page.getByLabel('Password', { exact: true });
    await password.waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await autoType(page, '19840723');
    await expect.poll(() => password.inputValue()).toBe('19840723');
    expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe('ana@example.com');
    await emit(page, 'scanner:read', { text: 'MadeUp-20261127', symbology: null });
    await expect.poll(() => password.inputValue()).toBe('MadeUp-20261127');
    const isEnded = terminator !== 'none';
    const codes = ['9520000000028', ...(isEnded ? ['0109520000000028172712312110A1'] : [])];
    for (const code of codes) {
      await scan(page, code, { end: isEnded ? 'enter' : null });
    }
    await page.locator('.finder-input').waitFor();
    expect(await foundOn(page)).toEqual(codes);
  });

  it('leaves a scan that pauses no trace in the password, and sends no code in its place', async () => {
    const page = await open({
      ...ended,
      scanner: { ...readyState(nowMs).scanner, terminator: 'none', prefix: '', suffix: '' },
    });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('abc');
    await scan(page, '9520000000028', { pauses: { 3: 300 } });
    await expect.poll(() => password.inputValue()).toBe('abc');
    expect(await inputsOf(page, 'session:signIn')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => foundOn(page)).toEqual(['9520000000028']);
  });

  it('is no place for a code of the shop that is scanned on the sign-in screen', async () => {
    const page = await open(signedOut);
    await page.getByRole('textbox', { name: 'E-mail' }).focus();
    await page.keyboard.type('ana@exam', { delay: 120 });
    await scan(page, '10025');
    await expect.poll(() => foundOn(page)).toEqual(['10025']);
  });

  it('takes an e-mail in its dialog, and a scan in a later dialog is looked up as before', async () => {
    const page = await open(ended);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('dialog').waitFor();
    await autoType(page, 'MadeUp-20261127');
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('MadeUp-20261127');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('F1');
    await page.getByRole('dialog').waitFor();
    await scan(page, '7890000000103');
    await page.keyboard.press('Escape');
    await expect.poll(() => foundOn(page)).toEqual(['7890000000103']);
  });

  it.each(['enterOrTab', 'enter', 'none'] as const)(
    'is nobody’s scan where a locked till asks for a PIN, whose scanner ends with %s',
    async (terminator) => {
      const users = [
        { email: 'ana@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false },
        { email: 'bea@example.com', canComeBack: true, waitUntil: null, pinLength: 4, hasBadge: false },
      ];
      const { scanner, session, connection } = readyState(nowMs);
      const page = await open({
        ...signedOut,
        cashiers: { lockedEmail: 'ana@example.com', users },
        lookupNeedsSignIn: true,
        scanner: { ...scanner, terminator, prefix: '', suffix: '' },
      });
      const pin = page.getByRole('textbox', { name: 'PIN of ana' });
      await pin.waitFor();
      await autoType(page, 'MadeUp-20261127');
      expect(await pin.inputValue()).toBe('');
      // Whoever is at the till next is shown nothing of it.
      await changeState(page, { phase: 'ready', session, connection, cashiers: { lockedEmail: null, users } });
      await page.locator('.finder-input').waitFor();
      await scan(page, '9520000000028');
      await expect.poll(() => foundOn(page)).toEqual(['9520000000028']);
    },
  );

  it.each(['the screen', 'its dialog'])('typed while a sign-in is tried is nobody’s scan, in %s', async (place) => {
    const isDialog = place === 'its dialog';
    const refused = { ok: false, failure: { kind: 'timedOut' } };
    const page = await open(isDialog ? ended : signedOut, {
      answers: { 'session:signIn': refused },
      delaysMs: { 'session:signIn': Infinity },
    });
    if (isDialog) {
      await page.getByRole('button', { name: 'Sign in again' }).click();
    }
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.keyboard.press('Enter');
    await page.locator('input[type="email"]:disabled').waitFor();
    await autoType(page, 'MadeUp-20261127');
    letAnswer(page);
    await page.locator('input[type="email"]:enabled').waitFor();
    if (isDialog) {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await scan(page, '9520000000028');
    await expect.poll(() => foundOn(page)).toEqual(['9520000000028']);
  });

  it('typed in the moment in which its fields are switched off is nobody’s scan', async () => {
    const page = await open(signedOut, { delaysMs: { 'session:signIn': Infinity } });
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await page.getByLabel('Password', { exact: true }).fill('secret');
    // One that is off has the focus until the page is drawn next, and keys come before that.
    const drawnLate = page.evaluate(() => {
      document.querySelector<HTMLFormElement>('form:has([type="email"])')?.requestSubmit();
      const untilMs = performance.now() + 300;
      queueMicrotask(() =>
        queueMicrotask(() => {
          while (performance.now() < untilMs);
        }),
      );
    });
    await autoType(page, 'MadeUp-20261127', 'enter', 'ana@example.com', async () => {
      await drawnLate;
      await page.waitForFunction(() => document.activeElement === document.body);
    });
    expect(await page.locator('input[type="email"]').isDisabled()).toBe(true);
    await scan(page, '9520000000028');
    await expect.poll(() => foundOn(page)).toEqual(['9520000000028']);
  });

  it('stays in the form of a connection, as what a scanner reads there from paper does', async () => {
    const page = await open();
    await openSettings(page, 'Connection');
    await page.getByRole('button', { name: 'Set up another' }).click();
    await page.getByLabel('Client ID', { exact: true }).focus();
    await autoType(page, 'MadeUp-20261127', 'enter', 'front@till');
    expect(await page.getByLabel('Client ID', { exact: true }).inputValue()).toBe('front@till');
    expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('MadeUp-20261127');
    await page.getByLabel('Platform address').focus();
    await scan(page, 'https://shop.example.com');
    expect(await page.getByLabel('Platform address').inputValue()).toBe('https://shop.example.com');
    expect([await foundOn(page), await inputsOf(page, 'profile:connect')]).toEqual([[], []]);
  });

  it('keeps its button in sight when it was refused and the secret is in doubt', async () => {
    const page = await open(
      { ...signedOut, isSecretNeeded: true },
      {
        answers: {
          'session:signIn': {
            ok: false,
            failure: {
              kind: 'credentialsRejected',
              status: 401,
              code: 'unauthorized',
              message: 'The user credentials were incorrect.',
              fields: [],
            },
          },
        },
      },
    );
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await page.getByLabel('Password').fill('secret');
    await page.getByLabel('Client secret').fill('other');
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.click();
    await page.getByRole('alert').waitFor();
    const box = await button.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(768);
    // A refusal is shown below it, and begins in sight.
    expect((await page.getByRole('alert').locator('.failure-says').boundingBox())?.y).toBeLessThan(740);
  });

  it('keeps the way to another connection in sight when the company was refused', async () => {
    const refused = { kind: 'forbidden', status: 403, message: 'No such company.' };
    const report = trialOf((step, place) => ({
      outcome:
        (['skipped', 'failed', 'passed'] as const)[1 + Math.sign(trialSteps.indexOf('company') - place)] ?? 'failed',
      failure: step === 'company' ? refused : null,
    }));
    const page = await open(signedOut, { answers: { 'session:signIn': report } });
    await signIn(page);
    await page.getByRole('alert').waitFor();
    const change = page.getByRole('button', { name: 'Change the connection' });
    const box = await change.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(768);
    await change.click();
    await page.getByRole('heading', { name: 'Connect to your platform' }).waitFor();
  });

  it.each([
    ['company', 'Company ID'],
    ['stock', 'Stock IDs'],
    ['client', 'Client secret'],
  ] as const)('leads from a refused %s to its field: %s', async (refusedStep, field) => {
    const refused = { kind: 'forbidden', status: 403, message: 'Not this one.' };
    const report = trialOf((step) =>
      step === refusedStep ? { outcome: 'failed', failure: refused } : { outcome: 'passed' },
    );
    const page = await open(signedOut, { answers: { 'session:signIn': report, 'profile:connect': report } });
    await signIn(page);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Change the connection' }).click();
    const wanted = page.getByLabel(field, { exact: true });
    await wanted.and(page.locator(':focus')).waitFor();
    // So it is where the form itself was refused.
    await page.getByRole('textbox', { name: 'Platform address' }).press('Enter');
    await page.getByRole('alert').getByText('The connection does not work yet').waitFor();
    await wanted.and(page.locator(':focus')).waitFor();
  });

  it.each([
    ['that has no platform', { kind: 'notFound', status: 404 }, 'Platform address'],
    [
      'whose platform names the client',
      { kind: 'credentialsRejected', status: 422, fields: [{ field: 'client_id', validations: [] }] },
      'Client ID',
    ],
  ])('leads from an address %s to the field that is wrong', async (_what, failure, field) => {
    const page = await open(signedOut, { answers: { 'session:signIn': { ok: false, failure } } });
    await signIn(page);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Change the connection' }).click();
    await page.getByLabel(field, { exact: true }).and(page.locator(':focus')).waitFor();
  });

  it('leads to the client secret where the platform says that the client is wrong, and keeps the password', async () => {
    const failure = { kind: 'credentialsRejected', status: 401, code: 'invalid_client', message: 'Unknown client.' };
    const page = await open(
      { ...signedOut, isSecretNeeded: true },
      { answers: { 'session:signIn': { ok: false, failure } } },
    );
    await page.getByLabel('Client secret', { exact: true }).fill('wrong');
    await signIn(page);
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Client secret', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('secret');
  });

  it('shows the platform’s own words without scrolling, and keeps the keyboard in the form', async () => {
    const message = 'Não foi possível autenticar: confira client_id e client_secret.';
    const failure = { kind: 'credentialsRejected', status: 401, message } as const;
    const waiting = { ...readyState(nowMs).queue, ofOthers: { count: 2, emails: ['ana@example.com'], parked: 0 } };
    const page = await open({ ...signedOut, queue: waiting, isSecretNeeded: true, language: 'es' });
    await page.setViewportSize({ width: 1366, height: 768 });
    await setAnswer(page, 'session:signIn', { ok: false, failure });
    const [password, secret] = ['Contraseña', 'Secreto del cliente'];
    await page.getByLabel(password, { exact: true }).fill('secret');
    await page.getByLabel(secret, { exact: true }).fill('secret');
    await page.keyboard.press('Enter');
    const words = page.getByRole('alert').getByText(message);
    await words.waitFor();
    await expect.poll(() => words.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(768);
    await page.getByLabel(password, { exact: true }).and(page.locator(':focus')).waitFor();
  });

  it('keeps the password when only the network failed, and speaks of no answer and no changes', async () => {
    const page = await open(signedOut, {
      answers: {
        'session:signIn': {
          ok: false,
          failure: { kind: 'unreachable', message: 'getaddrinfo ENOTFOUND shop.example.com' },
        },
      },
    });
    await signIn(page);
    const alert = page.getByRole('alert');
    await alert.getByText('The platform cannot be reached.').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('secret');
    expect(await alert.innerText()).not.toMatch(/answer was|What you changed|ENOTFOUND/);
    await alert.getByText('Details').click();
    await alert.getByText('getaddrinfo ENOTFOUND shop.example.com').waitFor();
  });

  it('says what is to be checked where a platform refuses, by the code and the field that it names', async () => {
    const page = await open(signedOut);
    const alert = page.getByRole('alert');
    const refused = async (failure: object, advice: string): Promise<void> => {
      await setAnswer(page, 'session:signIn', { ok: false, failure });
      await signIn(page);
      await alert.getByText(advice).waitFor();
    };
    const platform = 'Change the connection: check the client ID and the client secret.';
    const person = 'Check the e-mail and the password, and sign in again.';
    const either =
      'Check the e-mail and the password; mind capital letters. If both are right, the client ID or the client secret may be wrong';
    for (const [code, field, advice] of [
      ['unauthorized', null, either],
      ['invalid_grant', null, person],
      ['invalid_client', null, platform],
      ['unprocessable_entity', 'password', person],
      ['unprocessable_entity', 'client_id', platform],
    ] as const) {
      const fields = field === null ? [] : [{ field, validations: [] }];
      const message = 'Application not known.';
      await refused({ kind: 'credentialsRejected', status: 401, code, message, fields }, advice);
    }
    // Where nobody grants a sign-in the address is wrong, and numbers and changes are not spoken of.
    const notFound = { kind: 'notFound', status: 404, message: 'Not found.' };
    await refused(notFound, 'the platform is not under this connection’s address');
    expect(await alert.innerText()).not.toMatch(/discard|number|does not have this/);
  });

  it('says that the keys of the bar are taken once there are settings to choose others in', async () => {
    const page = await open({
      ...firstRun,
      notices: [
        { id: 1, kind: 'shortcutTaken', detail: 'Control+Alt+Space' },
        { id: 2, kind: 'vaultMoved', detail: '' },
      ],
    });
    await expect.poll(() => page.locator('.bands .band').count()).toBe(1);
    await changeState(page, {
      phase: 'ready',
      session: { state: 'signedIn', email: 'bia@example.com', keptIn: 'keychain', failure: null },
    });
    await page.getByText(/^Another program uses Ctrl\+Alt\+Space/).waitFor();
  });

  it('says of a full disk once that nothing can be kept', async () => {
    const auditNotKept = { id: 1, kind: 'auditNotKept', detail: '' } as const;
    const page = await open({ notices: [auditNotKept] });
    await page.getByText(/^What is done here cannot be written/).waitFor();
    await changeState(page, { notices: [auditNotKept, { id: 2, kind: 'storageFull', detail: '' }] });
    await page.getByText(/^The disk is almost full/).waitFor();
    expect(await page.locator('.bands .band').count()).toBe(1);
  });

  it('shows with the support how a window that fills the screen is closed, and nothing of it elsewhere', async () => {
    const device = {
      update: { state: 'off', version: null, checkedAt: null, lastCheck: 'good' },
      startsAtSignIn: null,
    };
    for (const [state, isKiosk] of [
      [signedOut, true],
      [firstRun, true],
      [signedOut, false],
    ] as const) {
      const page = await open(state, { answers: { 'device:read': { ok: true, value: { ...device, isKiosk } } } });
      await page.getByRole('button', { name: 'Support' }).click();
      const dialog = page.getByRole('dialog', { name: 'Support' });
      await dialog.getByText('24.21.0').waitFor();
      if (isKiosk) {
        await dialog.getByRole('button', { name: 'Close Tillside' }).click();
      }
      await expect.poll(() => inputsOf(page, 'device:quit')).toEqual(isKiosk ? [{}] : []);
      await expect.poll(() => dialog.getByRole('button', { name: 'Close Tillside' }).count()).toBe(isKiosk ? 1 : 0);
      await page.close();
    }
  });

  it('says of a password that cannot be one that it is too long, and sends nothing', async () => {
    const page = await open(signedOut);
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await page.getByLabel('Password').fill('x'.repeat(10_000));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is too long: at most 1000 characters are possible.').waitFor();
    expect(await inputsOf(page, 'session:signIn')).toEqual([]);
  });
});

describe('the ways in', () => {
  it('bear the names that are written on them', async () => {
    const page = await open(firstRun);
    for (const name of ['Practice store', 'Connect to a platform']) {
      const way = page.getByRole('button', { name, exact: true });
      expect(await way.innerText()).toBe(name);
    }
    // The whole card is the button.
    const card = await page.locator('.way[data-kind="platform"] .way-hint').boundingBox();
    await page.mouse.click((card?.x ?? 0) + 5, (card?.y ?? 0) + 15);
    await page.getByRole('heading', { name: 'Connect to your platform' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => focusedOn(page)).toContain('Welcome to Tillside');
  });

  it('show the first wrong field, and a scan that came too early covers no button', async () => {
    const page = await open(firstRun);
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await page.getByRole('button', { name: 'Continue' }).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Continue' }).click();
    const first = page.getByLabel('Platform address');
    await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
    const box = await first.boundingBox();
    expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
    await scan(page, '9520000000028');
    await page.getByText('nobody is signed in yet').waitFor();
    const said = await page.locator('.early-scan').boundingBox();
    const frame = await page.locator('.entry').boundingBox();
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + 1);
  });

  it('say of an address under which the platform is not what to do, and nothing of changes', async () => {
    const failure = { kind: 'notFound', status: 404, message: 'Not found.' };
    const page = await open(firstRun, { answers: { 'profile:connect': failsAtAddress(failure) } });
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await page.getByText('where there is none, it is kept only until Tillside is closed').waitFor();
    await fillConnection(page, { 'Platform address': 'https://ana:x@shop.example.com' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('take off what stands before the @').waitFor();
    await page.getByLabel('Platform address').fill('https://shop.example.com/login');
    await page.getByRole('button', { name: 'Continue' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Take off what stands after the name').waitFor();
    expect(await alert.innerText()).not.toMatch(/discard|Nothing was changed/);
    // No step has been passed, so that none is called superfluous.
    expect(await alert.getByText('not needed here').count()).toBe(0);
  });

  it('keep the focus while a practice store starts, and where it does not', async () => {
    const page = await open(firstRun, {
      answers: { 'practice:start': { ok: false, failure: { kind: 'storageFull' } } },
      delaysMs: { 'practice:start': 1500 },
    });
    const way = page.getByRole('button', { name: 'Practice store' });
    await way.press('Enter');
    await page.getByRole('status').getByText('Opening the practice store').waitFor();
    await way.press('Enter');
    expect(await focusedOn(page)).toContain('Practice store');
    await page.getByRole('alert').waitFor();
    expect(await focusedOn(page)).toContain('Practice store');
    expect(await inputsOf(page, 'practice:start')).toHaveLength(1);
  });

  it('say where to sign in first, where cashiers come back by PIN', async () => {
    const refused = { ok: false, failure: { kind: 'signInNeeded' } };
    const page = await open(firstRun, { answers: { 'profile:connect': refused } });
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await fillConnection(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('A sign-in is needed.').waitFor();
    await alert.getByText('open their profile and sign in by PIN or password').waitFor();
  });

  it('keep the focus with the answer', async () => {
    const page = await open(firstRun, {
      answers: { 'profile:connect': { ok: false, failure: { kind: 'profileTwice', message: 'Front' } } },
      delaysMs: { 'profile:connect': 200 },
    });
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await fillConnection(page);
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('alert').waitFor();
    await expect.poll(() => focusedOn(page)).toMatch(/^DIV .*It is “Front”/);
  });
});
