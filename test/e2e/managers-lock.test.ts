import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { openPlatformForTest } from '../support/machine.ts';
import { shareOf } from '../support/night.ts';
import { surfaces } from '../support/surface.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { connect, goTo, invoke, setManagersPin, signIn, typePin } from './story.ts';

const pin = '86420975';

async function goToLock(page: Page): Promise<void> {
  await goTo(page, 'Settings');
  await page.getByRole('link', { name: 'People and locks' }).click();
  await page.getByRole('heading', { name: 'What is locked' }).waitFor();
}

/** Which one it is does not matter, and the list moves as the copy grows. */
const firstSwitch = (page: Page) => page.getByRole('grid').getByRole('switch').first();

// By day in the installed app alone: the stories are told in both.
describe.each(shareOf(surfaces.toReversed(), 1))('$name', (surface) => {
  it.skipIf(surface.missing !== null && !surface.isRequired)(
    'asks for the PIN, does what was asked for, tells it, and gives up a PIN that is lost',
    async () => {
      const folder = temporaryDirectory();
      const training = await openPlatformForTest();
      const { platformUrl: url, companyId, stockIds } = training;
      const platform = { ...training, url, companyId: String(companyId), stockIds: stockIds.join(', ') };
      /** Where no keychain has kept the sign-in over a restart. */
      const signInAgain = async (page: Page): Promise<void> => {
        const { value } = (await invoke(page, 'terminal:read')) as { readonly value: TerminalState };
        if (value.phase === 'signIn') {
          await signIn(page, platform, { withSecret: value.isSecretNeeded });
        }
      };
      const first = await surface.start(folder);
      onTestFinished(first.kill);
      const { page } = first;
      await connect(page, platform);
      await signIn(page, platform);
      await setManagersPin(page, pin);

      await goTo(page, 'Coupons');
      await firstSwitch(page).click({ force: true });
      await typePin(page, '1111');
      await page.getByText('This PIN is not right.').waitFor();
      await typePin(page, pin);
      await page.getByRole('dialog').waitFor({ state: 'hidden' });

      await goToLock(page);
      // The PIN for a coupon has opened nothing else.
      await page.getByRole('button', { name: 'Show the list' }).click();
      await typePin(page, pin);
      const list = page.getByRole('region', { name: 'Who did what' });
      await list.getByText(/^Coupon of .* switched (on|off)$/).waitFor();
      await expect
        .poll(async () =>
          (await list.locator('.audit-action').allInnerTexts())
            .slice(0, 5)
            .map((text) => text.trim().replace(/^Coupon of .* switched .*/, 'Coupon')),
        )
        .toEqual(['Opened with the PIN', 'Coupon', 'Opened with the PIN', 'A wrong PIN was tried', 'PIN set']);
      await page.getByLabel('Kind of file').selectOption('CSV');
      const file = await first.save(() => page.getByRole('button', { name: 'Save as file' }).click());
      expect(file.text).toContain(',A wrong PIN was tried,');
      expect(first.complaints).toEqual([]);
      await first.close();

      // The files on the disk when it has ended.
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(join(folder, name)).isFile(),
      );
      expect(files).toContain('audit.db');
      expect(files.filter((name) => readFileSync(join(folder, name), 'latin1').includes(pin))).toEqual([]);

      const second = await surface.start(folder);
      onTestFinished(second.kill);
      await signInAgain(second.page);
      await goTo(second.page, 'Coupons');
      await firstSwitch(second.page).click({ force: true });
      await second.page.getByRole('dialog', { name: "Manager's PIN" }).waitFor();
      await second.close();

      const third = await surface.start(folder, ['--lang', 'en', '--forget-pin']);
      onTestFinished(third.kill);
      await third.page.getByText("The manager's PIN was removed when Tillside was started.").waitFor();
      await signInAgain(third.page);
      await goTo(third.page, 'Coupons');
      await firstSwitch(third.page).click({ force: true });
      await goToLock(third.page);
      const then = third.page.getByRole('region', { name: 'Who did what' }).locator('.audit-action');
      await expect
        .poll(async () => (await then.allInnerTexts()).filter((text) => text.trim() !== 'Signed in').slice(0, 2))
        .toEqual([expect.stringMatching(/^Coupon of /), expect.stringContaining('PIN removed by a technician')]);
      expect(third.complaints).toEqual([]);
      await third.close();
    },
  );
});
