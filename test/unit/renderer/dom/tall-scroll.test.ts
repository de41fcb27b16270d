// The proof that a million rows can be scrolled through in a box that is never tall enough for them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canvasHeightOf,
  follow,
  isCramped,
  placeAt,
  reveal,
  rowsInSight,
  tallestCanvas,
  topPlace,
  type ScrollPlace,
  type TallList,
} from '../../../../renderer/dom/tall-scroll.ts';

const million: TallList = { rows: 1_000_000, rowHeight: 44, viewHeight: 440 };
const lists = fc.record({
  rows: fc.integer({ min: 0, max: 5_000_000 }),
  rowHeight: fc.constant(44),
  viewHeight: fc.integer({ min: 50, max: 2_000 }),
});

function topOf({ scrollTop, shift }: ScrollPlace): number {
  return scrollTop + shift;
}

/** The box takes whatever it is told as long as it is on the canvas. */
function scrollTo(list: TallList, place: ScrollPlace, scrollTop: number): ScrollPlace {
  const most = Math.max(0, canvasHeightOf(list) - list.viewHeight);
  const next = follow(list, place, Math.min(Math.max(0, Math.round(scrollTop)), most));
  return isCramped(list, next) ? placeAt(list, topOf(next)) : next;
}

test('a list that fits is scrolled as it is', () => {
  const short = { rows: 1_000, rowHeight: 44, viewHeight: 440 };
  expect(canvasHeightOf(short)).toBe(44_000);
  expect(follow(short, topPlace, 12_345)).toEqual({ scrollTop: 12_345, shift: 0 });
  expect(placeAt(short, 99_999)).toEqual({ scrollTop: 43_560, shift: 0 });
});

test('the canvas is never too tall, and every row has a place on it', () => {
  fc.assert(
    fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      expect(canvasHeightOf(list)).toBeLessThanOrEqual(tallestCanvas);
      const row = Math.floor(share * Math.max(0, list.rows - 1));
      const place = reveal(list, placeAt(list, (1 - share) * list.rows * 44), row);
      const { first, end } = rowsInSight(list, place, 0);
      expect(list.rows === 0 || (first <= row && row < end)).toBe(true);
      // Where the row is drawn lies on the canvas.
      expect(row * 44 - place.shift).toBeGreaterThanOrEqual(-44);
      expect(row * 44 - place.shift).toBeLessThanOrEqual(tallestCanvas);
    }),
    { seed: 1 },
  );
});

describe('of a million rows', () => {
  test('1: a turn of the wheel moves the rows by as much', () => {
    const before = placeAt(million, 20_000_000);
    const after = scrollTo(million, before, before.scrollTop + 120);
    expect(topOf(after) - topOf(before)).toBe(120);
    expect(after.shift).toBe(before.shift);
  });

  test('2: the bar dragged to the middle shows the middle, and to the end the end', () => {
    const most = tallestCanvas - 440;
    expect(rowsInSight(million, scrollTo(million, topPlace, most / 2), 0).first).toBeCloseTo(499_995, -2);
    expect(rowsInSight(million, scrollTo(million, topPlace, most), 0).end).toBe(1_000_000);
    expect(topOf(scrollTo(million, placeAt(million, 43_000_000), 0))).toBe(0);
  });

  test('3: at rest the bar is put right, and no row moves', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 44_000_000 - 440 }),
        fc.array(fc.integer({ min: -600, max: 600 }), { maxLength: 20 }),
        (top, moves) => {
          let place = placeAt(million, top);
          for (const move of moves) {
            place = scrollTo(million, place, place.scrollTop + move);
          }
          const rested = placeAt(million, topOf(place));
          expect(topOf(rested)).toBe(topOf(place));
          expect(placeAt(million, topOf(rested))).toEqual(rested);
        },
      ),
      { seed: 1 },
    );
  });

  test('4: whoever keeps turning the wheel reaches the first row and the last, and none is jumped over', () => {
    for (const step of [-400, 400]) {
      let place = placeAt(million, step < 0 ? 900_000 : 44_000_000 - 900_000);
      for (let turn = 0; turn < 3_000; turn += 1) {
        const next = scrollTo(million, place, place.scrollTop + step);
        expect(Math.abs(topOf(next) - topOf(place))).toBeLessThanOrEqual(Math.abs(step));
        place = next;
      }
      expect(topOf(place)).toBe(step < 0 ? 0 : 44_000_000 - 440);
      expect(place.scrollTop).toBe(step < 0 ? 0 : tallestCanvas - 440);
    }
  });
});
