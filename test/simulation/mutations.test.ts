import { expect, test } from 'vitest';
import { tryMutation, whyInapplicable } from './mutation-trial.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

test.for(mutations)('$name: fits the code', (mutation) => {
  expect(whyInapplicable(mutation)).toBeNull();
});

test('every mutation has a name of its own', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
});

test.concurrent.for([
  'a new key on every retry',
  'a window of 57 s',
  'two refreshes at once',
  'updates are deleted at the start',
  'ids are read as numbers',
  'a full listing is over with the page before its last',
])('%s: is caught', async (name, { expect: must }) => {
  const mutation = mutations.find((candidate) => candidate.name === name) as Mutation;
  const trial = await tryMutation(mutation, 12, 0.25);
  must(trial).toMatchObject({ trouble: null, caughtBy: expect.any(Number) as number });
});
