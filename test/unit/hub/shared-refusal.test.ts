import { expect, test } from 'vitest';
import { maxCount, parseDocument, type HubDocument } from '../../../app/hub/document.ts';
import { createSharedRefusal } from '../../../app/hub/shared-refusal.ts';
import type { Refusal } from '../../../app/rate-limit/shared-limit.ts';
import { documentOf } from '../../support/hub-document.ts';

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

test.each([maxCount - 1, maxCount])('H12: after %i refusals, as somebody has said, each is heard once', (said) => {
  const [one, two, started] = [openTerminal(5_000), openTerminal(5_000), openTerminal(5_000)];
  let document: HubDocument = documentOf({}, { refusal: { pauseMs: 0, sharing, count: said, notedLoMs: 0 } });
  for (const terminal of [one, two]) {
    terminal.adopt(document, terminal.limits, 1_000);
  }
  for (const [round, refused] of [one, two, one].entries()) {
    refused.refused();
    const loMs = 10_000 * (round + 1);
    const told: HubDocument = refused.report(document, refused.limits, loMs);
    refused.adopt(told, refused.limits, loMs);
    expect(refused.isPending()).toBe(false);
    document = parseDocument(JSON.parse(JSON.stringify(told))) ?? expect.fail('no document');
    expect(document.refusal).not.toBeNull();
    for (const other of [one, two, started].filter((terminal) => terminal !== refused)) {
      other.adopt(told, other.limits, loMs);
    }
  }
  expect([one, two, started].map(({ adopted }) => adopted.length)).toEqual([2, 3, 3]);
});
