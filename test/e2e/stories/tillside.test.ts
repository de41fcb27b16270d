import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromAccount } from '../../support/account.ts';
import type { Exchange, Relay } from '../../support/relay.ts';
import { hasKeychain, surfaces } from '../../support/surface.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { scan } from '../../support/wedge.ts';
import { openPlatform, startsOn } from '../story-start.ts';
import {
  cardOf,
  connect,
  findBarcode,
  goTo,
  lookAtPlatform,
  seeConnection,
  seeCopyComplete,
  seeSomeProducts,
  signIn,
} from '../story.ts';

const putsOf = (relay: Relay): Exchange[] => relay.exchanges.filter(({ method }) => method === 'PUT');

describe.each(surfaces)('$name', (surface) => {
  const start = startsOn(surface);
  const isSkipped = surface.missing !== null && !surface.isRequired;

  it.skipIf(isSkipped)(
    'opens the practice store without an account, shows the copy, and answers a scan from any screen (1)',
    async () => {
      const dataDirectory = temporaryDirectory();
      const { page, complaints } = await start(dataDirectory);
      await page.getByRole('button', { name: 'Practice store', exact: true }).click();
      expect(
        await page.evaluate(() =>
          [...document.fonts].map(({ family, status }) => [family.replaceAll('"', ''), status]),
        ),
      ).toEqual([['Atkinson Hyperlegible Next', 'loaded']]);
      await page.getByRole('main', { name: 'Lookup' }).waitFor();
      await page.getByRole('complementary', { name: 'Practice store' }).waitFor();
      await seeConnection(page, 'Online');
      await seeSomeProducts(page);

      // A product that the till has already, found by the start of a name.
      const { name, barcode } = await findBarcode(page, 'caf');
      expect(barcode).toMatch(/^952\d{5}(?:\d{5})?$/);

      await goTo(page, 'Settings');
      await scan(page, barcode);
      await cardOf(page, name).waitFor();
      expect(complaints).toEqual([]);

      // Nobody who scans waits for the disk on behalf of the copy, wherever this host has its thread's program from.
      const logs = join(dataDirectory, 'logs');
      const log = readdirSync(logs)
        .map((file) => readFileSync(join(logs, file), 'utf8'))
        .join('');
      expect(log).toContain('checkpoints are done in a thread of their own');
      expect(log).not.toContain('the thread for checkpoints is gone');
    },
  );

  it.skipIf(isSkipped)(
    'answers offline, keeps a change through a lost answer and a power cut, and delivers it once (1, 2)',
    async () => {
      const { platform, relay } = await openPlatform();
      const dataDirectory = temporaryDirectory();
      const { product, isCouponEnabled } = await lookAtPlatform(platform);
      const wasEnabled = await isCouponEnabled(product.id);

      const before = await start(dataDirectory);
      await connect(before.page, platform, relay.url);
      await signIn(before.page, platform);
      await seeCopyComplete(before.page);
      if (!hasKeychain) {
        await before.page.getByText('This sign-in could not be kept on this machine', { exact: false }).waitFor();
      }
      await scan(before.page, product.barcode);
      await cardOf(before.page, product.name)
        .getByText(/^Live, as of/)
        .waitFor();
      await seeConnection(before.page, 'Online');

      relay.setMode('unplugged');
      await goTo(before.page, 'Queue');
      await scan(before.page, product.barcode);
      const card = cardOf(before.page, product.name);
      await card.waitFor();
      await seeConnection(before.page, 'Offline');
      const coupon = card.getByRole('switch', { name: 'Consumption coupon' });
      expect(await coupon.isChecked()).toBe(wasEnabled);
      await coupon.press('Space');
      await card.getByText('waiting to be sent', { exact: true }).waitFor();
      expect(await coupon.isChecked()).toBe(!wasEnabled);

      await fromAccount(before.page, 'Sign out');
      await before.page.getByRole('dialog').getByText('1 change has not been sent yet').waitFor();
      await before.page.getByRole('button', { name: 'Stay signed in' }).click();
      await goTo(before.page, 'Queue');
      await before.page.getByRole('region', { name: 'Changes' }).getByText(product.name).waitFor();

      // The platform applies the change, and the terminal never hears of it.
      relay.setMode('losingAnswers');
      await expect.poll(() => putsOf(relay).length, { timeout: 90_000 }).toBeGreaterThan(0);
      expect(before.complaints).toEqual([]);
      await before.kill();

      relay.setMode('plugged');
      const after = await start(dataDirectory);
      if (!hasKeychain) {
        await after.page.getByText('1 change waits on this terminal', { exact: false }).waitFor();
        await signIn(after.page, platform, { withSecret: true });
      }
      await goTo(after.page, 'Queue');
      const row = after.page.getByRole('region', { name: 'Changes' });
      await row.getByText(product.name).waitFor();
      await row.getByText('Delivered', { exact: true }).waitFor();

      const puts = putsOf(relay);
      expect(puts.length).toBeGreaterThanOrEqual(2);
      expect(new Set(puts.map(({ requestHeaders }) => requestHeaders['idempotency-key'])).size).toBe(1);
      expect(new Set(puts.map(({ requestBody }) => requestBody)).size).toBe(1);
      expect(puts.filter(({ responseHeaders }) => responseHeaders['idempotency-replayed'] !== 'true')).toHaveLength(1);
      expect(await isCouponEnabled(product.id)).toBe(!wasEnabled);
      expect(after.complaints).toEqual([]);
      await after.close();

      // (4) What a person typed as a secret lies in no file.
      const files = readdirSync(dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const leaking = files.filter((entry) => {
        const bytes = readFileSync(join(entry.parentPath, entry.name));
        return [platform.clientSecret, platform.password].some((secret) => bytes.includes(secret));
      });
      expect(leaking.map((entry) => entry.name)).toEqual([]);
    },
  );
});
