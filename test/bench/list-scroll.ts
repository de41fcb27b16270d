import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import { openQueueRepository } from '../../app/queue/repository.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import { launchChromium, type ChromiumSession } from '../support/chromium.ts';
import type { Platform } from '../support/platform.ts';
import { scrollInTurns, viewport } from './scroll.ts';
import { provision, startHost } from './terminal-host.ts';

/** The screens with long lists of what the queue holds, and the link that leads to each. */
export const listScreens = { queue: 'Queue', users: 'Users', coupons: 'Coupons' } as const;
export type ListScreen = keyof typeof listScreens;

const refuse = `UPDATE updates SET state = 'parked', parked_because = 'refused', failure = '{"kind":"forbidden","status":403,"code":"forbidden"}'`;

/**
 * A queue.db with so many rows for the screen that are over or wait for a person, so that nothing moves while it is
 * measured.
 */
async function fillQueue(dataDirectory: string, platform: Platform, screen: ListScreen, rows: number): Promise<void> {
  const database = await Database.open(join(dataDirectory, 'store', 'queue.db'), {
    kind: 'precious',
    migrations: queueMigrations,
  });
  const repository = openQueueRepository(database, () => undefined);
  const ownerId = repository.ownerId({
    platform: platform.url,
    companyId: platform.companyId as Id,
    email: platform.email.toLowerCase(),
  });
  const now = Date.now();
  database.transaction(() => {
    for (let number = 0; number < rows; number += 1) {
      const id = String(1_000_001 + number) as Id;
      if (screen === 'users') {
        repository.enqueueRestoration({ ownerId, userId: id, now });
      } else {
        repository.enqueue({
          ownerId,
          productId: id,
          isEnabled: number % 2 === 0,
          seen: number % 2 === 1,
          isSeenFresh: true,
          now,
        });
      }
    }
    // The platform's settings take the place of what was confirmed: the list of coupons is long by what was refused.
    database.exec(screen === 'coupons' ? refuse : `${refuse} WHERE id % 4 = 0`);
    database.exec(
      "UPDATE updates SET state = CASE id % 4 WHEN 1 THEN 'discarded' ELSE 'delivered' END, attempts = 1 WHERE state = 'pending'",
    );
  });
  database.close();
}

/** Opens the screen of a host with so many rows. Throws when its list does not scroll. */
async function openScreen(
  chromium: ChromiumSession,
  dataDirectory: string,
  platform: Platform,
  screen: ListScreen,
  rows: number,
) {
  provision(dataDirectory, platform);
  await fillQueue(dataDirectory, platform, screen, rows);
  const host = await startHost(dataDirectory);
  const context = await chromium.browser.newContext({ viewport, locale: 'en-GB' });
  await context.addCookies([{ ...host.cookie, url: host.origin }]);
  const page = await context.newPage();
  await page.goto(host.origin);
  await host.invoke('session:signIn', { email: platform.email, password: platform.password });
  await page.getByRole('link', { name: listScreens[screen], exact: true }).click();
  await page.locator('.list .list-row').nth(3).waitFor();
  if ((await page.locator('.list').evaluate((box) => box.scrollHeight)) <= viewport.height) {
    throw new Error(`the list of the screen ${screen} does not scroll`);
  }
  return { page, stop: host.stop };
}

/** Scrolls a short and a long list turn by turn. */
export async function measureListScroll(
  directory: string,
  platform: Platform,
  screen: ListScreen,
  counts: { readonly short: number; readonly long: number },
  rounds: number,
) {
  const browsers = [await launchChromium(), await launchChromium()] as const;
  const short = await openScreen(browsers[0], join(directory, `${screen}-short`), platform, screen, counts.short);
  const long = await openScreen(browsers[1], join(directory, `${screen}-long`), platform, screen, counts.long);
  try {
    return await scrollInTurns({ short: [short.page, '.list'], long: [long.page, '.list'] }, rounds);
  } finally {
    await Promise.all([...browsers.map((browser) => browser.close()), short.stop(), long.stop()]);
  }
}
