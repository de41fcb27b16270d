import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openSettings } from '../e2e/story.ts';
import { callsOf, inputsOf, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { showAt, signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { refusedShopFile } from './scene-fixtures.ts';
import { checkedPlatform } from './scenes/support.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-02T12:00:00Z');
const stage = setStage();

async function open(state: Parameters<typeof readyState>[1] = {}, answers: Scene['answers'] = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, answers });
  return page;
}

it('tells what support asks first, and hands one file over', async () => {
  const page = await open();
  await openSettings(page, 'Support');
  const terminal = page.getByRole('region', { name: 'This terminal' });
  await terminal.getByText('24.21.0').waitFor();
  await terminal.getByText("Agrees with the platform's.").waitFor();
  await terminal.getByText('Works.').waitFor();
  await terminal.getByText('18.4 GB free').waitFor();
  await terminal.getByText('3 files in the data folder').click();
  await terminal.getByText('store/queue.db').waitFor();
  await terminal.getByText('2 lines of the log').click();
  expect((await terminal.getByRole('region', { name: 'Log, newest line first' }).innerText()).split('\n')[0]).toContain(
    'catalogue: page',
  );

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the support file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('tillside-support-2026-03-02-10-00.json');
  expect(await readFile(await file.path(), 'utf8')).toBe('{"about":"a made-up bundle"}');
  await page.getByText('Handed over to be saved.').waitFor();
});

it("counts what waits for somebody else's sign-in, as the badge of the queue does", async () => {
  const ofOthers = { count: 2, emails: ['bruno@example.com'], parked: 0 };
  const page = await open({ queue: { ...readyState(nowMs).queue, pending: 1, inFlight: 0, ofOthers } });
  await openSettings(page, 'Support');
  await page.getByRole('region', { name: 'At work' }).getByText('3 waiting').waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).getByText('3', { exact: true }).count()).toBe(1);
});

it('leaves the focus on a button that works a while, unless a person has pressed elsewhere meanwhile', async () => {
  const { page } = await stage.open({ state: readyState(nowMs), nowMs, delaysMs: { 'support:readBundle': 500 } });
  await openSettings(page, 'Support');
  const button = page.getByRole('button', { name: 'Save the support file' });
  const told = page.getByText('Handed over to be saved.');
  await button.press('Enter');
  await told.waitFor();
  await button.and(page.locator(':focus')).waitFor();
  await button.press('Enter');
  await page.locator('button[data-loading]').waitFor();
  await page.getByRole('heading', { name: 'Settings' }).click();
  await page.locator('button[data-loading]').waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
});

it('shows a day of the queue as a picture, and as a table for whoever does not see it', async () => {
  const page = await open();
  await openSettings(page, 'Support');
  const part = page.getByRole('region', { name: 'At work' });
  expect(await callsOf(page, 'queue:readDay')).toEqual([]);
  await part.getByText('The last 24 hours').click();
  await part.getByRole('img', { name: /Last 24 hours: added \d+, delivered \d+\./ }).waitFor();
  await part.getByText('As a table').click();
  await expect.poll(() => part.getByRole('row').count()).toBe(25);
});

it('says that the clock is wrong and what to do, a keychain that is locked, and a status file that fails', async () => {
  const reading = {
    readAt: nowMs,
    versions: [{ name: 'Tillside', version: '1.0.0' }],
    machine: null,
    clock: { aheadMs: -7_202_000, at: nowMs },
    keychain: { state: 'locked', tookMs: 3, message: null },
    isSafeMode: true,
    statusFile: { path: '/srv/watch/till', writtenAt: nowMs - 120_000, failure: 'EACCES' },
    shopFile: null,
    log: [],
  };
  const page = await open(
    { isSafeMode: true, clockAheadMs: -7_200_000 },
    { 'support:diagnose': { ok: true, value: reading } },
  );
  await page.getByText('Nothing is sent or copied by itself; what you change is kept.').waitFor();
  await page.getByText("This machine's clock is 2 hours behind the platform's.").waitFor();
  await openSettings(page, 'Support');
  await page.getByText("2 hours behind the platform's. Set this machine's date and time.").waitFor();
  await page.getByText('Locked, or it has lost its entry.').waitFor();
  await page.getByText('/srv/watch/till').waitFor();
  await page.getByText('Cannot be written (EACCES). Everything else goes on.').waitFor();
});

it("hands over the shop's file, after the PIN where settings are locked", async () => {
  const state = readyState(nowMs, { lock: { ...readyState(nowMs).lock, hasPin: true, kinds: ['settings'] } });
  const { page } = await stage.open({ state, nowMs, pin: '2580' });
  await openSettings(page, 'Support');
  await page.getByRole('button', { name: 'All settings' }).click();
  await page.getByRole('link', { name: 'Shop', exact: true }).click();
  const part = page.getByRole('region', { name: 'Set up other terminals' });
  await part.getByRole('button', { name: "Save the shop's file" }).click();
  const dialog = page.getByRole('dialog', { name: "Manager's PIN" });
  await dialog.getByRole('textbox', { name: 'PIN' }).waitFor();
  const download = page.waitForEvent('download');
  // As a person types: slower than any scanner.
  await page.keyboard.type('2580', { delay: 130 });
  await page.keyboard.press('Enter');
  const file = await download;
  expect(file.suggestedFilename()).toBe('tillside-shop.json');
  await part.getByText('Handed over to be saved.').waitFor();
});

it("says what came of reading the shop's file at its address, and reads it now", async () => {
  const state = readyState(nowMs);
  const { page } = await stage.open({ state, nowMs, shopFile: refusedShopFile });
  await openSettings(page, 'Support');
  const part = page.getByRole('region', { name: "The shop's file at its address" });
  await part.getByText('https://shop.example.com/tillside/centro.json').waitFor();
  await part.getByText('is not signed by a key that this terminal knows').waitFor();
  await part.getByText('is used when Tillside is started the next time.').waitFor();
  await part.getByRole('button', { name: 'Read it now' }).click();
  await expect
    .poll(async () => (await callsOf(page, 'provisioning:readAgain', 'support:diagnose')).map(({ channel }) => channel))
    .toEqual(['support:diagnose', 'provisioning:readAgain', 'support:diagnose']);
});

it('can be reached before anybody is signed in', async () => {
  const page = await open(signedOut);
  await page.getByRole('button', { name: 'Support' }).click();
  const dialog = page.getByRole('dialog', { name: 'Support' });
  await dialog.getByText('24.21.0').waitFor();
  expect(await dialog.getByRole('button', { name: 'Test connection' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it.each([
  ['en', 'Check', 'Checking the platform', 'The platform keeps the interface: 1 of 1 lines seen.', 'Save the report'],
  [
    'es',
    'Revisar',
    'Revisando la plataforma',
    'La plataforma cumple la interfaz: 1 de 1 líneas vistas.',
    'Guardar el informe',
  ],
  [
    'pt-BR',
    'Verificar',
    'Verificando a plataforma',
    'A plataforma cumpre a interface: 1 de 1 linhas vistas.',
    'Salvar o relatório',
  ],
] as const)('checks the platform and says what came of it, in %s', async (language, start, running, kept, save) => {
  const page = await open({ language }, { 'platformCheck:read': { ok: true, value: { state: 'none' } } });
  await showAt(page, '#settings/support');
  await page.getByRole('button', { name: start, exact: true }).waitFor();
  await setAnswer(page, 'platformCheck:read', { ok: true, value: { state: 'running', done: 12, all: 38 } });
  await page.getByRole('button', { name: start, exact: true }).click();
  await page.getByText(running).waitFor();
  await page.getByText(/^12 (?:of|de) 38$/).waitFor();
  const lines = [{ id: '4.3:shape', verdict: 'kept', title: 'A line', why: null }];
  const file = { name: 'tillside-platform.txt', text: 'the report' };
  await setAnswer(page, 'platformCheck:read', { ok: true, value: { state: 'ended', endedAt: nowMs, lines, file } });
  await page.getByText(kept).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: save }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe('the report');
  expect((await inputsOf(page, 'platformCheck:read')).at(-1)).toEqual({ language });
});

it('stops the check of the platform, counts deviations, and says in the usual words why it failed', async () => {
  const page = await open({}, { 'platformCheck:read': { ok: true, value: { state: 'running', done: 0, all: 0 } } });
  await openSettings(page, 'Support');
  const part = page.getByRole('region', { name: 'Check this platform' });
  await setAnswer(page, 'platformCheck:read', checkedPlatform);
  await part.getByText('2 deviations from the interface.').waitFor();
  await part.getByText('Line by line').click();
  await part.getByText('The platform failed with 500.').waitFor();
  await setAnswer(page, 'platformCheck:read', {
    ok: true,
    value: { state: 'failed', failure: { kind: 'unreachable' } },
  });
  await part.getByRole('button', { name: 'Check', exact: true }).click();
  await part.getByRole('alert').waitFor();
  await setAnswer(page, 'platformCheck:read', { ok: true, value: { state: 'running', done: 3, all: 38 } });
  await part.getByRole('button', { name: 'Check', exact: true }).click();
  await part.getByRole('button', { name: 'Stop' }).click();
  expect(await callsOf(page, 'platformCheck:stop')).toHaveLength(1);
  await setAnswer(page, 'platformCheck:read', checkedPlatform);
  await part.getByText('2 deviations from the interface.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest('section, [role="region"]') !== null)).toBe(true);
});
