// The proof that JSON passes through whole: integers digit for digit, everything else as JSON.parse and JSON.stringify
// have it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, writeJson } from '../../../app/domain/json.ts';

test('integers that a number cannot hold come as bigint and go back digit for digit', () => {
  const text =
    '{"a":9007199254740993,"b":[-9223372036854775808,{"c":123456789012345678901234567890}],"d":9007199254740991}';
  expect(parseJson(text)).toEqual({
    a: 9007199254740993n,
    b: [-9223372036854775808n, { c: 123456789012345678901234567890n }],
    d: 9007199254740991,
  });
  expect(writeJson(parseJson(text))).toBe(text);
});

test.each(['1e300', '9007199254740993.5', '1.5', '12345678901234567890e2', '-0', '0.1234567890123456789'])(
  '%s stays a number',
  (text) => {
    expect(parseJson(text)).toBe(JSON.parse(text));
  },
);

test('digits inside texts and names are left alone', () => {
  const text = '{"9007199254740993":"9007199254740993"}';
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each(['', ' ', '{', '[1,', '{"a":}', 'undefined', "{'a':1}", '1 2', '\u0000', '9007199254740993x'])(
  '%j is not JSON',
  (text) => {
    expect(parseJson(text)).toBeUndefined();
  },
);

test('a document that is nested without end is not JSON either', () => {
  for (const digits of ['', '9007199254740993']) {
    expect(parseJson('['.repeat(1_000_000) + digits)).toBeUndefined();
  }
});

test('what is nested beyond every sense is refused before it costs anything, and brackets inside texts do not count', () => {
  for (const [opening, closing] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    expect(parseJson(`${opening.repeat(100_001)}1${closing.repeat(100_001)}`)).toBeUndefined();
    expect(parseJson(`${opening.repeat(2000)}1${closing.repeat(2000)}`)).toBeDefined();
  }
  const brackets = '[{"\\'.repeat(60_000);
  expect(parseJson(JSON.stringify([brackets, brackets]))).toEqual([brackets, brackets]);
  const flat = `[${'[],'.repeat(150_000)}[]]`;
  expect(parseJson(flat)).toHaveLength(150_001);
  const before = process.cpuUsage();
  expect(parseJson('['.repeat(10_000_000))).toBeUndefined();
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(500);
});

test('a name that objects have by birth is a name like any other', () => {
  const read = parseJson('{"__proto__":{"polluted":9007199254740993},"constructor":1}');
  expect(Object.keys(read as object)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('any document comes round', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
      fc.array(tie('any')),
      fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('any'),
        { noNullPrototype: true },
      ),
    ),
  })).any;
  fc.assert(
    fc.property(value, (document) => {
      expect(parseJson(writeJson(document))).toEqual(document);
    }),
    { numRuns: 500, seed: 1 },
  );
});

test('one byte order mark before a document is skipped (RFC 8259 §8.1), a second is not JSON', () => {
  expect(parseJson('\uFEFF{"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
  expect(parseJson('\uFEFF\uFEFF1')).toBeUndefined();
});

test('of two fields of one name the last one counts', () => {
  expect(parseJson('{"a":1,"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
});
