import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shareOf } from '../../support/night.ts';
import { surfaces } from '../../support/surface.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openPlatform, startsOn } from '../story-start.ts';
import { connect, goTo, seeCopyComplete, signIn } from '../story.ts';

describe.each(shareOf(surfaces, 1))('$name', (surface) => {
  const start = startsOn(surface);
  const isSkipped = surface.missing !== null && !surface.isRequired;

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
      for (const secret of [platform.clientSecret, platform.password]) {
        expect(csv.text).not.toContain(secret);
      }
      expect(page.url()).toMatch(/#queue$/);
      expect(complaints).toEqual([]);
    },
  );
});
