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
