import { expect, test } from 'vitest';
import { growAfterMs } from '../../../app/hub/document.ts';
import { shareOf } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { watchIdle } from './idle-watch.ts';
import { countWrites, cut, later, minuteMs, mostInAWindow, openShop, type Shop } from './shop.ts';

const settledMs = 2 * minuteMs;

/** Tills that may send when they are cut off. */
const sharers = ({ terminals }: Shop) => terminals.filter((terminal) => terminal.member()?.state().share === 1);

test.each(shareOf([80, 61], 1))(
  'of %i tills that are cut off thirty go on, with one request a minute each (H1)',
  async (tills) => {
    const shop = openShop(tills);
    await later(shop, settledMs);
    expect(sharers(shop)).toHaveLength(30);
    for (const terminal of shop.terminals) cut(terminal, true);
    for (const at of shop.terminals.keys()) shop.ask(at, 'person', 5);
    await later(shop, growAfterMs(minuteMs) + 3 * minuteMs);
    expect(shop.arrivals.filter((sent) => sent.length > 1)).toHaveLength(30);
    expect(shop.arrivals.filter((sent) => sent.length === 0)).toHaveLength(tills - 30);
    expect(mostInAWindow(shop)).toBe(30);
  },
);

test('tills without a share get those of others that leave or close, and send while the hub answers', async () => {
  const shop = openShop(90);
  await later(shop, settledMs);
  const ending = sharers(shop);
  for (const [at, terminal] of ending.entries()) {
    void terminal.close(at < 15 ? 'leaving' : 'closing');
    await later(shop, 1_000);
  }
  // Those that have closed are forgotten by then.
  await later(shop, 6 * minuteMs);
  const left = shop.terminals.filter((terminal) => !ending.includes(terminal));
  expect(sharers(shop)).toEqual(left);
  const waits = shop.terminals.map((terminal, at) => (left.includes(terminal) ? shop.ask(at, 'person', 1) : []));
  await later(shop, 2_000);
  expect(waits.flat()).toHaveLength(60);
});

test('the tills that a power cut leaves in touch are lent half of the limit, whoever has shares', async () => {
  const shop = openShop(80);
  await later(shop, settledMs);
  const off = new Set(sharers(shop));
  for (const terminal of off) terminal.crash();
  await later(shop, 3 * minuteMs);
  const waits = shop.terminals.map((terminal, at) => (off.has(terminal) ? [] : shop.ask(at, 'person', 1)));
  await later(shop, 1_000);
  expect(waits.flat().length).toBeGreaterThanOrEqual(30);
});

test('a hundred tills that a power cut starts within ten seconds share within twenty more (H1, L1)', async () => {
  const { written, linkOf } = countWrites();
  const shop = openShop(100, linkOf);
  const { world, terminals } = shop;
  const random = createSeededRandom('power cut');
  await later(shop, minuteMs);
  for (const terminal of terminals) terminal.crash();
  await later(shop, 5 * minuteMs);
  for (const terminal of terminals) {
    world.after(random.integer(0, 10_000), () => {
      terminal.start(true);
    });
  }
  const waits: number[][] = [];
  let isOver = false;
  const scan = (): void => {
    const at = random.integer(0, 99);
    if (terminals[at]?.isUp() === true) waits.push(shop.ask(at, 'person', 1));
    if (!isOver) world.after(random.waitMs(minuteMs / 70), scan);
  };
  scan();
  await later(shop, 30_000);
  expect(terminals.filter((terminal) => terminal.member()?.state().mode === 'shared')).toHaveLength(100);
  const idle = watchIdle(world, terminals);
  Object.assign(written, { all: 0, lost: 0 });
  await later(shop, 30_000);
  expect(idle.longest().forMs).toBeLessThanOrEqual(1_000);
  expect((100 * written.lost) / written.all).toBeLessThanOrEqual(10);
  isOver = true;
  await later(shop, 40_000);
  expect(waits.flat()).toHaveLength(waits.length);
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});
