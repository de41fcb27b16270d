// The proof of the ten minutes that the rate limit remembers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHistory, pieceCount, pieceMs } from '../../../app/rate-limit/history.ts';

const used = (person: number) => ({ session: 0, person, queue: 0, catalogue: 0 });

test('a piece keeps its fullest moment, the last limit and its refusals', () => {
  const history = createHistory(0);
  history.note(1, used(3), 60);
  history.note(2, used(9), 60);
  history.refuse(3);
  history.note(4, used(1), 45);
  expect(history.read(5)).toEqual([{ used: used(9), limit: 45, refusals: 1 }]);
});

test('time in which nothing changes stays as it was left', () => {
  const history = createHistory(0);
  history.note(0, used(4), 60);
  history.note(1, used(2), 60);
  const pieces = history.read(3 * pieceMs);
  expect(pieces.map((piece) => piece.used.person)).toEqual([4, 2, 2, 2]);
});

test('there are never more than ten minutes, and after a long rest only the last of them is left', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ waitMs: fc.integer({ min: 0, max: 2_000_000 }), person: fc.nat(60), isRefused: fc.boolean() }),
        { maxLength: 40 },
      ),
      (notes) => {
        let nowMs = 12_345;
        const history = createHistory(nowMs);
        let refusals: number[] = [];
        for (const { waitMs, person, isRefused } of notes) {
          nowMs += waitMs;
          history.note(nowMs, used(person), 60);
          if (isRefused) {
            history.refuse(nowMs);
            refusals = [...refusals, nowMs];
          }
        }
        const pieces = history.read(nowMs);
        expect(pieces.length).toBeLessThanOrEqual(pieceCount);
        const from = Math.floor(nowMs / pieceMs) - pieceCount + 1;
        expect(pieces.reduce((sum, piece) => sum + piece.refusals, 0)).toBe(
          refusals.filter((atMs) => Math.floor(atMs / pieceMs) >= from).length,
        );
        expect(pieces.at(-1)?.used.person ?? 0).toBeGreaterThanOrEqual(notes.at(-1)?.person ?? 0);
        const later = history.read(nowMs + pieceCount * pieceMs);
        expect(later.every((piece) => piece.refusals === 0 && piece.used.person === (notes.at(-1)?.person ?? 0))).toBe(
          true,
        );
      },
    ),
    { seed: 1 },
  );
});
