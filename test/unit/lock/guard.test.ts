import { describe, expect, test } from 'vitest';
import type { Actor, Audit } from '../../../app/lock/audit-log.ts';
import type { AuditFacts } from '../../../app/lock/audit-entries.ts';
import { auditActionSchema, type AuditAction } from '../../../app/contract/audit.ts';
import { invokes, type Channel } from '../../../app/contract/contract.ts';
import { callOf, lockOf, mayCall, ownLockOf, type Person, type ShopFacts } from '../../../app/contract/access.ts';
import type { Handlers } from '../../../app/contract/bridge.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { guardHandlers } from '../../../app/lock/guard.ts';
import { createLock, type Lock, type LockParts } from '../../../app/lock/lock.ts';
import { noLock, type StoredLock } from '../../../app/lock/stored-lock.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const cheap = { logN: 2, blockSize: 1, parallelization: 1 };
const channels = Object.keys(invokes) as Channel[];
/** The update that somebody else has come before. */
const conflictId = 409;
const overwrites = (updateIds: readonly number[]): boolean => updateIds.includes(conflictId);

const atWork: ShopFacts = { open: 'profile', profiles: 1, answersNobody: true };

interface Desk {
  readonly lock: Lock;
  readonly handlers: Handlers;
  readonly reached: string[];
  readonly logged: { readonly message: string; readonly details: unknown }[];
  readonly noted: { readonly actor: Actor; readonly action: AuditAction; readonly isWithPin: boolean }[];
  /** Whether each of them came into the list of practice. */
  readonly isOfPractice: boolean[];
  actor: Actor;
  accessFacts: { readonly person: Person; readonly shop: ShopFacts };
  isStationOn: boolean;
}

function desk(
  answers: Partial<Record<Channel, unknown>> = {},
  mocked: { readonly overwrites?: AuditFacts['overwrites']; readonly throws?: Error } = {},
): Desk {
  let stored: StoredLock = noLock;
  const reached: string[] = [];
  const noted: Desk['noted'] = [];
  const isOfPractice: boolean[] = [];
  const logged: Desk['logged'] = [];
  const made = {
    reached,
    noted,
    isOfPractice,
    logged,
    accessFacts: { person: 'signedIn', shop: atWork } as Desk['accessFacts'],
    isStationOn: false,
    actor: { email: 'ana@example.com', companyId: '4821' as Id, isPractice: false } as Actor,
  };
  const save: LockParts['save'] = (change) => ((stored = { ...stored, ...change }), succeed(undefined));
  const lock = createLock({
    clock: createManualClock(),
    random: { uuid: () => '0f8fad5b-d9cb-469f-a165-70867728950e', fraction: () => 0 },
    stored: () => stored,
    save,
    saveForGood: save,
    place: () => JSON.stringify(made.actor),
    onChange: () => undefined,
    cost: cheap,
  });
  const audit: Audit = {
    note: (actor, action, isWithPin) => void noted.push({ actor, action: auditActionSchema.parse(action), isWithPin }),
    list: () => ({ total: 0, rows: [] }),
    around: () => ({ people: [], oldestAt: null }),
    page: () => [],
    newest: () => 0,
    close: () => undefined,
  };
  const world: AuditFacts = {
    settings: () => ({
      queueLimits: { historyDays: 30, askAfterHours: 72 },
      theme: 'dark',
      quietHours: { from: 22, to: 6 },
      scaleLayouts: ['2CCCC0TTTTTTV'],
    }),
    productName: (productId) => `product ${productId}`,
    isCouponSet: (productId) => productId === '8',
    update: (updateId) =>
      updateId === 404 ? null : { subject: 'coupon', subjectId: '7', name: 'Café', isEnabled: true },
    overwrites: mocked.overwrites ?? overwrites,
    profileName: (profileId) => `profile ${profileId}`,
    tillName: (tillId) => `till ${tillId}`,
  };
  const raw = Object.fromEntries(
    channels.map((channel) => [
      channel,
      () => {
        reached.push(channel);
        if (mocked.throws !== undefined) {
          throw mocked.throws;
        }
        return Promise.resolve(answers[channel] ?? fail({ kind: 'notReady' }));
      },
    ]),
  ) as unknown as Handlers;
  return Object.assign(made, {
    lock,
    handlers: guardHandlers(raw, {
      lock,
      listOf: (isPractice) => ({
        ...audit,
        note: (...entry) => {
          isOfPractice.push(isPractice);
          audit.note(...entry);
        },
      }),
      actor: () => made.actor,
      world,
      accessFacts: () => made.accessFacts,
      isShown: (shownFor) => shownFor === 'Ana at one shop',
      isStationOn: () => made.isStationOn,
      terminalLock: () => ({ hasPin: false, kinds: [] }),
      log: (_level, message, details) => void logged.push({ message, details }),
    }),
  });
}

/** The least that lets a call be judged; what it means is its handler's matter. */
const inputs: Partial<Record<Channel, unknown>> = {
  'hub:remove': { ids: ['another till'] },
  'settings:update': { queueLimits: { historyDays: 60, askAfterHours: 72 } },
};
const call = (on: Desk, channel: Channel, input: unknown = inputs[channel] ?? {}): Promise<unknown> =>
  (on.handlers[channel] as (input: unknown) => Promise<unknown>)(input);

/** The kind of lock that the call belongs to. */
const kindOf = (channel: Channel) => lockOf(callOf(channel, inputs[channel] ?? {}, overwrites));
const isFree = (channel: Channel): boolean => kindOf(channel) === 'none';

test.each([
  ['another', 'Ana at another shop', []],
  ['the same', 'Ana at one shop', ['coupon:switch']],
  ['no', undefined, ['coupon:switch']],
])('a call that was asked for at %s shop, or by whom, is made: %j', async (_which, shownFor, reached) => {
  const on = desk();
  await on.lock.setPin('2580', undefined);
  await on.lock.unlock('2580', 'coupons');
  const input = { productId: '7' as Id, isEnabled: true };
  expect(await on.handlers['coupon:switch'](input, shownFor)).toEqual(fail({ kind: 'notReady' }));
  expect(on.reached).toEqual(reached);
});

describe('the lock before the handlers', () => {
  test('makes trying again free unless it takes the place of what somebody else has set, among many, too', async () => {
    const on = desk({ 'queue:retry': succeed({}) });
    await on.lock.setPin('2580', undefined);
    expect(await call(on, 'queue:retry', { updateId: conflictId })).toEqual(fail({ kind: 'locked' }));
    expect(await call(on, 'queue:retryMany', { updateIds: [1, conflictId] })).toEqual(fail({ kind: 'locked' }));
    expect(on.reached).toEqual([]);
    await on.lock.unlock('2580', 'coupons');
    await call(on, 'queue:retry', { updateId: conflictId });
    expect(on.noted).toMatchObject([{ action: { kind: 'retry' }, isWithPin: true }]);
  });

  test('takes the slices in which many are given up for one action', async () => {
    const on = desk({ 'queue:discardMany': succeed({ updateIds: [1] }), 'queue:discard': succeed({}) });
    await on.lock.setPin('2580', undefined);
    on.lock.choose({ kinds: ['discarding'], opensForMinutes: 0 });
    await on.lock.unlock('2580', 'discarding');
    for (const updateIds of [[1], [2], [3]]) {
      expect(await call(on, 'queue:discardMany', { updateIds })).toMatchObject({ ok: true });
    }
    expect(await call(on, 'queue:discard', { updateId: 4 })).toEqual(fail({ kind: 'locked' }));
    expect(on.noted.map(({ isWithPin }) => isWithPin)).toEqual([true, true, true]);
  });

  test.each(channels)(
    '%s is turned back before its handler while it is locked, and passes when it is free or opened',
    async (channel) => {
      const on = desk();
      await on.lock.setPin('2580', undefined);
      const answer = await call(on, channel);
      expect(answer).toEqual(fail({ kind: isFree(channel) ? 'notReady' : 'locked' }));
      expect(on.reached).toEqual(isFree(channel) ? [channel] : []);
      const kind = kindOf(channel);
      await on.lock.unlock('2580', kind === 'none' ? 'lock' : kind);
      expect(await call(on, channel)).toEqual(fail({ kind: 'notReady' }));
      expect(on.noted).toEqual([]);
    },
  );
});

describe('without a sign-in', () => {
  test.each(channels)('%s reaches its handler only when it may be called, whatever the PIN says', async (channel) => {
    const everyFacts: readonly Desk['accessFacts'][] = (['nobody', 'signedIn'] as const).flatMap((person) =>
      (['none', 'practice', 'profile'] as const).flatMap((open) =>
        [true, false].map((answersNobody) => ({ person, shop: { open, profiles: 1, answersNobody } })),
      ),
    );
    for (const accessFacts of everyFacts) {
      for (const isStationOn of [false, true]) {
        const on = desk();
        Object.assign(on, { accessFacts, isStationOn });
        const input = inputs[channel] ?? {};
        const judged = { channel, isMild: !isStationOn && callOf(channel, input, overwrites).isMild };
        const open = { hasPin: false, kinds: [], open: [], terminal: { hasPin: false, kinds: [] } };
        const verdict = mayCall(judged, accessFacts.person, accessFacts.shop, open, isStationOn);
        const passes = verdict === 'passes';
        expect(await call(on, channel)).toEqual(fail({ kind: passes ? 'notReady' : verdict }));
        expect(on.reached).toEqual(passes ? [channel] : []);
        await on.lock.setPin('2580', undefined);
        const whenPassed = ownLockOf(judged, accessFacts.shop) === 'none' ? 'notReady' : 'locked';
        expect(await call(on, channel)).toEqual(fail({ kind: passes ? whenPassed : verdict }));
      }
    }
  });

  test("language and look are anybody's, what changes the terminal is not", async () => {
    const on = desk();
    on.accessFacts = { person: 'nobody', shop: { ...atWork, answersNobody: false } };
    expect(await call(on, 'settings:update', { language: 'es', theme: 'dark' })).toEqual(fail({ kind: 'notReady' }));
    expect(await call(on, 'settings:update', { language: 'es', lookupNeedsSignIn: false })).toEqual(
      fail({ kind: 'signInNeeded' }),
    );
  });
});

describe('the list', () => {
  test.each<[Channel, unknown, unknown, AuditAction[]]>([
    [
      'coupon:switch',
      { productId: '7', isEnabled: true },
      {},
      [{ kind: 'coupon', productId: '7' as Id, name: 'product 7', isEnabled: true }],
    ],
    [
      'coupon:switch',
      { productId: '7', isEnabled: true, source: 'program' },
      {},
      [{ kind: 'coupon', productId: '7' as Id, name: 'product 7', isEnabled: true, isByProgram: true }],
    ],
    ['coupon:switch', { productId: '8', isEnabled: true, source: 'program' }, {}, []],
    ['platformCheck:start', {}, {}, [{ kind: 'platformChecked' }]],
    ['localApi:makeToken', {}, { token: 'x'.repeat(43) }, [{ kind: 'programTokenMade' }]],
    [
      'coupon:switchMany',
      { productIds: ['7', '8'], isEnabled: false },
      { updateIds: [1, 2] },
      [{ kind: 'coupons', count: 2, isEnabled: false }],
    ],
    ['coupon:switchMany', { productIds: ['7'], isEnabled: false }, { updateIds: [] }, []],
    ['coupon:undoMany', { updateIds: [1, 2], isLast: true }, { takenBack: 2 }, [{ kind: 'couponsUndone', count: 2 }]],
    ['couponSet:plan', { setId: 1 }, { setId: 1, name: 'A' }, [{ kind: 'couponSet', did: 'planned', name: 'A' }]],
    [
      'couponSet:skip',
      { isSkipped: false },
      { setId: 1, name: 'A' },
      [{ kind: 'couponSet', did: 'resumed', name: 'A' }],
    ],
    ['user:restore', { userId: '9' }, {}, [{ kind: 'restoreUser', userId: '9' as Id }]],
    [
      'queue:retry',
      { updateId: 3 },
      {},
      [{ kind: 'retry', subject: 'coupon', subjectId: '7', name: 'Café', isEnabled: true }],
    ],
    [
      'queue:discard',
      { updateId: 3 },
      {},
      [{ kind: 'discard', subject: 'coupon', subjectId: '7', name: 'Café', isEnabled: true }],
    ],
    ['queue:discard', { updateId: 404 }, {}, []],
    ['queue:discardMany', { updateIds: [1, 2, 3] }, { updateIds: [1, 3] }, [{ kind: 'discards', count: 2 }]],
    ['queue:retryMany', { updateIds: [1] }, { retried: 1 }, [{ kind: 'retries', count: 1 }]],
    ['queue:bringBack', { updateIds: [1] }, { broughtBack: 1 }, [{ kind: 'broughtBack', count: 1 }]],
    [
      'stocktake:delete',
      { stocktakeId: 3 },
      { name: 'Shelf 4', lines: { same: 1000, different: 200, noFigure: 30, unknownCode: 4, notCounted: 50_000 } },
      [{ kind: 'stocktakeDeleted', name: 'Shelf 4', count: 1234 }],
    ],
    [
      'settings:update',
      {
        theme: 'light',
        queueLimits: { historyDays: 60, askAfterHours: 72 },
        quietHours: { from: 23, to: 5 },
        scaleLayouts: ['20CCCCCKKKKKV'],
      },
      {},
      [
        { kind: 'setting', field: 'queueLimits.historyDays', from: '30', to: '60' },
        { kind: 'setting', field: 'quietHours.from', from: '22', to: '23' },
        { kind: 'setting', field: 'quietHours.to', from: '6', to: '5' },
        { kind: 'setting', field: 'scaleLayouts', from: '["2CCCC0TTTTTTV"]', to: '["20CCCCCKKKKKV"]' },
      ],
    ],
    [
      'settings:update',
      { scaleLayouts: ['2CCCC0TTTTTTV', 'x'.repeat(600), 'y'] },
      {},
      [
        {
          kind: 'setting',
          field: 'scaleLayouts',
          from: '["2CCCC0TTTTTTV"]',
          to: `["2CCCC0TTTTTTV","${'x'.repeat(600)}`.slice(0, 500),
        },
      ],
    ],
    ['settings:update', { theme: 'light', language: 'es' }, {}, []],
    [
      'profile:connect',
      { platformUrl: 'https://shop.example.com', clientSecret: 'canary-secret', name: 'Front' },
      { passed: true },
      [{ kind: 'profile', did: 'connected', name: 'Front, https://shop.example.com' }],
    ],
    [
      'profile:connect',
      { platformUrl: 'HTTPS:///shop.example.com/api/v3?x', clientSecret: 'canary-secret', name: null },
      { passed: true },
      [{ kind: 'profile', did: 'connected', name: 'https://shop.example.com' }],
    ],
    [
      'profile:connect',
      { platformUrl: 'https://shop.example.com', clientSecret: 'canary-secret' },
      { passed: false },
      [],
    ],
    ['profile:switch', { profileId: 2 }, {}, [{ kind: 'profile', did: 'switched', name: 'profile 2' }]],
    [
      'profile:rename',
      { profileId: 2, name: 'Depot' },
      {},
      [{ kind: 'profile', did: 'renamed', name: 'profile 2 → Depot' }],
    ],
    ['profile:remove', { profileId: 2 }, {}, [{ kind: 'profile', did: 'removed', name: 'profile 2' }]],
    ['profile:leave', {}, {}, [{ kind: 'profile', did: 'left', name: '' }]],
    ['practice:start', {}, {}, [{ kind: 'practiceOpened' }]],
    ['practice:signIn', {}, {}, [{ kind: 'signIn' }]],
    [
      'session:signIn',
      { email: 'ana@example.com', password: 'canary-password', clientSecret: 'canary-secret' },
      { passed: true },
      [{ kind: 'signIn' }],
    ],
    ['session:signIn', { email: 'ana@example.com', password: 'canary-password' }, { passed: false }, []],
    ['session:signOut', {}, {}, [{ kind: 'signOut' }]],
    ['cashier:forget', { email: 'bea@example.com' }, {}, [{ kind: 'cashierForgotten', name: 'bea@example.com' }]],
  ])('%s %j', async (channel, input, output, entries) => {
    const on = desk({ [channel]: succeed(output) });
    await call(on, channel, input);
    expect(on.noted).toEqual(entries.map((action) => ({ actor: on.actor, action, isWithPin: false })));
    expect(JSON.stringify(on.noted)).not.toContain('canary');
  });

  test('says nothing of a call that failed, and says which were let through by a PIN', async () => {
    const on = desk({
      'user:restore': fail({ kind: 'queueFull' }),
      'coupon:switch': succeed({}),
      'queue:retry': succeed({}),
    });
    await call(on, 'user:restore', { userId: '9' });
    expect(on.noted).toEqual([]);
    await on.lock.setPin('2580', undefined);
    await on.lock.unlock('2580', 'coupons');
    await call(on, 'coupon:switch', { productId: '7', isEnabled: true });
    await call(on, 'queue:retry', { updateId: 3 });
    expect(on.noted.map(({ action, isWithPin }) => [action.kind, isWithPin])).toEqual([
      ['coupon', true],
      ['retry', false],
    ]);
  });

  test('names who was there before, and who has come when nobody was, or signs in after another', async () => {
    const on = desk({ 'session:signIn': succeed({ passed: true }), 'session:signOut': succeed({}) });
    const nobody: Actor = { email: null, companyId: null, isPractice: false };
    const bia: Actor = { email: 'bia@example.com', companyId: '5' as Id, isPractice: false };
    on.actor = nobody;
    const signingIn = call(on, 'session:signIn', { email: 'bia@example.com', password: 'x' });
    on.actor = bia;
    await signingIn;
    // Her sign-in has ended, and somebody else's begins.
    const ana: Actor = { ...bia, email: 'ana@example.com' };
    const signingInAfter = call(on, 'session:signIn', { email: 'ana@example.com', password: 'x' });
    on.actor = ana;
    await signingInAfter;
    const signingOut = call(on, 'session:signOut');
    on.actor = nobody;
    await signingOut;
    expect(on.noted.map(({ actor }) => actor)).toEqual([bia, ana, ana]);
  });

  test.each(['ana@example.com', null])(
    'what is done in practice as %s is listed there, whoever has come since',
    async (email) => {
      const on = desk({ 'watchList:set': succeed({ kept: 1 }), 'profile:switch': succeed({}) });
      const practising: Actor = { email, companyId: '4' as Id, isPractice: true };
      on.actor = practising;
      const setting = call(on, 'watchList:set', { minima: [{ productId: '7', minimum: 3 }] });
      const switching = call(on, 'profile:switch', { profileId: 1 });
      on.actor = { email: 'bia@example.com', companyId: '5' as Id, isPractice: false };
      await Promise.all([setting, switching]);
      expect(on.noted.map(({ action }) => action.kind)).toEqual(['minimum', 'profile']);
      expect(on.noted[0]?.actor).toEqual(practising);
      expect(on.isOfPractice).toEqual([true, false]);
    },
  );

  test('an unlocking is over when the call that used it has signed out', async () => {
    const on = desk();
    await on.lock.setPin('2580', undefined);
    await on.lock.unlock('2580', 'coupons');
    const before = on.actor;
    const leaving = call(on, 'session:signOut');
    on.actor = { ...before, email: null };
    await leaving;
    on.actor = before;
    expect(await call(on, 'coupon:switch', { productId: '7', isEnabled: true })).toEqual(fail({ kind: 'locked' }));
  });

  test('an unlocking is over as well when the call that closed the store has thrown', async () => {
    const thrown = Promise.reject(new Error('the disk is full'));
    thrown.catch(() => undefined);
    const on = desk({ 'practice:start': thrown });
    await on.lock.setPin('2580', undefined);
    await on.lock.unlock('2580', 'coupons');
    const before = on.actor;
    const opening = call(on, 'practice:start');
    on.actor = { email: null, companyId: null, isPractice: false };
    await expect(opening).rejects.toThrow('the disk is full');
    on.actor = before;
    expect(await call(on, 'coupon:switch', { productId: '7', isEnabled: true })).toEqual(fail({ kind: 'locked' }));
  });
});

describe('a disk that refuses', () => {
  const refusal = new StorageError({ kind: 'storageFailed', message: 'attempt to write a readonly database' });

  test.each(channels)('fails %s as the disk does, and nothing is put on the list', async (channel) => {
    const on = desk({}, { throws: refusal });
    expect(await call(on, channel)).toEqual(fail(refusal.failure));
    expect(on.noted).toEqual([]);
    expect(on.logged).toEqual([
      { message: 'storage failed', details: { channel, kind: 'storageFailed', reason: refusal.message } },
    ]);
  });

  test('fails a call of which it cannot be told whether it is locked, and the call does nothing', async () => {
    const on = desk(
      {},
      {
        overwrites: () => {
          throw refusal;
        },
      },
    );
    expect(await call(on, 'queue:retry', { updateId: 3 })).toEqual(fail(refusal.failure));
    expect(on.reached).toEqual([]);
  });

  test('leaves what is a bug a bug', async () => {
    await expect(call(desk({}, { throws: new TypeError('a bug') }), 'queue:retry', { updateId: 3 })).rejects.toThrow(
      TypeError,
    );
  });
});

test('of what anybody may ask for ten are under way at most, of what the station answers any number (A6)', async () => {
  const begun = async (channel: Channel, isStationOn: boolean): Promise<number> => {
    const held = Promise.withResolvers<unknown>();
    const made = Object.assign(desk({ [channel]: held.promise }), { isStationOn });
    const asked = Array.from({ length: 12 }, () => call(made, channel));
    const { length } = made.reached;
    held.resolve(fail({ kind: 'notReady' }));
    const late = Array(12 - length).fill(fail({ kind: 'cancelled' }));
    expect((await Promise.all(asked)).slice(length)).toEqual(late);
    // Those are over now.
    await call(made, channel);
    expect(made.reached).toHaveLength(length + 1);
    return length;
  };
  for (const channel of ['profile:connect', 'cashier:scanBadge', 'support:diagnose', 'lock:unlock'] as const) {
    expect([channel, await begun(channel, false)]).toEqual([channel, 10]);
  }
  expect(await begun('station:find', true)).toBe(12);
  expect(await begun('coupon:list', false)).toBe(12);
});
