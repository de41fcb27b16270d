import { expect, it } from 'vitest';
import type { ExpiryCoverage } from '../../../../app/contract/expiring.ts';
import { coverageWords } from '../../../../renderer/expiring/coverage-words.ts';
import { createEveryWord } from '../../../support/sentences.ts';

const now = Date.UTC(2031, 0, 8, 15);
const coverage: ExpiryCoverage = {
  mayLack: [],
  withStock: 4_100,
  asked: 312,
  since: now - 2 * 86_400_000,
  night: 'day',
  nextNightAt: now + 7 * 3_600_000,
  perNight: 1_900,
};

async function words(more: Partial<ExpiryCoverage>): Promise<string> {
  const { t } = await createEveryWord('en');
  return coverageWords({ ...coverage, ...more }, now, t, 'en');
}

it('says how many of how many, since when, and in how many nights the rest comes', async () => {
  expect(await words({})).toMatch(
    /^312 of 4,100 products with stock, asked for since .+\. The rest follows at night, from .+: in about 2 nights at this pace\.$/,
  );
});

it.each([
  [{ night: 'off', nextNightAt: null }, 'The rest is asked for only when somebody opens its batches.'],
  [{ night: 'asking', nextNightAt: null }, 'Tillside is asking for the rest now: about 2 nights at this pace.'],
  [{ night: 'done', nextNightAt: null }, 'Nothing is due for now.'],
  [{ night: 'offline', nextNightAt: null }, 'Asking waits: there is no network.'],
  [{ night: 'asking', nextNightAt: null, asked: 4_000 }, '1 night at this pace.'],
] as const)('of the rest it says for %o: %s', async (more, sentence) => {
  expect(await words(more)).toContain(sentence);
});

it('says nothing of a rest where there is none, and of an answer where there is none', async () => {
  expect(await words({ asked: 4_100 })).toMatch(/^All 4,100 products with stock, asked for since [^.]+\.$/);
  expect(await words({ asked: 4_100, mayLack: ['refusedStock'] })).toMatch(
    /^All 4,100 products with stock, [^.]+\. A stock that the platform refuses is not counted\.$/,
  );
  expect(await words({ asked: 4_100, mayLack: ['notCopied'] })).toMatch(
    /^4,100 of 4,100 products with stock, asked for since [^.]+\. The catalogue has not been copied to its end: .+\.$/,
  );
  expect(await words({ withStock: 0, asked: 0, since: null, mayLack: ['notCopied'] })).toMatch(
    /^The catalogue has not/,
  );
  expect(await words({ asked: 0, since: null })).toBe('Nobody has asked for any of 4,100 products with stock.');
});
