import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import {
  figuresWanted,
  growAfterMs,
  holding,
  hubTimeAt,
  leaveWithinMs,
  neededFor,
  parseDocument,
  planExchange,
  reclaimAfterMs,
  saysAgainAtMs,
  silentAfterMs,
  windowOf,
  type HubDocument,
  type Member,
  type Report,
} from '../../../app/hub/document.ts';
import { isOfAnother, withoutLoss } from '../../../app/hub/loss.ts';
import { maxMessageBytes } from '../../../app/hosts/hub/server-guard.ts';
import { maxRecordLength, maxRows } from '../../../app/hub/link.ts';
import { createSealedDocument } from '../../../app/hub/sealed-document.ts';
import { createStoredText } from '../../../app/hub/stored-text.ts';
import { exchangeTimeoutMs } from '../../../app/platform/exchange.ts';
import { maxWindowMs, windowMs } from '../../../app/rate-limit/rules.ts';
import { usedOf, type Lane } from '../../../app/rate-limit/lanes.ts';
import { nextInTurn } from '../../../app/rate-limit/scheduler.ts';
import { succeed } from '../../../app/domain/result.ts';
import { linkToText } from '../../support/hub-register.ts';
import { documentOf, memberOf, nothingHeld as nothing, nowMs, reportOf } from '../../support/hub-document.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';

const limit = 60;
const now = { loMs: nowMs, hiMs: nowMs };

const someHeld = fc.record({ session: fc.nat(3), person: fc.nat(10), queue: fc.nat(6), catalogue: fc.nat(30) });
const lane = fc.constantFrom('session', 'person', 'queue', 'catalogue');
const someMember = fc
  .record({
    held: someHeld,
    own: fc.nat(3),
    extra: fc.nat(3),
    share: fc.constantFrom(0, 1, 6, 30, 60),
    wants: fc.array(fc.record({ lane, sinceMs: fc.integer({ min: nowMs - 20_000, max: nowMs }) }), { maxLength: 3 }),
    windowMs: fc.constantFrom(windowMs, maxWindowMs),
    silentMs: fc.constantFrom(
      0,
      4_000,
      silentAfterMs + 1,
      reclaimAfterMs(windowMs) + 1,
      reclaimAfterMs(maxWindowMs) + 1,
    ),
  })
  .map(({ extra, own, share, silentMs, ...rest }) =>
    memberOf({
      ...rest,
      own,
      share: Math.max(own, share),
      rights: neededFor(rest.held, own) + extra,
      writtenLoMs: nowMs - silentMs,
      writtenHiMs: nowMs - silentMs,
      heardHiMs: nowMs - silentMs,
    }),
  );
const someReport = fc
  .record({
    held: someHeld,
    wants: fc.uniqueArray(fc.record({ lane, waitedMs: fc.nat(30_000) }), { selector: (want) => want.lane }),
    ending: fc.constantFrom(null, 'closing' as const, 'leaving' as const),
    isFirst: fc.boolean(),
    windowMs: fc.constantFrom(windowMs, maxWindowMs),
    limit: fc.integer({ min: 10, max: limit }),
  })
  .map(reportOf);

const sumOf = (document: HubDocument, of: (member: Member) => number): number =>
  Object.values(document.members).reduce((sum, member) => sum + of(member), 0);

describe('a planned exchange', () => {
  test('lets nobody hold more than is free, nor shares rise over the limit (H1)', () => {
    fc.assert(
      fc.property(fc.array(someMember, { maxLength: 8 }), fc.option(someMember), someReport, (others, mine, report) => {
        const members = Object.fromEntries(others.map((member, at) => [`till ${at}`, member]));
        const before = documentOf(mine === null ? members : { ...members, me: mine });
        const plan = planExchange(before, 0, now, report);
        const longestMs = windowOf(before, report.windowMs);
        const heldBefore = sumOf(before, (member) => holding(member, now, longestMs));
        const sharesBefore = sumOf(before, ({ share }) => share);
        // A slot that counts already stands, whoever allowed it.
        const counting = heldBefore - (mine === null ? 0 : holding(mine, now, longestMs)) + usedOf(report.held);
        expect(sumOf(plan.document, (member) => holding(member, now, longestMs))).toBeLessThanOrEqual(
          Math.max(limit, heldBefore, counting),
        );
        if (plan.lent !== null) {
          expect(sumOf(plan.document, (member) => holding(member, now, longestMs))).toBeLessThanOrEqual(limit);
        }
        expect(sumOf(plan.document, ({ share }) => share)).toBeLessThanOrEqual(Math.max(limit, sharesBefore));
        expect(plan.rights).toBeGreaterThanOrEqual(usedOf(report.held)); // H2
        expect(plan.own).toBeLessThanOrEqual(plan.share);
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives all shares, or half of the limit to more members than slots, whoever comes or goes (H1)', () => {
    const step = fc.record({
      till: fc.nat(39),
      ending: fc.constantFrom(null, null, null, null, 'closing' as const, 'leaving' as const),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 30, maxLength: 120 }),
        fc.integer({ min: 1, max: 50 }),
        (steps, whole) => {
          let document = documentOf({});
          const writeOf = (id: string, ending: Report['ending']): void => {
            const before = sumOf(document, ({ share }) => share);
            ({ document } = planExchange(document, 0, now, reportOf({ id, ending, limit: whole, wholeLimit: whole })));
            expect(sumOf(document, ({ share }) => share)).toBeLessThanOrEqual(Math.max(whole, before));
            expect(before).toBeLessThanOrEqual(whole);
          };
          for (const { till, ending } of steps) writeOf(`till ${till}`, ending);
          // Whoever has closed starts again.
          const ids = Object.keys(document.members);
          for (const id of [...ids, ...ids]) writeOf(id, null);
          const shares = Object.values(document.members).map(({ share }) => share);
          const fair = Math.max(1, Math.floor(whole / ids.length));
          expect(shares.filter((share) => share === fair)).toHaveLength(
            ids.length > whole ? Math.floor(whole / 2) : ids.length,
          );
          expect(shares.filter((share) => share !== fair && share !== 0)).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('lends for what is spare only while no till wants anything, and half of the account is free (B8)', () => {
    const wants = [{ lane: 'catalogue' as const, waitedMs: 60_000, isSpare: true }];
    const lentBeside = (other: Partial<Member>): string | null =>
      planExchange(documentOf({ me: memberOf(), other: memberOf(other) }), 0, now, reportOf({ wants })).lent;
    expect(lentBeside({})).toBe('catalogue');
    const heldBy = (catalogue: number): Partial<Member> => ({
      held: { ...nothing, catalogue },
      rights: neededFor({ ...nothing, catalogue }, 0),
    });
    expect([lentBeside(heldBy(26)), lentBeside(heldBy(30))]).toEqual(['catalogue', null]);
    for (const one of ['person', 'queue', 'catalogue'] as const) {
      expect(lentBeside({ wants: [{ lane: one, sinceMs: nowMs }] })).toBeNull();
    }
  });

  test('lends nothing before the process has measured the time, nor after a loss (H5, H8)', () => {
    const wants = [{ lane: 'person' as const, waitedMs: 0 }];
    const calm = documentOf({ me: memberOf() });
    expect(planExchange(calm, 0, now, reportOf({ wants })).lent).toBe('person');
    expect(planExchange(calm, 0, now, reportOf({ wants, isFirst: true })).lent).toBeNull();
    const lost = documentOf({ me: memberOf() }, { lendsFromMs: nowMs + 1 });
    expect(planExchange(lost, 0, now, reportOf({ wants }))).toMatchObject({ lent: null, own: 0, share: 0 });
  });

  test('lends to the waiter whom the scheduler of one terminal would let go (H11)', () => {
    fc.assert(
      fc.property(someHeld, fc.uniqueArray(lane), fc.integer({ min: 10, max: limit }), (counting, waiting, allowed) => {
        // With more than ten members nobody has rights of its own, and the hub stands for one terminal.
        const idle = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`till ${at}`, memberOf()]));
        const wants = waiting.map((one) => ({ lane: one, waitedMs: 5 }));
        const plan = planExchange(documentOf(idle), 0, now, reportOf({ held: counting, wants, limit: allowed }));
        const next = nextInTurn(
          waiting.map((one) => ({ lane: one, sinceMs: nowMs - 5 })),
          { limit: allowed, wholeLimit: limit, reserve: 3, held: counting, nowMs },
        );
        expect(plan.lent).toBe(usedOf(counting) < limit ? (next?.lane ?? null) : null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of two terminals that copy lets the one go first that holds less, and a person before both (H11)', () => {
    const other = memberOf({
      rights: 5,
      held: { ...nothing, catalogue: 5 },
      wants: [{ lane: 'catalogue', sinceMs: nowMs - 9_000 }],
    });
    const ask = (mine: number, wants: Report['wants']) =>
      planExchange(documentOf({ other }), 0, now, reportOf({ held: { ...nothing, catalogue: mine }, wants })).lent;
    expect(ask(4, [{ lane: 'catalogue', waitedMs: 0 }])).toBe('catalogue');
    expect(ask(6, [{ lane: 'catalogue', waitedMs: 0 }])).toBeNull();
    expect(ask(6, [{ lane: 'person', waitedMs: 0 }])).toBe('person');
  });

  test('lends the catalogue one turn after the other once half is used, whichever till took the last (H13)', () => {
    const after = (passedMs: number, used: number, asked: Lane = 'catalogue') => {
      const other = memberOf({ rights: used, held: { ...nothing, catalogue: used } });
      const document = documentOf({ other }, { catalogueMs: nowMs - passedMs });
      return planExchange(document, 0, now, reportOf({ wants: [{ lane: asked, waitedMs: 0 }] }));
    };
    const early = after(900, 40);
    expect(early).toMatchObject({ lent: null, isFree: false });
    expect(early.document.catalogueMs).toBe(nowMs - 900);
    expect(after(900 + early.pacedForMs, 40)).toMatchObject({ lent: 'catalogue', document: { catalogueMs: nowMs } });
    expect(after(0, 20).lent).toBe('catalogue');
    expect(after(0, 40, 'person').lent).toBe('person');
    expect(after(0, 40, 'queue').lent).toBe('queue');
  });

  test('paces the catalogue by the limit after a 429 and by the window, and never what it is owed (H13)', () => {
    const pacedAt = (held: Member['held'], change: Partial<Report> = {}) => {
      const other = memberOf({ own: 0, rights: usedOf(held), held });
      const idle = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`till ${at}`, memberOf({ own: 0 })]));
      const wants = [{ lane: 'catalogue' as const, waitedMs: 0 }];
      const document = documentOf({ ...idle, other }, { catalogueMs: nowMs });
      return planExchange(document, 0, now, reportOf({ wants, ...change }));
    };
    const seconds = (plan: ReturnType<typeof pacedAt>): number => Math.round(plan.pacedForMs / 100) / 10;
    const forty = { ...nothing, catalogue: 40 };
    expect(seconds(pacedAt(forty))).toBe(0.9);
    expect(seconds(pacedAt({ ...nothing, person: 30, catalogue: 10 }))).toBe(2);
    expect(seconds(pacedAt({ ...nothing, catalogue: 12 }, { limit: 20 }))).toBe(3.2);
    expect(seconds(pacedAt(forty, { windowMs: 600_000 }))).toBe(9.5);
    expect(pacedAt({ ...nothing, person: 40, catalogue: 1 })).toMatchObject({ lent: 'catalogue', pacedForMs: 0 });
    // Another's turn is next.
    const ahead = memberOf({ own: 0, wants: [{ lane: 'catalogue', sinceMs: nowMs - 5_000 }] });
    const wants = [{ lane: 'catalogue' as const, waitedMs: 0 }];
    const busy = documentOf({ ahead, other: memberOf({ rights: 40, held: forty }) }, { catalogueMs: nowMs });
    expect(planExchange(busy, 0, now, reportOf({ wants })).pacedForMs).toBe(0);
  });

  describe('gathers figures while few slots are free (H15)', () => {
    const figures = [{ scope: '1/1', productId: '5' as Id }];
    /** This terminal's figure is asked for when so many slots are used, so long after the last one. */
    const after = (
      passedMs: number,
      used: number,
      change: Partial<Report> = {},
      others: HubDocument['members'] = {},
    ) => {
      // With more than ten members nobody keeps a right for persons of its own.
      const idle = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`idle ${at}`, memberOf()]));
      const hog = memberOf({ rights: used, held: { ...nothing, person: used } });
      const document = documentOf({ ...idle, hog, ...others }, { figuresMs: nowMs - passedMs });
      return planExchange(document, 0, now, reportOf({ wants: [{ lane: 'person', waitedMs: 0, figures }], ...change }));
    };

    test('at a pace that slows down from a quarter of the limit on', () => {
      const paces = [44, 45, 50, 59].map((used) => Math.round(after(0, used).pacedForMs));
      expect(paces).toEqual([0, 0, 317, 887]);
      expect(after(0, 44)).toMatchObject({ lent: 'person', document: { figuresMs: nowMs } });
      expect(after(316, 50)).toMatchObject({ lent: null, document: { figuresMs: nowMs - 316 } });
      expect(after(317, 50).lent).toBe('person');
      expect(after(0, 59, { windowMs: 600_000 }).pacedForMs).toBeLessThan(950);
    });

    test('and keeps no other question waiting, nor one at a terminal alone', () => {
      const wants = [{ lane: 'person', waitedMs: 0 }] as const;
      expect(after(0, 59, { wants })).toMatchObject({ lent: 'person', document: { figuresMs: nowMs } });
      const held = { ...nothing, person: 59 };
      const alone = documentOf({ me: memberOf({ rights: 59, held }) }, { figuresMs: nowMs });
      expect(planExchange(alone, 0, now, reportOf({ held, wants: [{ ...wants[0], figures }] })).lent).toBe('person');
    });

    test('for one terminal, and for the next where it does not take its turn', () => {
      const newer = memberOf({ wants: [{ lane: 'person', sinceMs: nowMs + 1, figures }] });
      expect(after(400, 50, {}, { newer })).toMatchObject({ lent: null, pacedForMs: 0 });
      expect(after(700, 50, {}, { newer }).lent).toBe('person');
    });

    test('of whoever waited not long ago, in one scope, and not its own', () => {
      const wants = (scope: string, productId: string, sinceMs = nowMs): Partial<Member> => ({
        wants: [{ lane: 'person', sinceMs, figures: [{ scope, productId: productId as Id }] }],
      });
      const document = documentOf({
        me: memberOf(wants('1/1', '1')),
        one: memberOf(wants('1/1', '2', nowMs - 10)),
        two: memberOf(wants('1/1', '3')),
        elsewhere: memberOf(wants('1/2', '4')),
        ended: memberOf({ ...wants('1/1', '5'), writtenHiMs: nowMs - 5_001 }),
      });
      expect(figuresWanted(document, 'me', '1/1', now)).toEqual(['3', '2']);
    });

    test('so that never more than the limit is lent, and somebody goes within a second (H1, L1)', () => {
      const waiter = fc.record({ sinceMs: fc.integer({ min: nowMs - 20_000, max: nowMs }), isFigure: fc.boolean() });
      fc.assert(
        fc.property(
          fc.array(waiter, { minLength: 1, maxLength: 6 }),
          fc.nat(20),
          fc.integer({ min: 0, max: 3_000 }),
          (waiters, free, passedMs) => {
            const others = Object.fromEntries(
              waiters.map(({ sinceMs, isFigure }, at) => [
                `till ${at}`,
                memberOf({ wants: [{ lane: 'person', sinceMs, ...(isFigure ? { figures } : {}) }] }),
              ]),
            );
            const lent = waiters.filter(({ sinceMs, isFigure }, at) => {
              const want = { lane: 'person', waitedMs: nowMs - sinceMs, ...(isFigure ? { figures } : {}) } as const;
              return after(passedMs, limit - free, { id: `till ${at}`, wants: [want] }, others).lent !== null;
            });
            expect(lent.length).toBeLessThanOrEqual(free);
            const isDue = passedMs >= 950 || waiters.some(({ isFigure }) => !isFigure);
            expect(lent.length > 0 || free === 0 || !isDue).toBe(true);
            const isCalm = free > limit / 4;
            expect(!isCalm || lent.length === Math.min(waiters.length, free)).toBe(true);
          },
        ),
        { numRuns: 500 },
      );
    });
  });

  test.each(['session', 'person', 'queue', 'catalogue'] as const)(
    'lends nothing to %s when all is kept for others',
    (one) => {
      const other = memberOf({ share: 60, heardHiMs: nowMs - silentAfterMs - 1 });
      const wants = [{ lane: one, waitedMs: 20_000 }];
      expect(planExchange(documentOf({ other }), 0, now, reportOf({ wants }))).toMatchObject({ lent: null, rights: 0 });
    },
  );

  test('keeps nothing for a silent terminal that is gone for good, once what it was lent is over (H1)', () => {
    const [wants, removed] = [[{ lane: 'person', waitedMs: 0 }] as const, ['other']];
    const since = (silentMs: number): Partial<Member> => ({
      writtenLoMs: nowMs - silentMs,
      writtenHiMs: nowMs - silentMs,
      heardHiMs: nowMs - silentMs,
    });
    const other = memberOf({ share: 30, own: 2, rights: 58, ...since(silentAfterMs + 1) });
    const first = planExchange(documentOf({ other }), 0, now, reportOf({ wants, removed }));
    // The slot that it was lent may still be used.
    expect(first).toMatchObject({ lent: null, document: { members: { other: { share: 0, own: 0, rights: 58 } } } });
    const over = {
      ...first.document,
      members: { other: { ...memberOf({ rights: 58 }), ...since(reclaimAfterMs(windowMs) + 1) } },
    };
    expect(planExchange(over, 0, now, reportOf({ wants }))).toMatchObject({ lent: 'person', share: 60 });
    // It is here.
    const here = memberOf({ share: 30, own: 2, rights: 2, ...since(silentAfterMs) });
    expect(
      planExchange(documentOf({ other: here }), 0, now, reportOf({ wants, removed })).document.members['other'],
    ).toEqual(here);
  });

  test('leaves a terminal whose own are used as many for persons as it would have alone (H11)', () => {
    const lentTo = (person: number, wanted: 'person' | 'catalogue'): string | null => {
      const held = { ...nothing, person, catalogue: 54 };
      const me = memberOf({ rights: 57, own: 3, held });
      return planExchange(documentOf({ me }), 0, now, reportOf({ held, wants: [{ lane: wanted, waitedMs: 9_000 }] }))
        .lent;
    };
    expect(lentTo(0, 'catalogue')).toBe('catalogue');
    expect(lentTo(3, 'catalogue')).toBeNull();
    expect(lentTo(3, 'person')).toBe('person');
  });

  test('names one terminal as the next, whoever looks (H11)', () => {
    const since = fc.constantFrom(nowMs - 900_000, nowMs - 1_000, nowMs);
    const waiting = fc.record({ queue: fc.nat(1), catalogue: fc.nat(1), queueSince: since, catalogueSince: since });
    fc.assert(
      fc.property(fc.array(waiting, { minLength: 2, maxLength: 5 }), (all) => {
        const members = all.map(({ queue, catalogue, queueSince, catalogueSince }) =>
          memberOf({
            rights: queue + catalogue,
            held: { ...nothing, queue, catalogue },
            wants: [
              { lane: 'queue', sinceMs: queueSince },
              { lane: 'catalogue', sinceMs: catalogueSince },
            ],
          }),
        );
        const document = documentOf(Object.fromEntries(members.map((member, at) => [`till ${at}`, member])));
        const next = members.filter(({ held: counting, wants }, at) => {
          const asked = wants.map(({ lane: one, sinceMs }) => ({ lane: one, waitedMs: nowMs - sinceMs }));
          return (
            planExchange(document, 0, now, reportOf({ id: `till ${at}`, held: counting, wants: asked })).lent !== null
          );
        });
        expect(next).toHaveLength(1);
      }),
      { numRuns: 1_000 },
    );
  });

  test('lets as many persons go as rights are free, however each terminal reads the time (L1)', () => {
    const person = fc.record({
      sinceMs: fc.oneof(fc.integer({ min: nowMs - 20_000, max: nowMs }), fc.integer({ min: nowMs - 9, max: nowMs })),
      errorMs: fc.integer({ min: -12, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 6 }), fc.nat(7), (persons, free) => {
        const held = { ...nothing, person: limit - free };
        // With more than ten members nobody keeps a right for persons of its own.
        const idle = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`idle ${at}`, memberOf()]));
        const waiting = persons.map(({ sinceMs }) => memberOf({ wants: [{ lane: 'person', sinceMs }] }));
        const document = documentOf({
          ...idle,
          ...Object.fromEntries(waiting.map((member, at) => [`till ${at}`, member])),
          hog: memberOf({ rights: limit - free, held }),
        });
        const lent = persons.filter(({ sinceMs, errorMs }, at) => {
          const wants = [{ lane: 'person', waitedMs: nowMs - sinceMs + errorMs }] as const;
          return planExchange(document, 0, now, reportOf({ id: `till ${at}`, wants })).lent !== null;
        });
        expect(lent).toHaveLength(Math.min(persons.length, free));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [1, 3, 60],
    [2, 3, 30],
    [4, 2, 15],
    [10, 1, 6],
    [50, 0, 1],
    [60, 0, 1, 60],
    [61, 0, 1, 30],
    [500, 0, 1, 30],
  ])(
    'of %i members each keeps %i for persons and has a share of %i, or so many do (H1)',
    (members, own, share, sharers = members) => {
      let document = documentOf({});
      for (let round = 0; round < 3; round += 1) {
        for (let at = 0; at < members; at += 1) {
          document = planExchange(document, 0, now, reportOf({ id: `till ${at}` })).document;
        }
      }
      const all = Object.values(document.members);
      expect(all.filter((member) => member.share === share && member.own === own)).toHaveLength(sharers);
      expect(sumOf(document, (member) => member.share)).toBe(sharers * share);
    },
  );

  test('keeps little for a terminal that ends in order', () => {
    const document = documentOf({ me: memberOf({ own: 3, rights: 3, share: 30 }), other: memberOf({ share: 30 }) });
    expect(planExchange(document, 0, now, reportOf({ ending: 'closing' }))).toMatchObject({ own: 3, share: 3 });
  });

  test('keeps nothing for one that ends in order while others have no share', () => {
    const idle = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`till ${at}`, memberOf({ share: at && 1 })]),
    );
    const ending = 'closing' as const;
    const document = documentOf({ ...idle, me: memberOf({ share: 1 }) });
    expect(planExchange(document, 0, now, reportOf({ ending }))).toMatchObject({ own: 0, share: 0 });
    const fewer = documentOf({ ...document.members, 'till 0': memberOf({ share: 1 }) });
    delete fewer.members['till 1'];
    expect(planExchange(fewer, 0, now, reportOf({ ending }))).toMatchObject({ own: 0, share: 1 });
  });

  test('forgets a terminal that leaves, when what it sent counts no more', () => {
    const before = documentOf({ me: memberOf({ own: 3, rights: 5, share: 30 }), other: memberOf({ share: 30 }) });
    const held = { ...nothing, catalogue: 2 };
    const { document } = planExchange(before, 0, now, reportOf({ ending: 'leaving', held }));
    expect(document.members['me']).toMatchObject({ rights: 2, own: 0, share: 0 });
    const laterMs = nowMs + reclaimAfterMs(windowMs) + 1;
    const later = { loMs: laterMs, hiMs: laterMs };
    const other = planExchange(document, 0, later, reportOf({ id: 'other', heardHiMs: later.hiMs }));
    expect(other.share).toBe(60);
    expect(Object.keys(other.document.members)).toEqual(['other']);
  });
});

describe("the hub's time (H5)", () => {
  test('is never ahead with one clock, nor behind with the other, however the server is set', () => {
    const step = fc.record({
      caller: fc.nat(3),
      passedMs: fc.nat(20_000),
      jumpMs: fc.constantFrom(0, 0, 0, -3_600_000, 3_600_000, -10_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let document = documentOf({}, { loMs: 0, hiMs: 0 });
        let [trueMs, serverMs] = [0, 0];
        const bases = Array.from({ length: 4 }, () => ({ loMs: 0, hiMs: 0, uptimeMs: 0 }));
        for (const { caller, passedMs, jumpMs } of steps) {
          trueMs += passedMs;
          serverMs += passedMs + jumpMs;
          const time = hubTimeAt(document, serverMs, trueMs, bases[caller] ?? null);
          expect(time.loMs).toBeLessThanOrEqual(trueMs);
          expect(time.hiMs).toBeGreaterThanOrEqual(trueMs);
          bases[caller] = { ...time, uptimeMs: trueMs };
          document = { ...document, ...time, serverMs };
        }
      }),
    );
  });

  test('a new process takes nothing away, and everybody for silent', () => {
    const document = documentOf({});
    expect(hubTimeAt(document, 3_600_000, 5, null)).toEqual({
      loMs: nowMs,
      hiMs: nowMs + 3_600_000 + silentAfterMs + 1,
    });
  });
});

describe('a hub that has lost something (H8)', () => {
  const memory = {
    version: 9,
    document: documentOf({ me: memberOf({ share: 30, writes: 4 }), other: memberOf({ share: 30 }) }),
  };
  const back = (read: HubDocument | null, answered = 4) =>
    withoutLoss(read, memory, { id: 'me', answered, windowMs }, { serverMs: 7, isIntact: false }, () => 'new');

  test('is believed when it has what was written', () => {
    expect(back(memory.document)).toBe(memory.document);
  });

  test.each([
    ['is empty', null],
    ['has an older document', documentOf({ me: memberOf({ share: 60, writes: 3 }) })],
    ['has one without this terminal', documentOf({ other: memberOf({ share: 60 }) })],
  ])('that %s is given back all members with their shares, and lends nothing', (_, read) => {
    const document = back(read);
    expect(document).toMatchObject({ epoch: 'new', restored: { epoch: 'one', version: 9 } });
    expect(document.lendsFromMs - document.loMs).toBe(growAfterMs(windowMs));
    expect(sumOf(document, (member) => holding(member, document, windowMs))).toBe(60);
  });

  test('that another has found is told what only this terminal knows', () => {
    const found = (version: number): HubDocument =>
      documentOf({ other: memberOf({ share: 20 }) }, { epoch: 'two', restored: { epoch: 'one', version } });
    expect(back(found(9))).toEqual(found(9));
    const reported = back(found(8));
    expect(reported.epoch).toBe('two');
    expect(reported.members['me']).toMatchObject({ share: 30, isRemembered: true });
    // The other has written since: that is newer.
    expect(reported.members['other']).toMatchObject({ share: 20, isRemembered: false });
  });

  test.each([
    ['catalogueMs', 'catalogue', []],
    ['figuresMs', 'person', [{ scope: 'shop', productId: '7' as Id }]],
  ] as const)('has a time of its own: of the former %s counts no more (H13)', (at, turn, figures) => {
    // Of two accounts, so that the records say when they had their turns.
    const members = {
      me: memberOf({ countsAt: ['one'], share: 50, [at]: nowMs }),
      beside: memberOf({ countsAt: ['one'], share: 1 }),
      other: memberOf({ countsAt: ['other'], share: 60 }),
    };
    const lost = { version: 9, document: documentOf(members) };
    const own = { id: 'me', answered: 1, windowMs };
    const read = withoutLoss(null, lost, own, { serverMs: 7, isIntact: false }, () => 'new');
    const loMs = read.lendsFromMs + 60_000;
    // So much is in use that turns are apart.
    const held = { ...nothing, person: 40, catalogue: 6 };
    const wants = [{ lane: turn, waitedMs: 60_000, figures: [...figures] }];
    const report = reportOf({ countsAt: ['one'], held, wants });
    expect(planExchange(read, 0, { loMs, hiMs: loMs }, report).lent).toBe(turn);
  });
});

test('who cannot be removed, for it has no share, keeps nothing for itself either', () => {
  const silent = { writtenHiMs: 0, heardHiMs: 0, writtenLoMs: 0 };
  const strange = memberOf({ share: 0, own: 60, rights: 60, ...silent });
  const later = { loMs: nowMs + reclaimAfterMs(windowMs) + 1, hiMs: nowMs + reclaimAfterMs(windowMs) + 1 };
  expect(holding(strange, later, windowMs)).toBe(0);
  expect(Object.keys(planExchange(documentOf({ strange }), 0, later, reportOf()).document.members)).toEqual(['me']);
});

test('a slot that was lent comes to its end within the times that the others count on (H3, H4)', () => {
  expect(leaveWithinMs).toBe(exchangeTimeoutMs);
});

describe('of several windows', () => {
  const members = { me: memberOf(), other: memberOf({ windowMs: maxWindowMs }) };

  test('the longest counts, whoever has set it', () => {
    expect(windowOf(documentOf(members), windowMs)).toBe(maxWindowMs);
    expect(windowOf(documentOf({ me: memberOf() }), 120_000)).toBe(120_000);
    expect(windowOf(null, windowMs)).toBe(windowMs);
  });

  test('a loss is waited out for as long as what was lent by the longest counts (H8)', () => {
    const memory = { version: 9, document: documentOf(members) };
    const own = { id: 'me', answered: 1, windowMs };
    const back = withoutLoss(null, memory, own, { serverMs: 7, isIntact: false }, () => 'new');
    expect(back.lendsFromMs - back.loMs).toBe(growAfterMs(maxWindowMs));
  });

  test('a document of an earlier version says sixty seconds', () => {
    const { windowMs: _, ...earlier } = memberOf();
    const document = parseDocument({ ...documentOf({}), members: { me: earlier } });
    expect(document?.members['me']?.windowMs).toBe(windowMs);
  });
});

test('unchanged records are written again every ten seconds, each at a moment of its own (H14)', () => {
  const ids = Array.from({ length: 50 }, (_, at) => `till ${at}`);
  const document = documentOf(Object.fromEntries(ids.map((id) => [id, memberOf()])));
  const moments = ids.map((id) => saysAgainAtMs(document, id, nowMs)).toSorted((left, right) => left - right);
  expect(moments.map((ms) => ms - (moments[0] ?? 0))).toEqual(ids.map((_, at) => at * 200));
  expect(moments[0]).toBeGreaterThan(nowMs);
  expect(moments.at(-1)).toBeLessThanOrEqual(nowMs + 10_000);
  const atMs = saysAgainAtMs(document, 'till 7', nowMs);
  expect(saysAgainAtMs(document, 'till 7', atMs - 1)).toBe(atMs);
  expect(saysAgainAtMs(document, 'till 7', atMs)).toBe(atMs + 10_000);
  const waiting = documentOf({ me: memberOf({ wants: [{ lane: 'person', sinceMs: nowMs }] }) });
  expect(saysAgainAtMs(waiting, 'me', nowMs)).toBe(nowMs + 2_000);
});

test('what no version of the app has written is no document', () => {
  const document = documentOf({ me: memberOf() });
  expect(parseDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
  for (const other of [null, 1, {}, { ...document, format: 2 }, { ...document, members: { me: { rights: -1 } } }]) {
    expect(parseDocument(other)).toBeNull();
  }
});

test('five hundred terminals with names of any letters share the limit, and fit into the hub', async () => {
  const name = '🛒 Caixa nº 7 — «São João» '.repeat(3).slice(0, 60).toWellFormed();
  const wants = (['session', 'person', 'queue', 'catalogue'] as const).map((one) => ({ lane: one, waitedMs: 1_000 }));
  let document = documentOf({});
  for (let round = 0; round < 2; round += 1) {
    for (let place = 0; place < 500; place += 1) {
      const id = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
      const rights = document.members[id]?.rights ?? 0;
      const held = { ...nothing, person: rights };
      ({ document } = planExchange(document, 0, now, reportOf({ id, name, held, wants, writes: round + 1 })));
    }
  }
  const all = Object.values(document.members);
  expect(all).toHaveLength(500);
  const held = all.reduce((sum, member) => sum + holding(member, now, windowMs), 0);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThanOrEqual(limit);
  expect(all.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(limit);
  const text = createStoredText(() => 0);
  const ports = { random: createSeededRandom('two hundred'), account: 'account', key: new Uint8Array(32) };
  const [one, other] = [0, 1].map(() => createSealedDocument({ ...ports, link: linkToText(text) }));
  expect(await one?.write(text.read(), document)).toEqual(succeed(true));
  const { rows } = text.stored();
  expect(Math.max(...rows.map(({ record }) => record.length))).toBeLessThan(maxRecordLength);
  // One message of the server holds them all.
  expect(JSON.stringify(rows).length).toBeLessThan((maxMessageBytes * 500) / maxRows);
  expect(await other?.read()).toMatchObject({ ok: true, value: { document } });
});

test.each([
  ['this run', 'now', 8, false],
  ['another run after its last answer', 'other', 8, true],
  ['an earlier run, back after a loss', 'other', 7, false],
  ['an earlier version', '', 8, false],
])('a record that %s has written is of another or not (H16)', (_, run, writes, is) => {
  expect(isOfAnother(memberOf({ run, writes }), 'now', 7)).toBe(is);
  expect(isOfAnother(memberOf({ run, writes, isRemembered: true }), 'now', 7)).toBe(false);
});
