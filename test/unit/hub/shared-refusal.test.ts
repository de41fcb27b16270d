import { expect, test } from 'vitest';
import { maxCount, parseDocument, type HubDocument } from '../../../app/hub/document.ts';
import { withoutLoss } from '../../../app/hub/loss.ts';
import { createSharedRefusal } from '../../../app/hub/shared-refusal.ts';
import { documentedRules, wholePart, windowMs } from '../../../app/rate-limit/rules.ts';
import { createSharing, type Refusal } from '../../../app/rate-limit/shared-limit.ts';
import { documentOf, nowMs } from '../../support/hub-document.ts';

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

/** The document that is written back where the hub has lost the one with this refusal. */
function writtenBack(refusal: Partial<NonNullable<HubDocument['refusal']>>): HubDocument {
  const told = { pauseMs: 5_000, sharing, count: 3, notedLoMs: nowMs - 60_000, ...refusal };
  const own = { id: 'me', answered: 1, windowMs };
  const memory = { version: 9, document: documentOf({}, { refusal: told }) };
  return withoutLoss(null, memory, own, { serverMs: 7, isIntact: false }, () => 'new');
}

test('H12: a refusal of before a loss is as old in the time that begins anew', () => {
  const [started, refused] = [openTerminal(5_000), openTerminal(5_000)];
  const document = writtenBack({});
  started.adopt(document, started.limits, document.loMs + 1_000);
  expect(started.adopted).toEqual([
    { pauseMs: 5_000 - 61_000, sharing: { ...sharing, growsInMs: 5_000 - 61_000, refusedForMs: 61_000 } },
  ]);
  refused.refused();
  expect(refused.report(document, refused.limits, document.loMs + 1_000).refusal?.count).toBe(4);
});

test.each([
  { notedLoMs: 1e300 },
  { pauseMs: 1e300 },
  { sharing: { ...sharing, growsInMs: 1e300 } },
  { sharing: { ...sharing, from: -1e300 } },
  { sharing: { ...sharing, peak: -1e300 } },
  { sharing: { ...sharing, refusedForMs: -1e300 } },
  { pauseMs: -1.7e308, notedLoMs: -1.7e308 },
  { sharing: { ...sharing, refusedForMs: 1.7e308 }, notedLoMs: -1.7e308 },
])('H12: what a thief says of a 429, %o, ends five minutes after a loss', (said) => {
  const [started, refused] = [openTerminal(5_000), openTerminal(5_000)];
  const document = parseDocument(JSON.parse(JSON.stringify(writtenBack(said)))) ?? expect.fail('no document');
  started.adopt(document, started.limits, document.loMs);
  const [adopted] = started.adopted;
  expect(adopted?.pauseMs).toBeLessThanOrEqual(300_000);
  const curve = createSharing(0, adopted ?? null);
  expect(curve.part(300_000 + 20 * windowMs, documentedRules)).toBe(curve.part(Infinity, documentedRules));
  expect(curve.refusedAtMs()).toBeLessThanOrEqual(0);
  refused.refused();
  expect(refused.report(document, refused.limits, document.loMs + 300_000).refusal?.count).toBe(4);
});

test('H12: a refusal noted after now, as an earlier version writes one back after a loss, is over', () => {
  const [started, refused] = [openTerminal(5_000), openTerminal(5_000)];
  const document = documentOf({}, { refusal: { pauseMs: 300_000, sharing, count: 3, notedLoMs: nowMs + 864e6 } });
  started.adopt(document, started.limits, nowMs);
  const [adopted] = started.adopted;
  expect(createSharing(0, adopted ?? null).part(0, documentedRules)).toBe(wholePart(documentedRules));
  expect(adopted?.pauseMs).toBeLessThanOrEqual(0);
  refused.refused();
  expect(refused.report(document, refused.limits, nowMs).refusal?.count).toBe(4);
});
