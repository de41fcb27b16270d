import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium, lacksChromium, type ChromiumSession } from '../support/chromium.ts';
import { hasKeyring } from '../support/keyring.ts';
import { shareOf } from '../support/night.ts';
import { stepsOf, walk } from './run-walk.ts';
import type { Screen } from './screen.ts';

const isMissing = lacksChromium || !hasKeyring();
let chromium: ChromiumSession | null = null;

beforeAll(async () => {
  chromium = isMissing ? null : await launchChromium();
});

afterAll(() => chromium?.close());

it.skipIf(isMissing).each(shareOf([28, 31], 0))('what the screen says is so on a walk of seed %i', async (seed) => {
  if (chromium === null) {
    throw new Error('no Chromium');
  }
  const { finding, lines } = await walk(chromium, seed, stepsOf(seed, 15));
  expect({ finding, lines: finding === null ? [] : lines }).toEqual({ finding: null, lines: [] });
});

// A word of the page that changes would otherwise leave a judge without anything to judge.
it.skipIf(isMissing)('a walk reads cards, recent lookups, coupons, and the lines of queue and stock', async () => {
  if (chromium === null) {
    throw new Error('no Chromium');
  }
  const places = ['Alt+q', 'Alt+o', 'Alt+t', 'Alt+c', 'Alt+l'] as const;
  const { finding, read } = await walk(chromium, 1, [
    { do: 'scan', product: 1, pauses: {}, f4AfterMs: 400 },
    { do: 'wait', ms: 1500 },
    ...places.flatMap((key) => [{ do: 'key', key } as const, { do: 'wait', ms: 1000 } as const]),
    { do: 'key', key: 'Escape' },
  ]);
  expect(finding).toBeNull();
  const wanted = ['card', 'recent', 'listed', 'changes', 'lines', 'connection', 'who', 'company', 'copy', 'focused'];
  expect(wanted.filter((name) => !read.has(name as keyof Screen))).toEqual([]);
});
