import { expect, test } from 'vitest';
import { repeatedNames } from '../../../app/domain/repeated-names.ts';

test.each([
  ['{"a":1,"a":2}', ['a']],
  [String.raw`{"a":1,"\u0061":2}`, ['a']],
  ['{"a":{"b":1,"c":[{"d":1},{"d":1,"d":2,"d":3}],"b":{}}}', ['a.c.1.d', 'a.b']],
  ['[{"a":1},{"a":1}]', []],
  ['{"a":{"a":1},"b":["a","a",{"a":"a"}]}', []],
  [String.raw`{"a":"\",\"a\":{[","b":"a","c":"},{"}`, []],
  ['{"__proto__":1,"__proto__":2,"":3 , "" :4}', ['__proto__', '']],
  ['"a"', []],
  ['1', []],
])('of %s', (text, names) => {
  expect(repeatedNames(text)).toEqual(names);
});

test('of a text that is nested as deep as it can be, in memory for its length alone', () => {
  const deep = 50_000;
  expect(repeatedNames(`${'['.repeat(deep)}${']'.repeat(deep)}`)).toEqual([]);
  const twice = `${'{"a":'.repeat(deep)}{"b":1,"b":2}${'}'.repeat(deep)}`;
  expect(repeatedNames(twice)).toEqual([`${'a.'.repeat(deep)}b`]);
});

test('of a text with more of them than anybody reads, the first fifty', () => {
  const names = Array.from({ length: 5_000 }, (_, place) => `n${place}`);
  const all = [...names, ...names].map((name) => `"${name}":1`).join();
  expect(repeatedNames(`${'{"a":'.repeat(10_000)}{${all}}${'}'.repeat(10_000)}`)).toHaveLength(50);
});
