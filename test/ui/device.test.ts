import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { DeviceState } from '../../app/contract/device.ts';
import type { Language } from '../../app/contract/basics.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();
const upToDate: DeviceState = {
  update: { state: 'upToDate', version: null, checkedAt: nowMs - 3_600_000, lastCheck: 'good' },
  startsAtSignIn: false,
  isKiosk: false,
};

async function open(
  device: DeviceState | null,
  {
    language = 'en',
    checked,
    quit,
    companion = null,
  }: { language?: Language; checked?: DeviceState; quit?: unknown; companion?: TerminalState['companion'] } = {},
): Promise<Page> {
  const answers = {
    ...(device === null ? {} : { 'device:read': { ok: true, value: device } }),
    ...(checked === undefined ? {} : { 'device:checkForUpdate': { ok: true, value: checked } }),
    ...(quit === undefined ? {} : { 'device:quit': quit }),
  };
  const { page } = await stage.open(
    { answers, state: readyState(nowMs, { language, companion }), nowMs },
    { width: 1024, height: 768 },
    { path: '/#settings/till' },
  );
  await page.locator('.settings-part').first().waitFor();
  return page;
}

it('shows the version and the last look, and a newer version when one has come', async () => {
  const page = await open(upToDate, {
    checked: { ...upToDate, update: { state: 'ready', version: '1.4.0', checkedAt: nowMs, lastCheck: 'good' } },
  });
  const part = page.getByRole('region', { name: 'Tillside on this machine' });
  await part.getByText('This is the newest version.').waitFor();
  await part.getByRole('button', { name: 'Look for a newer version' }).click();
  await part
    .getByText('Version 1.4.0 is ready. It is installed by itself when Tillside is next started after a break.')
    .waitFor();
});

it('sets the start at sign-in, and shows no way to close what is no kiosk', async () => {
  const page = await open(upToDate);
  const part = page.getByRole('region', { name: 'Tillside on this machine' });
  await part.getByRole('switch', { name: 'Start at sign-in to this machine' }).press('Space');
  await expect.poll(() => inputsOf(page, 'device:setStartsAtSignIn')).toEqual([{ isOn: true }]);
  await expect.poll(() => part.getByRole('button', { name: 'Close Tillside' }).count()).toBe(0);
});

it('closes a kiosk from here', async () => {
  const page = await open({ ...upToDate, isKiosk: true, startsAtSignIn: null });
  await page.getByText('Only an installed Tillside can start at sign-in').waitFor();
  await page.getByRole('button', { name: 'Close Tillside' }).click();
  await expect.poll(() => inputsOf(page, 'device:quit')).toEqual([{}]);
  await expect.poll(() => page.getByRole('switch', { name: /signs in/ }).count()).toBe(0);
});

it('says why a kiosk is not closed from practice where the terminal has a PIN', async () => {
  const quit = { ok: false, failure: { kind: 'notInPractice' } };
  const page = await open({ ...upToDate, isKiosk: true, startsAtSignIn: null }, { quit });
  await page.getByRole('button', { name: 'Close Tillside' }).click();
  await page.getByText('Leave the practice store first.').waitFor();
});

it.each([true, false])(
  'asks whether to go on in the tray only where the window can be closed: kiosk %s',
  async (isKiosk) => {
    const page = await open(
      { ...upToDate, isKiosk },
      { companion: { shortcut: null, isShortcutHeld: false, hideAfterSeconds: 20, keepInTray: true } },
    );
    await page.getByText('Tillside on this machine').waitFor();
    await expect.poll(() => inputsOf(page, 'device:read')).toHaveLength(2);
    await expect
      .poll(() => page.getByRole('switch', { name: 'Keep running without a window' }).count())
      .toBe(isKiosk ? 0 : 1);
  },
);

it.each<[DeviceState['update']['state'], string]>([
  ['off', 'Quem cuida desta máquina instala as versões mais novas.'],
  ['announced', 'Já existe a versão 1.4.0. Quem cuida desta máquina vai instalá-la.'],
  [
    'failed',
    'Não foi possível instalar a versão 1.4.0. O Tillside continua como está; avise quem cuida desta máquina.',
  ],
])('says %s in words', async (state, words) => {
  const page = await open(
    { ...upToDate, update: { state, version: '1.4.0', checkedAt: null, lastCheck: 'good' } },
    { language: 'pt-BR' },
  );
  await page.getByText(words).waitFor();
});

it.each<[Language, string]>([
  ['en', "What the update server offers is not good on this machine's date"],
  ['pt-BR', 'O que o servidor de atualizações oferece não vale na data desta máquina'],
  ['es', 'Lo que ofrece el servidor de actualizaciones no vale en la fecha de este equipo'],
])('says the date of a machine on which the offer is not good, in %s', async (language, words) => {
  const page = await open(
    { ...upToDate, update: { ...upToDate.update, checkedAt: null, lastCheck: 'date' } },
    { language },
  );
  await page.getByText(words).waitFor();
  // A reading that could not be looked up is not called the newest.
  expect(await page.locator('[data-update]').innerText()).toMatch(new RegExp(`^${words}, \\d+/\\d+/\\d+`));
});

it('shows none of it where Tillside is not installed', async () => {
  const page = await open(null);
  await expect.poll(() => inputsOf(page, 'device:read')).toHaveLength(1);
  await expect.poll(() => page.getByText('Tillside on this machine').count()).toBe(0);
});

it('leads to the practice control panel only where a browser beside the window is no way out', async () => {
  const panelsAt = async (hasPanel: boolean): Promise<number> => {
    const { page } = await stage.open(
      { state: readyState(nowMs, { mode: 'practice', practice: { isNetworkDown: false, hasPanel } }), nowMs },
      undefined,
      { path: '/#settings/till' },
    );
    await page.locator('.practice-actions').waitFor();
    const count = await page.getByRole('button', { name: 'Practice control panel' }).count();
    await page.close();
    return count;
  };
  expect([await panelsAt(true), await panelsAt(false)]).toEqual([1, 0]);
});
