// The proof that ids keep every digit, whatever form they come in.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idSchema } from '../../../app/contract/basics.ts';
import { parseId } from '../../../app/domain/int64.ts';

const largest = 2n ** 63n - 1n;

test.each([
  ['0', '0'],
  ['007', '7'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  [0, '0'],
  [-0, '0'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [9007199254740993n, '9007199254740993'],
  [largest, '9223372036854775807'],
])('%s is %s', (value, id) => {
  expect(parseId(value)).toBe(id);
});

test.each([
  '',
  ' 1',
  '1 ',
  '+1',
  '-1',
  '1.0',
  '1e3',
  '0x10',
  '٣',
  '9223372036854775808',
  '1'.repeat(20),
  '1\n',
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Infinity,
  -1n,
  largest + 1n,
  null,
  undefined,
  true,
  [1],
  { id: 1 },
])('%s is none', (value) => {
  expect(parseId(value)).toBeNull();
});

test('every int64 comes round, and passes the bridge only in its one form', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: largest }), fc.nat(3), (value, zeros) => {
      const id = parseId(value);
      expect(id === null ? null : BigInt(id)).toBe(value);
      expect(parseId(String(value))).toBe(id);
      expect(idSchema.safeParse(id).success).toBe(true);
      expect(idSchema.safeParse('0'.repeat(zeros) + String(value)).success).toBe(zeros === 0);
    }),
    { seed: 1 },
  );
});
