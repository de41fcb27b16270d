import { expect, test } from 'vitest';
import { percentile } from '../../bench/statistics.ts';
import { asEarlierVersion } from '../../support/earlier-hub.ts';
import { shareOf } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { hubKey } from './hub-terminal.ts';
import { runShopDay } from './shop-day.ts';
import { later, minuteMs, mostInAWindow, openShop } from './shop.ts';

const random = createSeededRandom('versions');

test('tills of two versions share the limit while one after the other is brought up to date, and back (H1)', async () => {
  const isEarlier = [true, true, false, false];
  const shop = openShop(4, (link, at) => {
    const earlier = asEarlierVersion(link, hubKey, random);
    return {
      ...link,
      read: (...input) => (isEarlier[at] === true ? earlier : link).read(...input),
      write: (...input) => (isEarlier[at] === true ? earlier : link).write(...input),
    };
  });
  const { world, register, terminals } = shop;
  const starts: (() => void)[] = [];
  for (const [at] of terminals.entries()) {
    // Each asks for one at a time, in each of its runs.
    let asked = 0;
    const copy = (): void => {
      const [own, mine] = [terminals[at], (asked += 1)];
      own?.ask('catalogue', () => {
        world.after(200, () => {
          if (mine === asked) copy();
        });
      });
    };
    starts[at] = copy;
    copy();
  }
  const become = async (at: number, earlier: boolean): Promise<void> => {
    void terminals[at]?.close();
    await later(shop, 20_000);
    isEarlier[at] = earlier;
    terminals[at]?.start(false);
    starts[at]?.();
    await later(shop, 7 * minuteMs);
  };
  const rows = (): number => register.read().rows?.length ?? 0;
  const modes = () => terminals.map((terminal) => terminal.member()?.state().mode);
  await later(shop, 7 * minuteMs);
  expect([rows(), modes()]).toEqual([0, Array(4).fill('shared')]);
  await become(0, false);
  expect([rows(), modes()]).toEqual([0, Array(4).fill('shared')]);
  await become(1, false);
  expect([rows(), modes()]).toEqual([4, Array(4).fill('shared')]);
  // One goes back to the version before: it cannot read the hub, and uses its own share beside the others.
  await become(2, true);
  expect([rows(), modes()]).toEqual([4, ['shared', 'shared', 'alone', 'shared']]);
  // And the others go on keeping it when the hub loses everything.
  register.empty();
  await later(shop, 12 * minuteMs);
  expect([rows(), modes()]).toEqual([4, ['shared', 'shared', 'alone', 'shared']]);
  await become(2, false);
  expect([rows(), modes()]).toEqual([4, Array(4).fill('shared')]);
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

const days = [
  { seed: 1, tills: 10, scanEveryMs: 12_000, minutes: 15 },
  { seed: 2, tills: 20, scanEveryMs: 24_000, minutes: 15 },
];
test.for(shareOf(days, 1))(
  '$tills tills share the limit while each second one gathers no figures (H1, H15, L1)',
  async (day) => {
    const alone = await runShopDay(day);
    const { waitsMs, idle, joinedPercent, ...evidence } = await runShopDay({ ...day, isListed: true, isMixed: true });
    expect(evidence.mostInAWindow).toBeGreaterThan(50);
    expect(evidence.mostInAWindow).toBeLessThanOrEqual(60);
    expect(idle.forMs).toBeLessThanOrEqual(1_000);
    expect(joinedPercent).toBeGreaterThan(0);
    expect(percentile(waitsMs, 0.5)).toBeLessThanOrEqual(50);
    // Nobody waits longer than before one half was brought up to date.
    expect(percentile(waitsMs, 0.99)).toBeLessThan(percentile(alone.waitsMs, 0.99));
  },
);
