import { expect, test } from 'vitest';
import { tryPlant, whyInapplicable } from './mutation-trial.ts';
import type { Plant } from './mutation.ts';
import { plants } from './mutations.ts';

test.for(plants)('$name: fits the code', (plant) => {
  expect(whyInapplicable(plant)).toBeNull();
});

test('every plant has a name of its own', () => {
  expect(new Set(plants.map(({ name }) => name)).size).toBe(plants.length);
});

test.concurrent.for([
  'a new key on every retry',
  'a window of 57 s',
  'two refreshes at once',
  'updates are deleted at the start',
  'ids are read as numbers',
  'a full listing is over with the page before its last',
])('%s: is caught', async (name, { expect: must }) => {
  const plant = plants.find((candidate) => candidate.name === name) as Plant;
  const trial = await tryPlant(plant, 12, 0.25);
  must(trial).toMatchObject({ trouble: null, caughtBy: expect.any(Number) as number });
});
