// The proof of who may call what: every call, every person, every store, lock, station and number of profiles, against
// the table of SECURITY.md, which `npm run rooms` writes, and its words. What the words say is written out here, and not
// taken from the function.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  accessRows,
  callOf,
  isFreeSetting,
  lockOf,
  mayCall,
  stationEvents,
  whoOf,
  type Call,
  type LockFacts,
  type Person,
  type AccessLevel,
  type ShopFacts,
} from '../../../app/contract/access.ts';
import { events, invokes, type Channel } from '../../../app/contract/contract.ts';
import { alwaysHeld, lockKinds } from '../../../app/contract/limits/lock.ts';
import type { HeldKind } from '../../../app/contract/lock.ts';

const emptyAnswer = JSON.stringify(z.toJSONSchema(invokes['notice:dismiss'].output));
const channels = Object.keys(invokes) as Channel[];
/** In SECURITY.md, after the name of a call that asks for less than its row is written for. */
const milder = ['settings:update', 'queue:retry', 'queue:retryMany'] as const;
const calls: readonly Call[] = [
  ...channels.map((channel) => ({ channel, isMild: false })),
  ...milder.map((channel) => ({ channel, isMild: true })),
];
const nameOf = ({ channel, isMild }: Call): string => (isMild ? `${channel} (less)` : channel);

interface DocumentedRow {
  readonly who: string;
  readonly lock: string;
  readonly isAnsweredAtStation: boolean;
}

/** The table under "Who may call what", by the name of the call. */
function readTable(): ReadonlyMap<string, DocumentedRow> {
  const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
  const part = text.split('## Who may call what')[1]?.split('\n## ')[0] ?? '';
  const rows = new Map<string, DocumentedRow>();
  for (const [, who = '', lock = '', list = ''] of part.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+) \|$/gm)) {
    for (const [, name = '', mark = ''] of list.matchAll(/`([^`]+)`(†?)/g)) {
      expect(rows.has(name), `${name} stands there twice`).toBe(false);
      rows.set(name, { who, lock, isAnsweredAtStation: mark === '†' });
    }
  }
  return rows;
}
const documented = readTable();

describe('the table of SECURITY.md', () => {
  test('has every call once, with who may make it and what the PIN holds', () => {
    expect([...documented.keys()].toSorted()).toEqual(calls.map(nameOf).toSorted());
    for (const call of calls) {
      const row = documented.get(nameOf(call));
      expect({ who: whoOf(call), lock: lockOf(call) }, nameOf(call)).toEqual({ who: row?.who, lock: row?.lock });
    }
  });

  test('says of what nobody may read that it is this, and no more', () => {
    const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
    const [, list = ''] = /Of this, nobody may read ([^.]+)\./.exec(text.replaceAll('\n', ' ')) ?? [];
    const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const reads = channels.filter(
      (channel) =>
        whoOf({ channel, isMild: false }) === 'nobody' &&
        // A call whose answer is only that it was done reads nothing.
        JSON.stringify(z.toJSONSchema(invokes[channel].output, { unrepresentable: 'any' })) !== emptyAnswer,
    );
    expect(named.toSorted()).toEqual(reads.toSorted());
  });

  test('has the check station answer the state, the lookup and the way out, and nothing else', () => {
    const answered = [...documented].filter(([, row]) => row.isAnsweredAtStation).map(([name]) => name);
    expect(answered.toSorted()).toEqual(['station:find', 'station:leave', 'terminal:read']);
  });
});

const shops: readonly ShopFacts[] = (['none', 'practice', 'profile'] as const).flatMap((open) =>
  [0, 1, 2].flatMap((profiles) => [false, true].map((answersNobody) => ({ open, profiles, answersNobody }))),
);
const held: readonly HeldKind[] = [...lockKinds, ...alwaysHeld];
const none: LockFacts['terminal'] = { hasPin: false, kinds: [...lockKinds] };
const ownLocks: readonly Omit<LockFacts, 'terminal'>[] = [
  ...[[], ...lockKinds.map((kind) => [kind]), [...lockKinds]].flatMap((kinds) =>
    [[], ...held.map((kind) => [kind])].map((open) => ({ hasPin: true, kinds, open })),
  ),
  { ...none, open: [] },
];
/** A profile's lock is the terminal's, and practice has one of its own. */
const locksAt = ({ open }: ShopFacts): readonly LockFacts[] =>
  ownLocks.flatMap((own) =>
    open === 'practice'
      ? [none, { hasPin: true, kinds: [] }, { hasPin: true, kinds: [...lockKinds] }].map((terminal) => ({
          ...own,
          terminal,
        }))
      : [{ ...own, terminal: own }],
  );

/** The row of SECURITY.md, in its words. */
function saidOf(name: string, person: Person, shop: ShopFacts, lock: LockFacts, isStationOn: boolean): string {
  const row = documented.get(name);
  if (row === undefined) {
    return 'no row';
  }
  if (isStationOn) {
    return row.isAnsweredAtStation ? 'passes' : 'locked';
  }
  const isNew = shop.profiles === 0 && shop.open !== 'profile';
  const isHere = person === 'signedIn';
  const mayStand: Readonly<Record<AccessLevel, boolean>> = {
    nobody: true,
    looksUp: isNew || isHere || (shop.open === 'profile' && shop.answersNobody),
    signedIn: isNew || isHere,
    managesShop: isNew || (isHere && shop.open !== 'none'),
    manager: isNew || (isHere && shop.open === 'profile'),
  };
  const isPractice = shop.open === 'practice';
  if (!mayStand[row.who as AccessLevel]) {
    return isPractice && isHere ? 'notInPractice' : 'signInNeeded';
  }
  const isAlways = alwaysHeld.some((kind) => kind === row.lock);
  const isHeldBy = ({ hasPin, kinds }: LockFacts['terminal']): boolean =>
    hasPin && row.lock !== 'none' && (isAlways || kinds.some((kind) => kind === row.lock));
  if (isPractice && (row.who === 'nobody' || row.who === 'manager')) {
    return isHeldBy(lock.terminal) ? 'notInPractice' : 'passes';
  }
  return !isHeldBy(lock) || lock.open.some((kind) => kind === row.lock) ? 'passes' : 'locked';
}

test('every call, by everybody, at every store, lock and station, goes as SECURITY.md says', () => {
  let judged = 0;
  const wrong: unknown[] = [];
  for (const call of calls) {
    for (const person of ['nobody', 'signedIn'] as const) {
      for (const shop of shops) {
        for (const lock of locksAt(shop)) {
          for (const isStationOn of [false, true]) {
            const verdict = mayCall(call, person, shop, lock, isStationOn);
            const said = saidOf(nameOf(call), person, shop, lock, isStationOn);
            judged += 1;
            if (verdict !== said) {
              wrong.push({ call: nameOf(call), person, shop, lock, isStationOn, verdict, said });
            }
          }
        }
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(judged).toBeGreaterThan(calls.length * 1000);
});

describe('what a call asks for', () => {
  const overwrites = (updateIds: readonly number[]): boolean => updateIds.includes(409);

  test('is less for settings of eyes and hands alone, and for a change of nothing', () => {
    const isMild = (input: object): boolean => callOf('settings:update', input, overwrites).isMild;
    expect(isMild({})).toBe(true);
    expect(isMild({ theme: 'dark', language: 'es' })).toBe(true);
    expect(isMild({ theme: 'dark', quietHours: { from: 1, to: 2 } })).toBe(false);
    expect(isMild({ ofLater: 1 })).toBe(false);
    const free = Object.keys(invokes['settings:update'].input.shape).filter(isFreeSetting);
    expect(free).toEqual(['language', 'theme', 'textSize', 'shelfLabel', 'fileKind', 'isTourSeen', 'sounds']);
  });

  test('is less for a retry unless it takes the place of what somebody else has set, among many, too', () => {
    expect(callOf('queue:retry', { updateId: 3 }, overwrites).isMild).toBe(true);
    expect(callOf('queue:retry', { updateId: 409 }, overwrites).isMild).toBe(false);
    expect(callOf('queue:retryMany', { updateIds: [1, 2] }, overwrites).isMild).toBe(true);
    expect(callOf('queue:retryMany', { updateIds: [1, 409] }, overwrites).isMild).toBe(false);
    expect(callOf('coupon:switch', { updateId: 409 }, overwrites).isMild).toBe(false);
  });

  test('is strict where a row says nothing', () => {
    const silent = channels.filter((channel) => !('who' in accessRows[channel]));
    expect(silent.length).toBeGreaterThan(5);
    for (const channel of silent) {
      expect(whoOf({ channel, isMild: false })).toBe('manager');
    }
  });
});

test('at the station a scanner is heard, the state is reduced, and no other event crosses', () => {
  expect(Object.keys(stationEvents).toSorted()).toEqual(Object.keys(events).toSorted());
  const crossing = Object.entries(stationEvents).filter(([, rule]) => rule !== 'withheld');
  expect(Object.fromEntries(crossing)).toEqual({ 'terminal:changed': 'reduced', 'scanner:read': 'sent' });
});
