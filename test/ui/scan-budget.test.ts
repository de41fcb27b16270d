// The cost that one scan may have for the page, counted and never timed: commits of React and components rendered in
// them, messages over the bridge and their bytes, changes of the document, styles and layouts computed.
// renderer/README.md has the budget.
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { scan } from '../support/wedge.ts';
import { callsOf } from './fake.ts';
import type { Fake } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();
const scans = 12;

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

interface Counts {
  commits: number;
  renders: number;
  changes: number;
}

/** Stands where React's developer tools do, and counts. Runs in the page, before the app. */
function installCounts(): void {
  const counts: Counts = { commits: 0, renders: 0, changes: 0 };
  // Functions, forward references and memos, as React numbers them; the flag says that one was rendered.
  const components = new Set([0, 11, 14, 15]);
  const performedWork = 1;
  const count = (fiber: Fiber, before: Fiber | null): void => {
    if (components.has(fiber.tag) && (fiber.flags & performedWork) !== 0) {
      counts.renders += 1;
    }
    if (before !== null && fiber.child === before.child) {
      return;
    }
    for (let { child } = fiber; child !== null; child = child.sibling) {
      if (child.alternate === null || child !== before?.child) {
        count(child, child.alternate);
      }
    }
  };
  Object.assign(window, {
    counts,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
      onCommitFiberRoot: (_id: number, { current }: { readonly current: Fiber }) => {
        counts.commits += 1;
        count(current, current.alternate);
      },
    },
  });
  new MutationObserver((records) => {
    counts.changes += records.length;
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

interface Cost extends Counts {
  readonly messages: number;
  readonly bytes: number;
  readonly styles: number;
  readonly layouts: number;
}

/**
 * Between keys that a busy machine has slowed down a text is searched for, and every five seconds the page asks whether
 * the terminal is there.
 */
const callsBesideScans: readonly string[] = ['lookup:search', 'terminal:read'];

async function readCosts(page: Page, session: CDPSession): Promise<Cost> {
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const inPage = await page.evaluate((others) => {
    const { counts, fake } = window as unknown as { counts: Counts; fake: Fake };
    const calls = fake.calls.filter(({ channel }) => !others.includes(channel));
    return { ...counts, messages: calls.length, bytes: JSON.stringify(calls).length };
  }, callsBesideScans);
  return { ...inPage, styles: metric('RecalcStyleCount'), layouts: metric('LayoutCount') };
}

/** For one scan; about a fifth above what was counted. */
const budget = { commits: 12, renders: 245, changes: 80, messages: 5, bytes: 330, styles: 21, layouts: 9 } as const;
const codes = { '7890000000102': 'Queijo minas frescal', '7890000000105': 'Água de coco 1 litro' } as const;

async function seeBoth(page: Page): Promise<void> {
  for (const [code, name] of Object.entries(codes)) {
    await scan(page, code);
    await page.locator('.card-name', { hasText: name }).waitFor();
    // The work that it has begun is over: nothing waits for a frame or for a rest.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestIdleCallback(() => requestAnimationFrame(() => setTimeout(resolve)));
        }),
    );
  }
}

test('a scan of another product keeps to its budget', async () => {
  const { page } = await stage.open({ state: readyState(nowMs), nowMs }, undefined, { isOwn: true });
  await page.addInitScript(installCounts);
  await page.reload();
  await page.locator('.finder-input').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  // The parts that a first card loads are loaded then.
  await seeBoth(page);
  await seeBoth(page);
  const before = await readCosts(page, session);
  for (let pair = 0; pair < scans / 2; pair += 1) {
    await seeBoth(page);
  }
  const after = await readCosts(page, session);
  const names = Object.keys(budget) as (keyof Cost)[];
  const each = names.map((name) => [name, (after[name] - before[name]) / scans] as const);
  expect(each.filter(([name, spent]) => spent > budget[name])).toEqual([]);
  // The control: everything was counted.
  expect(each.filter(([, spent]) => !(spent >= 1))).toEqual([]);
  const channels = new Set((await callsOf(page)).slice(-scans).map(({ channel }) => channel));
  for (const channel of callsBesideScans) {
    channels.delete(channel);
  }
  expect([...channels].toSorted()).toEqual(['lookup:find', 'lookup:listRecent', 'product:readKept', 'product:refresh']);
});
