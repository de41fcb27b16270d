import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { fromAccount } from '../../support/account.ts';
import { launchPlatformForTest, type Platform } from '../../support/platform.ts';
import { openRelay, type Exchange, type Relay } from '../../support/relay.ts';
import { hasKeychain, surfaces, type Running } from '../../support/surface.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { scan } from '../../support/wedge.ts';
import {
  cardOf,
  connect,
  findBarcode,
  goTo,
  lookAtPlatform,
  seeConnection,
  seeCopyComplete,
  signIn,
} from '../story.ts';

let shown: Page | null = null;
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && shown !== null && !shown.isClosed()) {
    // The screen as a person would have seen it, as a screen reader tells it: the first thing to know about a story
    // that failed.
    console.log(`The screen of "${task.name}":\n${await shown.locator('body').ariaSnapshot()}`);
  }
});

async function openPlatform(): Promise<{ platform: Platform; relay: Relay }> {
  const platform = await launchPlatformForTest(['--products', '250']);
  const relay = await openRelay(platform.url);
  onTestFinished(() => relay.close());
  return { platform, relay };
}

const putsOf = (relay: Relay): Exchange[] => relay.exchanges.filter(({ method }) => method === 'PUT');

describe.each(surfaces)('$name', (surface) => {
  const start = async (dataDirectory: string, flags?: readonly string[]): Promise<Running> => {
    const running = await surface.start(dataDirectory, flags);
    onTestFinished(running.kill);
    shown = running.page;
    return running;
  };

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
      await page.getByRole('region', { name: 'Copying the catalogue' }).waitFor();
      await page.getByText(/^You can already scan [\d,]+ products\.$/).waitFor();

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

  it.skipIf(isSkipped)(
    'says what is wrong with an address, a network and a password, and tries none of them again (5)',
    async () => {
      const { platform, relay } = await openPlatform();
      const { page, complaints } = await start(temporaryDirectory());

      relay.setMode('portal');
      await connect(page, platform, relay.url);
      await page
        .getByRole('alert')
        .getByText('Something other than the platform answers at this address.', { exact: false })
        .waitFor();
      await page.getByRole('textbox', { name: 'Platform address' }).fill('http://platform.example.com');
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByText('The address must start with https://', { exact: false }).waitFor();

      relay.setMode('plugged');
      await page.getByRole('textbox', { name: 'Platform address' }).fill(relay.url);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      const earlier = relay.exchanges.length;
      await signIn(page, platform, { password: 'not the password' });
      await page
        .getByRole('alert')
        .getByText(/The platform (?:did|does) not accept/)
        .first()
        .waitFor();
      await signIn(page, platform);
      await page.getByRole('main', { name: 'Lookup' }).waitFor();
      const signIns = relay.exchanges
        .slice(earlier)
        .filter(({ path, requestBody }) => path.startsWith('/oauth/token') && requestBody.includes('"password"'));
      expect(signIns.filter(({ status }) => status >= 400)).toHaveLength(1);
      expect(complaints).toEqual([]);
    },
  );

  it.skipIf(isSkipped)(
    'restores a user through the queue, tells each attempt, and exports the history (2, 4, 5)',
    async () => {
      const { platform, relay } = await openPlatform();
      const { page, complaints, save } = await start(temporaryDirectory());
      await connect(page, platform, relay.url);
      await signIn(page, platform);
      await seeCopyComplete(page);

      // Users of the training platform: 703 was deleted, and 704's e-mail belongs to another user by now.
      await goTo(page, 'Users');
      const part = page.getByRole('region', { name: 'Restore a user' });
      const outcomes = [
        ['703', 'Restored. The user can sign in again.'],
        ['704', 'The platform did not restore this user.'],
      ] as const;
      for (const [user, outcome] of outcomes) {
        await part.getByRole('textbox', { name: 'User number' }).fill(user);
        await part.getByRole('button', { name: 'Restore the user' }).click();
        await part.getByText(outcome).waitFor();
      }
      // The link leads to what needs a decision.
      await part.getByRole('link', { name: 'See the queue' }).click();
      await page.getByRole('radio', { name: /^All/ }).locator('..').click();
      const [restored, refused] = ['703', '704'].map((user) =>
        page.getByRole('listitem').filter({ hasText: `User ${user}` }),
      ) as [Locator, Locator];
      await restored.getByText('Delivered', { exact: true }).waitFor();
      await refused.getByText('The platform did not restore this user.').waitFor();
      await refused.getByRole('button', { name: 'Discard' }).waitFor();
      const posts = relay.exchanges.filter(
        ({ method, path }) => method === 'POST' && path.startsWith('/api/v3/users/'),
      );
      expect(posts.map(({ path, requestBody, status }) => `${path} ${requestBody} ${status}`)).toEqual([
        '/api/v3/users/703 {} 204',
        '/api/v3/users/704 {} 400',
      ]);

      await restored.getByText('History', { exact: true }).click();
      await restored.getByText(/HTTP 204 · Key [0-9a-f-]{36}/).waitFor();

      await page.getByLabel('Kind of file').selectOption('CSV');
      const csv = await save(() => page.getByRole('button', { name: 'Save as file' }).click());
      expect(csv.name).toMatch(/^tillside-queue-\d{4}-\d{2}-\d{2}\.csv$/);
      expect(csv.text).toMatch(
        /^\uFEFFNo\.,[^]*,703,User 703,restore,[^]*,Delivered,[^]*,704,User 704,restore,[^]*,Needs a decision,refused by the platform,/,
      );
      await page.getByLabel('Kind of file').selectOption('JSON');
      const json = await save(() => page.getByRole('button', { name: 'Save as file' }).click());
      expect(JSON.parse(json.text)).toMatchObject({
        updates: [
          { subjectId: '703', attempts: [{ status: 204 }] },
          { subjectId: '704', parkedBecause: 'refused' },
        ],
      });
      for (const secret of [platform.clientSecret, platform.password]) {
        expect(csv.text + json.text).not.toContain(secret);
      }
      expect(page.url()).toMatch(/#queue$/);
      expect(complaints).toEqual([]);
    },
  );

  it.skipIf(isSkipped)('can be used with the keyboard alone, in Brazilian Portuguese', async () => {
    const { page, complaints } = await start(temporaryDirectory(), ['--lang', 'pt-BR']);
    const practice = page.getByRole('button', { name: 'Loja de treino', exact: true });
    await practice.waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');

    const tabTo = async (target: Locator): Promise<void> => {
      const isFocused = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement);
      for (let step = 0; step < 30 && !(await isFocused()); step += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await isFocused()).toBe(true);
    };
    await tabTo(practice);
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'Conexão' }).filter({ hasText: 'Online' }).waitFor();
    await tabTo(page.getByRole('link', { name: 'Ajustes', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('main', { name: 'Ajustes' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('caf', { delay: 120 });
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Cupom de consumo' }).press('Space');
    await page
      .getByText(/^(?:como na plataforma|esperando para ser enviado|enviando)$/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
