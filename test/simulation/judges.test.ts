import { describe, expect, test } from 'vitest';
import type { CouponUpdate } from '../../app/contract/queue.ts';
import { createEvidence, type Evidence } from './evidence.ts';
import { isOldEnough, isSpanUnknown } from './judge-ages.ts';
import { checkEffects } from './invariants.ts';
import { checkEndings } from './judge-keepers.ts';
import { checkPlans } from './judge-plans.ts';
import { foundByPlans, type Run } from './judging.ts';
import type { Exchange } from './network.ts';
import { platformEpochMs } from './referee.ts';
import type { TokenRules } from './referee-tokens.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const askAfterMs = 72 * hourMs;

const runOf = (evidence: Evidence, parts: Partial<Run> = {}): Run =>
  ({
    evidence,
    referee: { effects: [], rules: { tokens: { keys: 'replayed' } }, tokens: { asksFor: () => null, overtaken: [] } },
    exchanges: [],
    practice: null,
    askAfterMs,
    endMs: hourMs,
    ...parts,
  }) as unknown as Run;

describe('a moment of a plan that is neither made nor told (I24)', () => {
  const madeMs = 10 * minuteMs;

  /** One that was due three minutes after it was planned; the clock is set at these times by so much. */
  function verdictOn(
    isAhead: boolean,
    sets: readonly (readonly [atMs: number, offMs: number])[],
    addTo: (evidence: Evidence) => void = () => undefined,
  ): readonly string[] {
    const evidence = createEvidence();
    addTo(evidence);
    const on = platformEpochMs + madeMs + 3 * minuteMs;
    const whose = { email: 'ana@example.com', companyId: '7', name: 'plan 1', productIds: ['1'] };
    const times = { on, off: on + 7 * 24 * hourMs, repeats: 'weekly' as const, atMs: madeMs };
    evidence.plans.push({ ...whose, ...times, isSearch: false, isAhead, isSure: true });
    evidence.planned = { wallMs: on + 2 * hourMs, next: [], missed: [], made: [] };
    evidence.wallClock.push({ atMs: 0, offMs: 0 }, ...sets.map(([atMs, offMs]) => ({ atMs, offMs })));
    return checkPlans(runOf(evidence)).map(({ rule, what }) => `${rule} ${what}`);
  }
  const complaint = ['I24 plan 1 on is neither made nor told'];

  test('is a violation, also of a plan that was made while the clock was ahead', () => {
    expect(verdictOn(false, [])).toEqual(complaint);
    expect(verdictOn(true, [[madeMs, 0]])).toEqual(complaint);
    expect(verdictOn(true, [[madeMs + minuteMs, minuteMs]])).toEqual(complaint);
  });

  test('is none where the clock was set forward past it, so that such a plan was made after it', () => {
    const forward = [[madeMs + minuteMs, hourMs]] as const;
    expect(verdictOn(true, forward)).toEqual([]);
    expect(verdictOn(false, forward)).toEqual(complaint);
  });

  test('is a violation where the clock was set forward long after it', () => {
    expect(verdictOn(true, [[madeMs + 40 * minuteMs, hourMs]])).toEqual(complaint);
  });

  test('is none where no run was there before the machine had lost its time', () => {
    const diedMs = madeMs + minuteMs;
    const isLost = (evidence: Evidence): void => {
      evidence.starts.push(0, diedMs + hourMs);
      evidence.deaths.push({ life: 1, atMs: diedMs });
      evidence.lostClocks.push(diedMs + hourMs);
    };
    expect(verdictOn(true, [], isLost)).toEqual([]);
    expect(verdictOn(false, [], isLost)).toEqual(complaint);
    const isBackBefore = (evidence: Evidence): void => {
      isLost(evidence);
      evidence.starts.splice(1, 0, diedMs + minuteMs);
    };
    expect(verdictOn(true, [], isBackBefore)).toEqual(complaint);
  });
});

describe('somebody who practises and is asked to sign in again (I12)', () => {
  const email = 'practice@example.com';
  const renewal = {
    number: 1,
    life: 1,
    sentAtMs: 2_000,
    method: 'POST',
    path: '/oauth/token',
    body: 'the refresh token',
    isRefresh: true,
    answeredWith: 200,
    endedAtMs: 3_000,
    outcome: { ok: false, failure: { kind: 'unreachable' } },
  } as unknown as Exchange;

  const tokens = { asksFor: () => email, overtaken: [] };

  function verdictOn(keys: TokenRules['keys'], exchanges: readonly Exchange[]): readonly string[] {
    const evidence = createEvidence();
    evidence.endings.push({ atMs: 4_000, email });
    const practice = { emails: [email], exchanges, rules: { keys } as TokenRules, tokens };
    return checkEndings(runOf(evidence, { practice })).map(({ what }) => what);
  }
  const complaint = [`${email} is asked to sign in again without a cause`];

  test('has a cause where an answer of the practice store was lost', () => {
    expect(verdictOn('ignored', [renewal])).toEqual([]);
  });

  test('has none where nothing was lost, or the same key would have brought it again', () => {
    expect(verdictOn('ignored', [])).toEqual(complaint);
    expect(verdictOn('replayed', [renewal])).toEqual(complaint);
  });

  test('has none in what was lost on the way from another platform', () => {
    const evidence = createEvidence();
    evidence.endings.push({ atMs: 4_000, email });
    const practice = { emails: [email], exchanges: [], rules: { keys: 'ignored' } as TokenRules, tokens };
    expect(checkEndings(runOf(evidence, { practice, exchanges: [renewal] })).map(({ what }) => what)).toEqual(
      complaint,
    );
  });
});

describe('an update that is parked as old (I9)', () => {
  function isOld(ageHours: number, askAfterHours: number | null, chosenAfterHours: number): boolean {
    const evidence = createEvidence();
    evidence.wallClock.push({ atMs: 0, offMs: 0 });
    const queueLimits = askAfterHours === null ? {} : { queueLimits: { historyDays: 30, askAfterHours } };
    evidence.chosen.push({ atMs: chosenAfterHours * hourMs, chosen: queueLimits });
    const changedAt = platformEpochMs + ageHours * hourMs;
    return isOldEnough(runOf(evidence), { id: 1, createdAt: platformEpochMs, changedAt } as unknown as CouponUpdate);
  }

  test('is so by the age of the start', () => {
    expect(isOld(71, null, 1)).toBe(false);
    expect(isOld(73, null, 1)).toBe(true);
  });

  test('is so by a shorter age that somebody has chosen by then', () => {
    expect(isOld(40, 24, 1)).toBe(true);
    expect(isOld(40, 24, 41)).toBe(false);
    expect(isOld(23, 24, 1)).toBe(false);
    expect(isOld(40, 0, 1)).toBe(false);
    expect(isOld(40, 8760, 1)).toBe(false);
  });
});

describe('how long it was between two moments', () => {
  /** Of a run that began at 10 s and opened its store at 12 s, the clock being set at this time. */
  const isUnknown = (setAtMs: number): boolean => {
    const evidence = createEvidence();
    evidence.starts.push(0, 10_000);
    evidence.limits.push({ atMs: 1_000, limit: 60 }, { atMs: 12_000, limit: 60 });
    evidence.deaths.push({ life: 1, atMs: 8_000 });
    evidence.clockShifts.push(setAtMs);
    return isSpanUnknown(evidence, 5_000, 20_000);
  };

  test('is unknown where the clock was set before a run could note it', () => {
    expect(isUnknown(7_000)).toBe(true);
    expect(isUnknown(11_000)).toBe(true);
  });

  test('is known where the clock was set while the store was open, and the run goes on', () => {
    expect(isUnknown(13_000)).toBe(false);
  });
});

test('a plan explains one effect, also after what was asked for since it was made (seed 1261224)', () => {
  const ana = { email: 'ana@example.com', companyId: '7', productId: '1' };
  const foundBy = (plan: string | undefined, offs: number): readonly string[] => {
    const evidence = createEvidence();
    const times = { repeats: 'once', on: 0, off: 1, atMs: 0 } as const;
    const made = { isAhead: false, isSure: true, isSearch: true, productIds: ['2'] };
    evidence.plans.push({ email: ana.email, companyId: ana.companyId, name: 'plan 1', ...times, ...made });
    evidence.rows = [{ ...ana, id: 1, isEnabled: false, plan } as unknown as CouponUpdate];
    evidence.intents.push({ ...ana, isEnabled: true, atMs: 1_000, life: 1, status: 'accepted' });
    const effects = [true, ...Array.from({ length: offs }, () => false)].map((isEnabled, place) => ({
      ...ana,
      isEnabled,
      before: !isEnabled,
      atMs: 2_000 + place,
      key: `key ${String(place)}`,
    }));
    const referee = { effects, forgotten: new Set(), rules: { listsDisabled: true }, tokens: { overtaken: [] } };
    return checkEffects(runOf(evidence, { referee } as unknown as Partial<Run>)).map(({ rule }) => rule);
  };
  expect(foundBy('plan 1', 1)).toEqual([]);
  expect(foundBy('plan 1', 2)).toEqual(['I3']);
  expect(foundBy(undefined, 1)).toEqual(['I3']);
});

test('what a plan’s search finds beyond its products is the plan’s too, and nothing else is', () => {
  const evidence = createEvidence();
  const whose = { email: 'ana@example.com', companyId: '7', repeats: 'once', on: 0, off: 1, atMs: 0 } as const;
  const rest = { isAhead: false, isSure: true, productIds: ['1'] };
  evidence.plans.push(
    { ...whose, ...rest, name: 'by search', isSearch: true },
    { ...whose, ...rest, name: 'by list', isSearch: false },
  );
  evidence.rows = [
    ['1', 'by search'],
    ['2', 'by search'],
    ['3', 'by list'],
    ['4', undefined],
  ].map(([productId, plan]) => ({ companyId: '7', productId, plan }) as unknown as CouponUpdate);
  expect([...foundByPlans(evidence)]).toEqual(['7 2']);
});
