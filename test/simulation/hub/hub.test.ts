import { describe, expect, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import { growAfterMs } from '../../../app/hub/document.ts';
import type { HubLink } from '../../../app/hub/link.ts';
import { shareOf } from '../../support/night.ts';
import { reportHub } from './report-hub.ts';
import { cut, later, minuteMs, mostInAWindow, openShop } from './shop.ts';

// In seed 18 somebody outside uses the account as well.
test.for(shareOf([18, 9, 2, 5, 15], 2))('terminals that share a hub hold its rules in seed %i', async (seed) => {
  const { violations, requests } = await reportHub({ seed });
  expect(violations).toEqual([]);
  // Seed 15 has a window of ten minutes.
  expect(requests).toBeGreaterThan(seed === 15 ? 250 : 500);
});

// Of few terminals and of many.
test.for(shareOf([9, 1, 4, 11], 1))(
  'terminals whose figures are gathered hold its rules in seed %i (H1, H15)',
  async (seed) => {
    const { violations } = await reportHub({ seed, isListed: true });
    expect(violations).toEqual([]);
  },
);

describe('a scan never waits for the hub', () => {
  test.each(['stopped', 'frozen', 'emptied', 'slow'] as const)(
    'that is %s: own slots are granted at once',
    async (how) => {
      const shop = openShop(2);
      await later(shop, minuteMs);
      if (how === 'stopped') {
        cut(shop.terminals[0], true);
      } else if (how === 'frozen') {
        shop.register.setFrozen(true);
      } else if (how === 'emptied') {
        shop.register.empty();
      } else {
        Object.assign(shop.terminals[0]?.lines ?? {}, { meanMs: 5_000 });
      }
      await later(shop, 30_000);
      const waits = shop.ask(0, 'person', 3);
      await later(shop, 1_000);
      expect(waits).toEqual([0, 0, 0]);
    },
  );
});

test('a terminal that is cut off sends by its own slots, then by its share once others know (H6)', async () => {
  const shop = openShop(2);
  await later(shop, 2 * minuteMs);
  cut(shop.terminals[0], true);
  await later(shop, minuteMs);
  shop.ask(0, 'person', 100);
  await later(shop, 1_000);
  expect(shop.arrivals[0]).toHaveLength(3);
  expect(shop.terminals[0]?.member()?.state()).toMatchObject({ mode: 'cutOff', own: 3, share: 30 });
  await later(shop, growAfterMs(minuteMs));
  expect(shop.terminals[0]?.member()?.state().mode).toBe('alone');
  const sent = shop.arrivals[0]?.length ?? 0;
  shop.ask(1, 'queue', 60);
  await later(shop, minuteMs);
  // The other leaves it its share.
  expect((shop.arrivals[0]?.length ?? 0) - sent).toBeGreaterThan(20);
  expect(shop.arrivals[1]?.length).toBeLessThanOrEqual(30);
  cut(shop.terminals[0], false);
  await later(shop, minuteMs);
  expect(shop.terminals[0]?.member()?.state().mode).toBe('shared');
});

test('what was lent before the hub lost everything still counts, though nobody has reported it (H8)', async () => {
  const shop = openShop(2);
  await later(shop, 2 * minuteMs);
  shop.ask(0, 'queue', 57);
  await later(shop, 5_000);
  expect(shop.arrivals[0]?.length).toBeGreaterThan(50);
  cut(shop.terminals[0], true);
  shop.register.empty();
  shop.ask(1, 'queue', 60);
  await later(shop, 50_000);
  expect((shop.arrivals[0]?.length ?? 0) + (shop.arrivals[1]?.length ?? 0)).toBeLessThanOrEqual(60);
  // It is lent again when all of it is surely over.
  await later(shop, growAfterMs(minuteMs));
  expect(shop.arrivals[1]?.length).toBeGreaterThan(20);
});

describe('a lying hub', () => {
  /** With the least that a terminal sends in twenty minutes: its own slots, or in the end its share. */
  const lies: readonly [string, number, (link: HubLink) => HubLink][] = [
    [
      'that says yes to everything and keeps nothing',
      400,
      (link) => ({ ...link, write: () => Promise.resolve({ ok: true, value: true }) }),
    ],
    [
      'that has never been used, each time',
      400,
      (link) => ({
        ...link,
        read: async (account, timeoutMs) => {
          const read = await link.read(account, timeoutMs);
          return read.ok ? { ok: true, value: { ...read.value, document: null, isIntact: true } } : read;
        },
      }),
    ],
    [
      'that repeats its first answer for ever',
      30,
      (link) => {
        let first: ReturnType<HubLink['read']> | null = null;
        return { ...link, read: (account, timeoutMs) => (first ??= link.read(account, timeoutMs)) };
      },
    ],
  ];

  test.each(lies)('%s never makes one terminal exceed the limit, and stops no scan (H9)', async (_, least, lie) => {
    const shop = openShop(1, lie);
    for (let minute = 0; minute < 20; minute += 1) {
      shop.ask(0, 'person', 80);
      await later(shop, minuteMs);
    }
    const [sent = []] = shop.arrivals;
    expect(mostInAWindow({ arrivals: [sent] })).toBeLessThanOrEqual(60);
    expect(sent.length).toBeGreaterThan(least);
  });
});

test('a hub with the key of another shop is named, not written anew (H8), and nothing is sent by it', async () => {
  const shop = openShop(2, (link, at) =>
    at === 0
      ? link
      : {
          ...link,
          read: async (account, timeoutMs) => {
            const read = await link.read(account, timeoutMs);
            if (!read.ok) return read;
            // The other till comes first.
            const { document } = read.value;
            return document === null
              ? fail({ kind: 'unreachable' as const })
              : succeed({ ...read.value, document: `${document.slice(0, -8)}AAAAAAA=` });
          },
        },
  );
  await later(shop, minuteMs);
  expect(shop.terminals[1]?.member()?.state()).toMatchObject({ failure: 'otherKey', own: 0, share: 0 });
  expect(shop.terminals[0]?.member()?.state()).toMatchObject({ failure: null, mode: 'shared' });
});

test('of two terminals with one id the one that was there first holds nothing more (H16)', async () => {
  const shop = openShop(2, undefined, undefined, () => 'copied');
  shop.terminals[1]?.crash();
  await later(shop, 5 * minuteMs);
  shop.terminals[1]?.start(true);
  await later(shop, minuteMs);
  expect(shop.terminals[0]?.member()?.state()).toMatchObject({ failure: 'failed', own: 0, share: 0 });
  expect(shop.terminals[1]?.member()?.state()).toMatchObject({ failure: null, mode: 'shared' });
});

test.each([0, 2, 5, 7, 9])(
  'what a terminal has under way still counts when a copy of it starts, %i s after a minute (H16)',
  async (phase) => {
    const shop = openShop(3, undefined, undefined, (at) => (at < 2 ? 'copied' : 'third'));
    shop.terminals[1]?.crash();
    await later(shop, 7 * minuteMs + 1000 * phase);
    shop.ask(0, 'person', 45);
    await later(shop, 3_000);
    shop.terminals[1]?.start(true);
    await later(shop, 700);
    shop.ask(2, 'person', 55);
    await later(shop, 20_000);
    expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
  },
);
