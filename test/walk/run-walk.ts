import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { tabThrough } from '../ui/keyboard.ts';
import { findLostTexts } from '../ui/probes.ts';
import type { ChromiumSession } from '../support/chromium.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { doStep } from './do-step.ts';
import { isUnheard, judgeAbsence, judgeDeed, judgeScreen, type Finding, type Seen } from './judges.ts';
import { readBar, readScreen, type Screen } from './screen.ts';
import { drawSteps, tellStep, type Step } from './steps.ts';
import { openTill, type Till } from './till.ts';
import { openTruth, type Truth } from './truth.ts';

export interface Walked {
  readonly steps: number;
  /** Null where nothing was found. */
  readonly finding: Finding | null;
  /** The steps up to it. */
  readonly trace: readonly Step[];
  readonly lines: readonly string[];
  /** The statements that were on a screen at any time: what is never read, is never judged. */
  readonly read: ReadonlySet<keyof Screen>;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

const lookAgainMs = 200;
/** A key waits for the answer that it belongs to. */
const keyPatienceMs = 3_000;

async function look(till: Till, truth: Truth): Promise<Seen> {
  const { state, queue } = await truth.readTerminal();
  const screen = await readScreen(till.session(), state.language);
  const bar = till.bar();
  return {
    screen,
    state,
    queue,
    bar: bar === null ? null : await readBar(bar.session, state.language),
    atMs: Date.now(),
  };
}

/** What is not so for longer than it may be. */
async function judge(
  till: Till,
  truth: Truth,
  first: Seen,
  slowness: number,
): Promise<{ readonly seen: Seen; readonly finding: Finding | null }> {
  const startedMs = performance.now();
  let seen = first;
  let left = judgeScreen(seen, truth);
  while (left.length > 0) {
    const waitedMs = performance.now() - startedMs;
    const [finding] = left.filter(({ patienceMs }) => patienceMs * slowness <= waitedMs);
    if (finding !== undefined) {
      return { seen, finding };
    }
    await sleep(lookAgainMs);
    seen = await look(till, truth);
    const rules = new Set(left.map(({ rule }) => rule));
    left = judgeScreen(seen, truth).filter(({ rule }) => rules.has(rule));
  }
  return { seen, finding: null };
}

/** What axe-core finds in contrast and names, and where the Tab key does not lead. */
async function lookClosely(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
  });
  const before = await page.evaluateHandle(() => document.activeElement);
  const byKeyboard = await tabThrough(page);
  const isBack = await before.evaluate((element) => {
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    return element === document.activeElement;
  });
  if (!isBack) {
    // What had the keyboard has gone, as a menu does at the Tab key.
    await page.keyboard.press('Tab');
  }
  return [...found, ...byKeyboard];
}

/** Walks these steps on a terminal of their own, until something is not so. */
export async function walk(chromium: ChromiumSession, seed: number, steps: readonly Step[]): Promise<Walked> {
  const till = await openTill(chromium, seed);
  const lines: string[] = [];
  const read = new Set<keyof Screen>();
  const note = (screen: Screen): void => {
    for (const [name, value] of Object.entries(screen) as [keyof Screen, unknown][]) {
      if (Array.isArray(value) ? value.length > 0 : Boolean(value)) {
        read.add(name);
      }
    }
  };
  const lookedAt = new Set<string>();
  let slowness = 1;
  try {
    const truth = await openTruth(till);
    let before = await look(till, truth);
    let lastRead = { seen: before, shop: truth.shop() };
    for (const [place, step] of steps.entries()) {
      slowness = step.do === 'slow' ? Math.max(1, step.times / 2) : slowness;
      const ended = (finding: Finding): Walked => ({
        steps: place + 1,
        finding,
        trace: steps.slice(0, place + 1),
        lines,
        read,
      });
      const deed = await doStep(till, truth, step);
      lines.push(`${tellStep(step)}${deed.pressed === null ? '' : ` → ${deed.pressed}`}`);
      let after = await look(till, truth);
      for (let left = keyPatienceMs * slowness; left > 0 && isUnheard(deed, before, after, true); left -= lookAgainMs) {
        await sleep(lookAgainMs);
        after = await look(till, truth);
      }
      const wasAway = before.queue === null && after.queue !== null && lastRead.shop === truth.shop();
      const [done] = [
        ...judgeDeed(deed, before, after, truth),
        ...(wasAway ? judgeAbsence(lastRead.seen, after, truth) : []),
      ];
      if (done !== undefined) {
        return ended(done);
      }
      const { seen, finding } = await judge(till, truth, after, slowness);
      if (finding !== null) {
        return ended(finding);
      }
      note(seen.screen);
      lastRead = seen.queue === null ? lastRead : { seen, shop: truth.shop() };
      const { language, textSize, theme } = seen.state;
      const here = [seen.screen.place, ...seen.screen.dialogs, language, textSize, theme].join(' ');
      const isNew = step.do === 'look' && !lookedAt.has(here);
      const faults = {
        lost: await till.page().evaluate(findLostTexts),
        complaint: till.complaints(),
        everyone: isNew ? await lookClosely(till.page()) : [],
      };
      for (const [rule, words] of Object.entries(faults)) {
        if (words.length > 0) {
          return ended({ rule, words: `on ${here}: ${words.slice(0, 3).join('; ')}`, patienceMs: 0 });
        }
      }
      if (isNew) {
        lookedAt.add(here);
      }
      before = seen;
    }
    return { steps: steps.length, finding: null, trace: steps, lines, read };
  } finally {
    await till.close();
  }
}

/** The steps that the seed draws. */
export const stepsOf = (seed: number, count: number): readonly Step[] =>
  drawSteps(createSeededRandom(`walk ${seed}`), count);

/**
 * The shortest form that could be found within so many walks in which the same rule does not hold: ever smaller parts
 * are left out, as delta debugging does.
 */
export async function shorten(chromium: ChromiumSession, seed: number, found: Walked, tries: number): Promise<Walked> {
  let shortest = found;
  let left = tries;
  for (
    let size = Math.ceil(found.trace.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < shortest.trace.length && left > 0;) {
      left -= 1;
      const without = shortest.trace.filter((_, place) => place < from || place >= from + size);
      const walked = without.length === 0 ? null : await walk(chromium, seed, without).catch(() => null);
      if (walked?.finding?.rule === found.finding?.rule && walked !== null) {
        shortest = walked;
      } else {
        from += size;
      }
    }
  }
  return shortest;
}
