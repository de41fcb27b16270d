import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium, lacksChromium, type ChromiumSession } from '../support/chromium.ts';
import { hasKeyring } from '../support/keyring.ts';
import { stepsOf, walk } from './run-walk.ts';

const isMissing = lacksChromium || !hasKeyring();
let chromium: ChromiumSession | null = null;

beforeAll(async () => {
  chromium = isMissing ? null : await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
});

it.skipIf(isMissing).each([28, 31])('what the screen says is so on a walk of seed %i', async (seed) => {
  if (chromium === null) {
    throw new Error('no Chromium');
  }
  const { finding, lines } = await walk(chromium, seed, stepsOf(seed, 15));
  expect({ finding, lines: finding === null ? [] : lines }).toEqual({ finding: null, lines: [] });
});
