// The proof that header, card, rows, queue, companion bar and lock screen say the same of the connection, in the three
// languages' own words, and that a needed sign-in has its button.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { ended, keychainLocked, signedOut } from './fixtures.ts';
import { noAnswer, offline } from './scenes/lookup.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs } from './scene-fixtures.ts';
import { setStage } from './stage.ts';

const stage = setStage();
const ready = readyState(sceneNowMs);

async function open(state: Partial<TerminalState>, path?: string): Promise<Page> {
  const scene = { state: readyState(sceneNowMs, state), nowMs: sceneNowMs };
  const { page } = await stage.open(
    scene,
    { width: 1024, height: 768 },
    { isClockStopped: true, ...(path === undefined ? {} : { path }) },
  );
  return page;
}

const header = (page: Page): Promise<string> => page.getByRole('status', { name: 'Connection' }).innerText();
const card = (page: Page) => page.getByRole('region', { name: /Camiseta/ });

describe('a connection that is cut', () => {
  it.each([
    [
      'offline',
      offline,
      /^Offline\s*since 14:48/,
      'Offline: this is the last known figure.',
      'The platform cannot be reached.',
    ],
    [
      'noAnswer',
      noAnswer,
      /^Platform does not answer\s*since/,
      'The platform does not answer: this is the last known figure.',
      'The platform does not answer. Everything goes out by itself when it does.',
    ],
  ] as const)('is %s at every place, and nothing is sending', async (heldBy, connection, said, note, held) => {
    const page = await open({ connection, queue: { ...ready.queue, pending: 2, heldBy } });
    expect(await header(page)).toMatch(said);
    await scan(page, '7890000000103');
    await card(page).getByText(note).waitFor();
    expect(await card(page).getByRole('button', { name: 'Ask the platform again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByText(held).waitFor();
    expect(await page.getByText('Sending', { exact: true }).count()).toBe(0);
    expect(await page.getByText(/Next try/).count()).toBe(0);
    expect(await header(page)).toMatch(said);
  });

  it('is said on the lock screen and in the companion bar with the same words', async () => {
    const locked = await open({ ...signedOut, connection: noAnswer });
    await locked.getByText('The platform does not answer: signing in needs it. Looking up goes on').waitFor();
    const bar = await open({ connection: noAnswer }, 'companion.html');
    await bar.locator('.bar-signs').getByText('Platform does not answer').waitFor();
  });
});

describe('a sign-in that is needed', () => {
  it.each([
    ['ended', ended, 'Your sign-in has ended.'],
    ['a locked keychain', keychainLocked, "This machine's keychain is locked."],
  ] as const)('says so at every place, why, whose it is, and has its button: %s', async (_why, state, reason) => {
    const page = await open({ ...state, queue: { ...ready.queue, pending: 1, heldBy: 'signIn' } });
    expect(await header(page)).toBe('Sign in');
    const bands = page.locator('.bands');
    await bands.getByText(reason).waitFor();
    await page.getByRole('link', { name: 'Queue' }).click();
    await page.getByText('ana@example.com must sign in again. The changes wait for it.').waitFor();
    expect(await page.getByText(/Next try|cannot be reached/).count()).toBe(0);
    await bands.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('dialog').getByText(reason).waitFor();
  });
});

it('a locked keychain is told in one band, which leads to the help and has nobody start again', async () => {
  const page = await open({ ...keychainLocked, notices: [{ id: 1, kind: 'vaultLocked', detail: '' }] });
  const bands = page.locator('.bands');
  await bands.getByText('Unlock it, and Tillside goes on by itself.').waitFor();
  expect(await bands.getByText("This machine's keychain is locked.").count()).toBe(1);
  await bands.getByRole('button', { name: 'What can I do?' }).click();
  await page.getByRole('dialog').getByText('Keychain', { exact: true }).first().waitFor();
});

it('a keychain that has the secrets for a former place of the data says what to do', async () => {
  const page = await open({
    session: { ...ready.session, state: 'ended', failure: { kind: 'vaultMoved' } },
    notices: [{ id: 1, kind: 'vaultMoved', detail: '' }],
  });
  await page.locator('.bands').getByText('Sign in again, with the client secret; a hub is joined anew.').waitFor();
});

it('sending is said of a change while its bytes are under way, whatever the connection', async () => {
  const page = await open({ connection: noAnswer, queue: { ...ready.queue, inFlight: 1, heldBy: null } });
  await page.getByRole('link', { name: 'Queue' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Queijo minas' });
  await row.getByText('Sending', { exact: true }).waitFor();
});

it.each([
  ['en', 'Platform does not answer'],
  ['pt-BR', 'A plataforma não responde'],
  ['es', 'La plataforma no responde'],
] as const)('in %s the words fit the header', async (language, words) => {
  const page = await open({ language, languageChosen: true, connection: noAnswer });
  const status = page.locator('.connection-state');
  await status.getByText(words).waitFor();
  const box = await page.locator('.header').boundingBox();
  expect(box?.height).toBeLessThan(90);
});
