import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { tryMutation } from './mutation-trial.ts';
import type { Mutation, PlantedBugs } from './mutation.ts';
import { mutations } from './mutations.ts';
import { markers, plant } from './planting.ts';

const root = resolve(import.meta.dirname, '../..');

test.for(mutations)('$name: fits the code', (mutation) => {
  const planted = plant(mutation);
  if (typeof planted === 'string') {
    throw new Error(planted);
  }
  const { file, text } = planted;
  expect(parseSync(file, text).errors).toEqual([]);
  expect(text).not.toBe(readFileSync(join(root, file), 'utf8'));
});

test('every marker in the code has its mutation', () => {
  const names = new Set(mutations.map(({ name }) => name));
  expect([...markers.keys()].filter((name) => !names.has(name))).toEqual([]);
});

test('every mutation names a rule or a test', () => {
  expect(mutations.filter(({ rules, test: file }) => rules.length === 0 && file === undefined)).toEqual([]);
});

test('a mutation that names rules and a test names one that this test knows, for only such tests are run', () => {
  const unknown = mutations.filter(
    ({ test: file, rules }) =>
      file !== undefined &&
      rules.length > 0 &&
      !new RegExp(`\\b(${rules.join('|')})\\b`).test(readFileSync(join(root, file), 'utf8')),
  );
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test('a mutation stands in the file named after the folder whose code it changes, and each file is listed', async () => {
  const folder = join(import.meta.dirname, 'mutations');
  let count = 0;
  for (const list of readdirSync(folder)) {
    const read = (await import(join(folder, list))) as Readonly<Record<string, PlantedBugs>>;
    const own = Object.values(read).flatMap((bugs) => Object.keys(bugs));
    expect(own.filter((name) => markers.get(name)?.some((file) => `${file.split('/')[1] ?? ''}.ts` !== list))).toEqual(
      [],
    );
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
  'a ticket lasts for ever (H4)',
])('%s: is caught', async (name, { expect: must }) => {
  const mutation = mutations.find((candidate) => candidate.name === name) as Mutation;
  const trial = await tryMutation(mutation, 12, 0.25);
  must(trial).toMatchObject({ trouble: null, caughtBy: mutation.test ?? (expect.any(Number) as number) });
});
