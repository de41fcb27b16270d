import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { maxProfiles } from '../../app/contract/limits/profiles.ts';
import type { KeptProfile } from '../../app/contract/profiles.ts';
import type { Id } from '../../app/domain/int64.ts';
import { scan } from '../support/wedge.ts';
import { openSettings } from '../e2e/story.ts';
import { callsOf, changeState } from './fake.ts';
import { fillConnection, firstRun, showAt, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { coffee } from './scene-fixtures.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();

const [base] = readyState(nowMs).profiles as [KeptProfile];
const profiles: KeptProfile[] = [
  { ...base, name: 'Front till' },
  { ...base, profileId: 2, companyId: '77' as Id, stockIds: ['31' as Id], waiting: 3 },
  { ...base, profileId: 3, name: 'Depot', platformUrl: 'https://depot.example.com', email: null, waiting: 0 },
];

async function open(
  state: Partial<TerminalState>,
  answers: Record<string, unknown> = {},
  size?: { width: number; height: number },
): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, { profiles, ...state }), nowMs, answers }, size);
  return page;
}

async function openProfiles(state: Partial<TerminalState> = {}): Promise<{ page: Page; part: Locator }> {
  const page = await open(state);
  await openSettings(page, 'Connection');
  return { page, part: page.getByRole('region', { name: 'Profiles' }) };
}

/** From now on a trial is answered when the answered function is called. */
async function holdTrial(page: Page): Promise<(passed: boolean) => Promise<void>> {
  await page.evaluate(() => {
    const { tillside } = window as unknown as {
      tillside: { invoke: (channel: string, input: Record<string, unknown>) => Promise<unknown> };
    };
    const { invoke } = tillside;
    tillside.invoke = async (channel, input) => {
      const answer = await invoke(channel, input);
      return channel === 'profile:connect'
        ? new Promise((answerWith) => Object.assign(window, { answerWith }))
        : answer;
    };
  });
  return async (passed) => {
    await page.waitForFunction(() => 'answerWith' in window);
    await page.evaluate(
      (value) => {
        const held = window as unknown as { answerWith?: (answer: unknown) => void };
        held.answerWith?.({ ok: true, value });
        delete held.answerWith;
      },
      { passed, steps: [] },
    );
  };
}

const profileCalls = async (page: Page) =>
  (await callsOf(page)).filter(({ channel }) => channel.startsWith('profile:'));

const elsewhere = [
  { platformUrl: base.platformUrl, companyId: '77' as Id, count: 74, emails: ['ana@example.com'] },
  { platformUrl: 'https://gone.example.com', companyId: '9' as Id, count: 1, emails: ['ana@example.com'] },
];

describe('what waits for another company', () => {
  it.each(['on the queue screen', 'before the sign-in'])('is named with the way to send it, %s', async (where) => {
    const queue = { ...readyState(nowMs).queue, elsewhere };
    const page = await open({ queue, ...(where === 'on the queue screen' ? {} : signedOut) });
    if (where === 'on the queue screen') {
      await page.locator('a[href="#queue"]').first().click();
    }
    await page
      .getByRole('main')
      .getByText('74 changes for company 77 wait until a profile of that company is in use. Made by: ana@example.com')
      .waitFor();
    await page.getByRole('main').getByText('1 change for company 9').waitFor();
    expect(await page.getByText('to sign in: ').count()).toBe(0);
    // Where there is no profile of it, there is no way to offer.
    await page.getByRole('button', { name: 'Switch and send' }).click();
    await expect.poll(() => profileCalls(page)).toEqual([{ channel: 'profile:switch', input: { profileId: 2 } }]);
  });
});

describe('the profiles in the settings', () => {
  it('say where each is, who is signed in and what waits; the one in use is named, in the header too', async () => {
    const { page, part } = await openProfiles();
    expect(await part.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(
        /Front till\s+shop\.example\.com · Company 4821 · stocks 11, 12\s+ana@example\.com\s+In use/,
      ),
      expect.stringMatching(
        /shop\.example\.com\s+Company 77 · stock 31\s+ana@example\.com\s+3 changes wait here\s+Switch/,
      ),
      expect.stringMatching(
        /Depot\s+depot\.example\.com · Company 4821 · stocks 11, 12\s+Nobody is signed in\s+Switch/,
      ),
    ]);
    await part
      .getByText('What was planned for a company is done only while a profile of that company is in use.')
      .waitFor();
    await page.getByText('Front till · Company 4821', { exact: true }).waitFor();
    expect(await part.getByText('Switching loses nothing').count()).toBe(0);
    await part.getByRole('button', { name: 'About “Profiles”' }).click();
    await part.getByText('Switching loses nothing').waitFor();
  });

  it('switch with one touch, and say before it what becomes of changes that wait', async () => {
    const { page, part } = await openProfiles({ queue: { ...readyState(nowMs).queue, pending: 2, parked: 1 } });
    // Of three profiles another one may be of the same company: what waits goes out there as well.
    await part
      .getByText('2 changes of the profile in use have not been sent. If you switch to another company, they stay here')
      .waitFor();
    await part
      .getByText('1 change of the profile in use was refused: it stays on this terminal and needs a decision')
      .waitFor();
    await part.getByRole('button', { name: 'Switch to Depot' }).click();
    await expect.poll(() => profileCalls(page)).toEqual([{ channel: 'profile:switch', input: { profileId: 3 } }]);
    await changeState(page, { profileId: 3 });
    await part.getByRole('button', { name: 'Switch to Front till' }).waitFor();
  });

  it('can be named, with the keyboard alone, and the name taken back', async () => {
    const { page, part } = await openProfiles();
    await part.getByRole('button', { name: 'Rename shop.example.com' }).press('Enter');
    await page.keyboard.type(' Back office ', { delay: 90 });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Rename');
    await part.getByRole('button', { name: 'Rename Front till' }).click();
    await part.getByRole('textbox', { name: 'Name' }).fill('');
    // Nothing moves away below the pointer.
    await part.getByRole('button', { name: 'Switch to Depot' }).click();
    await expect
      .poll(() => profileCalls(page))
      .toEqual([
        { channel: 'profile:rename', input: { profileId: 2, name: 'Back office' } },
        { channel: 'profile:rename', input: { profileId: 1, name: null } },
        { channel: 'profile:switch', input: { profileId: 3 } },
      ]);
  });

  it('lead whoever is signed in to their connection, whichever is in use', async () => {
    const { page, part } = await openProfiles();
    await part.getByRole('button', { name: 'Change the connection: Depot' }).click();
    await expect.poll(() => page.getByLabel('Platform address').inputValue()).toBe('https://depot.example.com');
    await page.getByRole('textbox', { name: 'Company ID' }).fill('4822');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect
      .poll(() => profileCalls(page))
      .toMatchObject([{ channel: 'profile:connect', input: { profileId: 3, companyId: '4822' } }]);
  });

  it('are removed only after a question that says what is lost and what waits, also the one in use', async () => {
    const { page, part } = await openProfiles();
    await part.getByRole('button', { name: 'Remove Front till' }).click();
    const own = page.getByRole('dialog', { name: 'Remove Front till?' });
    await own.getByText('this terminal signs out and goes back to the first screen').waitFor();
    await own.getByRole('button', { name: 'Keep it' }).click();
    await part.getByRole('button', { name: 'Remove shop.example.com' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove shop.example.com?' });
    await dialog.getByText('3 changes wait for its company. They stay on this terminal').waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    expect(await profileCalls(page)).toEqual([]);
    await part.getByRole('button', { name: 'Remove Depot' }).click();
    await page.getByRole('dialog', { name: 'Remove Depot?' }).getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => profileCalls(page)).toEqual([{ channel: 'profile:remove', input: { profileId: 3 } }]);
  });

  it('say of whatever waits for the company in use, whoever asked for it, what becomes of it', async () => {
    const queue = { ...readyState(nowMs).queue, ofKept: { count: 2, emails: ['bia@example.com'] } };
    const { page, part } = await openProfiles({ queue });
    await part.getByText('2 changes of the profile in use have not been sent.').waitFor();
    await part.getByRole('button', { name: 'Remove Front till' }).click();
    await page.getByRole('dialog').getByText('2 changes wait for its company.').waitFor();
  });

  it('of one company are said to keep nothing back: what waits goes out at each of them', async () => {
    const ofCompany = [base, { ...base, profileId: 2, stockIds: ['31' as Id], waiting: null }];
    const queue = { ...readyState(nowMs).queue, pending: 2, parked: 1 };
    const { page, part } = await openProfiles({ profiles: ofCompany, queue });
    await part.getByText('1 change of the profile in use was refused').waitFor();
    expect(await part.getByText('If you switch to another company').count()).toBe(0);
    await part.getByRole('button', { name: 'Remove' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('this terminal signs out').waitFor();
    expect(await dialog.getByText('for its company').count()).toBe(0);
  });

  it('another is set up without signing out, as long as there is room', async () => {
    const { page, part } = await openProfiles();
    await part.getByRole('button', { name: 'Set up another' }).click();
    await page.getByLabel('Platform address').fill('https://new.example.com');
    await page.getByRole('button', { name: 'Back' }).click();
    // The settings are where they were, and what was typed is, too.
    await part.getByRole('button', { name: 'Set up another' }).click();
    await expect.poll(() => page.getByLabel('Platform address').inputValue()).toBe('https://new.example.com');
    expect(await profileCalls(page)).toEqual([]);
    await page.close();
    const full = await openProfiles({
      profiles: Array.from({ length: maxProfiles }, (_, place) => ({ ...base, profileId: place + 1 })),
    });
    await full.part.getByText('10 profiles are as many as a terminal can have').waitFor();
    expect(await full.part.getByRole('button', { name: 'Set up another' }).isDisabled()).toBe(true);
    await full.page.close();
  });

  it('are not there in practice', async () => {
    const { part } = await openProfiles({
      mode: 'practice',
      practice: { isNetworkDown: false, hasPanel: true },
      profileId: null,
    });
    expect(await part.count()).toBe(0);
  });

  it('fit with one of them opened into a small window in every language, nothing smaller than a finger', async () => {
    for (const language of ['en', 'pt-BR', 'es'] as const) {
      const page = await open({ language, theme: 'dark' }, {}, { width: 1024, height: 768 });
      await showAt(page, '#settings/connection');
      await page.locator('.profile').first().waitFor();
      await page.locator('.profile .text-button').nth(1).click();
      const sizes = await page
        .locator('.profiles button')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
      expect(
        await page
          .locator('.profile')
          .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length),
      ).toBe(0);
      await page.close();
    }
  });
});

describe('the ways in', () => {
  it('begin with the profiles that were set up', async () => {
    const page = await open({ ...signedOut, phase: 'firstRun', mode: null });
    await page
      .getByRole('list', { name: 'Profiles' })
      .getByRole('button', { name: /^Depot/ })
      .click();
    await expect.poll(() => profileCalls(page)).toEqual([{ channel: 'profile:switch', input: { profileId: 3 } }]);
    await page.getByRole('button', { name: 'Practice store' }).waitFor();
  });

  it('keep the e-mail that was typed before the company of the connection was corrected', async () => {
    const page = await open(signedOut);
    const answer = await holdTrial(page);
    await page.getByRole('textbox', { name: 'E-mail' }).fill('bruno@example.com');
    await page.getByRole('button', { name: 'Change the connection' }).click();
    await page.getByRole('textbox', { name: 'Company ID' }).fill('4822');
    await page.getByRole('button', { name: 'Continue' }).click();
    const { platformUrl, clientId, stockIds } = base;
    await changeState(page, { profile: { platformUrl, clientId, companyId: '4822' as Id, stockIds } });
    await answer(true);
    await expect.poll(() => page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('bruno@example.com');
    const password = page.getByLabel('Password', { exact: true });
    expect(await password.inputValue()).toBe('');
    // The e-mail is there already.
    await expect.poll(() => password.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('lead from the sign-in to the same profile to change it, or to the others', async () => {
    const page = await open(signedOut, { 'profile:connect': { ok: true, value: { passed: false, steps: [] } } });
    await page.getByRole('button', { name: 'Change the connection' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Front till');
    await page.getByLabel('Client secret').first().fill('made-up');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The connection does not work yet').waitFor();
    expect((await profileCalls(page)).at(-1)).toEqual({
      channel: 'profile:connect',
      input: {
        platformUrl: base.platformUrl,
        clientId: 'counter-7',
        clientSecret: 'made-up',
        companyId: '4821',
        stockIds: ['11', '12'],
        name: 'Front till',
        profileId: 1,
      },
    });
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Another profile' }).click();
    expect((await profileCalls(page)).at(-1)).toEqual({ channel: 'profile:leave', input: {} });
    await changeState(page, { ...signedOut, phase: 'firstRun', mode: null });
    await page.getByRole('list', { name: 'Profiles' }).waitFor();
  });

  it.each<[string, Partial<TerminalState>]>([
    ['signed in', {}],
    ['signed out', signedOut],
  ])('answer scans from the open store while a connection is typed and tried, %s', async (_who, state) => {
    const page = await open(state, {}, { width: 1024, height: 768 });
    if (state.phase === undefined) {
      await openSettings(page, 'Connection');
      await page.getByRole('button', { name: 'Set up another' }).click();
    } else {
      await page.getByRole('button', { name: 'Change the connection' }).click();
    }
    const fields = Object.entries(await fillConnection(page, { 'Platform address': 'https://new.example.com' }));
    const typed = () => Promise.all(fields.map(([label]) => page.getByLabel(label, { exact: true }).inputValue()));
    const goBack = page.getByRole('button', { name: 'Back to the connection' });
    const answered = page.getByRole('region', { name: /Café/ });
    // One during a dialog over the form is shown when that is closed.
    await page.getByRole('button', { name: 'Support' }).click();
    await page.getByRole('dialog').waitFor();
    await scan(page, coffee);
    await page.getByText(`Scanned ${coffee}: close this to see it.`).waitFor();
    await page.keyboard.press('Escape');
    await answered.waitFor();
    await goBack.click();
    await scan(page, coffee);
    await answered.waitFor();
    await goBack.click();
    await expect.poll(() => typed()).toEqual(fields.map(([, value]) => value));

    const answerTrial = await holdTrial(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Testing the connection').waitFor();
    await scan(page, coffee);
    await answered.waitFor();
    expect((await profileCalls(page)).map(({ channel }) => channel)).toEqual(['profile:connect']);
    await answerTrial(false);
    await goBack.click();
    await page.getByText('The connection does not work yet').waitFor();
    expect(await typed()).toEqual(fields.map(([, value]) => value));

    // A trial that passes leads home, whatever was open.
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Testing the connection').waitFor();
    await scan(page, coffee);
    await answered.waitFor();
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await answerTrial(true);
    await goBack.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Platform address').count()).toBe(0);
    expect(new URL(page.url()).hash).toBe('#lookup');
  });
});

describe('what the platform says of an input', () => {
  const refusal = (fields: unknown[]) => ({
    ok: false,
    failure: { kind: 'unprocessable', status: 422, code: 'unprocessable_entity', fields },
  });

  it('stands at that input of the form until it is changed; what belongs to none stands with the failure', async () => {
    const answer = refusal([
      { field: 'client_id', validations: [{ type: 'exists', values: ['clients'] }] },
      { field: 'scope', validations: [{ type: 'required', values: [] }] },
    ]);
    const page = await open(firstRun, { 'profile:connect': answer });
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await fillConnection(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The platform says: exists clients').waitFor();
    const client = page.getByLabel('Client ID');
    expect(await client.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('list', { name: 'What the platform refused' }).innerText()).toBe(
      'scope: rule not met: required',
    );
    await client.fill('till-2');
    await expect.poll(() => client.getAttribute('aria-invalid')).not.toBe('true');
  });

  it('stands at the address when the trial of the address failed', async () => {
    const steps = [{ step: 'address', outcome: 'failed', detail: null, failure: { kind: 'unreachable' } }];
    const page = await open(firstRun, { 'profile:connect': { ok: true, value: { passed: false, steps } } });
    await page.getByRole('button', { name: 'Connect to a platform' }).click();
    await fillConnection(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This did not work').waitFor();
    expect(await page.getByLabel('Platform address').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Company ID').getAttribute('aria-invalid')).not.toBe('true');
  });

  it('stands at that input of the sign-in', async () => {
    const answer = refusal([
      { field: 'username', validations: [{ type: 'email', values: [] }] },
      { field: 'password', validations: [{ type: 'min', values: ['8'] }] },
    ]);
    const page = await open(signedOut, { 'session:signIn': answer });
    await page.getByLabel('E-mail').fill('ana');
    await page.getByLabel('Password').first().fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('The platform says: email').waitFor();
    await page.getByText('The platform says: min 8').waitFor();
    expect(await page.getByRole('list', { name: 'What the platform refused' }).count()).toBe(0);
  });
});
