import { expect, test } from 'vitest';
import { createKnownBits } from '../../../../app/catalogue/search/known-bits.ts';
import { noBits } from '../../../../app/catalogue/search/places.ts';

test('ranges that were asked for longest ago make room, and nothing is noted under one that has', () => {
  const known = createKnownBits();
  const typed = known.of('typed');
  const other = known.of('other');
  for (let block = 0; block < 4_000; block += 1) {
    known.note('typed', block, noBits());
    known.note('other', block, null);
  }
  expect([typed.size, other.size]).toEqual([4_000, 4_000]);
  known.of('typed');
  known.of('third');
  known.note('third', 0, null);
  expect(known.of('typed').size).toBe(4_000);
  known.note('other', 4_000, null);
  expect(known.of('other').size).toBe(0);
  // A search may have begun with it, and would not hear of what is written meanwhile.
  expect(other.size).toBe(0);
});

test('a block that is written to is known of no range', () => {
  const known = createKnownBits();
  for (const range of ['one', 'two']) {
    known.of(range);
    known.note(range, 1, noBits());
    known.note(range, 2, noBits());
  }
  known.forget(1);
  expect([...known.of('one').keys(), ...known.of('two').keys()]).toEqual([2, 2]);
});
