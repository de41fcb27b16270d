// The proof that JSON passes through whole: integers digit for digit, everything else as JSON.parse and JSON.stringify
// have it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asWritten, parseJson, parseJsonWithin, writeJson, writeValues } from '../../../app/domain/json.ts';

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

test('nesting beyond all sense is refused before it costs anything; brackets in texts do not count', () => {
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

test('more values than any answer has are refused before they cost anything; commas in texts do not count', () => {
  expect(parseJson(`[${'1,'.repeat(999_998)}1]`)).toHaveLength(999_999);
  expect(parseJson(`["${','.repeat(1_100_000)}"]`)).toHaveLength(1);
  for (const value of ['1', '{}', '"a"', '{"a":1.0}']) {
    const before = process.cpuUsage();
    expect(parseJson(`[1234567890123456${`,${value}`.repeat(16_000_000 / (value.length + 1))}]`)).toBeUndefined();
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  }
  expect(parseJsonWithin('[[1,2],[3,4]]', 6)).toBeDefined();
  expect(parseJsonWithin('[[1,2],[3,4]]', 5)).toBeUndefined();
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

describe('zeros behind decimals', () => {
  /** A member as it is shown. */
  function shown(text: string, name: string): unknown {
    const object = parseJson(text) as Readonly<Record<string, unknown>>;
    return asWritten(object, name, object[name]);
  }

  test.each(['12.50', '1.0', '0.00', '-3.10', '1000000.000'])('%s is that number, and is kept as it came', (digits) => {
    for (const text of [`{"a":${digits}}`, `{"b":[1,{"a":2}],"a" : ${digits} ,"c":"x"}`]) {
      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(shown(text, 'a')).toBe(digits);
      expect(parseJson(writeJson(parseJson(text)))).toEqual(JSON.parse(text));
    }
    expect(writeJson(parseJson(`{"a":${digits}}`))).toBe(`{"a":${digits}}`);
    expect(writeValues(parseJson(`{"a":${digits}}`))).toBe(`{"a":${Number(digits)}}`);
  });

  test.each(['12.5', '1', '1e3', '1.50e3', '-0.0', '0.10000000000000000550', '1.10E+2', '123456789012345678901234.50'])(
    '%s is shown as a number is',
    (digits) => {
      expect(parseJson(`{"a":${digits}}`)).toEqual(JSON.parse(`{"a":${digits}}`));
      expect(shown(`{"a":${digits}}`, 'a')).toBe(Number(digits));
    },
  );

  test('take time in proportion to their number, also before another digit', () => {
    const startedAt = performance.now();
    expect(parseJson(`{"a":1.${'0'.repeat(100_000)}10}`)).toEqual({ a: 1 });
    // Where each zero begins a search for the end anew, it takes many seconds.
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test('are kept beside an integer that no number holds, and deep inside', () => {
    const text = '{"id":9007199254740993,"list":[{"product":{"price":12.50}}]}';
    expect(writeJson(parseJson(text))).toBe(text);
    expect(parseJson(`${'{"a":'.repeat(5_000)}{"price":12.50}${'}'.repeat(5_000)}`)).toBeDefined();
  });

  test.each([
    String.raw`{"a":"\"b\":12.50,","c":1.50}`,
    String.raw`{"a":":12.50,x","c":1.50}`,
    String.raw`{"a\"b":12.50,"c":1.50}`,
    String.raw`{"a\\":12.50,"c":1.50}`,
    '["a",":1.50,"]',
    '{"a":"b","":1.50,":":2.50}',
    '{"__proto__":12.50,"constructor":{"__proto__":1.0}}',
    '[12.50,1.0]',
    '12.50',
  ])('what only looks like them in %s is left alone', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(JSON.parse(writeJson(parseJson(text)))).toEqual(JSON.parse(text));
  });

  test.each(['{"a":012.50}', '{"a":.50}', '{"a":12.50', '{"a" 12.50}', '{"a":12.50,}', '{"a" ":12.50,"}'])(
    '%s is no JSON with them either',
    (text) => {
      expect(parseJson(text)).toBeUndefined();
    },
  );

  test('no text is taken for a number, whatever characters it holds', () => {
    const text = String.raw`{"a":"\u000112.50","b":1.50}`;
    expect(parseJson(text)).toEqual({ a: '\u000112.50', b: 1.5 });
  });

  test('a member that was set since is shown as it is now', () => {
    const object = parseJson('{"a":12.50}') as { a: number };
    object.a = 7;
    expect(asWritten(object, 'a', object.a)).toBe(7);
    expect(writeJson(object)).toBe('{"a":7}');
  });

  test('any document reads as it does without them', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '"', '\\', ':', ',', '1', '.', '0', ' ', '}', '\u0001') });
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        name,
        fc.constantFrom(1.5, 2, 0.25, null, true),
        fc.array(tie('any')),
        fc.dictionary(name, tie('any'), { noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1), (document, indent) => {
        // Every number ends in zeros, and whatever in a text looks like one is left.
        const plain = JSON.stringify(document, null, indent);
        const text = plain.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g, (token) =>
          token.startsWith('"') ? token : `${token}${token.includes('.') ? '0' : '.00'}`,
        );
        expect(parseJson(text)).toEqual(JSON.parse(plain));
        expect(JSON.parse(writeJson(parseJson(text)))).toEqual(JSON.parse(plain));
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
