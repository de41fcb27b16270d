// The proof that app/platform/README.md is true: every file that its tables name is there, each line of the document
// says how it is done and which test shows it, and no endpoint, rule, status or code of API v3 is missing.
import { globSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { platformCodes } from '../../../app/domain/failure.ts';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'app/platform/README.md'), 'utf8');
const lines = text.split('\n');
const rows = lines
  .filter((line) => line.startsWith('| §'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const pathsIn = (cell: string): string[] =>
  [...cell.matchAll(/`((?:app|renderer|test)\/[^`]+)`/g)].map((match) => match[1] ?? '');

const isOfService = (path: string): boolean => /^app\/(?:service|training)\//.test(path);

describe('each line of the document', () => {
  test.each(rows)('%s', (...cells) => {
    expect(cells).toHaveLength(4);
    const [line = '', client = '', service = '', shownBy = ''] = cells;
    expect([line, client, service, shownBy].filter((cell) => cell === '')).toEqual([]);
    expect(cells.flatMap(pathsIn).filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(pathsIn(client).filter((path) => !/^(app|renderer)\//.test(path) || isOfService(path))).toEqual([]);
    expect(pathsIn(service).filter((path) => !isOfService(path))).toEqual([]);
    expect(pathsIn(shownBy).every((path) => /^test\/.*\.test\.tsx?$/.test(path))).toBe(true);
    expect(pathsIn(shownBy).length > 0 || shownBy === 'None: nothing to show').toBe(true);
  });

  test('stands in a table of four columns, once', () => {
    const named = rows.map(([line]) => line);
    expect(new Set(named).size).toBe(named.length);
    expect(lines.filter((line) => line.startsWith('| The document ')).length).toBeGreaterThan(5);
  });
});

// API v3, by section: what no table may leave out.
const endpoints = ['4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9'].map((section) => `§${section} `);
const parameters = [
  'term',
  'order_by_field',
  'order_by_type',
  'product_ids',
  'amount_in_stock',
  'page',
  'per_page',
  'updated_from',
].map((name) => `§4.3 \`${name}\``);
const rules = [
  ...[1, 2, 3, 4, 5, 6, 7].map((rule) => `§5 rule ${rule} `),
  ...[1, 2, 3, 4, 5].map((rule) => `§8 rule ${rule} `),
];
const statuses = [200, 201, 204, 400, 401, 403, 404, 422, 429, 500].map((status) => `§7 ${status} `);
const codes = Object.keys(platformCodes).map((code) => `§7 \`${code}\``);
const resources = [
  'Date-time',
  'Weekday',
  'Ids',
  'Company id',
  'Pagination envelope',
  'Token request, grant password',
  'Token request, grant refresh_token',
  'Token response',
  'Stock product list response',
  'Stock product balance response',
  'Stock product batches response',
  'Consumption-coupon setting',
  'Error body',
  'Units of measure',
  'Barcode types',
].map((name) => `§2 ${name}`);

test.each([
  ...resources,
  '§3 ',
  ...endpoints,
  ...parameters,
  ...rules,
  '§6 ',
  ...statuses,
  ...codes,
  '§8 Rate limit',
  '§8 Idempotency-Key',
  '§8 `per_page`',
  '§8 Largest image',
  '§9 Version',
])('%s has a row', (beginning) => {
  expect(rows.filter(([line = '']) => line.startsWith(beginning))).not.toEqual([]);
});

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
const speaksOf = (cell: string, names: readonly string[]): boolean =>
  pathsIn(cell).some((path) =>
    names.some((name) => new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, path), 'utf8'))),
  );

test('a parameter, a status and a code stand in a file that their row names', () => {
  const untrue = rows.flatMap(([line = '', client = '', service = '']) => {
    const [, parameter, status, code] = /^§4\.3 `(\w+)`|^§7 (\d{3}) |^§7 `(\w+)`/.exec(line) ?? [];
    const name = parameter ?? status ?? code;
    if (name === undefined) {
      return [];
    }
    // Whole classes of statuses are judged by their bounds at the client.
    const isDone =
      (status !== undefined || speaksOf(client, [name, camelCase(name)])) &&
      (service === 'Never' || speaksOf(service, [name]));
    return isDone ? [] : [line];
  });
  expect(untrue).toEqual([]);
});

test('no row puts off what the app has, or would have', () => {
  expect(rows.flat().filter((cell) => /\byet\b|\btoday\b|\blater\b|\bplanned\b|\btodo\b/i.test(cell))).toEqual([]);
});

test('every file of this folder is told of', () => {
  const named = new Set([...text.matchAll(/`((?:listing\/)?[a-z-]+\.ts)`/g)].map((match) => match[1] ?? ''));
  expect([...named].toSorted()).toEqual(
    globSync('**/*.ts', { cwd: join(root, 'app/platform') })
      .map((file) => file.replaceAll('\\', '/'))
      .toSorted(),
  );
});
