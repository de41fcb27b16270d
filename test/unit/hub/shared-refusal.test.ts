import { expect, test } from 'vitest';
import type { HubDocument } from '../../../app/hub/document.ts';
import { createSharedRefusal } from '../../../app/hub/shared-refusal.ts';
import type { Refusal } from '../../../app/rate-limit/shared-limit.ts';

const unreported = { refusal: null } as HubDocument;
const sharing = { from: 20, peak: 40, growsInMs: 5_000, refusedForMs: 0 };

/** Makes a terminal with this pause; it reports its own refusal, and goes on from another's. */
function openTerminal(pauseMs: number) {
  const adopted: Refusal[] = [];
  return {
    ...createSharedRefusal(),
    adopted,
    limits: { refusal: () => ({ pauseMs, sharing }), adopt: (refusal: Refusal) => void adopted.push(refusal) },
  };
}

test('H12: of two 429s within one pause the longer is told, and the part shrinks once', () => {
  const [one, two] = [openTerminal(5_000), openTerminal(14_000)];
  one.refused();
  const first = one.report(unreported, one.limits, 1_000);
  one.adopt(first, one.limits, 1_000);
  two.refused();
  const second = two.report(first, two.limits, 3_000);
  two.adopt(second, two.limits, 3_000);
  one.adopt(second, one.limits, 4_000);
  expect(one.adopted).toEqual([{ pauseMs: 13_000, sharing: { ...sharing, growsInMs: 2_000, refusedForMs: 3_000 } }]);
  expect(two.isPending()).toBe(false);
});

test('H12: of two 429s within one pause a shorter one is not told', () => {
  const [one, two] = [openTerminal(14_000), openTerminal(5_000)];
  one.refused();
  const first = one.report(unreported, one.limits, 1_000);
  two.refused();
  expect(two.report(first, two.limits, 3_000)).toBe(first);
});
