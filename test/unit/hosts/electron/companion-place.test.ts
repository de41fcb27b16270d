// The proof that the companion bar is always whole on its screen, and is found again where a person has put it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxAt, placeOf, defaultPlace } from '../../../../app/hosts/electron/companion-place.ts';

const area = { x: 1920, y: 40, width: 1366, height: 700 };
const low = 84;

test('it stands in the middle and near the top of the screen where it is called', () => {
  expect(boxAt(area, { width: 600, height: low }, defaultPlace, low)).toEqual({
    x: 1920 + 383,
    y: 40 + 74,
    width: 600,
    height: low,
  });
});

test('it keeps its upper left corner when it grows, and goes up when it would stand over the edge', () => {
  const place = { across: 0, down: 0.5 };
  const before = boxAt(area, { width: 600, height: low }, place, low);
  expect(boxAt(area, { width: 600, height: 350 }, place, low)).toMatchObject({ x: before.x, y: before.y });
  expect(boxAt(area, { width: 600, height: 500 }, place, low).y).toBe(40 + 200);
});

test('on every screen, of whatever size and wherever it was put, it is whole', () => {
  const number = (least: number, most: number) => fc.integer({ min: least, max: most });
  const box = fc.record({
    x: number(-4000, 4000),
    y: number(-4000, 4000),
    width: number(320, 4000),
    height: number(200, 3000),
  });
  fc.assert(
    fc.property(box, box, number(40, 2000), (screen, left, height) => {
      const shown = boxAt(screen, { width: 600, height }, placeOf(screen, left, low), low);
      expect(shown.x).toBeGreaterThanOrEqual(screen.x);
      expect(shown.y).toBeGreaterThanOrEqual(screen.y);
      expect(shown.x + shown.width).toBeLessThanOrEqual(screen.x + screen.width);
      expect(shown.y + shown.height).toBeLessThanOrEqual(screen.y + screen.height);
    }),
    { seed: 1 },
  );
});

test('where a person has left it, it stands again, to the pixel on the same screen', () => {
  const left = { x: area.x + 701, y: area.y + 333, width: 600, height: low };
  expect(boxAt(area, { width: 600, height: low }, placeOf(area, left, low), low)).toEqual(left);
});
