// Scrolls boxes of pages as a strong swipe does, and measures their frames.
import type { Page } from 'playwright-core';
import { median, percentile } from './statistics.ts';

export const viewport = { width: 1366, height: 768 };
const scrollMs = 4000;
/** About the speed of a strong swipe. */
const pixelsAFrame = 120;
const lateMs = 1000 / 30;

/**
 * The gaps between the frames of one scroll in milliseconds, and how many frames showed a row that was not here yet.
 */
interface Scroll {
  readonly gaps: readonly number[];
  readonly blank: number;
}

/** The medians of the rounds. */
interface ScrollFigures {
  /** Frames that came more than 33 ms after the one before. */
  readonly late: number;
  readonly p99Ms: number;
  /** Frames with a row that was not here yet. */
  readonly blank: number;
}

/** Runs in the page: scrolls the box at the same speed for a while, from wherever it is; a short one turns at its ends. */
async function scrollBox([selector, durationMs, step]: readonly [string, number, number]): Promise<Scroll> {
  const box = document.querySelector(selector);
  const gaps: number[] = [];
  let blank = 0;
  let startedAt: number | null = null;
  let before = 0;
  let direction = 1;
  return new Promise((resolve) => {
    const frame = (now: number): void => {
      startedAt ??= now;
      if (now > startedAt) {
        gaps.push(now - before);
      }
      before = now;
      if (box === null || now - startedAt > durationMs) {
        resolve({ gaps, blank });
        return;
      }
      const { top, bottom } = box.getBoundingClientRect();
      const isBlank = [...box.querySelectorAll('[data-blank="true"]')].some(
        (row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom,
      );
      blank += isBlank ? 1 : 0;
      const isAtEnd = direction > 0 ? box.scrollTop + box.clientHeight >= box.scrollHeight - 1 : box.scrollTop <= 0;
      direction = isAtEnd ? -direction : direction;
      box.scrollTop += direction * step;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/**
 * Scrolls these boxes turn by turn, each in a browser of its own: a page that stands behind another is drawn when there
 * is time.
 */
export async function scrollInTurns<Name extends string>(
  boxes: Readonly<Record<Name, readonly [page: Page, selector: string]>>,
  rounds: number,
): Promise<Readonly<Record<Name, ScrollFigures>>> {
  const entries = Object.entries<readonly [Page, string]>(boxes);
  const scrolls = entries.map((): Scroll[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, [, [page, selector]]] of entries.entries()) {
      await page.bringToFront();
      scrolls[place]?.push(await page.evaluate(scrollBox, [selector, scrollMs, pixelsAFrame] as const));
    }
  }
  return Object.fromEntries(
    entries.map(([name], place) => {
      // The first round warms up, and is not counted.
      const counted = scrolls[place]?.slice(1) ?? [];
      const of = (figure: (scroll: Scroll) => number): number => median(counted.map(figure));
      return [
        name,
        {
          late: of(({ gaps }) => gaps.filter((gap) => gap > lateMs).length),
          p99Ms: of(({ gaps }) => percentile(gaps, 0.99)),
          blank: of(({ blank }) => blank),
        },
      ];
    }),
  ) as Record<Name, ScrollFigures>;
}
