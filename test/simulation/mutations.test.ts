import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { shareOf } from '../support/night.ts';
import { tryMutation } from './mutation-trial.ts';
import type { Mutation, PlantedBugs } from './mutation.ts';
import { mutations } from './mutations.ts';
import { markers, plant, readCode } from './planting.ts';

const root = resolve(import.meta.dirname, '../..');

const partsOfJavaScript = [AbortController, Array, Error, Map, Math, Number, Object, Promise, Set, String];
const namesOfJavaScript = new Set([
  'Math',
  'undefined',
  ...partsOfJavaScript.flatMap((part) => [
    ...Object.getOwnPropertyNames(part),
    ...('prototype' in part ? [part.name, ...Object.getOwnPropertyNames(part.prototype)] : []),
  ]),
]);
namesOfJavaScript.delete('name');

/** Where the code names what is its own. */
const ownNames = ({ nodes }: ReturnType<typeof readCode>): readonly number[] =>
  nodes
    .filter(({ type, name }) => type.endsWith('Identifier') && !namesOfJavaScript.has(String(name)))
    .map(({ type, start }) => (type === 'PrivateIdentifier' ? start + 1 : start));

/** The marked files with another name for all that they name themselves. */
const renamed = new Map(
  [...new Set([...markers.values()].flat())].map((file) => {
    const code = readCode(file);
    const places = new Set(ownNames(code));
    const text = code.text.replaceAll(/\b/g, (_, place: number) => (places.has(place) ? 'its_' : ''));
    return [file, readCode(file, text)];
  }),
);

test.for(mutations)('$name: fits the code, whatever names that gives', (mutation) => {
  const planted = plant(mutation, (file) => renamed.get(file) ?? readCode(file));
  if (typeof planted === 'string') {
    throw new Error(planted);
  }
  const { file, text } = planted;
  const after = readCode(file, text);
  expect(after.errors).toEqual([]);
  expect(text).not.toBe(renamed.get(file)?.text);
  expect(
    ownNames(after).flatMap((place) => (text.startsWith('its_', place) ? [] : text.slice(place, place + 40))),
  ).toEqual([]);
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

// One after another, for each computes: beside each other, each would take as long as all.
const tried = [
  'two refreshes at once (I6)',
  'a ticket lasts for ever (H4)',
  'a new key on every retry (I2)',
  'a window of 57 s (I5)',
  'updates are deleted at the start (I1)',
  'ids are read as numbers (I15, I17)',
  'a full listing is over with the page before its last (I15, I16)',
];
test.for(shareOf(tried, 2))('%s: is caught', async (name) => {
  const mutation = mutations.find((candidate) => candidate.name === name) as Mutation;
  const trial = await tryMutation(mutation, 12, 0.25);
  expect(trial).toMatchObject({ trouble: null, caughtBy: mutation.test ?? (expect.any(Number) as number) });
});
