// The proof that sets of rows are written down and put together without loss, whether they lie as a list or as bits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addTo,
  blockRows,
  firstPlaces,
  keepCommon,
  noBits,
  withoutPlaces,
  withPlaces,
  type StoredPlaces,
} from '../../../../app/catalogue/search/places.ts';

const place = fc.integer({ min: 0, max: blockRows - 1 });
const few = fc.array(place, { maxLength: 12 });
const many = fc.array(place, { minLength: 200, maxLength: 900 });
const change = fc.record({ places: fc.oneof(few, many), isAdded: fc.boolean() });

function sorted(places: Iterable<number>): number[] {
  return [...new Set(places)].toSorted((left, right) => left - right);
}

function read(stored: StoredPlaces | null): number[] {
  const bits = noBits();
  if (stored !== null) {
    addTo(bits, stored);
  }
  return firstPlaces(bits, blockRows);
}

test('after any additions and removals the stored places are those of a plain set, in at most 512 bytes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const expected = new Set<number>();
      let stored: StoredPlaces | null = null;
      for (const { places, isAdded } of changes) {
        for (const one of places) {
          if (isAdded) {
            expected.add(one);
          } else {
            expected.delete(one);
          }
        }
        if (isAdded && places.length > 0) {
          stored = withPlaces(stored, places);
        } else if (!isAdded && stored !== null) {
          stored = withoutPlaces(stored, places);
        }
        expect(read(stored)).toEqual(sorted(expected));
        expect(stored?.byteLength ?? 0).toBeLessThanOrEqual(512);
      }
      expect(stored === null).toBe(expected.size === 0);
    }),
  );
});

test('rows that come one after the other are a list until a map of bits is shorter', () => {
  let stored: StoredPlaces | null = null;
  for (let one = 0; one < 255; one += 1) {
    stored = withPlaces(stored, [16 * one]);
  }
  expect(stored?.byteLength).toBe(510);
  stored = withPlaces(stored, [4_095]);
  expect(stored.byteLength).toBe(512);
  expect(read(stored)).toEqual([...Array.from({ length: 255 }, (_unused, one) => 16 * one), 4_095]);
});

test('what several sets have in common is their intersection, and its first places are the smallest', () => {
  fc.assert(
    fc.property(fc.oneof(few, many), many, fc.integer({ min: 0, max: 50 }), (one, other, limit) => {
      const [left, right] = [noBits(), noBits()];
      addTo(left, withPlaces(null, one));
      addTo(right, withPlaces(null, other));
      const common = sorted(one.filter((candidate) => other.includes(candidate)));
      expect(keepCommon(left, right)).toBe(common.length > 0);
      expect(firstPlaces(left, limit)).toEqual(common.slice(0, limit));
    }),
  );
});
