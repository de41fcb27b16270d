import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tryMutation, whyInapplicable } from './mutation-trial.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

test.for(mutations)('$name: fits the code', (mutation) => {
  expect(whyInapplicable(mutation)).toBeNull();
});

test('a mutation that names rules and a test names one that this test knows, for only such tests are run', () => {
  const unknown = mutations.filter(
    ({ test: file, rules }) =>
      file !== undefined &&
      rules.length > 0 &&
      !new RegExp(`\\b(${rules.join('|')})\\b`).test(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')),
  );
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test('a mutation stands in the file named after the folder whose code it changes, and each file is listed', async () => {
  const folder = join(import.meta.dirname, 'mutations');
  let count = 0;
  for (const name of readdirSync(folder)) {
    const read = (await import(join(folder, name))) as Readonly<Record<string, readonly Mutation[]>>;
    const own = Object.values(read).flat();
    expect(
      own.filter(({ file }) => `${file.split('/')[1] ?? ''}.ts` !== name).map((mutation) => mutation.name),
    ).toEqual([]);
    count += own.length;
  }
  expect(count).toBe(mutations.length);
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
