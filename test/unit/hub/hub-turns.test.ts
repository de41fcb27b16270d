import { expect, test } from 'vitest';
import { inTurn } from '../../../app/hub/hub-turns.ts';

test('of those that came at once all terminals name the same one, whatever their languages', () => {
  const waiting = (id: string) => ({ id, lane: 'catalogue' as const, sinceMs: 1, isFigure: false, held: 0 });
  // A language sorts letters by their sound: in English "a" before "Z", in Estonian "Z" before "t".
  expect(inTurn(['aa', 'a', 't', 'Z', '-'].map(waiting)).map(({ id }) => id)).toEqual(['-', 'Z', 'a', 'aa', 't']);
});
