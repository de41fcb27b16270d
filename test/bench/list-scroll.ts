import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import { openQueueRepository } from '../../app/queue/repository.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import { launchChromium, type ChromiumSession } from '../support/chromium.ts';
import type { Platform } from '../support/platform.ts';
import { median, percentile } from './statistics.ts';
import { provision, startHost } from './terminal-host.ts';

const viewport = { width: 1366, height: 768 };
const scrollMs = 4000;
/** About the speed of a strong swipe. */
const pixelsAFrame = 120;
const lateMs = 1000 / 30;

/** The figures of a scroll's frames, medians of the rounds. */
interface ScrollFigures {
  /** Frames that came more than 33 ms after the one before. */
  readonly late: number;
  readonly p99Ms: number;
}

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

/**
 * Opens the screen of a host with so many rows, and answers what scrolls it once and reports the gaps between its
 * frames, in milliseconds.
 */
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
  return {
    stop: () => host.stop(),
    scroll: async (): Promise<readonly number[]> => {
      await page.bringToFront();
      const frames = await page.evaluate(
        ([durationMs, step]) =>
          new Promise<readonly number[]>((resolve) => {
            const box = document.querySelector('.list');
            const gaps: number[] = [];
            let direction = 1;
            let startedAt: number | null = null;
            let before = 0;
            const frame = (now: number): void => {
              startedAt ??= now;
              if (now > startedAt) {
                gaps.push(now - before);
              }
              before = now;
              if (box === null || now - startedAt > durationMs) {
                resolve(gaps);
                return;
              }
              // The short list turns at its ends.
              const isAtEnd =
                direction > 0 ? box.scrollTop + box.clientHeight >= box.scrollHeight - 1 : box.scrollTop <= 0;
              direction = isAtEnd ? -direction : direction;
              box.scrollTop += direction * step;
              requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame);
          }),
        [scrollMs, pixelsAFrame] as const,
      );
      if ((await page.locator('.list').evaluate((box) => box.scrollHeight)) <= viewport.height) {
        throw new Error(`the list of the screen ${screen} does not scroll`);
      }
      return frames;
    },
  };
}

function figuresOf(rounds: readonly (readonly number[])[]): ScrollFigures {
  return {
    late: median(rounds.map((gaps) => gaps.filter((gap) => gap > lateMs).length)),
    p99Ms: median(rounds.map((gaps) => percentile(gaps, 0.99))),
  };
}

/** Scrolls a short and a long list turn by turn. */
export async function measureListScroll(
  directory: string,
  platform: Platform,
  screen: ListScreen,
  counts: { readonly short: number; readonly long: number },
  rounds: number,
): Promise<{ readonly short: ScrollFigures; readonly long: ScrollFigures }> {
  // One browser each: a page that stands behind another is drawn when there is time.
  const browsers = [await launchChromium(), await launchChromium()] as const;
  const short = await openScreen(browsers[0], join(directory, `${screen}-short`), platform, screen, counts.short);
  const long = await openScreen(browsers[1], join(directory, `${screen}-long`), platform, screen, counts.long);
  try {
    const gaps: { readonly short: (readonly number[])[]; readonly long: (readonly number[])[] } = {
      short: [],
      long: [],
    };
    // The first round warms up, and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      gaps.short.push(await short.scroll());
      gaps.long.push(await long.scroll());
    }
    return { short: figuresOf(gaps.short.slice(1)), long: figuresOf(gaps.long.slice(1)) };
  } finally {
    await Promise.all([...browsers.map((browser) => browser.close()), short.stop(), long.stop()]);
  }
}
