// SECURITY.md names a test beside each claim: this holds that these tests are there, under their names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDirectory } from '../../../build/project.ts';

const page = readFileSync(join(projectDirectory, 'SECURITY.md'), 'utf8');

/** The page's part under this heading. */
function partOf(heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

const rowsOf = (part: string): string[][] =>
  part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

/** A test's name as it stands in its file, without what a string needs around it. */
const sourceOf = (path: string): string =>
  readFileSync(join(projectDirectory, path), 'utf8').replaceAll(/\\(["'`])/g, '$1');

const claims = rowsOf(partOf('Each claim and its test'))
  .slice(1)
  .map(([, claim = '', tests = '']) => ({
    claim,
    cell: tests,
    tests: [...tests.matchAll(/`([^`]+)` "(.+?)"(?=; `|$| ¹)/g)].map(([, path = '', name = '']) => ({
      path: `test/${path}`,
      name,
    })),
  }));

describe('a claim', () => {
  it.each(claims)('"$claim" names tests that are there', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { path, name } of tests) {
      expect(existsSync(join(projectDirectory, path)), path).toBe(true);
      expect(sourceOf(path).includes(name), `${path}: ${name}`).toBe(true);
    }
  });

  it('is read whole, with every test that stands beside it', () => {
    expect(claims.length).toBeGreaterThan(100);
    for (const { cell, tests } of claims) {
      const read = tests.map(({ path, name }) => `\`${path.slice('test/'.length)}\` "${name}"`).join('; ');
      expect(cell.replace(/ ¹$/, '')).toBe(read);
    }
  });
});

it('every file and folder that the page names is there', () => {
  const named = [...page.matchAll(/`((?:test|app|build|renderer|hosts|\.github)\/[\w./-]*)`/g)].map(([, path = '']) =>
    path.startsWith('hosts/') ? `app/${path}` : path,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(projectDirectory, path)))).toEqual([]);
});

it("each item of Electron's checklist has its test, whose name begins with its number", () => {
  const items = rowsOf(partOf("Electron's checklist"))
    .map(([item = '', , shown = '']) => ({ number: /^\d+/.exec(item)?.[0] ?? '', shown }))
    .filter(({ number }) => number !== '');
  expect(items.map(({ number }) => Number(number))).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
  const attacked = [
    ...sourceOf('test/e2e/electron/security.test.ts').matchAll(/test\(\s*["']((?:\d+(?:, )?)+) /g),
  ].flatMap(([, numbers = '']) => numbers.split(', '));
  expect(items.filter(({ number, shown }) => shown.startsWith('Electron') && !attacked.includes(number))).toEqual([]);
});

it('says by when a report is answered and a hole is mended, and which version is supported', () => {
  const report = partOf('Report a vulnerability');
  for (const promise of [
    'within 3 working days',
    'within 14 days',
    'within 90 days',
    'Supported is the newest release',
  ]) {
    expect(report).toContain(promise);
  }
});
