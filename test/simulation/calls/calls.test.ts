import { describe, expect, test } from 'vitest';
import { invokes, type Channel } from '../../../app/contract/contract.ts';
import { lockKinds } from '../../../app/contract/limits/lock.ts';
import { defaultSettings, settingSchemas } from '../../../app/contract/settings.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { isNight, shareOf } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { runSeed, type SeedReport } from '../run-seed.ts';
import { verdict } from '../verdict.ts';
import { callPhases, phaseOf, type CallWorld } from './call-row.ts';
import { channels, derivedRow, hasOwnRow, needsShop, rowOf } from './call-table.ts';
import { changedInPractice } from './practice-store.ts';
import { createCoverage, describeCoverage, gapsOf, mergeCoverage, noCoverage } from './coverage.ts';
import type { HeardAnswer } from './heard-answer.ts';
import { faultOfAnswer, nameOf } from './judge-answers.ts';
import { settingNames, settingValues } from './setting-draws.ts';

const ready = {
  ...defaultSettings,
  phase: 'ready',
  mode: 'platform',
  session: { state: 'signedIn', email: 'ana@example.com' },
  cashiers: { lockedEmail: null, users: [] },
  catalogue: { copied: 3 },
  lock: { hasPin: false, kinds: [...lockKinds] },
  profiles: [{ profileId: 1 }],
} as unknown as TerminalState;
const signedOut = { ...ready, phase: 'signIn', session: { state: 'signedOut', email: null } } as TerminalState;
const station = { ...ready, station: { ...ready.station, isOn: true } };

const heard = (channel: Channel, state: TerminalState, answer: HeardAnswer['answer'], input: unknown = {}) =>
  faultOfAnswer({ channel, input, state, answer, isDiskTroubled: false });

describe('the table of calls', () => {
  test('has each call of the contract, and each can be drawn', () => {
    expect(channels.toSorted()).toEqual(Object.keys(invokes).toSorted());
    for (const channel of channels) {
      expect(rowOf(channel).weight, channel).toBeGreaterThan(0);
    }
  });

  test('has a row from the contract alone for a call without one: input that it takes, at an open store', () => {
    const world = { random: createSeededRandom('rows') } as unknown as CallWorld;
    const undrawn = channels.filter((channel) => {
      const { draw } = derivedRow(channel);
      return !Array.from({ length: 400 }, () => draw(world)).some(
        (input) => invokes[channel].input.safeParse(input).success,
      );
    });
    // No text is made up for a pattern, such as a PIN's: such a call needs a row.
    expect(undrawn.filter((channel) => !hasOwnRow(channel))).toEqual([]);
    expect(undrawn.length).toBeLessThan(channels.length / 10);
    expect(derivedRow('stocktake:read').weight).toBe(1);
    expect([needsShop('stocktake:read'), needsShop('lookup:find'), needsShop('device:read')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('changes each setting to values that it takes, and to more than one', () => {
    expect(settingNames.toSorted()).toEqual(Object.keys(settingSchemas).toSorted());
    for (const name of settingNames) {
      // A token for programs is taken away alone.
      const least = name === 'localApiTokenHash' ? 1 : 2;
      const values = new Set(settingValues[name].map((value) => JSON.stringify(value)));
      expect(values.size, name).toBeGreaterThanOrEqual(least);
      for (const value of settingValues[name]) {
        expect(settingSchemas[name].safeParse(value).error, name).toBeUndefined();
      }
    }
  });
});

describe('an answer (I30)', () => {
  test('is one of the row, or a violation', () => {
    expect(heard('stocktake:read', ready, fail({ kind: 'notFoundHere' }))).toBeNull();
    expect(heard('stocktake:read', ready, fail({ kind: 'queueFull' }))).toMatch(
      /queueFull in ready, which its row lacks/,
    );
    expect(heard('coupon:refresh', ready, fail({ kind: 'timedOut' }))).toBeNull();
    expect(heard('coupon:list', ready, fail({ kind: 'timedOut' }))).toMatch(/timedOut/);
    expect(heard('station:find', ready, succeed({ kind: 'said' }))).toMatch(/answers said/);
    // Changes of store wait for one another, and the terminal may close meanwhile.
    expect(heard('profile:remove', ready, fail({ kind: 'cancelled' }))).toBeNull();
  });

  test('is the refusal of whoever may not call, and of nobody else', () => {
    expect(heard('coupon:list', signedOut, fail({ kind: 'signInNeeded' }))).toBeNull();
    expect(heard('coupon:list', signedOut, succeed({}))).toMatch(/must fail with signInNeeded/);
    expect(heard('coupon:list', ready, fail({ kind: 'signInNeeded' }))).toMatch(/signInNeeded in ready/);
    expect(heard('lookup:search', signedOut, succeed([]))).toBeNull();
    expect(heard('lookup:search', { ...signedOut, lookupNeedsSignIn: true }, succeed([]))).toMatch(/signInNeeded/);
    expect(heard('coupon:list', station, fail({ kind: 'locked' }))).toBeNull();
    expect(heard('coupon:list', station, succeed({}))).toMatch(/must fail with locked/);
  });

  test('is "locked" only where the manager has a PIN and can lock the call', () => {
    const locked = { ...ready, lock: { ...ready.lock, hasPin: true } };
    const input = { productId: '1', isEnabled: true };
    expect(heard('coupon:switch', locked, fail({ kind: 'locked' }), input)).toBeNull();
    expect(heard('coupon:switch', ready, fail({ kind: 'locked' }), input)).toMatch(/locked in ready/);
    expect(heard('coupon:list', locked, fail({ kind: 'locked' }))).toMatch(/locked in ready/);
  });

  test('may come from the lock of the terminal while practice opens (seed 1260009)', () => {
    const refused = fail({ kind: 'notInPractice' as const });
    const opening = { ...signedOut, mode: 'practice', phase: 'firstRun' } as const;
    expect(heard('profile:connect', opening, refused)).toBeNull();
    expect(heard('profile:connect', { ...opening, mode: null }, refused)).toMatch(/notInPractice in firstRun/);
  });

  test('says that a disk is full only while it is', () => {
    const answer = fail({ kind: 'storageFull' as const });
    const full = { channel: 'coupon:refresh', input: {}, state: ready, answer } as const;
    expect(faultOfAnswer({ ...full, isDiskTroubled: true })).toBeNull();
    expect(faultOfAnswer({ ...full, isDiskTroubled: false })).toMatch(/storageFull/);
    expect(nameOf(full)).toBe('storage');
  });
});

describe('coverage', () => {
  test('names whatever was never played, and adds up runs', () => {
    const all = gapsOf(noCoverage);
    expect(all).toContain('terminal:read station');
    expect(all).toContain('lookup:find several');
    expect(all).toContain('theme "dark"');
    const count = createCoverage();
    count.noteCall('terminal:read', 'station', 'done');
    count.noteSetting('theme', 'dark');
    const left = gapsOf(mergeCoverage(count.sum(), count.sum()));
    expect(all.filter((name) => !left.includes(name))).toEqual([
      'terminal:read station',
      'terminal:read done',
      'theme "dark"',
    ]);
    expect(describeCoverage(mergeCoverage(count.sum(), count.sum()))).toContain('terminal 2');
  });

  test('knows the screen of a state', () => {
    expect(phaseOf(ready)).toBe('ready');
    expect(phaseOf(station)).toBe('station');
    expect(phaseOf(signedOut)).toBe('signIn');
    expect(phaseOf({ ...signedOut, cashiers: { ...ready.cashiers, lockedEmail: 'ana@example.com' } })).toBe('locked');
    expect(phaseOf({ ...ready, mode: 'practice' })).toBe('practice');
    expect(phaseOf({ ...ready, phase: 'firstRun' })).toBe('firstRun');
  });
});

test('what a person chooses stays as it is in the document while practice is open (I31)', () => {
  const practice = { mode: 'practice', theme: 'dark', station: { isOn: true }, signIns: [], profiles: [1] };
  expect(changedInPractice(null, practice)).toEqual([]);
  expect(changedInPractice(practice, { ...practice, signIns: [1], station: { isOn: false } })).toEqual([]);
  expect(changedInPractice(practice, { ...practice, theme: 'light' })).toEqual(['theme']);
  expect(changedInPractice(practice, { ...practice, mode: 'platform', theme: 'light' })).toEqual([]);
  const unset = { ...practice, profiles: [], localApiTokenHash: null };
  expect(changedInPractice(unset, { ...unset, theme: 'light', localApiTokenHash: 'x' })).toEqual(['localApiTokenHash']);
});

describe('a till at which somebody makes every call (I0 to I31)', () => {
  let coverage = noCoverage;
  const play = (seed: number): Promise<SeedReport> => runSeed({ seed, shiftHours: 0.25, isPressed: true });
  const reports = new Map<number, Promise<SeedReport>>();
  const playOnce = (seed: number): Promise<SeedReport> => {
    const report = reports.get(seed) ?? play(seed);
    reports.set(seed, report);
    return report;
  };

  test.for(shareOf([1001, 1002, 1003, 1000], 2))('holds its promises in seed %i', async (seed) => {
    const report = await playOnce(seed);
    expect(verdict(report)).toBe('all hold');
    coverage = mergeCoverage(coverage, report.coverage);
  });

  test('has made nearly every call by then, at nearly every kind of screen', () => {
    const names = Object.keys(coverage.calls);
    const never = channels.filter((channel) => !names.some((name) => name.startsWith(`${channel} `)));
    expect(never.length, never.join()).toBeLessThan(isNight ? 6 : 9);
    expect(callPhases.filter((phase) => !names.some((name) => name.includes(` ${phase} `))).length).toBeLessThan(2);
  });

  test('gives the same trace for the same seed', async () => {
    const [first, second] = [await playOnce(1002), await play(1002)];
    expect(second.traceHash).toBe(first.traceHash);
  });
});
